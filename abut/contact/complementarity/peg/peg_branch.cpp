#include "abut/contact/complementarity/peg/peg_branch.h"

#include <cmath>

#include "abut/contact/complementarity/peg/tolerances.h"
#include "abut/math/index.h"

namespace abut {

using namespace peg_tolerance;

namespace {

constexpr int kMostIterations = 60;
constexpr int kPatience = 20;  // iterations without getting nearer
// Ditto, and enough where contacts move by less than kSecondOrder.
constexpr int kSwings = 3;
// Ditto, and enough where the velocities are settled.
constexpr int kSame = 3;
// A branch whose first solve moves so many times what the best does is given up.
constexpr double kHopeless = 4;
// Ditto, one that moves so many times what the best does after kEarly iterations.
constexpr double kTooMuch = 1.5;
constexpr int kEarly = 6;
// What is left of an iteration is taken to change the velocities by no more than so many times what
// the last solve did.
constexpr double kRest = 4;

bool presses(const Vec3& impulse) { return impulse.squaredNorm() > 0; }

}  // namespace

bool PegBranch::evaluate(PegScene& scene, PegProblem& problem, PegTrial& trial) {
  if (islands_.are_one()) return evaluate_whole(scene, problem, trial);
  ++report_.branches;
  shows_whole_ = false;
  trial.change.resize(at(scene.model().nv), 0.0);
  trial.about.resize(at(scene.model().nv), 0.0);
  islands_.label(trial.choices);
  islands_.free_others(trial);
  bool holds = true;
  for (int i = 0; i < static_cast<int>(trial.choices.size()); ++i) {
    const PegChoice& first = trial.choices[at(i)];
    if (first.island != i || !first.fresh) continue;
    holds = evaluate_island(scene, problem, trial, i) && holds;
    if (!holds && std::isfinite(bound_)) return false;
  }
  trial.motion = 0;
  for (const PegChoice& c : trial.choices) trial.motion += c.motion;
  scene.go_to_end(trial.change);
  return holds;
}

bool PegBranch::evaluate_island(PegScene& scene, PegProblem& problem, PegTrial& trial, int island) {
  left_ = bound_;
  for (const PegChoice& c : trial.choices)
    if (c.island != island && !c.fresh) left_ -= c.motion;
  islands_.take(trial, island, part_);
  const bool holds = evaluate_part(scene, problem, part_);
  shows_whole_ = part_.choices.size() == trial.choices.size();
  islands_.put(part_, trial);
  return holds;
}

bool PegBranch::evaluate_whole(PegScene& scene, PegProblem& problem, PegTrial& trial) {
  ++report_.branches;
  left_ = bound_;
  shows_whole_ = true;
  trial.change.resize(at(scene.model().nv), 0.0);
  const bool holds = evaluate_part(scene, problem, trial);
  for (PegChoice& c : trial.choices) c.fresh = false, c.motion = 0;
  if (!trial.choices.empty()) trial.choices.front().motion = trial.motion;
  return holds;
}

bool PegBranch::evaluate_part(PegScene& scene, PegProblem& problem, PegTrial& part) {
  for (PegChoice& c : part.choices) c.failed = false;
  next_.resize(part.change.size());
  if (relinearizes_) {
    relinearize(scene, problem, part);
  } else {
    solve_at_start(scene, problem, part);
    scene.go_to_end(part.change);
    settled_ = problem.stepping().report().unsolved == 0;
  }
  part.motion = problem.stepping().motion();
  if (settled_ || part.choices.empty()) return hold_all(scene, problem, part);
  part.choices[at(restless_)].failed = true;
  return false;
}

// Contacts are in the order of the patches, and these in that of the choices.
bool PegBranch::hold_all(PegScene& scene, const PegProblem& problem, PegTrial& trial) {
  bool all = true;
  std::size_t contact = 0;
  const std::vector<Contact>& contacts = problem.stepping().contacts();
  for (PegChoice& c : trial.choices) {
    bool pressed = false;
    for (; contact < contacts.size() && problem.pair_of(contacts[contact]) == c.key; ++contact)
      pressed |= presses(problem.stepping().impulses()[contact]);
    c.failed = !holds(scene, c, pressed);
    all = all && !c.failed;
  }
  return all;
}

void PegBranch::solve_at_start(PegScene& scene, PegProblem& problem, PegTrial& trial) {
  problem.gather(scene, trial.choices, PegProblem::Moment::start);
  problem.solve(scene, nullptr, scene.step().u_free, trial.change);
}

std::span<const double> PegBranch::solve_at_end(PegScene& scene, PegProblem& problem,
                                                const PegTrial& trial) {
  scene.go_to_end(trial.about);
  scene.factor_end();
  problem.gather(scene, trial.choices, PegProblem::Moment::end);
  const Around around = scene.around(trial.about);
  problem.solve(scene, &around, scene.step().u_free, next_);
  return next_;
}

// Rows of the vertices over each plane first: where they press beside the face, once more with what
// meets there.
void PegBranch::relinearize(PegScene& scene, PegProblem& problem, PegTrial& trial) {
  for (PegChoice& c : trial.choices) c.meets = c.met;
  if (!trial.choices.empty()) {
    solve_at_start(scene, problem, trial);
    settled_ = false;
    if (problem.stepping().motion() > kHopeless * left_) return;
  }
  settle(scene, problem, trial);
  if (settled_ && find_remote(scene, problem, trial)) settle(scene, problem, trial);
}

// Whether some pair is pressed where its features are not; those are marked.
bool PegBranch::find_remote(PegScene& scene, const PegProblem& problem, PegTrial& trial) {
  bool any = false;
  const std::vector<Contact>& contacts = problem.stepping().contacts();
  std::size_t choice = 0;
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    if (!presses(problem.stepping().impulses()[i])) continue;
    while (trial.choices[choice].key != problem.pair_of(contacts[i])) ++choice;
    PegChoice& c = trial.choices[choice];
    if (c.meets) continue;
    scene.view_end(c);
    if (scene.view().is_on_features(c.plane, contacts[i].position)) continue;
    c.meets = true;
    any = true;
  }
  return any;
}

// How far, of their pair's size, contacts are moved by what the last solve changed; notes whose
// move most.
double PegBranch::greatest_shift(const PegScene& scene, const PegProblem& problem,
                                 PegTrial& trial) {
  difference_.resize(next_.size());
  for (std::size_t i = 0; i < next_.size(); ++i) difference_[i] = next_[i] - trial.change[i];
  const ConstraintRows& rows = problem.stepping().rows();
  const std::vector<Contact>& contacts = problem.stepping().contacts();
  if (contacts.empty()) return kInfinity;
  const std::vector<double>& sizes = scene.step().collider.sizes();
  rates_.resize(at(rows.rows()));
  rows.velocities(difference_, rates_);
  double most = -1;
  std::size_t choice = 0;
  restless_ = 0;
  for (const Contact& contact : contacts) {
    const PairKey key = problem.pair_of(contact);
    while (trial.choices[choice].key != key) ++choice;
    const PegChoice& c = trial.choices[choice];
    const RowGroup& g = rows.groups()[at(contact.group)];
    const double rate = largest_of({&rates_[at(g.row)], at(g.size)});
    const double shift = scene.step().h * rate / (sizes[at(c.geom_a)] + sizes[at(c.geom_b)]);
    if (!(shift > most)) continue;
    most = shift;
    restless_ = static_cast<int>(choice);
  }
  return most;
}

// Whether a branch will cost more than the best so far.
bool PegBranch::is_beaten(double motion, double moved) const {
  if (!std::isfinite(left_)) return false;
  const double rest = std::max(0.0, 1 - kRest * moved / largest_of(next_));
  return motion * rest * rest > left_ * (1 + kSameMotion);
}

// Newton's method on the gaps at the end of the step: each solve is st's with the rows of the end
// that the one before led to.
void PegBranch::settle(PegScene& scene, PegProblem& problem, PegTrial& trial) {
  mixing_.begin(static_cast<int>(next_.size()));
  double least = kInfinity;
  int least_at = 0;
  settled_ = false;
  for (int i = 0; i < kMostIterations && !settled_; ++i) {
    trial.about = trial.change;
    solve_at_end(scene, problem, trial);
    const double shift = greatest_shift(scene, problem, trial), moved = largest_of(difference_);
    const double scale = islands_.largest(trial.choices, scene.step().u_free) + largest_of(next_);
    const double motion = problem.stepping().motion();
    // to rounding, or as near as the solver's own tolerance lets it come
    settled_ = !(moved > kUnchanged * scale) || shift <= kStill ||
               (moved <= kSettled * scale && i >= least_at + kSame);
    const bool better = moved < 0.9 * least;
    if (better) {
      least = moved;
      least_at = i;
    }
    // forces that are not unique: each solve has others, and leads to an end of its own
    if (i - least_at > kSwings && shift <= kSecondOrder) settled_ = true;
    if (!settled_ && (i - least_at > kPatience || problem.is_spent())) {
      settled_ = moved <= kNearEnough * scale || shift <= kStillEnough;
      if (!settled_) break;
    }
    if (!settled_ && ((i >= kEarly && motion > kTooMuch * left_) || is_beaten(motion, moved)))
      break;
    if (settled_)
      std::copy(next_.begin(), next_.end(), trial.change.begin());
    else
      mixing_.advance(next_, trial.change);
  }
  scene.go_to_end(trial.change);
}

bool PegBranch::holds(PegScene& scene, const PegChoice& c, bool pressed) {
  if (!relinearizes_) return true;
  const double slack = scene.slack_of(c);
  Vec3 n;
  if (!scene.view_end(c)) return false;
  PlanePair& view = scene.view();
  const double tolerance = kApart * view.size() + slack;
  const bool parts = view.normal(c.plane, n) && view.separation(n) >= -tolerance;
  const double distance = view.proximity().distance;
  if (!parts && (pressed || distance < -tolerance)) return false;
  if (pressed && distance > kTouches * view.size() + slack) return false;
  if (scene.lets_stay()) return true;
  if (parts && scene.start_separation(c) >= -kPartedAtStart * view.size()) return true;
  return !scene.goes_through(c);
}

}  // namespace abut
