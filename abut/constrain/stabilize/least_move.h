// LeastMove: the least change of positions, measured by the masses, that repairs PositionErrors to
// first order, island by island (Cline and Pai, eqs 14, 15):
//
//   dp = M^-1 (J_e' l_e + J_c' l_c),   g_e + J_e dp = 0,   0 <= g_c + J_c dp perp l_c >= 0
//
// Or with joints and overlapping contacts as equations, by a truncated pseudo-inverse: contacts may
// pull, and open ones are not looked at. In the metric of the masses (C-9, C-10), or with I in the
// place of M (their eqs 12, 13), where metres and radians weigh the same and a light body moves no
// farther than a heavy one.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "abut/constrain/rows/islands.h"
#include "abut/constrain/stabilize/position_errors.h"
#include "abut/constrain/stabilize/pseudo_inverse.h"
#include "abut/solve/factored/formed_problem.h"
#include "abut/solve/solver.h"

namespace abut {

enum class PostMetric { masses, masses_pinv, plain_pinv };

class LeastMove {
 public:
  LeastMove(const Model& model, PostMetric metric);

  // Wants finish() of the rows.
  void find(PositionErrors& errors);

  // In solver coordinates, one a dof; and l, one a row.
  std::span<double> dp() { return dp_; }
  std::span<const double> multipliers() const { return l_; }
  const Islands& islands() const { return islands_; }
  // Of the last find(): problems left as they were, and the worst residual.
  int unsolved() const { return unsolved_; }
  double residual() const { return residual_; }
  Solver& solver() { return *solver_; }

 private:
  bool pick(const PositionErrors& errors, std::span<const int> island);
  void build(PositionErrors& errors);
  bool solve(PositionErrors& errors);
  void form_plain(const ConstraintRows& rows);

  PostMetric metric_;
  int trees_;
  Islands islands_;
  std::vector<int> picked_;  // groups of an island that are in its problem
  std::unique_ptr<Solver> solver_;
  Problem problem_;
  Answer answer_;
  FormedProblem formed_;  // for the pseudo-inverse
  PseudoInverse inverse_;
  DenseRows dense_;
  VectorX rhs_;
  std::vector<double> one_, moved_, rates_;  // of form_plain()
  std::vector<double> l_, dp_;
  int unsolved_ = 0;
  double residual_ = 0;
};

}  // namespace abut
