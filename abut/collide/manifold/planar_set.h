// PlanarSet: a point, a segment or a convex polygon in a plane, and the intersection of two of them
// (Cheng Yi and Drumwright, IV-E and F; K-13, K-14, K-N3).
//
// A set of one point is a point, of two points a segment, of more points a polygon in
// counter-clockwise order; edge i leads from point i to the next. A Feature names a place in a set:
// vertex i, edge i, face 0 for the inside of a polygon, none for the outside.
//
//   abut::planar_hull(points, 1e-9 * L, 1e-14 * L * L, p);
//   abut::intersect(p, q, 1e-9 * L, 1e-14 * L * L, common);
#pragma once

#include <span>
#include <vector>

#include "abut/collide/solid/feature.h"
#include "abut/math/types.h"

namespace abut {

struct PlanarSet {
  std::vector<Vec2> points;
  std::vector<int> source;  // index in the input of planar_hull()

  int count() const { return static_cast<int>(points.size()); }
  // A segment has one edge, a polygon as many as points.
  int edge_count() const { return count() > 2 ? count() : count() - 1; }
  const Vec2& point(int i) const { return points[static_cast<std::size_t>(i)]; }
  const Vec2& after(int i) const { return point(i + 1 < count() ? i + 1 : 0); }
};

// Convex hull by Andrew's monotone chain. Points closer than `merge` (m) to each other, or to the
// line between their neighbours, become one. A polygon smaller than `least_area` (m^2) becomes a
// segment between its farthest points.
void planar_hull(std::span<const Vec2> points, double merge, double least_area, PlanarSet& out);

// The place of a point in the set; vertices and edges are `tolerance` wide (m).
Feature place_in(const PlanarSet& set, const Vec2& x, double tolerance);

// The intersection of two sets, which is such a set again. Its points are vertices of one set that
// lie in the other, and crossings of edges. `in_p` and `in_q` give the place of each point in the
// two sets.
struct PlanarIntersection {
  PlanarSet set;
  std::vector<Feature> in_p, in_q;

  // scratch: the points in the order in which they were found
  std::vector<Vec2> found;
  std::vector<Feature> found_in_p, found_in_q;
};
void intersect(const PlanarSet& p, const PlanarSet& q, double tolerance, double least_area,
               PlanarIntersection& out);

}  // namespace abut
