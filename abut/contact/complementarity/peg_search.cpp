// The part of Peg that chooses the planes.
#include "abut/contact/complementarity/peg_search.h"

#include <algorithm>
#include <cmath>

#include "abut/math/index.h"

namespace abut {

namespace {

// Relative to the pair's size.
constexpr double kApart = 1e-9;
// Motions that differ by less than this part of them are equal.
constexpr double kTie = 1e-9;
constexpr int kMostRounds = 200;
// Beyond so many planes that fail halving the step is quicker.
constexpr int kPatient = 48;
// Problems that a branch takes, more or less.
constexpr int kProblems = 4;

bool comes_first(const Vec3& a, const Vec3& b) {
  for (int k = 0; k < 3; ++k)
    if (std::abs(a[k] - b[k]) > 1e-9) return a[k] > b[k];
  return false;
}

}  // namespace

// Pairs that overlap at the end of the step, or went through each other, and have no plane.
void PegSearch::find_violated(const Trial& trial) {
  violated_.clear();
  const auto chosen = [&](PairKey key) {
    const auto place = std::lower_bound(trial.choices.begin(), trial.choices.end(), key,
                                        [](const Choice& c, PairKey k) { return c.key < k; });
    return place != trial.choices.end() && place->key == key;
  };
  const std::vector<double>& sizes = step_->collider.sizes();
  step_->collider.find(model_, end_, step_->start.state.contacts, {.reach = {}, .max_points = 1},
                       scratch_data_, queries_);
  for (const Patch& patch : scratch_data_.patches) {
    const Choice c{patch.key(), patch.geom_a, patch.geom_b, {}};
    const double size = sizes[at(c.geom_a)] + sizes[at(c.geom_b)];
    if (patch.distance >= -kApart * size || chosen(c.key)) continue;
    if (let_stay_) {
      view(c, step_->start.d);
      if (patch.distance >= view_.proximity().distance - kApart * size) continue;
    }
    violated_.push_back(c);
  }
  const std::size_t overlapping = violated_.size();
  for (const Patch& patch : step_->near.patches) {
    const Choice c{patch.key(), patch.geom_a, patch.geom_b, {}};
    const bool known =
        chosen(c.key) ||
        std::any_of(violated_.begin(), violated_.begin() + static_cast<long>(overlapping),
                    [&](const Choice& v) { return v.key == c.key; });
    if (!known && goes_through(c.geom_a, c.geom_b)) violated_.push_back(c);
  }
}

// Gives planes to pairs that overlap until none does. False if that does not come to an end.
bool PegSearch::descend(Trial& trial) {
  tried_.clear();
  for (int round = 0; round < kMostRounds && !is_spent(); ++round) {
    if (!evaluate(trial)) {
      if (step_->may_halve && static_cast<int>(tried_.size()) > kPatient) return false;
      if (!replace_failed(trial)) return false;
      continue;
    }
    find_violated(trial);
    if (violated_.empty()) return true;
    factor_end();
    for (Choice& c : violated_) {
      if (!pick(c, trial.change)) return false;
      trial.add(c);
    }
    trial.fresh = true;
  }
  return false;
}

// Other planes for the pairs whose planes do not part them, by how these would go without, to first
// order. A pair that would end apart without a plane loses the plane of the step before, which held
// it at a distance; should it overlap later, it may have that plane again.
bool PegSearch::replace_failed(Trial& trial) {
  Trial& without = without_;
  without = trial;
  std::erase_if(without.choices, [](const Choice& c) { return c.failed; });
  is_current_ = false;
  solve_at_start(without);
  trial.change = without.change;
  trial.fresh = true;
  go_to_end(trial.change);
  factor_end();
  std::erase_if(trial.choices,
                [&](const Choice& c) { return c.failed && c.recalled && ends_apart(c); });
  for (Choice& c : trial.choices) {
    if (!c.failed) continue;
    tried_.push_back({c.key, c.plane});
    if (!pick(c, trial.change)) return false;
  }
  return true;
}

// Whether a pair does not overlap at the end, and did not go through on its way there.
bool PegSearch::ends_apart(const Choice& c) {
  return view(c, end_) && view_.proximity().distance >= -kApart * view_.size() &&
         !goes_through(c.geom_a, c.geom_b);
}

bool PegSearch::is_better(const Trial& trial, const Trial& best) {
  const double tie = kTie * std::max(trial.motion, best.motion);
  if (std::abs(trial.motion - best.motion) > tie) return trial.motion < best.motion;
  const auto kept = [&](const Trial& t) {
    return std::count_if(t.choices.begin(), t.choices.end(),
                         [&](const Choice& c) { return c.plane == remembered(c.key); });
  };
  const auto kept_trial = kept(trial), kept_best = kept(best);
  if (kept_trial != kept_best) return kept_trial > kept_best;
  // in the order of the normals at the start, whatever the pairs are called
  const auto first_normal = [&](const Trial& t) {
    Vec3 first = Vec3::Constant(-2);
    for (const Choice& c : t.choices) {
      Vec3 n;
      if (view(c, step_->start.d) && view_.normal(c.plane, n) && comes_first(n, first)) first = n;
    }
    return first;
  };
  return comes_first(first_normal(trial), first_normal(best));
}

// Other planes that could do with less motion, in place of those that were picked.
void PegSearch::improve(Trial& best) {
  if (best.choices.empty() || report_.level > 0 || is_spent()) return;
  const int cost = kProblems * static_cast<int>(best.choices.size());
  const std::int64_t affordable = (allowed_ - spent_) / cost;
  const std::int64_t count = find_others(best, affordable);
  if (count == 1) return;
  if (count <= affordable)
    try_combinations(best, count);
  else
    try_one_by_one(best);
  report_.exhaustive = report_.exhaustive && count <= affordable && !is_spent();
}

// picked: 0 keeps the plane of `from`, k takes the k-th of the others.
void PegSearch::try_planes(const Trial& from, std::span<const int> picked, Trial& best) {
  Trial& trial = trial_;
  trial.clear();
  trial.choices = from.choices;
  for (std::size_t i = 0; i < picked.size(); ++i) {
    if (picked[i] == 0) continue;
    const Option& o = others_[i][at(picked[i] - 1)];
    if (o.least > best.motion * (1 + kTie)) return;
    trial.choices[i].plane = o.plane;
    trial.choices[i].met = false;
  }
  // pairs that only overlap under this choice get theirs too
  bound_ = best.motion;
  struct Unbound {
    double& bound;
    ~Unbound() { bound = kInfinity; }
  } unbound{bound_};
  tried_.clear();
  for (int round = 0; round < 20; ++round) {
    if (!evaluate(trial) || trial.motion > best.motion * (1 + kTie)) return;
    find_violated(trial);
    if (violated_.empty()) break;
    if (round == 19 || is_spent()) return;
    factor_end();
    for (Choice& c : violated_) {
      if (!pick(c, trial.change)) return;
      trial.add(c);
    }
    trial.fresh = true;
  }
  if (!is_better(trial, best)) return;
  best = trial;
  is_current_ = true;
}

void PegSearch::try_combinations(Trial& best, std::int64_t count) {
  const Trial& from = from_ = best;
  std::vector<int>& picked = picked_;
  picked.assign(from.choices.size(), 0);
  for (std::int64_t k = 1; k < count && !is_spent(); ++k) {
    for (std::size_t i = 0; i < picked.size(); ++i) {
      if (++picked[i] <= static_cast<int>(others_[i].size())) break;
      picked[i] = 0;
    }
    try_planes(from, picked, best);
  }
}

void PegSearch::try_one_by_one(Trial& best) {
  std::vector<int>&now = now_, &picked = picked_;
  now.assign(best.choices.size(), 0);
  const Trial& from = from_ = best;
  for (int pass = 0; pass < 3; ++pass) {
    bool changed = false;
    for (std::size_t i = 0; i < now.size(); ++i)
      for (int k = 0; k <= static_cast<int>(others_[i].size()); ++k) {
        if (is_spent()) return;
        if (k == now[i]) continue;
        picked = now;
        picked[i] = k;
        const double before = best.motion;
        try_planes(from, picked, best);
        if (best.motion < before) {
          now = picked;
          changed = true;
        }
      }
    if (!changed) return;
  }
}

}  // namespace abut
