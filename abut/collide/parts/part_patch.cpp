#include "abut/collide/parts/part_patch.h"

#include <algorithm>

#include "abut/collide/parts/part_surface.h"
#include "abut/collide/parts/tolerances.h"
#include "abut/math/index.h"

namespace abut {
namespace {

// The point of a solid that is farthest along a direction, both in its frame.
Vec3 farthest(const Convex& c, const Vec3& direction) {
  if (c.has_core())
    return c.support->vertex(c.support->farthest(direction)) + c.rounding * direction;
  static const ShapeAssets none;
  return support(Shape{c.kind, c.dimensions}, none, direction);
}

// Removes points at the end of `out`, from `begin` on, and with the last one the patch.
template <class Drop>
bool keep_points(ContactData& out, const Drop& drop) {
  Patch& patch = out.patches.back();
  ContactPoints& points = out.points;
  int kept = patch.begin;
  for (int i = patch.begin; i < patch.end; ++i) {
    if (drop(i)) continue;
    const auto from = at(i), to = at(kept++);
    points.p_A[to] = points.p_A[from];
    points.p_B[to] = points.p_B[from];
    points.psi[to] = points.psi[from];
    points.id[to] = points.id[from];
  }
  points.resize(kept);
  patch.end = kept;
  if (patch.count() > 0) return true;
  out.patches.pop_back();
  return false;
}

}  // namespace

bool PartPatch::append(const ConvexSet& solids, const PlacedPart& A, const PlacedPart& B,
                       const Proximity& d, const PatchOptions& options, PatchScratch& scratch,
                       ContactData& out) {
  if (d.beyond_limit || !(d.distance <= options.reach)) return false;
  const Convex &a = solids[A.solid], &b = solids[B.solid];
  const auto allows = [&](const PlacedPart& part, const Vec3& p, const Vec3& n) {
    return allows_normal(solids, part.solid, part.X.inverse() * p, part.X.q.conjugate() * n);
  };
  const bool has_half_space = a.is_half_space() || b.is_half_space();
  if (has_half_space || (allows(A, d.p_A, d.normal) && allows(B, d.p_B, -d.normal)))
    return append_patch(a, A.X, b, B.X, d, options, scratch, out);
  facings_.clear();
  find_facings(solids, A, B, true);
  find_facings(solids, B, A, false);
  std::sort(facings_.begin(), facings_.end());
  for (const Facing& facing : facings_) {
    if (facing.gap > options.reach) continue;
    if (append_over(facing, solids, A, B, d, options, scratch, out)) return true;
  }
  return false;
}

void PartPatch::find_facings(const ConvexSet& solids, const PlacedPart& own,
                             const PlacedPart& other, bool of_a) {
  if (own.solid < solids.numbers().geom_count()) return;
  const Polyhedron& p = *solids[own.solid].polyhedron;
  for (int f = 0; f < p.face_count(); ++f) {
    if (is_inner_face(solids, own.solid, f)) continue;
    const Vec3 up = own.X.q * p.faces[at(f)].eta;
    Facing facing{0, f, of_a, other.X * farthest(solids[other.solid], other.X.q.conjugate() * -up)};
    facing.gap = p.height_above(f, own.X.inverse() * facing.lowest);
    facings_.push_back(facing);
  }
}

bool PartPatch::append_over(const Facing& facing, const ConvexSet& solids, const PlacedPart& A,
                            const PlacedPart& B, const Proximity& d, const PatchOptions& options,
                            PatchScratch& scratch, ContactData& out) const {
  const PlacedPart& own = facing.of_a ? A : B;
  const Convex &a = solids[A.solid], &b = solids[B.solid];
  const Polyhedron& p = *solids[own.solid].polyhedron;
  const Vec3 up = own.X.q * p.faces[at(facing.face)].eta;
  const Vec3 normal = facing.of_a ? up : Vec3(-up);
  if (a.is_polyhedron() && b.is_polyhedron()) {
    const Vec3 between = 0.5 * (d.p_A + d.p_B);
    if (!append_patch_along(normal, between, a, A.X, b, B.X, options, scratch, out)) return false;
  } else {
    Proximity along{facing.gap, normal, facing.lowest, facing.lowest, {}, {}, false, false};
    (facing.of_a ? along.p_A : along.p_B) -= facing.gap * up;
    (facing.of_a ? along.a : along.b) = {FeatureKind::face, facing.face};
    (facing.of_a ? along.b : along.a) = {FeatureKind::surface, 0};
    if (!append_patch(a, A.X, b, B.X, along, options, scratch, out)) return false;
  }
  const double tolerance = kOnPart * pair_size(a, b);
  const Pose X_SW = own.X.inverse();
  const bool has_points = keep_points(out, [&](int i) {
    // solids that are apart have no smaller gap along any direction
    const bool is_behind = d.distance > 0 && out.points.psi[at(i)] < d.distance - tolerance;
    const Vec3 x = X_SW * (facing.of_a ? out.points.p_A : out.points.p_B)[at(i)];
    return is_behind || !is_on(p, facing.face, x, tolerance) ||
           !is_bare(solids, own.solid, facing.face, x);
  });
  if (!has_points) return false;
  Patch& patch = out.patches.back();
  const auto psi = out.points.psi.begin();
  patch.distance = *std::min_element(psi + patch.begin, psi + patch.end);
  patch.indeterminate = false;
  return true;
}

}  // namespace abut
