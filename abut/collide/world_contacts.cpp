#include "abut/collide/world_contacts.h"

#include <algorithm>
#include <cmath>

#include "abut/collide/broad/broad_phase.h"
#include "abut/collide/proximity/proximity.h"

namespace abut {

std::optional<PairContact> contact_of_pair(Collider& collider, const GeomPair& pair,
                                           std::span<const Pose> poses,
                                           const WorldContactsOptions& options,
                                           PairContactScratch& scratch) {
  const ConvexSet& solids = collider.solids();
  const Pose &A = poses[static_cast<std::size_t>(pair.a)],
             &B = poses[static_cast<std::size_t>(pair.b)];
  PairContactOptions of_pair = options.contact;
  of_pair.plane = collider.plane();
  if (!solids.is_compound(pair.a) && !solids.is_compound(pair.b))
    return pair_contact(solids[pair.a], A, solids[pair.b], B, of_pair, scratch);
  const Patch near = collider.nearest_parts(pair.a, pair.b, A, B, options.within);
  if (near.geom_a < 0) return {};
  if (near.of_field) {
    PairContact c;
    c.proximity.distance = near.distance;
    c.proximity.normal = c.normal.normal = near.normal;
    c.normal.defined = true;
    c.proximity.a = near.a;
    c.proximity.b = near.b;
    collider.append_pair(near, A, B, {.reach = std::max(of_pair.reach, near.distance)}, c.patch);
    if (c.patch.points.count() > 0) {
      const auto& psi = c.patch.points.psi;
      const auto i = std::min_element(psi.begin(), psi.end()) - psi.begin();
      c.proximity.p_A = c.patch.points.p_A[static_cast<std::size_t>(i)];
      c.proximity.p_B = c.patch.points.p_B[static_cast<std::size_t>(i)];
    }
    return c;
  }
  if (is_hull_pair(solids, pair.a, pair.b))
    return pair_contact(solids[pair.a], A, solids[pair.b], B, of_pair, scratch);
  PairContact c =
      pair_contact(solids[near.solid_a()], A, solids[near.solid_b()], B, of_pair, scratch);
  c.proximity.distance = near.distance;
  c.proximity.normal = c.normal.normal = near.normal;
  return c;
}

void for_each_contact(const Model& model, Collider& collider, std::span<const Pose> poses,
                      const WorldContactsOptions& options,
                      const std::function<void(const GeomPair&, const PairContact*)>& visit) {
  const ConvexSet& solids = collider.solids();
  const bool all = std::isinf(options.within);
  PairContactScratch scratch;
  const auto look = [&](const GeomPair& pair) {
    if (!solids.can_collide(pair.a) || !solids.can_collide(pair.b)) {
      if (all) visit(pair, nullptr);
      return;
    }
    if (!all && !solids.is_compound(pair.a) && !solids.is_compound(pair.b)) {
      const Proximity d =
          proximity(solids[pair.a], poses[static_cast<std::size_t>(pair.a)], solids[pair.b],
                    poses[static_cast<std::size_t>(pair.b)], nullptr, options.within);
      if (d.beyond_limit || !(d.distance <= options.within)) return;
    }
    const std::optional<PairContact> contact =
        contact_of_pair(collider, pair, poses, options, scratch);
    if (contact || all) visit(pair, contact ? &*contact : nullptr);
  };
  if (all) {
    collider.filter().for_each_pair([&](int a, int b) { look({a, b}); });
    return;
  }
  BroadPhase near(model, collider.filter());
  near.update(model, collider.filter(), poses, {std::max(options.within, 0.0), {}});
  for (const GeomPair& pair : near.pairs()) look(pair);
}

}  // namespace abut
