#include "abut/contact/complementarity/feature_stepping.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "abut/dynamics/jacobian.h"
#include "abut/math/index.h"
#include "abut/solve/newton/lmmcp.h"

namespace abut {

namespace {

constexpr double kApart = 1e-9;  // relative to the pair's size

void append(const LocalContact& c, ContactData& out) {
  Patch patch;
  patch.geom_a = c.geom_a, patch.geom_b = c.geom_b;
  patch.normal = c.normal;
  patch.distance = c.psi;
  patch.a = c.a, patch.b = c.b;
  patch.begin = out.points.count();
  out.points.add(c.p_A, c.p_B, c.psi, point_id(c.a, c.b));
  patch.end = out.points.count();
  out.patches.push_back(patch);
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
    : model_(model), settings_(settings), view_(collider), rows_(model) {
  if (settings.solver == "lmmcp") printed_ = std::make_unique<PrintedProblem>(model, settings);
}

void FeatureStepping::find(const Derived& d, const ContactData& near, std::span<const double> reach,
                           ContactData& out) {
  find_feature_constraints(model_, d, near, reach, {.cross = false}, view_, set_);
  out.clear();
  for (const LocalContact& c : set_.contacts()) append(c, out);
}

void FeatureStepping::solve(const Peg::Step& step, std::span<const double> reach,
                            TimeStepping& stepping, std::span<double> change) {
  report_ = {};
  const bool cross = settings_.model == "peg-paper";
  const auto find = [&](bool with_cross) {
    find_feature_constraints(model_, step.start.d, step.near, reach, {.cross = with_cross}, view_,
                             set_);
    const std::span<const LocalContact> contacts = set_.contacts();
    rows_.begin(step.start.d);
    driven_.resize(contacts.size());
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      const LocalContact& c = contacts[i];
      const int body_a = model_.geoms[at(c.geom_a)].body, body_b = model_.geoms[at(c.geom_b)].body;
      const Vec3 p = 0.5 * (c.p_A + c.p_B);
      const int g = rows_.add(1, body_a, body_b);
      rows_.add_point(g, 0, body_b, p, c.normal, 1);
      rows_.add_point(g, 0, body_a, p, c.normal, -1);
      driven_[i] =
          c.normal.dot(driven_twist(model_, step.start.input, step.start.d, body_b, p).lin -
                       driven_twist(model_, step.start.input, step.start.d, body_a, p).lin);
    }
    rows_.finish();
  };
  const auto look = [&] {
    return printed_ && !set_.contacts().empty() ? search_printed(step, stepping, change)
                                                : search(step, stepping, change);
  };
  find(cross);
  if (look()) return;
  if (cross) {
    find(false);
    report_.level = 1;
    if (look()) return;
  }
  std::vector<int> all;
  for (int i = 0; i < static_cast<int>(set_.contacts().size()); ++i)
    if (set_.contacts()[at(i)].presses) all.push_back(i);
  hold(all);
  for (const int level : {2, 3}) {
    report_.level = level;
    if (level == 3)
      for (double& psi : data_.points.psi) psi = std::max(psi, 0.0);
    stepping.solve(step.h, step.start, nullptr, data_, step.u_free, change);
    if (stepping.report().unsolved == 0) break;
  }
  report_.motion = stepping.motion();
  end_gaps(step, change);
}

// Contacts of one pair follow each other in the list of all, so the order of pairs is kept.
void FeatureStepping::hold(const std::vector<int>& held) {
  data_.clear();
  for (const int i : held) append(set_.contacts()[at(i)], data_);
}

void FeatureStepping::end_gaps(const Peg::Step& step, std::span<const double> change) {
  u_.resize(step.u_free.size());
  for (std::size_t i = 0; i < u_.size(); ++i) u_[i] = step.u_free[i] + change[i];
  gaps_.resize(set_.contacts().size());
  rows_.velocities(u_, gaps_);
  for (std::size_t i = 0; i < gaps_.size(); ++i)
    gaps_[i] = set_.contacts()[i].psi + step.h * (gaps_[i] + driven_[i]);
}

FeatureStepping::Outcome FeatureStepping::evaluate(const Peg::Step& step, TimeStepping& stepping,
                                                   Node& node, std::span<double> change,
                                                   int& violated) {
  ++report_.branches;
  ++report_.iterations;
  hold(node.held);
  stepping.solve(step.h, step.start, nullptr, data_, step.u_free, change);
  node.motion = stepping.motion();
  if (stepping.report().unsolved > 0) return Outcome::invalid;
  end_gaps(step, change);
  const auto pressed = [&](int contact) {
    const auto held = std::lower_bound(node.held.begin(), node.held.end(), contact);
    if (held == node.held.end() || *held != contact) return false;
    return stepping.impulses()[static_cast<std::size_t>(held - node.held.begin())].squaredNorm() >
           0;
  };
  violated = -1;
  double worst = 0;
  for (int i = 0; i < set_.count(); ++i) {
    const FeatureConstraint& c = set_.constraints()[at(i)];
    double most = -kInfinity;
    int any = c.iota.empty() ? c.kappa.front() : c.iota.front();
    for (const std::vector<int>* of : {&c.iota, &c.kappa})
      for (const int k : *of) most = std::max(most, gaps_[at(k)]);
    const LocalContact& of = set_.contacts()[at(any)];
    view_.place(of.geom_a, of.geom_b, geom_pose(model_, step.start.d, of.geom_a),
                geom_pose(model_, step.start.d, of.geom_b));
    const double tolerance = kApart * view_.size();
    // (15): a force only where its gap is 0 and the greatest
    if (c.kind == FeatureConstraint::Kind::I && most > tolerance)
      for (const int k : c.iota)
        if (pressed(k)) return Outcome::invalid;
    if (most >= -tolerance) continue;
    // the one most violated first; its place in the list is that of its features
    if (violated < 0 || most < worst - tolerance) {
      worst = most;
      violated = i;
    }
  }
  return violated < 0 ? Outcome::holds : Outcome::violated;
}

// A solution of (29) says which contacts press; with these held, the step is st's.
bool FeatureStepping::search_printed(const Peg::Step& step, TimeStepping& stepping,
                                     std::span<double> change) {
  std::vector<int> all(set_.contacts().size());
  std::iota(all.begin(), all.end(), 0);
  hold(all);
  const Problem& problem = printed_->assemble(step.h, step.start, set_, data_, step.u_free);
  const std::vector<VectorX> solutions = lmmcp_solutions(problem);
  std::vector<Node> found;
  for (const VectorX& z : solutions) {
    Node node;
    printed_->pressed(z, node.held);
    node.motion = printed_->motion(z);
    node.order = static_cast<int>(found.size());
    found.push_back(std::move(node));
  }
  std::sort(found.begin(), found.end(), [](const Node& a, const Node& b) {
    return a.motion != b.motion ? a.motion < b.motion : a.order < b.order;
  });
  report_.exhaustive = false;
  for (Node& node : found) {
    int violated = -1;
    if (evaluate(step, stepping, node, change, violated) != Outcome::holds) continue;
    report_.motion = node.motion;
    return true;
  }
  return false;
}

bool FeatureStepping::search(const Peg::Step& step, TimeStepping& stepping,
                             std::span<double> change) {
  // a heap of sets to try, by the motion of the set they were made from
  std::vector<Node> open;
  const auto later = [](const Node& a, const Node& b) {
    return a.motion != b.motion ? a.motion > b.motion : a.order > b.order;
  };
  std::vector<std::vector<int>> seen;
  int made = 0;
  open.push_back({});
  Node best;
  best.motion = kInfinity;
  while (!open.empty() && report_.branches < Peg::kMostBranches) {
    std::pop_heap(open.begin(), open.end(), later);
    Node node = std::move(open.back());
    open.pop_back();
    if (node.motion >= best.motion * (1 - 1e-9)) break;
    int violated = -1;
    const Outcome outcome = evaluate(step, stepping, node, change, violated);
    if (outcome == Outcome::invalid || node.motion >= best.motion) continue;
    if (outcome == Outcome::holds) {
      best = node;
      continue;
    }
    const FeatureConstraint& c = set_.constraints()[at(violated)];
    for (const std::vector<int>* of : {&c.iota, &c.kappa})
      for (const int k : *of) {
        if (!set_.contacts()[at(k)].presses) continue;
        Node child = node;
        const auto place = std::lower_bound(child.held.begin(), child.held.end(), k);
        if (place != child.held.end() && *place == k) continue;
        child.held.insert(place, k);
        if (std::find(seen.begin(), seen.end(), child.held) != seen.end()) continue;
        seen.push_back(child.held);
        child.order = ++made;
        open.push_back(std::move(child));
        std::push_heap(open.begin(), open.end(), later);
      }
  }
  report_.exhaustive = report_.branches < Peg::kMostBranches;
  if (!std::isfinite(best.motion)) return false;
  int violated = -1;
  evaluate(step, stepping, best, change, violated);
  report_.motion = best.motion;
  return true;
}

}  // namespace abut
