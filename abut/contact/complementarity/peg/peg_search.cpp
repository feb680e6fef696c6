#include "abut/contact/complementarity/peg/peg_search.h"

#include <algorithm>
#include <cmath>

#include "abut/contact/complementarity/peg/tolerances.h"

namespace abut {

using namespace peg_tolerance;

namespace {

double largest_difference(std::span<const double> a, std::span<const double> b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
  return most;
}

}  // namespace

PegSearch::PegSearch(const Model& model, const ContactSettings& settings, const Collider& collider)
    : model_(model),
      scene_(model, collider),
      problem_(report_, !PegIslands(model).are_one()),
      descent_(model, collider, own(settings, "peg.relinearize") != "off", report_),
      improvement_(descent_),
      end_(model) {}

void PegSearch::begin(const PegStep& step, TimeStepping& stepping) {
  scene_.begin(step);
  problem_.begin(scene_, stepping);
  descent_.branch().set_bound(kInfinity);
  end_.clear();
  report_.level = 0;
  report_.motion = 0;
}

bool PegSearch::solve(const PegStep& step, TimeStepping& stepping, std::span<double> change) {
  begin(step, stepping);
  bool found = find_branch();
  if (!found && step.may_halve) return false;
  if (!found) {
    report_.level = 2;
    scene_.let_stay();
    problem_.allow_once_more();
    best_.clear();
    found = descent_.run(scene_, problem_, best_);
  }
  if (found)
    take_best(change);
  else
    fall_back(change);
  return true;
}

// Begins with the planes of the last step, for pairs that are still near.
void PegSearch::take_last_planes() {
  best_.clear();
  for (const Patch& patch : scene_.step().near.patches) {
    PegChoice c = choice_of(patch);
    c.plane = scene_.remembered(c.key, &c.met);
    c.is_last = true;
    if (!c.plane.is_none()) best_.choices.push_back(c);
  }
}

bool PegSearch::find_branch() {
  take_last_planes();
  const bool from_memory = !best_.choices.empty();
  if (descent_.run(scene_, problem_, best_)) return true;
  best_.clear();
  return from_memory && descent_.run(scene_, problem_, best_);
}

void PegSearch::take_best(std::span<double> change) {
  bool is_current = descent_.branch().shows_whole();
  if (!best_.choices.empty() && report_.level == 0 && !problem_.is_spent()) {
    const bool all = improvement_.run(scene_, problem_, best_);
    report_.exhaustive = report_.exhaustive && all;
    is_current = improvement_.is_current();
  }
  if (!is_current) finish();
  if (descent_.branch().relinearizes()) end_.find(scene_, problem_, best_.change);
  report_.handed += end_.handed_momentum();
  report_.motion = best_.motion;
  report_.pairs = static_cast<int>(best_.choices.size());
  std::copy(best_.change.begin(), best_.change.end(), change.begin());
}

// Solves the best once more, so that contacts and impulses are its own. Its motion stays as it was
// found: the iteration need not come back to where it was.
void PegSearch::finish() {
  PegBranch& branch = descent_.branch();
  if (!branch.relinearizes()) {
    branch.evaluate_whole(scene_, problem_, best_);
    return;
  }
  best_.about.resize(best_.change.size(), 0.0);
  const std::span<const double> next = branch.solve_at_end(scene_, problem_, best_);
  const double scale = largest_of(scene_.step().u_free) + largest_of(best_.change);
  if (problem_.is_spent() || largest_difference(next, best_.change) <= kFinished * scale) return;
  // edges that face each other or not, by rounding: by the way that it was found, then
  kept_ = best_.change;
  const double motion = best_.motion;
  branch.evaluate_whole(scene_, problem_, best_);
  best_.change = kept_;
  best_.motion = motion;
}

// No branch does: rows on all that is near, at the start (P-N4).
void PegSearch::fall_back(std::span<double> change) {
  const std::span<const double> u_free = scene_.step().u_free;
  problem_.take(scene_.step().near);
  report_.level = 3;
  problem_.solve(scene_, nullptr, u_free, change);
  if (problem_.stepping().report().unsolved == 0) return;
  report_.level = 4;
  for (double& psi : problem_.data().points.psi) psi = std::max(psi, 0.0);
  problem_.solve(scene_, nullptr, u_free, change);
}

}  // namespace abut
