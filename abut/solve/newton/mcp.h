// A mixed complementarity problem with any function w(z), for Newton-like methods
// (fischer_burmeister.h, lmmcp.h): lo <= z <= hi, and w >= 0 where z = lo, w <= 0 where z = hi, w =
// 0 between. ScaledProblem converts a Problem (linear w).
//
//   abut::Mcp mcp;                       // 0 <= z  perp  z^2 - 4 >= 0
//   mcp.set_complementary(1);
//   mcp.value = [](const VectorX& z, VectorX& w) { w[0] = z[0] * z[0] - 4; };
//   mcp.jacobian = [](const VectorX& z, DenseRows& J) { J(0, 0) = 2 * z[0]; };
#pragma once

#include <functional>
#include <vector>

#include "abut/solve/problem.h"

namespace abut {

struct Mcp {
  VectorX lo, hi;
  // As in Problem: |z_i| <= mu_i z_j. Both may be empty: no such row.
  std::vector<int> bound_by;
  VectorX mu;

  // The given vectors and matrix have the right size.
  std::function<void(const VectorX& z, VectorX& w)> value;
  std::function<void(const VectorX& z, DenseRows& jacobian)> jacobian;
  bool linear = false;  // the Jacobian is constant: computed once

  // The value of 1 in the user's units if the problem was scaled; empty: 1. The residual is
  // measured in the user's units.
  VectorX z_unit, w_unit;

  int size() const { return static_cast<int>(lo.size()); }
  int bounding_row(int i) const { return bound_by.empty() ? -1 : bound_by[i]; }
  void set_complementary(int n) {  // every row 0 <= z perp w >= 0
    lo.setZero(n);
    hi.setConstant(n, kInfinity);
  }
};

// Which of the three numbers is the natural map max(z - hi, min(z - lo, w)) of a row.
enum class NaturalCase { at_lo, at_hi, inside };

struct NaturalRow {
  double value;
  NaturalCase which;
};
NaturalRow natural_row(const Mcp& mcp, const VectorX& z, const VectorX& w, int i);

// max |natural map| in the user's units, as in Residuals::natural. Infinite for NaN.
double natural_residual(const Mcp& mcp, const VectorX& z, const VectorX& w);

// Projects z onto the bounds that do not depend on another row.
void project_to_bounds(const Mcp& mcp, VectorX& z);

// A Problem (without cones) as an Mcp whose numbers are about 1. Rows and columns are divided by
// powers of two (exact) until the largest entries of each are near 1 (Ruiz 2001); then z is scaled
// so that max |b| is near 1. Scaling by positive numbers changes neither the solutions nor whether
// A is a P or P0 matrix. But the functions that Newton-like methods reduce are not invariant, and
// contacts mix kilograms with kilogram square metres. An object must not move while its mcp() is
// used.
class ScaledProblem {
 public:
  ScaledProblem();
  ScaledProblem(const ScaledProblem&) = delete;
  ScaledProblem& operator=(const ScaledProblem&) = delete;

  void assign(const Problem& problem);
  const Mcp& mcp() const { return mcp_; }
  void to_scaled(VectorX& z) const { z.array() /= mcp_.z_unit.array(); }
  void to_user(VectorX& z) const { z.array() *= mcp_.z_unit.array(); }

 private:
  Mcp mcp_;
  DenseRows A_;
  VectorX b_, row_, column_;
};

}  // namespace abut
