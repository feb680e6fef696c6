// M^-1 of a tree with joints, in the three ways that A = J M^-1 J' of an LCP can be made by:
//
//   factors            M = L'DL (mass_matrix.h): O(n k) for each x, k the depth of the tree
//   unit_forces        test forces, and the accelerations that they make, by the articulated-body
//                      algorithm: O(n) once, O(n) for each x (Kokkevis 2004)
//   operational_space  M^-1 in full: O(n^3) once, O(n^2) for each x (Ruspini and Khatib 2000)
//
// Drumwright names the last two (D-15). All three agree to rounding; the first is abut's.
//
//   abut::MassInverse inverse;
//   inverse.set(model, d, tree, abut::InverseBy::unit_forces);
//   inverse.solve(x);                                            // x <- M^-1 x
#pragma once

#include <Eigen/Cholesky>
#include <vector>

#include "abut/model/derived.h"

namespace abut {

enum class InverseBy { factors, unit_forces, operational_space };

class MassInverse {
 public:
  // Of a tree that is not a free body. Requires positions(), mass_matrix() and factor(); what factor()
  // was given beside M is in the inverse as well. The same size again allocates nothing.
  void set(const Model& model, const Derived& d, const Tree& tree, InverseBy by);
  // `x` has the tree's dofs.
  void solve(double* x);

 private:
  void find_extra();
  void find_inertias();
  void find_inverse();
  void answer_test_force(double* x);

  const Model* model_ = nullptr;
  const Derived* d_ = nullptr;
  const Tree* tree_ = nullptr;
  InverseBy by_ = InverseBy::factors;
  std::vector<double> extra_;  // one a dof: what the factors have beside M
  // unit_forces: one a link, one a dof
  std::vector<Derived::ArticulatedInertia> inertia_;
  std::vector<Spatial> wrench_, acceleration_, U_;
  std::vector<double> inverse_D_, u_;
  // operational_space
  MatX full_;
  VecX row_;
  Eigen::LLT<MatX> cholesky_;
};

}  // namespace abut
