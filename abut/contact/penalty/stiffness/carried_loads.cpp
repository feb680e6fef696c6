#include "abut/contact/penalty/stiffness/carried_loads.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "abut/dynamics/bias.h"
#include "abut/math/index.h"
#include "abut/solve/problem.h"

namespace abut {

namespace {

constexpr double kLevel = 0.1;  // sine of the angle below which nothing lies on anything

}  // namespace

CarriedLoads::CarriedLoads(const Model& model, const Mobility& mobility)
    : mobility_(mobility),
      weight_(model.trees.size(), 0.0),
      first_(model.trees.size(), 0),
      count_(model.trees.size(), 0) {
  const Vec3 g = gravity(model);
  if (!(g.norm() > 0)) return;
  up_ = -g.normalized();
  for (const Link& link : model.links)
    if (model.trees[at(link.tree)].free_body) weight_[at(link.tree)] = g.norm() * link.mass.mass;
  sizes_.assign(weight_.size(), kInfinity);
  for (int i = 0; i < static_cast<int>(model.geoms.size()); ++i)
    if (const int t = mobility.tree(i); t >= 0)
      sizes_[at(t)] = std::min(sizes_[at(t)], mobility.size(i, i));
  carries_.resize(weight_.size());
  smallest_.resize(weight_.size());
  above_.resize(weight_.size());
  bears_.resize(weight_.size());
  piled_.resize(weight_.size());
  highest_.resize(weight_.size());
  heaviest_.resize(weight_.size());
  begin();
}

void CarriedLoads::begin() {
  for (const Rest& r : rests_) first_[at(r.upper)] = count_[at(r.upper)] = 0;
  rests_.clear();
  parent_.resize(weight_.size());
  std::iota(parent_.begin(), parent_.end(), 0);
  std::fill(highest_.begin(), highest_.end(), 1);
  std::fill(heaviest_.begin(), heaviest_.end(), 0.0);
}

int CarriedLoads::root(int tree) const {
  while (parent_[at(tree)] != tree) tree = parent_[at(tree)];
  return tree;
}

void CarriedLoads::add(int a, int b, const Vec3& normal) {
  const int ta = mobility_.tree(a), tb = mobility_.tree(b);
  if (ta >= 0 && tb >= 0) {
    const int ra = root(ta), rb = root(tb);
    parent_[at(std::max(ra, rb))] = std::min(ra, rb);
  }
  const double lift = up_.dot(normal);
  if (std::abs(lift) < kLevel) return;
  const Rest rest = lift > 0 ? Rest{mobility_.tree(b), mobility_.tree(a)}
                             : Rest{mobility_.tree(a), mobility_.tree(b)};
  if (rest.upper >= 0 && rest.upper != rest.lower) rests_.push_back(rest);
}

std::span<const CarriedLoads::Rest> CarriedLoads::under(int tree) const {
  return std::span(rests_).subspan(at(first_[at(tree)]), at(count_[at(tree)]));
}

// From the top: a body is looked at when all that lie on it have been. Of
// bodies that lie on each other in a circle those that are left each have what
// has come to them by then.
void CarriedLoads::finish() {
  for (int& t : parent_) t = root(t);
  std::sort(rests_.begin(), rests_.end());
  rests_.erase(std::unique(rests_.begin(), rests_.end()), rests_.end());
  for (int i = 0; i < static_cast<int>(rests_.size()); ++i) {
    const std::size_t t = at(rests_[at(i)].upper);
    if (count_[t]++ == 0) first_[t] = i;
  }
  for (const Rest& r : rests_)
    for (const int t : {r.upper, r.lower})
      if (t >= 0) {
        piled_[at(t)] = 1;
        carries_[at(t)] = weight_[at(t)];
        smallest_[at(t)] = sizes_[at(t)];
        above_[at(t)] = bears_[at(t)] = 0;
      }
  for (const Rest& r : rests_)
    if (r.lower >= 0) ++above_[at(r.lower)], ++bears_[at(r.lower)];
  ready_.clear();
  const auto hand_down = [&](int tree) {
    above_[at(tree)] = -1;
    const std::span<const Rest> on = under(tree);
    int& highest = highest_[at(root(tree))];
    highest = std::max(highest, piled_[at(tree)]);
    double& heaviest = heaviest_[at(root(tree))];
    if (!on.empty())
      heaviest = std::max(heaviest, carries_[at(tree)] / static_cast<double>(on.size()));
    for (const Rest& r : on) {
      if (r.lower < 0) continue;
      if (above_[at(r.lower)] > 0)
        piled_[at(r.lower)] = std::max(piled_[at(r.lower)], piled_[at(tree)] + 1);
      if (weight_[at(r.lower)] > 0 && above_[at(r.lower)] > 0) {
        carries_[at(r.lower)] += carries_[at(tree)] / static_cast<double>(on.size());
        smallest_[at(r.lower)] = std::min(smallest_[at(r.lower)], smallest_[at(tree)]);
      }
      if (above_[at(r.lower)] > 0 && --above_[at(r.lower)] == 0) ready_.push_back(r.lower);
    }
  };
  for (const bool circles : {false, true})
    for (const Rest& r : rests_) {
      if (above_[at(r.upper)] < 0 || (above_[at(r.upper)] > 0 && !circles)) continue;
      hand_down(r.upper);
      while (!ready_.empty()) {
        const int t = ready_.back();
        ready_.pop_back();
        if (above_[at(t)] == 0) hand_down(t);
      }
    }
}

const CarriedLoads::Rest* CarriedLoads::find(int a, int b) const {
  const int ta = mobility_.tree(a), tb = mobility_.tree(b);
  for (const Rest r : {Rest{ta, tb}, Rest{tb, ta}}) {
    if (r.upper < 0 || !(weight_[at(r.upper)] > 0)) continue;
    if (r.lower >= 0 && !(weight_[at(r.lower)] > 0)) continue;
    for (const Rest& known : under(r.upper))
      if (known == r) return &known;
  }
  return nullptr;
}

double CarriedLoads::of(int a, int b) const {
  const Rest* r = find(a, b);
  return r ? carries_[at(r->upper)] / static_cast<double>(under(r->upper).size()) : 0;
}

double CarriedLoads::size(int a, int b) const {
  const Rest* r = find(a, b);
  const double own = mobility_.size(a, b);
  return r ? std::min(own, smallest_[at(r->upper)]) : own;
}

double CarriedLoads::finer(int a, int b) const {
  const double least = size(a, b);
  return least > 0 ? std::min(mobility_.size(a, b) / least, 2.0) : 1;
}

int CarriedLoads::pile(int a, int b) const {
  int found = -1;
  for (const int t : {mobility_.tree(a), mobility_.tree(b)}) {
    if (t < 0) continue;
    if (!(weight_[at(t)] > 0)) return -1;
    found = root(t);
  }
  return found;
}

double CarriedLoads::load(int a, int b) const {
  const int top = pile(a, b);
  return top >= 0 && highest_[at(top)] > kLow ? heaviest_[at(top)] : of(a, b);
}

double CarriedLoads::storeys(int a, int b) const {
  const int top = pile(a, b);
  return top < 0 ? 1 : std::max(1.0, kStiffer * (highest_[at(top)] - kLow));
}

bool CarriedLoads::stacked(int a, int b) const {
  const Rest* r = find(a, b);
  return r && (bears_[at(r->upper)] > 0 || (r->lower >= 0 && !under(r->lower).empty()));
}

}  // namespace abut
