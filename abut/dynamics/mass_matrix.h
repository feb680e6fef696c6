// The mass matrix of all trees, its factor and solutions with it.
//
//   positions(model, state, input, d);
//   mass_matrix(model, d);          // d.M
//   factor(model, d);               // d.LTL
//   solve(model, d, x);             // x <- M^-1 x
#pragma once

#include <span>

#include "abut/model/derived.h"

namespace abut {

// Composite-rigid-body algorithm (Featherstone, ch. 6), armature included.
void mass_matrix(const Model& model, Derived& d);

// M = L^T D L along the tree (Featherstone 2005): the factor has no fill, so that a robot of n dofs
// in branches of depth k costs O(n k^2). Free bodies need no factor. `extra`, one entry for each
// dof or empty, is added to the diagonal (implicit damping).
void factor(const Model& model, Derived& d, std::span<const double> extra = {});

// x <- M^-1 x with the factor; free bodies in closed form.
void solve(const Model& model, const Derived& d, std::span<double> x);
// The same for one tree that is not a free body; x has only its dofs.
void solve_tree(const Model& model, const Derived& d, const Tree& tree, double* x);
// The same, bit for bit, of four right sides: side r of dof i at x[4 i + r]. Twice as fast.
void solve_tree_four(const Model& model, const Derived& d, const Tree& tree, double* x);

// y <- M x.
void multiply(const Model& model, const Derived& d, std::span<const double> x, std::span<double> y);

// M as a full matrix, for inspection.
MatX dense_mass_matrix(const Model& model, const Derived& d);

}  // namespace abut
