#include "abut/collide/collide.h"

#include "abut/collide/geom_warnings.h"
#include "abut/collide/planar/planar_world.h"
#include "abut/collide/proximity/proximity.h"

namespace abut {

namespace {

// The witness points alone, for models that compute contact geometry from the solids themselves.
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
  warnings_ = geom_warnings(model, solids_, filter_);
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

  // both lists are in ascending order
  auto remembered = memory.pairs().begin();
  const auto end = memory.pairs().end();
  for (const GeomPair& pair : broad_.pairs()) {
    if (!solids_.can_collide(pair.a) || !solids_.can_collide(pair.b)) continue;
    PairQuery& query = queries.emplace_back();
    query.key = pair_key(pair.a, pair.b);
    while (remembered != end && remembered->key < query.key) ++remembered;
    if (remembered != end && remembered->key == query.key)
      query.warm_start = remembered->warm_start;

    const double reach = options.reach.between(pair.a, pair.b);
    const Pose& X_WA = poses_[static_cast<std::size_t>(pair.a)];
    const Pose& X_WB = poses_[static_cast<std::size_t>(pair.b)];
    const Convex &A = solids_[pair.a], &B = solids_[pair.b];
    bool appended = false;
    if (Vec3 origin; make_polygons(pair.a, pair.b, X_WA, X_WB, origin)) {
      const Proximity d = planar_proximity(polygon_A_, polygon_B_, *plane_);
      appended = append_planar_patch(polygon_A_, polygon_B_, *plane_, d, reach, origin, out);
    } else {
      const Proximity d = proximity(PlacedConvex{A, placed_[static_cast<std::size_t>(pair.a)]},
                                    PlacedConvex{B, placed_[static_cast<std::size_t>(pair.b)]},
                                    &query.warm_start, reach);
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

Proximity Collider::distance(int a, int b, const Pose& X_WA, const Pose& X_WB) {
  if (Vec3 origin; make_polygons(a, b, X_WA, X_WB, origin)) {
    Proximity d = planar_proximity(polygon_A_, polygon_B_, *plane_);
    d.p_A += origin;
    d.p_B += origin;
    return d;
  }
  return proximity(solids_[a], X_WA, solids_[b], X_WB);
}

bool Collider::append_pair(int a, int b, const Pose& X_WA, const Pose& X_WB, double reach,
                           ContactData& out) {
  bool appended = false;
  if (Vec3 origin; make_polygons(a, b, X_WA, X_WB, origin))
    appended =
        append_planar_patch(polygon_A_, polygon_B_, *plane_,
                            planar_proximity(polygon_A_, polygon_B_, *plane_), reach, origin, out);
  else
    appended =
        append_patch(solids_[a], X_WA, solids_[b], X_WB,
                     proximity(solids_[a], X_WA, solids_[b], X_WB), {reach}, patch_scratch_, out);
  if (!appended) return false;
  out.patches.back().geom_a = a;
  out.patches.back().geom_b = b;
  return true;
}

// Makes the polygons of both solids. Returns false if the world is not planar, or if a solid is not
// a prism along the plane's normal.
bool Collider::make_polygons(int a, int b, const Pose& X_WA, const Pose& X_WB, Vec3& origin) {
  if (!plane_) return false;
  const Convex &A = solids_[a], &B = solids_[b];
  origin = A.is_half_space() ? X_WB.p : X_WA.p;
  return make_polygon(A, X_WA, *plane_, origin, polygon_A_) &&
         make_polygon(B, X_WB, *plane_, origin, polygon_B_);
}

}  // namespace abut
