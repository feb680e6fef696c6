// A complementarity problem as pure numbers: find z and w = A z + b such that each row satisfies
// the condition of its kind (docs/solvers.md).
//
//   plain    lo <= z <= hi;  w >= 0 where z = lo, w <= 0 where z = hi, w = 0 between.
//            lo = 0, hi = inf is 0 <= z perp w >= 0 (LCP); lo = -inf, hi = inf is w = 0 (free).
//   bounded by another row: |z_i| <= mu z_j, that is lo = -mu z_j and hi = mu z_j, with
//            z_j the value in the solution (a friction row whose bound is its normal force).
//   cone     rows first, first + 1 .. are one contact: z_n and z_t with |z_t| <= mu z_n, and
//            w + mu |w_t| e_n in the dual cone, perpendicular to z: Coulomb's law with
//            maximal dissipation (De Saxce's form). mu = 0: z_t = 0.
//
//   abut::Problem p = abut::Problem::lcp(2);
//   p.A.rows() << 2, 1, 1, 2;
//   p.b << -1, 1;
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "abut/solve/matrix.h"

namespace abut {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Cone {
  int first = 0;  // the normal row; the tangential rows follow
  int size = 3;   // 2 in the plane, 3 in space
  double mu = 0;
};

// The most special kind that describes a problem.
enum class ProblemKind { lcp, mlcp, boxed, cone };
std::string_view name(ProblemKind kind);

struct Problem {
  Matrix A;
  VectorX b;
  VectorX lo, hi;
  std::vector<int> bound_by;  // j with |z_i| <= mu_i z_j; -1: lo and hi are the bounds
  VectorX mu;                 // friction of the rows with bound_by >= 0
  std::vector<Cone> cones;    // ascending `first`, not overlapping; lo and hi of their rows are
                              // not looked at

  // Sets A and b to zero and every row to 0 <= z perp w >= 0. The same size again allocates
  // nothing.
  void resize(int n);
  static Problem lcp(int n) {
    Problem p;
    p.A.set_dense(n);
    p.resize(n);
    return p;
  }

  int size() const { return static_cast<int>(b.size()); }
  ProblemKind kind() const;
  bool is_free(int i) const { return bound_by[i] < 0 && lo[i] == -kInfinity && hi[i] == kInfinity; }
  void set_free(int i) { lo[i] = -kInfinity, hi[i] = kInfinity; }
  void set_bound_by(int i, int j, double friction) { bound_by[i] = j, mu[i] = friction; }

  // What is wrong with the problem: sizes that differ, a number that is not finite, lo > hi, a
  // bound by the row itself or by a row that is itself bounded by another or in a cone, cones out
  // of range or overlapping, mu < 0. Empty if the problem is valid.
  std::string what_is_wrong() const;
};

// Whether every row is 0 <= z perp w >= 0. Not for problems with cones.
bool all_plain(const Problem& problem);

}  // namespace abut
