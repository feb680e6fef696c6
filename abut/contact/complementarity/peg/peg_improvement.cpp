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

// How many branches the other planes of the pairs of an island make, one more than `limit` for all
// that are more.
std::int64_t PegImprovement::find_others(PegScene& scene, const PegTrial& best,
                                         std::int64_t limit) {
  scene.go_to_end(best.change);
  scene.factor_end();
  others_count_ = island_.choices.size();
  if (others_.size() < others_count_) others_.resize(others_count_);
  double motion = 0;
  for (const PegChoice& c : island_.choices) motion += c.motion;
  std::int64_t count = 1;
  for (std::size_t i = 0; i < others_count_; ++i) {
    const PegChoice& c = island_.choices[i];
    others_[i].key = c.key;
    others_[i].planes.clear();
    others_[i].picked = 0;
    // what was held by this plane before stays so while it can
    if (c.plane == scene.remembered(c.key)) continue;
    descent_.options().find_cheaper(scene, c, best.change, motion, others_count_,
                                    others_[i].planes);
    const auto branches = static_cast<std::int64_t>(others_[i].planes.size() + 1);
    count = std::min<std::int64_t>(count * branches, limit + 1);
  }
  return count;
}

bool PegImprovement::run(PegScene& scene, PegProblem& problem, PegTrial& best) {
  is_current_ = descent_.branch().shows_whole();
  // a better branch may have more pairs: islands are found again by their first pair
  firsts_.clear();
  for (std::size_t i = 0; i < best.choices.size(); ++i)
    if (best.choices[i].island == static_cast<int>(i)) firsts_.push_back(best.choices[i].key);
  bool all = true;
  for (const PairKey first : firsts_) {
    const auto c = std::find_if(best.choices.begin(), best.choices.end(),
                                [&](const PegChoice& choice) { return choice.key == first; });
    all = improve_island(scene, problem, best, c->island) && all;
  }
  return all && !problem.is_spent();
}

bool PegImprovement::improve_island(PegScene& scene, PegProblem& problem, PegTrial& best,
                                    int island) {
  descent_.branch().islands().take(best, island, island_);
  const int cost = kProblems * static_cast<int>(island_.choices.size());
  const std::int64_t affordable = problem.left() / cost;
  const std::int64_t count = find_others(scene, best, affordable);
  if (count == 1) return true;
  from_ = best;
  if (count <= affordable)
    try_combinations(scene, problem, best, count);
  else
    try_one_by_one(scene, problem, best);
  return count <= affordable;
}

// Gives trial_ the planes that are picked; false: one of them needs more motion than there is.
bool PegImprovement::pick_planes(double most) {
  trial_ = from_;
  for (const Others& of : others()) {
    if (of.picked == 0) continue;
    const PegOption& o = of.planes[at(of.picked - 1)];
    if (o.least > most) return false;
    const auto c = std::find_if(trial_.choices.begin(), trial_.choices.end(),
                                [&](const PegChoice& choice) { return choice.key == of.key; });
    c->plane = o.plane;
    c->met = false;
    c->fresh = true;
  }
  return true;
}

void PegImprovement::try_picked(PegScene& scene, PegProblem& problem, PegTrial& best) {
  const double most = best.motion * (1 + kTie);
  if (!pick_planes(most)) return;
  is_current_ = false;
  descent_.branch().set_bound(best.motion);
  const bool holds = descent_.try_planes(scene, problem, trial_, most);
  descent_.branch().set_bound(kInfinity);
  if (!holds || !is_better(scene, trial_, best)) return;
  best = trial_;
  is_current_ = descent_.branch().shows_whole();
}

void PegImprovement::try_combinations(PegScene& scene, PegProblem& problem, PegTrial& best,
                                      std::int64_t count) {
  for (std::int64_t k = 1; k < count && !problem.is_spent(); ++k) {
    for (Others& of : others()) {
      if (++of.picked <= static_cast<int>(of.planes.size())) break;
      of.picked = 0;
    }
    try_picked(scene, problem, best);
  }
}

void PegImprovement::try_one_by_one(PegScene& scene, PegProblem& problem, PegTrial& best) {
  for (int pass = 0; pass < kMostPasses; ++pass) {
    bool changed = false;
    for (Others& of : others()) {
      int now = of.picked;
      for (int k = 0; k <= static_cast<int>(of.planes.size()); ++k) {
        if (problem.is_spent()) return;
        if (k == now) continue;
        of.picked = k;
        const double before = best.motion;
        try_picked(scene, problem, best);
        if (best.motion < before) {
          now = k;
          changed = true;
        }
      }
      of.picked = now;
    }
    if (!changed) return;
  }
}

}  // namespace abut
