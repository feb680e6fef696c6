#include "abut/contact/complementarity/peg/peg_descent.h"

#include <algorithm>

#include "abut/contact/complementarity/peg/tolerances.h"
#include "abut/math/index.h"

namespace abut {

using namespace peg_tolerance;

namespace {

constexpr int kMostRounds = 200;
// Ditto, of a branch that is to be better than one that was found.
constexpr int kFewRounds = 20;
// Beyond so many planes that fail halving the step is quicker.
constexpr int kPatient = 48;

bool has(std::span<const PegChoice> choices, PairKey key) {
  return std::any_of(choices.begin(), choices.end(),
                     [&](const PegChoice& c) { return c.key == key; });
}

}  // namespace

bool PegDescent::stays_deep(PegScene& scene, const Patch& patch, double size) const {
  if (!scene.lets_stay()) return false;
  scene.view_start(choice_of(patch));
  return patch.distance >= scene.view().proximity().distance - kApart * size;
}

// Pairs that overlap at the end of the step, or went through each other, and have no plane.
void PegDescent::find_violated(PegScene& scene, const PegTrial& trial) {
  violated_.clear();
  const PegStep& step = scene.step();
  const std::vector<double>& sizes = step.collider.sizes();
  step.collider.find(scene.model(), scene.end(), step.start.state.contacts,
                     {.reach = {}, .max_points = 1}, found_, queries_);
  for (const Patch& patch : found_.patches) {
    const PegChoice c = choice_of(patch);
    const double size = sizes[at(c.geom_a)] + sizes[at(c.geom_b)];
    if (patch.distance >= -kApart * size || has(trial.choices, c.key)) continue;
    if (!stays_deep(scene, patch, size)) violated_.push_back(c);
  }
  const std::size_t overlapping = violated_.size();
  for (const Patch& patch : step.near.patches) {
    const PegChoice c = choice_of(patch);
    const std::span<const PegChoice> deep(violated_.data(), overlapping);
    if (has(trial.choices, c.key) || has(deep, c.key)) continue;
    if (scene.goes_through(c)) violated_.push_back(c);
  }
}

bool PegDescent::add_violated(PegScene& scene, PegTrial& trial) {
  scene.factor_end();
  for (PegChoice& c : violated_) {
    if (!options_.pick(scene, c, trial.change)) return false;
    trial.add(c);
  }
  return true;
}

bool PegDescent::run(PegScene& scene, PegProblem& problem, PegTrial& trial) {
  options_.forget_failures();
  for (int round = 0; round < kMostRounds && !problem.is_spent(); ++round) {
    if (!branch_.evaluate(scene, problem, trial)) {
      if (scene.step().may_halve && options_.failures() > kPatient) return false;
      if (!replace_failed(scene, problem, trial)) return false;
      continue;
    }
    find_violated(scene, trial);
    if (violated_.empty()) return true;
    if (!add_violated(scene, trial)) return false;
  }
  return false;
}

bool PegDescent::try_planes(PegScene& scene, PegProblem& problem, PegTrial& trial, double most) {
  options_.forget_failures();
  for (int round = 0; round < kFewRounds; ++round) {
    if (!branch_.evaluate(scene, problem, trial) || trial.motion > most) return false;
    find_violated(scene, trial);
    if (violated_.empty()) return true;
    if (problem.is_spent() || !add_violated(scene, trial)) return false;
  }
  return false;
}

// How the islands of planes that failed would go without these, to first order.
void PegDescent::solve_without_failed(PegScene& scene, PegProblem& problem, PegTrial& trial) {
  for (const PegChoice& c : trial.choices)
    for (PegChoice& other : trial.choices) other.fresh |= c.failed && c.island == other.island;
  without_.clear();
  without_.change.assign(trial.change.size(), 0.0);
  std::vector<PegChoice>& left = without_.choices;
  left = trial.choices;
  std::erase_if(left, [](const PegChoice& c) { return !c.fresh || c.failed; });
  const bool is_free = left.empty() && !branch_.islands().are_one();
  if (!is_free) branch_.solve_at_start(scene, problem, without_);
  for (const PegChoice& c : trial.choices)
    if (c.fresh) branch_.islands().copy_change({&c, 1}, without_.change, trial.change);
}

// Other planes for the pairs whose planes do not part them, by how these would go without. A pair
// that would end apart without a plane loses the plane of the step before, which held it at a
// distance; should it overlap later, it may have that plane again.
bool PegDescent::replace_failed(PegScene& scene, PegProblem& problem, PegTrial& trial) {
  solve_without_failed(scene, problem, trial);
  scene.go_to_end(trial.change);
  scene.factor_end();
  std::erase_if(trial.choices,
                [&](const PegChoice& c) { return c.failed && c.is_last && ends_apart(scene, c); });
  for (PegChoice& c : trial.choices) {
    if (!c.failed) continue;
    options_.note_failure(c);
    if (!options_.pick(scene, c, trial.change)) return false;
  }
  return true;
}

// Whether a pair does not overlap at the end, and did not go through on its way there.
bool PegDescent::ends_apart(PegScene& scene, const PegChoice& c) {
  return scene.view_end(c) && scene.view().proximity().distance >= -kApart * scene.view().size() &&
         !scene.goes_through(c);
}

}  // namespace abut
