// What a solid shows when seen along a patch's normal: the faces that look over to the
// other solid, drawn into the plane (u, v), with the height w along the normal.
//
// A polyhedron shows its own faces. A capsule shows one segment, the line between the
// nearest points of its two ends; a cylinder shows a cap, as a polygon of rim points, and
// the line along its side that is nearest to the other.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "abut/collide/solid/convex.h"
#include "abut/collide/solid/feature.h"
#include "abut/math/transform.h"

namespace abut {

// A face whose normal has less than this along the patch's normal (0.6 degrees short of
// parallel to it) is a side, not part of the roof. What lies within reach of the other
// solid on such a face is within reach / 100 of its neighbours' corners, so nothing is
// lost; but the walls of a resting box, upright to rounding, are not drawn each time.
constexpr double kSteepestFace = 0.01;

struct OutlinePoint {
  double u, v, w;
  std::int32_t mine, other;  // packed() features: of the solid, of the one it is laid over
  std::int32_t edge;         // packed(): what the side to the next point lies on
  bool edge_is_mine;
  double outside = 0;  // for clip_outline(): beyond the side in hand (m times its length)
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
  // X_PS places the solid in the patch's frame; `up` is +1 if it looks along +w to the
  // other solid (A), -1 if along -w (B). `tolerance` (m): how much deeper than eight rim
  // points the deepest must be to be shown as well. Polyhedra, capsules and cylinders only.
  SeenSolid(const Convex& solid, const Transform& X_PS, double up, double tolerance);

  static bool can_show(const Convex& solid) {
    return solid.is_polyhedron() || solid.kind == ShapeKind::capsule ||
           solid.kind == ShapeKind::cylinder;
  }

  // The faces that meet in a feature and look over to the other solid, appended to `faces`.
  void faces_at(const Feature& feature, std::vector<std::int32_t>& faces) const;
  void draw(int face, Outline& out) const;
  // A polyhedron of few faces, one of which alone looks over: no walk leads to another.
  bool shows_one_face() const;
  // The vertex nearest to the other solid, of a polyhedron.
  Feature nearest() const;

  // Curved solids: the points they show, and the radius they are bent with across a
  // segment (0: a polyhedron).
  std::span<const OutlinePoint> rim() const { return {rim_.data(), rim_count_}; }
  double bend() const { return bend_; }
  // How much farther the surface of a capsule comes than its segment, between the ends (m).
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
  // curved: `cap_` of the rim points are the cap's polygon, the last two the segment
  std::array<OutlinePoint, 11> rim_;
  std::size_t rim_count_ = 0, cap_ = 0;
  bool has_segment_ = false;
  double bend_ = 0, bulge_ = 0;
  Vec3 cap_eta_ = Vec3::Zero();
  std::int32_t cap_name_ = -1;
};

}  // namespace abut
