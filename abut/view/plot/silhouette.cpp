#include "abut/view/plot/silhouette.h"

#include <cmath>

#include "abut/shape/shape.h"

namespace abut::view {

namespace {

constexpr std::size_t kCrowd = 300, kMostOutlines = 3000;  // geoms

struct Box {
  Vec2 low = Vec2::Constant(std::numeric_limits<double>::infinity()), high = -low;
  void take(const std::vector<Vec2>& points) {
    for (const Vec2& p : points) low = low.cwiseMin(p), high = high.cwiseMax(p);
  }
  bool holds(const std::vector<Vec2>& points, double margin) const {
    for (const Vec2& p : points)
      if (((p - low).array() < -margin).any() || ((p - high).array() > margin).any()) return false;
    return true;
  }
};

}  // namespace

std::vector<Vec2> outline(const Model& model, int geom, const Pose& X_WB, int right, int up,
                          int directions) {
  const Geom& g = model.geoms[geom];
  const Pose X_WG = X_WB * g.pose;
  std::vector<Vec2> corners;
  for (int i = 0; i < directions; ++i) {
    // not a multiple of a right angle, at which a box would have ties
    const double angle = 2 * M_PI * (i + 0.37) / directions;
    Vec3 direction = Vec3::Zero();
    direction[right] = std::cos(angle);
    direction[up] = std::sin(angle);
    const Vec3 p = X_WG * support(g.shape, model.assets, X_WG.q.conjugate() * direction);
    const Vec2 corner(p[right], p[up]);
    if (corners.empty() || (corner - corners.back()).norm() > 0) corners.push_back(corner);
  }
  return corners;
}

std::vector<Area> silhouettes(const Model& model, std::span<const Pose> first,
                              std::span<const Pose> last, std::span<const int> colour, int right,
                              int up) {
  std::vector<Area> standing, began, ended;
  Box reached;
  const bool crowd = model.geoms.size() > kCrowd;
  for (std::size_t g = 0; g < model.geoms.size(); ++g) {
    if (standing.size() + ended.size() >= kMostOutlines) break;
    const Geom& geom = model.geoms[g];
    if (geom.shape.kind == ShapeKind::plane) continue;
    const Body& body = model.bodies[geom.body];
    const bool moves = body.link >= 0 || body.mocap >= 0;
    const int leader = body.link >= 0 ? model.links[body.link].body : geom.body;
    auto at = [&](std::span<const Pose> poses) {
      return outline(model, static_cast<int>(g), poses[geom.body], right, up, crowd ? 16 : 72);
    };
    if (!moves) {
      standing.push_back({at(first), kFaint, false, false});
      continue;
    }
    if (!crowd) began.push_back({at(first), colour[leader], true, true});
    ended.push_back({at(last), colour[leader], false, true});
    if (!crowd) reached.take(began.back().outline);
    reached.take(ended.back().outline);
  }
  // fixed geoms are inside the picture, unless they would make the moving ones small
  const double margin = 0.5 * (reached.high - reached.low).maxCoeff();
  for (Area& area : standing) area.sets_range = reached.holds(area.outline, margin);

  std::vector<Area> all = std::move(standing);
  all.insert(all.end(), began.begin(), began.end());
  all.insert(all.end(), ended.begin(), ended.end());
  return all;
}

std::vector<Level> grounds(const Model& model, std::span<const Pose> poses) {
  std::vector<Level> levels;
  for (std::size_t g = 0; g < model.geoms.size(); ++g) {
    const Geom& geom = model.geoms[g];
    if (geom.shape.kind != ShapeKind::plane) continue;
    const Pose X_WG = poses[geom.body] * geom.pose;
    if (std::abs((X_WG.q * Vec3::UnitZ()).z()) > 1 - 1e-9)
      levels.push_back({X_WG.p.z(), model.geom_names[static_cast<int>(g)]});
  }
  return levels;
}

}  // namespace abut::view
