#include "abut/contact/complementarity/peg/peg_improvement.h"

#include <algorithm>
#include <cmath>

#include "abut/contact/complementarity/peg/tolerances.h"
#include "abut/math/index.h"

namespace abut {

using namespace peg_tolerance;

namespace {

// Problems that a branch takes, more or less.
constexpr int kProblems = 4;
constexpr int kMostPasses = 3;

bool comes_first(const Vec3& a, const Vec3& b) {
  for (int k = 0; k < 3; ++k)
    if (std::abs(a[k] - b[k]) > kSameComponent) return a[k] > b[k];
  return false;
}

}  // namespace

// In the order of the normals at the start, whatever the pairs are called.
Vec3 PegImprovement::first_normal(PegScene& scene, const PegTrial& trial) const {
  Vec3 first = Vec3::Constant(-2);
  for (const PegChoice& c : trial.choices) {
    Vec3 n;
    if (scene.view_start(c) && scene.view().normal(c.plane, n) && comes_first(n, first)) first = n;
  }
  return first;
}

bool PegImprovement::is_better(PegScene& scene, const PegTrial& trial, const PegTrial& best) {
  const double tie = kTie * std::max(trial.motion, best.motion);
  if (std::abs(trial.motion - best.motion) > tie) return trial.motion < best.motion;
  const auto kept = [&](const PegTrial& t) {
    return std::count_if(t.choices.begin(), t.choices.end(),
                         [&](const PegChoice& c) { return c.plane == scene.remembered(c.key); });
  };
  const auto kept_trial = kept(trial), kept_best = kept(best);
  if (kept_trial != kept_best) return kept_trial > kept_best;
  return comes_first(first_normal(scene, trial), first_normal(scene, best));
}

// How many branches the other planes of all pairs make, one more than `limit` for all that are
// more.
std::int64_t PegImprovement::find_others(PegScene& scene, const PegTrial& best,
                                         std::int64_t limit) {
  scene.go_to_end(best.change);
  scene.factor_end();
  if (others_.size() < best.choices.size()) others_.resize(best.choices.size());
  std::int64_t count = 1;
  for (std::size_t i = 0; i < best.choices.size(); ++i) {
    const PegChoice& c = best.choices[i];
    others_[i].clear();
    // what was held by this plane before stays so while it can
    if (c.plane == scene.remembered(c.key)) continue;
    descent_.options().find_cheaper(scene, c, best.change, best.motion, best.choices.size(),
                                    others_[i]);
    const auto branches = static_cast<std::int64_t>(others_[i].size() + 1);
    count = std::min<std::int64_t>(count * branches, limit + 1);
  }
  return count;
}

bool PegImprovement::run(PegScene& scene, PegProblem& problem, PegTrial& best) {
  is_current_ = true;
  const int cost = kProblems * static_cast<int>(best.choices.size());
  const std::int64_t affordable = problem.left() / cost;
  const std::int64_t count = find_others(scene, best, affordable);
  if (count == 1) return true;
  if (count <= affordable)
    try_combinations(scene, problem, best, count);
  else
    try_one_by_one(scene, problem, best);
  return count <= affordable && !problem.is_spent();
}

// picked: 0 keeps the plane of from_, k takes the k-th of the others.
void PegImprovement::try_picked(PegScene& scene, PegProblem& problem, std::span<const int> picked,
                                PegTrial& best) {
  trial_.clear();
  trial_.choices = from_.choices;
  for (std::size_t i = 0; i < picked.size(); ++i) {
    if (picked[i] == 0) continue;
    const PegOption& o = others_[i][at(picked[i] - 1)];
    if (o.least > best.motion * (1 + kTie)) return;
    trial_.choices[i].plane = o.plane;
    trial_.choices[i].met = false;
  }
  is_current_ = false;
  descent_.branch().set_bound(best.motion);
  const bool holds = descent_.try_planes(scene, problem, trial_, best.motion * (1 + kTie));
  descent_.branch().set_bound(kInfinity);
  if (!holds || !is_better(scene, trial_, best)) return;
  best = trial_;
  is_current_ = true;
}

void PegImprovement::try_combinations(PegScene& scene, PegProblem& problem, PegTrial& best,
                                      std::int64_t count) {
  from_ = best;
  picked_.assign(from_.choices.size(), 0);
  for (std::int64_t k = 1; k < count && !problem.is_spent(); ++k) {
    for (std::size_t i = 0; i < picked_.size(); ++i) {
      if (++picked_[i] <= static_cast<int>(others_[i].size())) break;
      picked_[i] = 0;
    }
    try_picked(scene, problem, picked_, best);
  }
}

void PegImprovement::try_one_by_one(PegScene& scene, PegProblem& problem, PegTrial& best) {
  from_ = best;
  now_.assign(from_.choices.size(), 0);
  for (int pass = 0; pass < kMostPasses; ++pass) {
    bool changed = false;
    for (std::size_t i = 0; i < now_.size(); ++i)
      for (int k = 0; k <= static_cast<int>(others_[i].size()); ++k) {
        if (problem.is_spent()) return;
        if (k == now_[i]) continue;
        picked_ = now_;
        picked_[i] = k;
        const double before = best.motion;
        try_picked(scene, problem, picked_, best);
        if (best.motion < before) {
          now_ = picked_;
          changed = true;
        }
      }
    if (!changed) return;
  }
}

}  // namespace abut
