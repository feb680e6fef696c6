#include "abut/collide/collide.h"

#include <fmt/format.h>

#include "abut/collide/planar_world.h"
#include "abut/collide/proximity.h"

namespace abut {

namespace {

// The witnesses alone, for models that look at the solids themselves.
bool append_witnesses(const Proximity& d, double reach, ContactData& out) {
  if (d.beyond_limit || !(d.distance <= reach)) return false;
  Patch patch;
  patch.normal = d.normal;
  patch.distance = d.distance;
  patch.a = d.a;
  patch.b = d.b;
  patch.indeterminate = d.indeterminate;
  patch.begin = out.points.count();
  out.points.add(d.p_A, d.p_B, d.distance, point_id(d.a, d.b));
  patch.end = out.points.count();
  out.patches.push_back(patch);
  return true;
}

}  // namespace

Collider::Collider(const Model& model)
    : solids_(model), filter_(model), broad_(model, filter_), plane_(checked_plane_of(model)) {
  if (plane_)
    sizes_ = planar_sizes(model, solids_, *plane_);
  else
    for (int g = 0; g < solids_.count(); ++g) sizes_.push_back(solids_[g].size);
  for (int g = 0; g < solids_.count(); ++g) {
    if (solids_.can_collide(g)) continue;
    bool meets_any = false;
    for (int other = 0; other < solids_.count() && !meets_any; ++other)
      meets_any = other != g && filter_.allows(g, other);
    if (!meets_any) continue;
    const bool field = solids_[g].kind == ShapeKind::hfield;
    warnings_.push_back(fmt::format(
        "geom '{}' is {}: nothing touches it", model.geom_names[g],
        field ? "a height field, which is not simulated yet" : "a mesh without volume"));
  }
}

void Collider::find(const Model& model, const Derived& derived, const ContactMemory& memory,
                    const CollideOptions& options, ContactData& out,
                    std::vector<PairQuery>& queries) {
  geom_poses(model, derived, poses_);
  placed_.clear();
  for (const Pose& X_WG : poses_) placed_.emplace_back(X_WG);
  broad_.update(model, filter_, poses_, options.reach);
  out.clear();
  queries.clear();

  // both lists ascend
  auto remembered = memory.pairs().begin();
  const auto end = memory.pairs().end();
  for (const GeomPair& pair : broad_.pairs()) {
    if (!solids_.can_collide(pair.a) || !solids_.can_collide(pair.b)) continue;
    PairQuery& query = queries.emplace_back();
    query.key = pair_key(pair.a, pair.b);
    while (remembered != end && remembered->key < query.key) ++remembered;
    if (remembered != end && remembered->key == query.key) query.hint = remembered->hint;

    const double reach = options.reach.between(pair.a, pair.b);
    const Pose& X_WA = poses_[static_cast<std::size_t>(pair.a)];
    const Pose& X_WB = poses_[static_cast<std::size_t>(pair.b)];
    const Convex &A = solids_[pair.a], &B = solids_[pair.b];
    bool appended = false;
    if (!(plane_ && find_planar(pair, reach, out, appended))) {
      const Proximity d =
          proximity(PlacedConvex{A, placed_[static_cast<std::size_t>(pair.a)]},
                    PlacedConvex{B, placed_[static_cast<std::size_t>(pair.b)]}, &query.hint, reach);
      const PatchOptions patch{reach, options.max_points};
      appended = options.max_points == 1
                     ? append_witnesses(d, reach, out)
                     : append_patch(A, X_WA, B, X_WB, d, patch, patch_scratch_, out);
    }
    if (!appended) continue;
    query.patch = static_cast<int>(out.patches.size()) - 1;
    out.patches.back().geom_a = pair.a;
    out.patches.back().geom_b = pair.b;
  }
}

// False if one of them is no prism of the plane.
bool Collider::find_planar(const GeomPair& pair, double reach, ContactData& out, bool& appended) {
  const Pose& X_WA = poses_[static_cast<std::size_t>(pair.a)];
  const Pose& X_WB = poses_[static_cast<std::size_t>(pair.b)];
  const Convex &A = solids_[pair.a], &B = solids_[pair.b];
  const Vec3 origin = A.is_half_space() ? X_WB.p : X_WA.p;
  if (!make_polygon(A, X_WA, *plane_, origin, polygon_A_) ||
      !make_polygon(B, X_WB, *plane_, origin, polygon_B_))
    return false;
  const Proximity d = planar_proximity(polygon_A_, polygon_B_, *plane_);
  appended = append_planar_patch(polygon_A_, polygon_B_, *plane_, d, reach, origin, out);
  return true;
}

}  // namespace abut
