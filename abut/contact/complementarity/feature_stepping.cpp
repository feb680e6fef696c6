#include "abut/contact/complementarity/feature_stepping.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "abut/math/index.h"
#include "abut/solve/newton/lmmcp.h"

namespace abut {

namespace {

// A setting of the model that runs: abut.lnc.order, say.
std::string_view own_of(const ContactSettings& s, std::string_view key) {
  return own(s, s.model + "." + std::string(key));
}

Crossings crossings_of(const ContactSettings& s) {
  if (s.model != "peg-paper") return Crossings::none;
  return own_of(s, "crossings") == "printed" ? Crossings::printed : Crossings::joined;
}

WhichSolution which_of(const ContactSettings& s) {
  const std::string_view word = own_of(s, "order");
  return word == "first"  ? WhichSolution::first
         : word == "last" ? WhichSolution::last
                          : WhichSolution::least;
}

// eps_theta = sin(theta), P-3.
double eps_of(const Model& model, const ContactSettings& s) {
  const auto it = model.custom.find("abut." + s.model + ".angle");
  if (it == model.custom.end()) return FeatureChoice{}.eps;
  const double degrees = it->second.numbers.empty() ? -1 : it->second.numbers[0];
  if (!(degrees >= 0 && degrees < 90))
    throw WorldError(it->second.source, it->first + ": write degrees, from 0 to less than 90");
  return std::sin(degrees * std::numbers::pi / 180);
}

}  // namespace

void find_feature_constraints(const Model& model, const Derived& d, const ContactData& near,
                              std::span<const double> reach, const FeatureChoice& choice,
                              PlanePair& view, FeatureConstraints& out) {
  out.clear();
  for (const Patch& patch : near.patches) {
    const int a = patch.geom_a, b = patch.geom_b;
    if (view.place(a, b, geom_pose(model, d, a), geom_pose(model, d, b)))
      out.add(view, reach[at(a)] + reach[at(b)], choice);
  }
}

FeatureStepping::FeatureStepping(const Model& model, const ContactSettings& settings,
                                 const Collider& collider)
    : model_(model),
      crossings_(crossings_of(settings)),
      releases_(own_of(settings, "velocity") == "on"),
      view_(collider),
      search_(model, which_of(settings)) {
  choice_.eps = eps_of(model, settings);
  if (settings.solver == "lmmcp") printed_ = std::make_unique<PrintedProblem>(model, settings);
}

void FeatureStepping::find(const Derived& d, const ContactData& near, std::span<const double> reach,
                           ContactData& out) {
  find_feature_constraints(model_, d, near, reach, {.crossings = Crossings::none}, view_, set_);
  out.clear();
  for (const LocalContact& c : set_.contacts()) append_contact(c, out);
}

void FeatureStepping::find(const PegStep& step, std::span<const double> reach,
                           Crossings crossings) {
  choice_.crossings = crossings;
  find_feature_constraints(model_, step.start.d, step.near, reach, choice_, view_, set_);
  search_.branch().begin(step, set_);
  if (releases_) release_what_parts(step);
}

// "Heuristics based on velocities" (P-6): what is apart, and does not come nearer freely, gets no
// force. That is a contact with an open gap that does not close, and one whose constraints are all
// open and do not close: max psi > 0 says that a vertex is outside of a solid, although it is below
// the planes of some of the faces around.
void FeatureStepping::release_what_parts(const PegStep& step) {
  FeatureBranch& branch = search_.branch();
  const std::vector<double> none(step.u_free.size(), 0.0);
  branch.find_gaps(step, set_, none);
  const auto count = static_cast<int>(set_.contacts().size());
  std::vector<char> held(at(count), 0), is_in_any(at(count), 0);
  for (const FeatureConstraint& c : set_.constraints()) {
    double before = -kInfinity, after = -kInfinity, open = 0;
    for (const std::vector<int>* of : {&c.iota, &c.kappa})
      for (const int k : *of) {
        before = std::max(before, set_.contacts()[at(k)].psi);
        after = std::max(after, branch.gaps()[at(k)]);
        open = branch.tolerance(step, set_.contacts()[at(k)]);
      }
    for (const std::vector<int>* of : {&c.iota, &c.kappa})
      for (const int k : *of) {
        is_in_any[at(k)] = 1;
        if (!(before > open && after >= before)) held[at(k)] = 1;
      }
  }
  for (int i = 0; i < count; ++i) {
    const LocalContact& c = set_.contacts()[at(i)];
    if (!c.presses) continue;
    const bool alone = c.psi > branch.tolerance(step, c) && branch.rates()[at(i)] >= 0;
    if (alone || (is_in_any[at(i)] && !held[at(i)])) set_.release(i);
  }
}

void FeatureStepping::solve(const PegStep& step, std::span<const double> reach,
                            TimeStepping& stepping, std::span<double> change) {
  report_ = {};
  find(step, reach, crossings_);
  if (look(step, stepping, change)) return;
  if (crossings_ != Crossings::none) {
    report_.level = 1;
    find(step, reach, Crossings::none);
    if (look(step, stepping, change)) return;
  }
  fall_back(step, stepping, change);
}

void FeatureStepping::fall_back(const PegStep& step, TimeStepping& stepping,
                                std::span<double> change) {
  FeatureBranch& branch = search_.branch();
  std::vector<int> all;
  for (int i = 0; i < static_cast<int>(set_.contacts().size()); ++i)
    if (set_.contacts()[at(i)].presses) all.push_back(i);
  branch.hold(set_, all);
  for (const int level : {2, 3}) {
    report_.level = level;
    if (level == 3)
      for (double& psi : branch.data().points.psi) psi = std::max(psi, 0.0);
    stepping.solve(step.h, step.start, nullptr, branch.data(), step.u_free, change);
    if (stepping.report().unsolved == 0) break;
  }
  report_.motion = stepping.motion();
  branch.find_gaps(step, set_, change);
}

bool FeatureStepping::look(const PegStep& step, TimeStepping& stepping, std::span<double> change) {
  return printed_ && !set_.contacts().empty() ? look_printed(step, stepping, change)
                                              : search_.run(step, set_, stepping, change, report_);
}

// A solution of (29) says which contacts press; with these held, the step is st's.
bool FeatureStepping::look_printed(const PegStep& step, TimeStepping& stepping,
                                   std::span<double> change) {
  FeatureBranch& branch = search_.branch();
  std::vector<int> all(set_.contacts().size());
  std::iota(all.begin(), all.end(), 0);
  branch.hold(set_, all);
  const Problem& problem = printed_->assemble(step.h, step.start, set_, branch.data(), step.u_free);
  std::vector<VectorX> solutions = lmmcp_solutions(problem);
  std::stable_sort(solutions.begin(), solutions.end(), [&](const VectorX& a, const VectorX& b) {
    return printed_->motion(a) < printed_->motion(b);
  });
  report_.exhaustive = false;
  std::vector<int> held;
  for (const VectorX& z : solutions) {
    printed_->pressed(z, held);
    ++report_.branches;
    ++report_.iterations;
    const FeatureBranch::Verdict& v = branch.evaluate(step, set_, held, stepping, change);
    report_.motion = v.motion;
    if (v.holds()) return true;
  }
  return false;
}

}  // namespace abut
