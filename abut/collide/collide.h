// Collider: all contacts of a world at a moment, from poses to patches.
//
// broad phase (near pairs) -> proximity (signed distance, normal) -> patch (points). What a
// pair's query remembers comes from State's contact memory and goes back there; everything
// else in here is a cache that changes no bit of the answer. Pairs of a planar world go to
// the polygons (planar.h).
//
//   abut::Collider collider(model);
//   abut::ContactData contacts;
//   std::vector<abut::PairQuery> queries;
//   collider.find(model, derived, state.contacts, {.reach = {.pair = 1e-3}}, contacts, queries);
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "abut/collide/broad/broad_phase.h"
#include "abut/collide/broad/filter.h"
#include "abut/collide/contact_data.h"
#include "abut/collide/patch/patch.h"
#include "abut/collide/planar/planar.h"
#include "abut/collide/proximity/proximity_answer.h"
#include "abut/collide/solid/convex.h"
#include "abut/model/contact_memory.h"
#include "abut/model/derived.h"

namespace abut {

struct CollideOptions {
  Reach reach;         // pairs as near as this have a patch, of points as near as this
  int max_points = 0;  // in a patch; 0: no bound; 1: the witnesses, which costs no map
};

// A pair that the broad phase let through.
struct PairQuery {
  PairKey key = 0;
  int patch = -1;        // in ContactData, -1: beyond reach
  WarmStart warm_start;  // for the next query of the pair, if it is to be remembered
};

class Collider {
 public:
  Collider() = default;
  // Throws WorldError if the world says that it is planar and is not.
  explicit Collider(const Model& model);

  // `memory` gives warm starts for the pairs it knows; it may be empty. `out` and `queries` are
  // made anew, ascending by pair key. Allocates nothing once it is warm.
  void find(const Model& model, const Derived& derived, const ContactMemory& memory,
            const CollideOptions& options, ContactData& out, std::vector<PairQuery>& queries);

  // One pair at poses of its own (X_WA, X_WB): the distance, and the patch that find() would append
  // (false: none within reach). Planar worlds ask their polygons.
  Proximity distance(int a, int b, const Pose& X_WA, const Pose& X_WB);
  bool append_pair(int a, int b, const Pose& X_WA, const Pose& X_WB, double reach,
                   ContactData& out);

  const ConvexSet& solids() const { return solids_; }
  // L of each geom (m), which tolerances are relative to: 0 for a half-space; in a planar world
  // that of the polygon.
  const std::vector<double>& sizes() const { return sizes_; }
  const PairFilter& filter() const { return filter_; }
  const BroadPhase& broad_phase() const { return broad_; }
  const std::optional<WorldPlane>& plane() const { return plane_; }

  // What a user should know of geoms that may touch others (geom_warnings.h): a line each, to be
  // shown once.
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  bool make_polygons(int a, int b, const Pose& X_WA, const Pose& X_WB, Vec3& origin);

  ConvexSet solids_;
  PairFilter filter_;
  BroadPhase broad_;
  std::vector<Pose> poses_;
  std::vector<Transform> placed_;  // the same
  PatchScratch patch_scratch_;
  std::optional<WorldPlane> plane_;
  std::vector<double> sizes_;
  Polygon polygon_A_, polygon_B_;
  std::vector<std::string> warnings_;
};

}  // namespace abut
