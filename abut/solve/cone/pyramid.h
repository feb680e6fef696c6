// Friction cones as pyramids (Stewart and Trinkle 1996; Cline and Pai, eq. 8; C-E1, P-E9): the
// tangential impulse of a contact is a sum of N directions d_k, each with its opposite,
//
//   p_t = sum beta_k d_k,   0 <= beta_k perp d_k . w_t + s >= 0
//                           0 <= s      perp mu p_n - sum beta_k >= 0
//
// Where it slips, s is the speed and the direction most against the motion has all of mu p_n:
// friction does negative work. The pyramid lies in the cone, its faces cos(pi / N) as far from
// the axis as its edges: so much friction is lacking at worst, and what slips between two
// edges is turned to the middle of them.
//
// Written as z = T y with y = (p_n, beta_1 .. beta_N, s) of each contact, the matrix is T' A T
// and the rows of s beside it: copositive plus if A is semidefinite, so lemke must end with a
// solution if there is one, and there is one where no gap is negative (S-T2). The diagonal
// of s is 0, which no sweep survives.
//
//   abut::Pyramid pyramid(8);
//   const abut::Problem& lcp = pyramid.build(cones);   // any rows beside the cones stay
//   solver.solve(lcp, answer);
//   pyramid.restore(answer.z, z);                      // in the rows of `cones`
#pragma once

#include <vector>

#include "abut/solve/problem.h"

namespace abut {

class Pyramid {
 public:
  // An even number, 4 or more; a contact in the plane (a cone of 2 rows) always has 2.
  explicit Pyramid(int directions);

  // A of `cones` is in blocks, each cone one of them. The same sizes again allocate nothing;
  // `cones` must stay as it is until lift() and restore() are done.
  const Problem& build(const Problem& cones);
  const Problem& problem() const { return lcp_; }

  // y to start from: the impulses z of the cones, shared out to the directions beside each.
  void lift(const VectorX& z, VectorX& y);
  void restore(const VectorX& y, VectorX& z) const;

 private:
  // A block of `cones` and its place in the LCP.
  struct Part {
    int from = 0, to = 0;  // first row
    int size = 0;          // in `cones`
    int directions = 0;    // 0: rows that stay
    double mu = 0;
    int unknowns() const { return directions > 0 ? directions + 2 : size; }
  };

  void write_block(const Part& row, const Part& column, const double* A, double* M) const;
  double along(const Part& part, int k, double t1, double t2) const;

  int directions_;
  std::vector<double> cos_, sin_;  // of the directions
  std::vector<Part> parts_;
  std::vector<int> row_of_;  // in the LCP, of each row that stays
  const Problem* cones_ = nullptr;
  Problem lcp_;
  VectorX w_;
};

}  // namespace abut
