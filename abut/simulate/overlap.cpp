#include "abut/simulate/overlap.h"

#include <fmt/format.h>

#include <algorithm>

#include "abut/collide/broad/broad_phase.h"
#include "abut/collide/proximity/proximity.h"
#include "abut/math/index.h"

namespace abut {

void Overlap::add(const Overlap& other) {
  touching += other.touching;
  sum += other.sum;
  if (other.deepest > deepest) {
    deepest = other.deepest;
    deepest_a = other.deepest_a;
    deepest_b = other.deepest_b;
  }
  deep += other.deep;
  if (other.deep_depth > deep_depth) {
    deep_depth = other.deep_depth;
    deep_a = other.deep_a;
    deep_b = other.deep_b;
  }
}

std::string overlap_warning(const Model& model, const Overlap& start) {
  if (start.deep == 0) return {};
  const auto named = [&](int g) {
    return fmt::format("geom '{}' of {}", model.geom_names[g],
                       model.geoms[at(g)].body == 0
                           ? "the world"
                           : fmt::format("body '{}'", model.body_names[model.geoms[at(g)].body]));
  };
  return fmt::format("the world begins in overlap: {} and {} are {:.4g} m deep in each other{}",
                     named(start.deep_a), named(start.deep_b), start.deep_depth,
                     start.deep == 1   ? ""
                     : start.deep == 2 ? "; one more pair overlaps"
                                       : fmt::format("; {} more pairs overlap", start.deep - 1));
}

OverlapMeasure::OverlapMeasure(const Model& model)
    : model_(model), solids_(model), filter_(model), plane_(checked_plane_of(model)) {
  // geoms that no other may touch are ignored
  std::vector<bool> meets(model.geoms.size());
  filter_.for_each_pair([&](int a, int b) { meets[at(a)] = meets[at(b)] = true; });
  for (int g = 0; g < solids_.count(); ++g) {
    if (!meets[at(g)] || !solids_.can_collide(g)) continue;
    if (solids_[g].is_half_space())
      half_spaces_.push_back(g);
    else
      balls_.push_back({g, Vec3::Zero(), solids_[g].radius});
  }
}

Overlap OverlapMeasure::of(const Derived& d) {
  Overlap out;
  asked_ = 0;
  if (balls_.empty()) return out;
  geom_poses(model_, d, poses_);
  for (Ball& ball : balls_) {
    ball.center = poses_[at(ball.geom)] * solids_[ball.geom].center;
    if (plane_) ball.center[plane_->n] = 0;  // polygons meet at any position along it
  }
  // kissing pairs are counted too
  const auto grown = [](const Ball& b) { return b.radius * (1 + 4 * kKissing); };
  std::sort(balls_.begin(), balls_.end(), [&](const Ball& a, const Ball& b) {
    const double x = a.center.x() - grown(a), y = b.center.x() - grown(b);
    return x != y ? x < y : a.geom < b.geom;
  });
  for (const int g : half_spaces_) {
    const Vec3 normal = poses_[at(g)].q * Vec3::UnitZ();
    for (const Ball& ball : balls_)
      if (normal.dot(ball.center - poses_[at(g)].p) <= grown(ball)) ask(g, ball.geom, out);
  }
  for (std::size_t i = 0; i < balls_.size(); ++i)
    for (std::size_t j = i + 1; j < balls_.size(); ++j) {
      const Ball &a = balls_[i], &b = balls_[j];
      if (b.center.x() - grown(b) > a.center.x() + grown(a)) break;
      const double reach = grown(a) + grown(b);
      if ((a.center - b.center).squaredNorm() <= reach * reach) ask(a.geom, b.geom, out);
    }
  return out;
}

void OverlapMeasure::ask(int a, int b, Overlap& out) {
  if (!filter_.allows(a, b)) return;
  ++asked_;
  if (a > b) std::swap(a, b);
  const double limit = kKissing * pair_size(solids_[a], solids_[b]);
  const double away = distance(a, b, limit);
  if (!(away < limit)) return;
  ++out.touching;
  const double depth = std::max(0.0, -away);
  out.sum += depth;
  if (depth > out.deepest) {
    out.deepest = depth;
    out.deepest_a = a;
    out.deepest_b = b;
  }
  if (!(depth > kReportedDepth * pair_size(solids_[a], solids_[b]))) return;
  ++out.deep;
  if (depth > out.deep_depth) {
    out.deep_depth = depth;
    out.deep_a = a;
    out.deep_b = b;
  }
}

double OverlapMeasure::distance(int a, int b, double limit) {
  const Pose &X_WA = poses_[at(a)], &X_WB = poses_[at(b)];
  if (solids_.is_compound(a) || solids_.is_compound(b))
    return compound_.distance(solids_, a, X_WA, b, X_WB, limit);
  const Convex &A = solids_[a], &B = solids_[b];
  if (plane_) {
    const Vec3 origin = A.is_half_space() ? X_WB.p : X_WA.p;
    if (make_polygon(A, X_WA, *plane_, origin, polygon_A_) &&
        make_polygon(B, X_WB, *plane_, origin, polygon_B_))
      return planar_proximity(polygon_A_, polygon_B_, *plane_).distance;
  }
  return proximity(A, X_WA, B, X_WB, nullptr, limit).distance;
}

}  // namespace abut
