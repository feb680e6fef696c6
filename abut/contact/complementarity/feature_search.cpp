#include "abut/contact/complementarity/feature_search.h"

#include <algorithm>
#include <cmath>

#include "abut/contact/complementarity/peg/tolerances.h"
#include "abut/math/index.h"

namespace abut {

using peg_tolerance::kSameComponent;
using peg_tolerance::kTie;

namespace {

// Sets that are tried by a dive, and for a better one than that which the dive found.
constexpr int kMostOfDive = 256, kMostForBetter = 256;

void insert(std::vector<int>& held, int contact) {
  held.insert(std::lower_bound(held.begin(), held.end(), contact), contact);
}

}  // namespace

const FeatureBranch::Verdict& FeatureSearch::evaluate(const Problem& p,
                                                      const std::vector<int>& held) {
  ++p.report.branches;
  ++p.report.iterations;
  return branch_.evaluate(p.step, p.set, held, p.stepping, p.change);
}

void FeatureSearch::find_same(const Problem& p) {
  const std::span<const LocalContact> contacts = p.set.contacts();
  same_.resize(contacts.size());
  for (std::size_t i = 0; i < contacts.size(); ++i) {
    const LocalContact& c = contacts[i];
    const double near = branch_.tolerance(p.step, c);
    const auto is_same = [&](const LocalContact& o) {
      return o.geom_a == c.geom_a && o.geom_b == c.geom_b && std::abs(o.psi - c.psi) <= near &&
             (o.p_A - c.p_A).norm() <= near && (o.normal - c.normal).norm() <= kSameComponent;
    };
    const auto first = std::find_if(contacts.begin(), contacts.begin() + long(i), is_same);
    same_[i] = static_cast<int>(first - contacts.begin());
  }
}

bool FeatureSearch::has(const std::vector<int>& held, int contact) const {
  return std::any_of(held.begin(), held.end(),
                     [&](int k) { return same_[at(k)] == same_[at(contact)]; });
}

// options_: contacts that could satisfy the constraint, and are not held.
void FeatureSearch::find_options(const Problem& p, int constraint, const std::vector<int>& held) {
  options_.clear();
  const FeatureConstraint& c = p.set.constraints()[at(constraint)];
  for (const std::vector<int>* of : {&c.iota, &c.kappa})
    for (const int k : *of)
      if (p.set.contacts()[at(k)].presses && !has(held, k) && !has(options_, k) &&
          std::find(banned_.begin(), banned_.end(), k) == banned_.end())
        options_.push_back(k);
}

// Holds the contacts of violated constraints that have but one. False: there is none.
bool FeatureSearch::hold_forced(const Problem& p, const std::vector<int>& violated,
                                std::vector<int>& held) {
  const std::vector<int> before = held;
  bool any = false;
  for (const int c : violated) {
    find_options(p, c, before);
    if (options_.size() != 1 || has(held, options_.front())) continue;
    insert(held, options_.front());
    any = true;
  }
  return any;
}

// Of options_. least: one that may press, and the one nearest to open of these.
int FeatureSearch::preferred(const Problem& p) const {
  if (which_ == WhichSolution::first) return options_.front();
  if (which_ == WhichSolution::last) return options_.back();
  int best = -1;
  bool best_blocked = false;
  for (const int k : options_) {
    const bool blocked = branch_.is_blocked(p.step, p.set, k);
    const double gap = branch_.gaps()[at(k)];
    if (best >= 0 && (blocked != best_blocked ? blocked : gap <= branch_.gaps()[at(best)]))
      continue;
    best = k;
    best_blocked = blocked;
  }
  return best;
}

bool FeatureSearch::hold_next(const Problem& p, const std::vector<int>& violated) {
  if (hold_forced(p, violated, best_.held)) return true;
  for (const int c : violated) {
    find_options(p, c, best_.held);
    if (options_.empty()) continue;
    insert(best_.held, preferred(p));
    return true;
  }
  return false;
}

bool FeatureSearch::dive(const Problem& p) {
  best_ = {};
  banned_.clear();
  for (int i = 0; i < kMostOfDive; ++i) {
    const FeatureBranch::Verdict& v = evaluate(p, best_.held);
    best_.motion = v.motion;
    if (!v.solved) return false;
    if (v.holds()) return true;
    for (const int k : v.blocked) {
      std::erase(best_.held, k);
      banned_.push_back(k);
    }
    if (v.blocked.empty() && !hold_next(p, v.violated)) return false;
  }
  return false;
}

bool FeatureSearch::is_later(const Node& a, const Node& b) {
  return a.motion != b.motion ? a.motion > b.motion : a.order > b.order;
}

void FeatureSearch::open(Node node) {
  if (std::find(seen_.begin(), seen_.end(), node.held) != seen_.end()) return;
  seen_.push_back(node.held);
  node.order = ++made_;
  open_.push_back(std::move(node));
  std::push_heap(open_.begin(), open_.end(), is_later);
}

void FeatureSearch::branch_out(const Problem& p, const Node& node,
                               const std::vector<int>& violated) {
  Node child = node;
  if (hold_forced(p, violated, child.held)) {
    open(std::move(child));
    return;
  }
  find_options(p, violated.front(), node.held);
  for (const int k : options_) {
    child = node;
    insert(child.held, k);
    open(std::move(child));
  }
}

// Better than best_, if there is one.
bool FeatureSearch::find_least(const Problem& p) {
  open_.clear();
  seen_.clear();
  banned_.clear();
  made_ = 0;
  const int most = std::isfinite(best_.motion) ? p.report.branches + kMostForBetter : kMostBranches;
  open({});
  while (!open_.empty() && p.report.branches < most) {
    std::pop_heap(open_.begin(), open_.end(), is_later);
    Node node = std::move(open_.back());
    open_.pop_back();
    if (node.motion >= best_.motion * (1 - kTie)) break;
    const FeatureBranch::Verdict& v = evaluate(p, node.held);
    node.motion = v.motion;
    if (!v.solved || !v.blocked.empty() || node.motion >= best_.motion * (1 - kTie)) continue;
    if (v.holds())
      best_ = std::move(node);
    else
      branch_out(p, node, v.violated);
  }
  p.report.exhaustive = p.report.branches < most;
  return std::isfinite(best_.motion);
}

bool FeatureSearch::run(const PegStep& step, const FeatureConstraints& set, TimeStepping& stepping,
                        std::span<double> change, PegReport& report) {
  const Problem p{step, set, stepping, change, report};
  find_same(p);
  const bool found = dive(p);
  report.motion = best_.motion;
  if (found && (which_ != WhichSolution::least || best_.motion == 0)) return true;
  if (!found) best_.motion = kInfinity;
  if (!find_least(p)) return false;
  evaluate(p, best_.held);
  report.motion = best_.motion;
  return true;
}

}  // namespace abut
