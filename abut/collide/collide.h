// Collider: finds all contacts of a world at one moment, from the poses of its bodies to contact
// patches.
//
// The stages are: broad phase (pairs whose boxes are near), proximity (signed distance and normal
// of a pair), patch (contact points of a pair). The warm start of a pair's query comes from the
// contact memory in State, and the caller stores it back there. All other data in a Collider is a
// cache: it changes no bit of the answer. In a planar world the pairs are polygons (planar.h).
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
#include "abut/collide/calm_pairs.h"
#include "abut/collide/contact_data.h"
#include "abut/collide/field/field_contact.h"
#include "abut/collide/manifold/manifold.h"
#include "abut/collide/parts/compound_contact.h"
#include "abut/collide/parts/merge_patches.h"
#include "abut/collide/parts/near_parts.h"
#include "abut/collide/parts/part_patch.h"
#include "abut/collide/patch/patch.h"
#include "abut/collide/planar/planar.h"
#include "abut/collide/proximity/proximity_answer.h"
#include "abut/collide/solid/convex.h"
#include "abut/model/contact_memory.h"
#include "abut/model/derived.h"

namespace abut {

class Threads;

struct CollideOptions {
  Reach reach;  // pairs as near as this have a patch, of points as near as this
  // In a patch (patch_reduce.h); points that the memory has of a pair are preferred. 0: no bound;
  // 1: the witnesses, which costs no map. Patches of planar worlds have no bound.
  int max_points = 0;
  // Instead of patches, kissing manifolds moved back to where the solids are (Cheng Yi and
  // Drumwright; K-5): each corner has the pair's distance for its gap. None where the normal is
  // indeterminate. Not in planar worlds.
  bool kissing = false;
  // Patches of a pair of geoms with one normal become one (merge_patches.h). Models that look at the
  // solids themselves have one for each pair of parts.
  bool merge_parts = true;
  // One a geom, or empty: solids that hardly move in the step, whose pairs are looked at on a grid
  // of poses (calm_pairs.h). Only with patches of a bounded number of points.
  std::span<const std::uint8_t> calm = {};
};

// A pair of solids that may touch: geoms that the broad phase reported, or parts of them.
struct PairQuery {
  PairKey key = 0;
  int patch = -1;        // index in ContactData; -1: the pair is beyond reach
  WarmStart warm_start;  // start of the pair's next query, for the caller to store
  int calm = -1;         // its place in CalmPairs; -1: none
};

class Collider {
 public:
  Collider() = default;
  // Throws WorldError if the world's file declares it planar and it is not.
  explicit Collider(const Model& model);

  // Finds all contacts. `memory` provides warm starts for the pairs that it contains; it may be
  // empty. `out` and `queries` are overwritten; both are in ascending order of pair keys. A second
  // call of the same size allocates nothing.
  void find(const Model& model, const Derived& derived, const ContactMemory& memory,
            const CollideOptions& options, ContactData& out, std::vector<PairQuery>& queries);

  // Worlds of many pairs look at them on these threads, which must outlive the collider; null: on
  // the caller's alone. Answers are the same, bit for bit.
  void use(Threads* threads) { threads_ = threads; }

  // One pair at poses of its own (X_WA, X_WB): the distance, and the patch that find() would append
  // (false: none within reach). Planar worlds ask their polygons.
  Proximity distance(int a, int b, const Pose& X_WA, const Pose& X_WB);
  bool append_pair(int a, int b, const Pose& X_WA, const Pose& X_WB, const PatchOptions& options,
                   ContactData& out);
  // The same of the geoms of a patch of find(). If one of them is not convex, this is about the patch
  // at these poses whose normal is nearest to that of `of`; beyond `reach` (m) the distance is reach.
  Proximity distance(const Patch& of, const Pose& X_WA, const Pose& X_WB, double reach);
  bool append_pair(const Patch& of, const Pose& X_WA, const Pose& X_WB, const PatchOptions& options,
                   ContactData& out);

  // The patch of two geoms with the least distance; its points are not kept. Its geoms are -1 if no
  // parts are within reach (m), or both geoms are convex.
  Patch nearest_parts(int a, int b, const Pose& X_WA, const Pose& X_WB, double reach);

  const ConvexSet& solids() const { return solids_; }
  // L of each geom (m): the length that tolerances are relative to. It is 0 for a half-space. In a
  // planar world it is the size of the geom's polygon.
  const std::vector<double>& sizes() const { return sizes_; }
  const PairFilter& filter() const { return filter_; }
  const BroadPhase& broad_phase() const { return broad_; }
  const std::optional<WorldPlane>& plane() const { return plane_; }

  // Warnings about geoms that may touch others (geom_warnings.h), one line each, to be shown once.
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  // Buffers for a range of pairs, and what was found of them.
  struct Part {
    PatchScratch patch;
    ManifoldScratch manifold;
    KissingManifold kissing;
    PartPatch of_parts;
    CalmPairs::Scratch calm;
    Polygon polygon_A, polygon_B;
    ContactData found;
  };

  bool make_polygons(int a, int b, const Pose& X_WA, const Pose& X_WB, Part& part,
                     Vec3& origin) const;
  void add_queries(const GeomPair& pair, const CollideOptions& options,
                   std::vector<PairQuery>& queries);
  void remember(const ContactMemory& memory, std::vector<PairQuery>& queries);
  void find_fields(const CollideOptions& options, const ContactMemory& memory, ContactData& out,
                   std::vector<PairQuery>& queries);
  void merge(const CollideOptions& options, const ContactMemory& memory, ContactData& out,
             std::vector<PairQuery>& queries);
  void find_calm(const CollideOptions& options, std::vector<PairQuery>& queries);
  void find_pair(const CollideOptions& options, const ContactMemory& memory, int remembered,
                 PairQuery& query, Part& part, ContactData& out);
  void find_on_threads(const CollideOptions& options, const ContactMemory& memory, ContactData& out,
                       std::vector<PairQuery>& queries);

  ConvexSet solids_;
  PairFilter filter_;
  BroadPhase broad_;
  std::vector<Pose> poses_;
  std::vector<Transform> placed_;  // the same
  std::optional<WorldPlane> plane_;
  std::vector<double> sizes_;
  std::vector<std::string> warnings_;
  CalmPairs calm_;
  NearParts near_;
  FieldContact field_;
  std::vector<GeomPair> field_pairs_;
  ContactData ordered_;
  MergePatches merge_;
  CompoundContact compound_;     // of two geoms at poses of their own
  std::vector<int> remembered_;  // one a query: its pair in the memory, or -1
  std::vector<Part> parts_ = std::vector<Part>(1);
  bool has_parts_ = false;  // of the last find(): a geom near another is not convex
  Threads* threads_ = nullptr;
};

}  // namespace abut
