// 2D: convex polygons and half-planes of planar worlds (planar_world.h).
//
// A polygon is the projection of a prism along the plane's normal, so that the thickness of the
// prism has no effect. A half-space whose normal lies in the plane gives a half-plane. Answers have
// the types of the 3D queries (Proximity, Patch), with polygon vertices and edges as features, in
// the plane through the origin given to make_polygon().
//
//   abut::make_polygon(solids[geom], X_WG, plane, origin, a);
//   abut::Proximity d = abut::planar_proximity(a, b, plane);
//   abut::append_planar_patch(a, b, plane, d, reach, origin, contacts);
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "abut/collide/contact_data.h"
#include "abut/collide/planar/tolerances.h"
#include "abut/collide/proximity/proximity_answer.h"
#include "abut/collide/solid/convex.h"

namespace abut {

// xy, yz or zx: the two axes of the plane; its normal is the third.
struct WorldPlane {
  int u = 0, v = 1, n = 2;

  Vec2 flat(const Vec3& x) const { return {x[u], x[v]}; }
  Vec3 lifted(const Vec2& x) const {
    Vec3 p = Vec3::Zero();
    p[u] = x.x();
    p[v] = x.y();
    return p;
  }
  Vec3 normal() const { return Vec3::Unit(n); }
};
std::optional<WorldPlane> plane_named(std::string_view name);

// Points in counter-clockwise order; edge i leads from point i to the next and has the outward unit
// normal eta[i]. A half-plane has one edge through points[0] and no vertices.
struct Polygon {
  std::vector<Vec2> points, eta;
  bool half_plane = false;
  double size = 0;  // L (m): diagonal of the bounding box; 0 for a half-plane

  int edge_count() const { return static_cast<int>(points.size()); }
  int vertex_count() const { return half_plane ? 0 : edge_count(); }
  int next(int i) const { return i + 1 < edge_count() ? i + 1 : 0; }
  int previous(int i) const { return (i > 0 ? i : edge_count()) - 1; }
  const Vec2& point(int i) const { return points[static_cast<std::size_t>(i)]; }
  const Vec2& normal(int i) const { return eta[static_cast<std::size_t>(i)]; }
  // Height above edge i, positive outside (m).
  double height_above(int i, const Vec2& x) const { return normal(i).dot(x - point(i)); }
};

// Sets counter-clockwise points and computes normals and size.
void set_points(Polygon& polygon, std::span<const Vec2> points);
void set_half_plane(Polygon& polygon, const Vec2& point, const Vec2& eta);

// The polygon of a solid in a planar world, relative to `origin` (near the pair, so that small gaps
// stay exact far from the world's origin). Vertices are numbered along the cap that the plane's
// normal points to; the numbers stay the same while the solid moves in the plane only. Returns
// false, and leaves `out` unchanged, if the solid is neither a prism along the normal nor a
// half-space whose normal lies in the plane, to `tolerance` (rad).
bool make_polygon(const Convex& solid, const Pose& X_WS, const WorldPlane& plane,
                  const Vec3& origin, Polygon& out, double tolerance = kPlanarAngle);

// Signed distance: Euclidean apart, minus the minimum translation overlapping. Tests every vertex
// and every edge, as polygons are small. Points are relative to the origin. For touching vertices
// `indeterminate` says that the normal is one of many.
Proximity planar_proximity(const Polygon& a, const Polygon& b, const WorldPlane& plane);

// Appends one point for each vertex of one polygon that lies over an edge of the other, seen along
// the normal, with a gap within reach: the 2D form of append_patch(). `origin` is that of
// make_polygon(). Beyond reach it appends nothing and returns false.
bool append_planar_patch(const Polygon& a, const Polygon& b, const WorldPlane& plane,
                         const Proximity& d, double reach, const Vec3& origin, ContactData& out);

// The intersection of two polygons, in the plane's (u, v) relative to the origin.
struct PlanarOverlap {
  double area = 0;  // m^2
  Vec2 centroid = Vec2::Zero();
};
struct PlanarScratch {
  std::vector<Vec2> polygon, clipped;
};
PlanarOverlap planar_overlap(const Polygon& a, const Polygon& b, PlanarScratch& scratch);

}  // namespace abut
