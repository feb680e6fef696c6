// What is visible of a solid along a patch's normal: the faces that look towards the other solid,
// projected to the plane (u, v), with the height w along the normal.
//
// A polyhedron shows its own faces. A capsule shows one segment, the line between the nearest
// points of its two ends. A cylinder shows a cap, as a polygon of rim points, and the line along
// its side that is nearest to the other solid.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "abut/collide/patch/tolerances.h"
#include "abut/collide/solid/convex.h"
#include "abut/collide/solid/feature.h"
#include "abut/math/transform.h"

namespace abut {

struct OutlinePoint {
  double u, v, w;
  std::int32_t mine, other;  // packed() features: of the solid, of the other solid
  std::int32_t edge;         // packed(): feature of the side to the next point
  bool edge_is_mine;
  double outside = 0;  // for clip_outline(): m outside the side, times its length
};

// A face, counter-clockwise in (u, v); a segment has two points.
struct Outline {
  std::vector<OutlinePoint> points;
  std::int32_t face = -1;                     // packed()
  double slope_u = 0, slope_v = 0, rise = 0;  // its plane: w = rise + slope_u u + slope_v v

  bool is_segment() const { return points.size() == 2; }
  double height(double u, double v) const { return rise + slope_u * u + slope_v * v; }
};

class SeenSolid {
 public:
  // X_PS places the solid in the patch's frame; `up` is +1 if the other solid is along +w (A), -1
  // if along -w (B). `tolerance` (m): how much deeper than eight rim points the deepest point must
  // be to be shown as well. For polyhedra, capsules and cylinders only.
  SeenSolid(const Convex& solid, const Transform& X_PS, double up, double tolerance);

  static bool can_show(const Convex& solid) {
    return solid.is_polyhedron() || solid.kind == ShapeKind::capsule ||
           solid.kind == ShapeKind::cylinder;
  }

  // Appends the faces that meet in a feature and look towards the other solid to `faces`.
  void faces_at(const Feature& feature, std::vector<std::int32_t>& faces) const;
  void draw(int face, Outline& out) const;
  // Whether a polyhedron of few faces has only one face that looks towards the other solid: then
  // the walk has one cell.
  bool shows_one_face() const;
  // The vertex of a polyhedron nearest to the other solid.
  Feature nearest() const;

  // Curved solids: the visible points, and the radius of curvature across a segment (0 for a
  // polyhedron).
  std::span<const OutlinePoint> rim() const { return {rim_.data(), rim_count_}; }
  double bend() const { return bend_; }
  // Height of a capsule's surface above its segment, between the ends (m).
  double bulge() const { return bulge_; }

 private:
  void show_capsule(const Convex& solid);
  void show_cylinder(const Convex& solid, double tolerance);
  void draw_polygon(int face, Outline& out) const;
  bool looks_over(const Vec3& eta) const { return to_other_.dot(eta) > kSteepestFace; }

  const Polyhedron* polyhedron_ = nullptr;
  const SupportMap* support_ = nullptr;
  Transform X_PS_;
  double up_ = 1;
  Vec3 to_other_;  // the direction to the other solid, in the solid's frame
  // curved solids: the first `cap_` rim points are the cap's polygon, the last two the segment
  std::array<OutlinePoint, 11> rim_;
  std::size_t rim_count_ = 0, cap_ = 0;
  bool has_segment_ = false;
  double bend_ = 0, bulge_ = 0;
  Vec3 cap_eta_ = Vec3::Zero();
  std::int32_t cap_name_ = -1;
};

}  // namespace abut
