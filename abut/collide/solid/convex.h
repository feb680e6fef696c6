// Convex: one convex solid as the queries of this room see it.
//
// A small view; ConvexSet owns what it points to. Solids come in three sorts:
//   polyhedra     boxes and hulls of meshes: `polyhedron` is the solid itself
//   half-space    a plane: z <= 0 in its frame, one face, no vertices
//   curved        sphere, capsule, cylinder, ellipsoid: native where a query can be
//                 exact, else `tessellation`, a polyhedron inscribed in it
// A sphere is a point and a capsule a segment, grown by `rounding`: queries on their
// cores are polyhedral and exact.
//
//   abut::ConvexSet solids(model);
//   const abut::Convex& a = solids[geom];
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "abut/collide/solid/axis_table.h"
#include "abut/collide/solid/inner_balls.h"
#include "abut/collide/solid/support_map.h"
#include "abut/math/types.h"
#include "abut/model/model.h"
#include "abut/shape/polyhedron.h"
#include "abut/shape/shape.h"

namespace abut {

struct Convex {
  ShapeKind kind = ShapeKind::mesh;
  Vec3 dimensions = Vec3::Zero();            // as Shape::size (kind.h), of a primitive
  const Polyhedron* polyhedron = nullptr;    // boxes and hulls; else null
  const Polyhedron* tessellation = nullptr;  // the same for those; inscribed for curved ones
  const SupportMap* support = nullptr;       // of the polyhedron, or of a rounded core
  const AxisTable* axes = nullptr;           // of a small polyhedron; else null
  const InnerBalls* balls = nullptr;         // of a polyhedron; else null
  double rounding = 0;                       // m: sphere and capsule
  double size = 0;                           // L (m): diagonal of the local bounding box
  Vec3 center = Vec3::Zero();                // of a ball that holds the solid,
  double radius = 0;                         // and its radius (m); half-space: infinite
  double inner = 0;                          // m, polyhedra: of a ball around it, inside them
  double bumps = 0;                          // m, polyhedra: how far vertices are above any face
  Mat3 spread = Mat3::Zero();                // m^2, polyhedra: mean of x x' around the center

  bool is_half_space() const { return kind == ShapeKind::plane; }
  bool is_polyhedron() const { return polyhedron != nullptr; }
  // a polyhedron, a point or a segment, grown by `rounding`
  bool has_core() const { return support != nullptr; }
};

// L of a pair: what tolerances are relative to. A half-space has no size of its own.
inline double pair_size(const Convex& a, const Convex& b) { return a.size + b.size; }

// The Convex of each geom of a model, or of solids added by hand.
class ConvexSet {
 public:
  ConvexSet() = default;
  explicit ConvexSet(const Model& model);
  // Solids point into the set they are of: a copy's would point into the original.
  ConvexSet(const ConvexSet&) = delete;
  ConvexSet& operator=(const ConvexSet&) = delete;
  ConvexSet(ConvexSet&&) = default;
  ConvexSet& operator=(ConvexSet&&) = default;

  // Each gives the index of the new solid.
  int add(Polyhedron polyhedron);
  int add(const Shape& shape, const ShapeAssets& assets);

  const Convex& operator[](int i) const { return solids_[static_cast<std::size_t>(i)]; }
  int count() const { return static_cast<int>(solids_.size()); }
  // False for a height field (not convex) and for a mesh without a hull.
  bool can_collide(int i) const;

 private:
  const Polyhedron* keep(Polyhedron polyhedron);
  const SupportMap* keep(SupportMap map);
  void describe(Convex& c);

  std::vector<Convex> solids_;
  std::deque<Polyhedron> polyhedra_;  // stable addresses
  std::deque<SupportMap> maps_;
  std::deque<AxisTable> tables_;
  std::deque<InnerBalls> balls_;
  std::vector<std::pair<Shape, int>> primitives_;  // one tessellation for equal shapes
};

}  // namespace abut
