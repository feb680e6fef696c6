// TurningBounds: torsional and rolling friction in the problem of an island. A couple opposes the
// turning of two bodies against each other at a contact, and is at most mu times the normal impulse:
//
//   torsion   |m_n| <= mu_t p_n, against w_n: a row with the bounds -mu_t r and mu_t r
//   rolling   |m_r| <= mu_r p_n, against w_r: a cone of a row of its own, and the two tangents
//
// r is p_n. The row that a rolling cone has in place of a normal sees no body: w = c (z - r), c being the
// diagonal of A in the contact's normal row, so that z = r. Every solver of cones thus takes rolling as it is.
//
// r is found by a fixed point: solve with r, set r = p_n, and again, until no r differs by more than
// kTurningAccuracy. Couples hardly move p_n (by mu_r over the size of a body, and not at all for a
// ball on a floor), so that two or three problems do, and one in a step like the one before. Couples at
// their limit go with it, so that where contacts are redundant the last answer is one of the next
// problem too, and loads do not wander between the points of a face. Where two answers follow each other
// in turn, r goes half the way.
//
//   bounds.clear();
//   bounds.add({normal, torsion, rolling, mu_t, mu_r});   // rows of the problem
//   bounds.set(problem, z, 1);                             // r from z
//   while (solve(problem, z), bounds.off(problem, z) > accuracy) bounds.set(problem, z, 1);
#pragma once

#include <vector>

#include "abut/solve/problem.h"

namespace abut {

class TurningBounds {
 public:
  struct Rows {
    int normal = 0;
    int torsion = -1, rolling = -1;  // -1: none; of rolling the first of three
    double mu_torsion = 0, mu_rolling = 0;
    double mobility = 0;  // 1/kg: of the normal row
  };

  void clear() {
    rows_.clear();
    used_.clear();
  }
  void add(const Rows& rows) { rows_.push_back(rows); }
  bool empty() const { return rows_.empty(); }

  // Bounds by the normal impulses of z. As a start, couples of z that are beyond them or were at the
  // bounds of before are put there.
  // `part`: of the way from the last r to the normal impulses.
  void set(Problem& problem, VectorX& z, double part);
  // m/s: by how much, at most, the rows of r are off their bounds in z, over 1 + the largest |b|.
  double off(const Problem& problem, const VectorX& z) const;

 private:
  std::vector<Rows> rows_;
  std::vector<double> used_;  // r, one a contact (N s)
};

}  // namespace abut
