#include "abut/contact/penalty/surface/bottom_points.h"

#include <algorithm>
#include <numeric>

namespace abut {

std::span<const int> BottomScan::find(std::span<const Vec2> flat, std::span<const double> depth,
                                      double tolerance) {
  operations_ = 0;
  const std::size_t count = flat.size();
  const auto in_order = [&](std::vector<int>& order, auto&& before) {
    order.resize(count);
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&](int i, int j) {
      ++operations_;
      return before(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
    });
  };
  // of equally deep ones the lowest first, then the right-most
  in_order(by_depth_, [&](std::size_t i, std::size_t j) {
    if (depth[i] != depth[j]) return depth[i] > depth[j];
    return flat[i].y() != flat[j].y() ? flat[i].y() < flat[j].y() : flat[i].x() > flat[j].x();
  });
  in_order(by_place_, [&](std::size_t i, std::size_t j) {
    return flat[i].x() != flat[j].x() ? flat[i].x() < flat[j].x() : flat[i].y() < flat[j].y();
  });
  rank_.resize(count);
  places_.resize(count);
  for (std::size_t r = 0; r < count; ++r) {
    const auto i = static_cast<std::size_t>(by_place_[r]);
    rank_[i] = static_cast<int>(r);
    places_[r] = flat[i];
  }

  kept_.clear();
  over_.ranks.reset(static_cast<int>(count));
  under_.ranks.reset(static_cast<int>(count));
  const std::int64_t searched = over_.ranks.steps() + under_.ranks.steps();
  for (const int i : by_depth_) {
    const int rank = rank_[static_cast<std::size_t>(i)];
    const bool over = outside(over_, rank, tolerance), under = outside(under_, rank, tolerance);
    // beyond either end of the chains it belongs to both, and is outside for both or neither
    if (over) insert(over_, rank);
    if (under) insert(under_, rank);
    if (over || under) kept_.push_back(i);
  }
  operations_ += over_.ranks.steps() + under_.ranks.steps() - searched;
  return kept_;
}

bool BottomScan::outside(const Chain& chain, int rank, double tolerance) {
  const int a = chain.ranks.before(rank), b = chain.ranks.after(rank);
  if (a < 0 && b < 0) return true;  // the first of all
  if (a >= 0 && b >= 0) return chain.side * turn(a, b, rank) > tolerance * (at(b) - at(a)).norm();
  // beyond an end: not if it is as near to the border there
  const int end = a < 0 ? b : a;
  if ((at(rank) - at(end)).norm() <= tolerance) return false;
  for (const Chain* c : {&over_, &under_}) {
    const int next = a < 0 ? c->ranks.after(end) : c->ranks.before(end);
    ++operations_;
    if (next < 0) continue;
    const Vec2 edge = at(next) - at(end);
    const double t = std::clamp((at(rank) - at(end)).dot(edge) / edge.squaredNorm(), 0.0, 1.0);
    if ((at(rank) - at(end) - t * edge).norm() <= tolerance) return false;
  }
  return true;
}

// Neighbours that it leaves inside go.
void BottomScan::insert(Chain& chain, int rank) {
  chain.ranks.insert(rank);
  for (const bool forward : {true, false}) {
    const auto next = [&](int r) { return forward ? chain.ranks.after(r) : chain.ranks.before(r); };
    for (int near = next(rank); near >= 0;) {
      const int far = next(near);
      if (far < 0) break;
      const double bend = forward ? turn(rank, near, far) : turn(far, near, rank);
      if (chain.side * bend < 0) break;
      chain.ranks.erase(near);
      ++operations_;
      near = far;
    }
  }
}

}  // namespace abut
