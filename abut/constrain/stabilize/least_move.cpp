#include "abut/constrain/stabilize/least_move.h"

#include <algorithm>
#include <cmath>

#include "abut/constrain/tolerances.h"
#include "abut/math/index.h"
#include "abut/solve/wrap/free_first.h"
#include "abut/solve/wrap/in_masses.h"

namespace abut {

LeastMove::LeastMove(const Model& model, PostMetric metric)
    : metric_(metric),
      trees_(static_cast<int>(model.trees.size())),
      solver_(make_in_masses(make_free_first(make_solver("pivot,lemke,dantzig")))),
      dp_(at(model.nv)) {
  problem_.A.set_factored();
}

void LeastMove::find(PositionErrors& errors) {
  unsolved_ = 0;
  residual_ = 0;
  l_.assign(errors.g().size(), 0.0);
  islands_.find(errors.rows().groups(), trees_);
  for (int k = 0; k < islands_.count(); ++k) {
    if (!pick(errors, islands_.groups(k))) continue;
    build(errors);
    if (!solve(errors)) continue;
    int row = 0;
    for (const int index : picked_) {
      const RowGroup& g = errors.rows().groups()[at(index)];
      for (int r = g.row; r < g.row + g.size; ++r) l_[at(r)] = answer_.z[row++];
    }
  }
  std::fill(dp_.begin(), dp_.end(), 0.0);
  if (metric_ == PostMetric::plain_pinv)
    errors.rows().add_forces(l_, dp_);
  else
    errors.rows().add_impulses(l_, dp_);
}

// False: there is nothing to repair.
bool LeastMove::pick(const PositionErrors& errors, std::span<const int> island) {
  bool wrong = false;
  picked_.clear();
  for (const int index : island) {
    const RowGroup& g = errors.rows().groups()[at(index)];
    // limits and contacts have a row each
    if (metric_ != PostMetric::masses && !errors.is_joint(g.row) && errors.g()[at(g.row)] >= 0)
      continue;
    picked_.push_back(index);
    for (int r = g.row; r < g.row + g.size; ++r)
      wrong |= errors.is_joint(r) ? std::abs(errors.g()[at(r)]) > 0 : errors.g()[at(r)] < 0;
  }
  return wrong;
}

void LeastMove::build(PositionErrors& errors) {
  errors.rows().take(picked_, problem_.A.factored());
  problem_.resize(problem_.A.size());
  int row = 0;
  for (const int index : picked_) {
    const RowGroup& g = errors.rows().groups()[at(index)];
    for (int r = g.row; r < g.row + g.size; ++r, ++row) {
      problem_.b[row] = errors.g()[at(r)];
      problem_.A.factored().softness.push_back(errors.softness(r));
      if (errors.is_joint(r)) problem_.set_free(row);
    }
  }
}

// J J' of the picked groups.
void LeastMove::form_plain(const ConstraintRows& rows) {
  const int n = problem_.A.size();
  dense_.resize(n, n);
  rates_.resize(l_.size());
  int column = 0;
  for (const int of : picked_)
    for (int k = 0; k < rows.groups()[at(of)].size; ++k, ++column) {
      one_.assign(l_.size(), 0.0);
      moved_.assign(dp_.size(), 0.0);
      one_[at(rows.groups()[at(of)].row + k)] = 1;
      rows.add_forces(one_, moved_);
      rows.velocities(moved_, rates_);
      int row = 0;
      for (const int index : picked_) {
        const RowGroup& g = rows.groups()[at(index)];
        for (int r = g.row; r < g.row + g.size; ++r) dense_(row++, column) = rates_[at(r)];
      }
    }
}

bool LeastMove::solve(PositionErrors& errors) {
  if (metric_ != PostMetric::masses) {
    if (metric_ == PostMetric::plain_pinv)
      form_plain(errors.rows());
    else
      formed_.form(problem_).A.to_dense(dense_);
    rhs_ = -problem_.b;
    inverse_.solve(dense_, rhs_, answer_.z);
    return true;
  }
  // lengths of micrometres are judged as lengths of metres would be; rows that say the same twice
  // differ by rounding, and none of that is to be met
  const double scale = problem_.b.cwiseAbs().maxCoeff();
  solver_->options.tolerance =
      (kPostStepResidual * scale + 0.1 * kSmallJointError * errors.size()) / (1 + scale);
  solver_->solve(problem_, answer_);
  residual_ = std::max(residual_, answer_.residuals.relative);
  if (answer_.status == SolveStatus::solved) return true;
  ++unsolved_;
  return false;
}

}  // namespace abut
