#include "abut/collide/pair_contact.h"

#include "abut/collide/contact_drawing.h"
#include "abut/collide/proximity/proximity.h"
#include "abut/collide/tolerances.h"
#include "abut/collide/volume/dual_volume.h"
#include "abut/shape/error.h"

namespace abut {
namespace {

// The same for a planar world: the prisms seen along the plane's normal.
bool planar_contact(const Convex& A, const Pose& X_WA, const Convex& B, const Pose& X_WB,
                    const PairContactOptions& options, PairContactScratch& scratch,
                    PairContact& c) {
  const WorldPlane& plane = *options.plane;
  Polygon &a = scratch.polygon_A, &b = scratch.polygon_B;
  const Vec3 origin = A.is_half_space() ? X_WB.p : X_WA.p;
  if (!make_polygon(A, X_WA, plane, origin, a) || !make_polygon(B, X_WB, plane, origin, b))
    return false;
  const Proximity d = planar_proximity(a, b, plane);
  const double L = a.size + b.size;
  append_planar_patch(a, b, plane, d, options.reach + kReachSlack * L, origin, c.patch);
  c.proximity = d;
  c.proximity.p_A += origin;
  c.proximity.p_B += origin;
  c.normal = {d.normal, true, d.indeterminate, {}, {}};

  // the manifold: the points with the least gap, which touch once the two are moved together
  ContactData touching;
  append_planar_patch(a, b, plane, d, d.distance + kKissing * L, origin, touching);
  c.manifold.normal = d.normal;
  c.manifold.distance = d.distance;
  c.manifold.indeterminate = d.indeterminate;
  c.manifold.a = d.a;
  c.manifold.b = d.b;
  const bool none = options.paper_strict && d.a.kind == d.b.kind;
  for (int i = 0; i < touching.points.count() && !none; ++i) {
    const auto k = static_cast<std::size_t>(i);
    c.manifold.points.push_back(0.5 * (touching.points.p_A[k] + touching.points.p_B[k]));
    c.manifold.ids.push_back(touching.points.id[k]);
  }
  c.manifold.kind = c.manifold.count() > 1    ? ManifoldKind::segment
                    : c.manifold.count() == 1 ? ManifoldKind::point
                                              : ManifoldKind::none;
  if (d.distance < 0) {
    const PlanarOverlap overlap = planar_overlap(a, b, scratch.planar);
    c.common.volume = overlap.area;
    c.common.origin = origin;
    c.common.centroid = plane.lifted(overlap.centroid);
  }
  return true;
}

}  // namespace

PairContact pair_contact(const Convex& A, const Pose& X_WA, const Convex& B, const Pose& X_WB,
                         const PairContactOptions& options, PairContactScratch& scratch) {
  PairContact c;
  if (options.plane && planar_contact(A, X_WA, B, X_WB, options, scratch, c)) return c;
  const Transform X_AB = relative(X_WA, X_WB);
  // compute in A's frame, transform to the world last
  const Proximity d = proximity(A, B, X_AB);
  c.proximity = placed(d, X_WA);
  c.proximity.indeterminate = d.indeterminate || is_indeterminate(A, B, X_AB, d, scratch.manifold);

  ManifoldOptions manifold;
  manifold.paper_strict = options.paper_strict;
  kissing_manifold(A, X_WA, B, X_WB, c.proximity, manifold, scratch.manifold, c.manifold);
  // the features of a touching pair must not depend on the last bit
  const double L = pair_size(A, B);
  if (std::abs(d.distance) <= kKissing * L && c.manifold.count() > 0) {
    c.proximity.a = c.manifold.a;
    c.proximity.b = c.manifold.b;
  }

  PatchOptions patch;
  patch.reach = options.reach + kReachSlack * L;
  append_patch(A, X_WA, B, X_WB, c.proximity, patch, scratch.patch, c.patch);

  auto curved = [](const Convex& s) { return !s.is_half_space() && !s.is_polyhedron(); };
  c.tessellated = curved(A) || curved(B);
  if (d.distance < 0) {
    if (options.dual_volume)
      c.common = dual_volume(A, B, X_AB);
    else
      clip_volume(A, B, X_AB, scratch.clip, c.common);
  }

  if (options.normal) {
    NormalQuery query{A, B, X_AB};
    query.proximity = &d;
    query.common = &c.common;
    c.normal = contact_normal(*options.normal, query);
    c.normal.normal = X_WA.q * c.normal.normal;
  } else {
    c.normal = {c.proximity.normal, true, c.proximity.indeterminate, {}, {}};
  }
  place(c.common, X_WA);
  return c;
}

Drawing pair_drawing(const Convex& A, const Pose& X_WA, const Convex& B, const Pose& X_WB,
                     const PairContact& contact) {
  Drawing drawing = contact_drawing(A, X_WA, B, X_WB, contact.proximity, contact.manifold.points);
  const Intersection& common = contact.common;
  if (common.overlap != OverlapKind::solid) return drawing;
  std::vector<Vec3> vertices;
  for (int i = 0; i < common.vertex_count(); ++i) vertices.push_back(common.point(i));
  std::vector<std::vector<int>> loops;
  for (const Intersection::Face& f : common.faces)
    loops.emplace_back(common.loop(f).begin(), common.loop(f).end());
  try {
    drawing.solids.push_back({make_polyhedron(std::move(vertices), loops), Role::volume, ""});
  } catch (const ShapeError&) {
    // too thin to draw
  }
  return drawing;
}

}  // namespace abut
