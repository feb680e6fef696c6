#include "abut/collide/collide.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "abut/collide/geom_warnings.h"
#include "abut/collide/planar/planar_world.h"
#include "abut/collide/proximity/proximity.h"
#include "abut/math/index.h"
#include "abut/math/threads/threads.h"

namespace abut {

namespace {

// Fewer pairs than this are looked at by the caller: waking threads takes longer.
constexpr std::size_t kManyPairs = 64;
// Ranges of pairs take different times; threads that are done take the next.
constexpr int kPartsPerThread = 8;
// Pairs whose data are on their way from memory while one is looked at.
constexpr std::size_t kFetchAhead = 4;

std::span<const std::uint64_t> point_ids_of(const ContactMemory& memory, int pair) {
  const PairMemory& p = memory.pairs()[at(pair)];
  return memory.point_ids().subspan(p.point_begin, p.point_count);
}

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
    for (int g = 0; g < solids_.count(); ++g) sizes_.push_back(solids_[g].size);  // field: 0
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
  remembered_.clear();
  has_parts_ = false;
  field_pairs_.clear();

  solids_.cells().tick();
  for (const GeomPair& pair : broad_.pairs())
    if (solids_.can_collide(pair.a) && solids_.can_collide(pair.b))
      add_queries(pair, options, queries);
  remember(memory, queries);
  find_calm(options, queries);
  if (threads_ != nullptr && threads_->count() > 1 && queries.size() >= kManyPairs)
    find_on_threads(options, memory, out, queries);
  else
    for (std::size_t i = 0; i < queries.size(); ++i) {
      if (i + kFetchAhead < queries.size()) calm_.fetch(queries[i + kFetchAhead].calm);
      find_pair(options, memory, remembered_[i], queries[i], parts_[0], out);
    }
  if (!field_pairs_.empty()) find_fields(options, memory, out, queries);
  if (has_parts_ && options.merge_parts) merge(options, memory, out, queries);
}

// One for a pair of convex geoms, else one for each pair of parts that are near each other.
void Collider::add_queries(const GeomPair& pair, const CollideOptions& options,
                           std::vector<PairQuery>& queries) {
  if (is_field_pair(solids_, pair.a, pair.b)) return field_pairs_.push_back(pair);
  const bool is_convex = !solids_.is_compound(pair.a) && !solids_.is_compound(pair.b);
  if (is_convex || is_hull_pair(solids_, pair.a, pair.b)) {
    queries.emplace_back().key = pair_key(pair.a, pair.b);
    return;
  }
  has_parts_ = true;
  for (const auto& [a, b] : near_.find(solids_, pair.a, placed_[at(pair.a)], pair.b,
                                       placed_[at(pair.b)], options.reach.between(pair.a, pair.b)))
    queries.emplace_back().key = pair_key(a, b);
}

// Which pairs are calm.
void Collider::find_calm(const CollideOptions& options, std::vector<PairQuery>& queries) {
  const bool may = !plane_ && !options.kissing && options.max_points != 1;
  calm_.begin(solids_, sizes_, poses_, placed_,
              may ? options.calm : std::span<const std::uint8_t>());
  if (calm_.any())
    for (PairQuery& query : queries) {
      const int last = solids_of(query.key)[1];  // parts of geoms come behind the geoms
      if (last < static_cast<int>(poses_.size())) query.calm = calm_.place(query.key);
    }
  calm_.finish();
}

// Sorts the queries and finds what the memory has of them. Both lists ascend.
void Collider::remember(const ContactMemory& memory, std::vector<PairQuery>& queries) {
  if (has_parts_)
    std::sort(queries.begin(), queries.end(),
              [](const PairQuery& p, const PairQuery& q) { return p.key < q.key; });
  const std::span<const PairMemory> pairs = memory.pairs();
  std::size_t next = 0;
  for (PairQuery& query : queries) {
    while (next < pairs.size() && pairs[next].key < query.key) ++next;
    const bool is_known = next < pairs.size() && pairs[next].key == query.key;
    if (is_known) query.warm_start = pairs[next].warm_start;
    remembered_.push_back(is_known ? static_cast<int>(next) : -1);
  }
}

// Patches of distance fields, put in the order of keys, each with a query.
void Collider::find_fields(const CollideOptions& options, const ContactMemory& memory,
                           ContactData& out, std::vector<PairQuery>& queries) {
  const std::size_t first = out.patches.size();
  for (const GeomPair& pair : field_pairs_)
    field_.append(solids_, pair.a, poses_[at(pair.a)], pair.b, poses_[at(pair.b)],
                  {options.reach.between(pair.a, pair.b), options.max_points}, &memory, out);
  for (std::size_t i = first; i < out.patches.size(); ++i) {
    PairQuery& query = queries.emplace_back();
    query.key = out.patches[i].key();
    query.patch = static_cast<int>(i);
  }
  std::ranges::sort(queries, {}, &PairQuery::key);
  ordered_.clear();
  for (PairQuery& query : queries) {
    if (query.patch < 0) continue;
    Patch patch = out.patches[at(query.patch)];
    const int begin = ordered_.points.count();
    for (int k = patch.begin; k < patch.end; ++k)
      ordered_.points.add(out.points.p_A[at(k)], out.points.p_B[at(k)], out.points.psi[at(k)],
                          out.points.id[at(k)]);
    patch.begin = begin;
    patch.end = ordered_.points.count();
    query.patch = static_cast<int>(ordered_.patches.size());
    ordered_.patches.push_back(patch);
  }
  out = ordered_;  // not swapped: each keeps what it has grown to
}

void Collider::merge(const CollideOptions& options, const ContactMemory& memory, ContactData& out,
                     std::vector<PairQuery>& queries) {
  merge_.merge(out, solids_, {options.max_points, &memory});
  std::size_t next = 0;
  for (PairQuery& query : queries) {
    query.patch = -1;
    if (next == out.patches.size() || out.patches[next].key() != query.key) continue;
    query.patch = static_cast<int>(next++);
  }
}

// Ranges of pairs, each with buffers of its own, put together in their order.
void Collider::find_on_threads(const CollideOptions& options, const ContactMemory& memory,
                               ContactData& out, std::vector<PairQuery>& queries) {
  const auto count = static_cast<std::size_t>(kPartsPerThread * threads_->count());
  if (parts_.size() < count) parts_.resize(count);
  const auto begin = [&](std::size_t part) { return part * queries.size() / count; };
  // enough for most, so that pairs may come and go without allocations
  for (Part& part : parts_) {
    part.found.patches.reserve(queries.size() / count + 1);
    part.found.points.reserve(kMostPatchPoints * static_cast<int>(queries.size() / count + 1));
  }
  threads_->run(static_cast<int>(count), [&](int task) {
    const auto k = static_cast<std::size_t>(task);
    Part& part = parts_[k];
    part.found.clear();
    for (std::size_t i = begin(k); i < begin(k + 1); ++i)
      find_pair(options, memory, remembered_[i], queries[i], part, part.found);
  });
  for (std::size_t k = 0; k < count; ++k) {
    const ContactData& found = parts_[k].found;
    const int patches = static_cast<int>(out.patches.size()), points = out.points.count();
    for (Patch patch : found.patches) {
      patch.begin += points;
      patch.end += points;
      out.patches.push_back(patch);
    }
    out.points.add(found.points);
    for (std::size_t i = begin(k); i < begin(k + 1); ++i)
      if (queries[i].patch >= 0) queries[i].patch += patches;
  }
}

void Collider::find_pair(const CollideOptions& options, const ContactMemory& memory, int remembered,
                         PairQuery& query, Part& part, ContactData& out) {
  auto [solid_a, solid_b] = solids_of(query.key);
  int a = solids_.numbers().geom_of(solid_a), b = solids_.numbers().geom_of(solid_b);
  if (a > b) std::swap(a, b), std::swap(solid_a, solid_b);
  const bool has_parts = a != solid_a || b != solid_b;
  const double reach = options.reach.between(a, b);
  const Pose &X_WA = poses_[at(a)], &X_WB = poses_[at(b)];
  const Convex &A = solids_[solid_a], &B = solids_[solid_b];
  bool appended = false;
  if (query.calm >= 0) {
    appended = calm_.append(query.calm, solids_, reach, options.max_points, part.calm,
                            query.warm_start, out);
  } else if (Vec3 origin; make_polygons(solid_a, solid_b, X_WA, X_WB, part, origin)) {
    const Proximity d = planar_proximity(part.polygon_A, part.polygon_B, *plane_);
    appended = append_planar_patch(part.polygon_A, part.polygon_B, *plane_, d, reach, origin, out);
  } else {
    // a warm start is for the order of the key
    WarmStart* warm =
        has_parts && query.key >> 32 != static_cast<PairKey>(solid_a) ? nullptr : &query.warm_start;
    const Proximity d =
        proximity(PlacedConvex{A, placed_[at(a)]}, PlacedConvex{B, placed_[at(b)]}, warm, reach);
    PatchOptions patch{reach, options.max_points};
    if (remembered >= 0) patch.kept_before = point_ids_of(memory, remembered);
    if (has_parts) {
      if (options.merge_parts) patch.max_points = 0;
      appended = part.of_parts.append(solids_, {solid_a, X_WA}, {solid_b, X_WB}, d, patch,
                                      part.patch, out);
    } else {
      appended =
          options.kissing
              ? append_kissing({A, X_WA, B, X_WB}, d, reach, part.manifold, part.kissing, out)
          : options.max_points == 1 ? append_witnesses(d, reach, out)
                                    : append_patch(A, X_WA, B, X_WB, d, patch, part.patch, out);
    }
  }
  if (!appended) return;
  query.patch = static_cast<int>(out.patches.size()) - 1;
  if (has_parts) return name_patch(out, a, solid_a, b, solid_b);
  out.patches.back().geom_a = a;
  out.patches.back().geom_b = b;
}

Proximity Collider::distance(const Patch& of, const Pose& X_WA, const Pose& X_WB, double reach) {
  if (of.part_a < 0 && of.part_b < 0) return distance(of.geom_a, of.geom_b, X_WA, X_WB);
  const ContactData& found =
      compound_.find(solids_, of.geom_a, X_WA, of.geom_b, X_WB, {.reach = reach});
  Proximity d;
  const Patch* patch = nearest_normal(found, of.normal);
  d.distance = patch ? patch->distance : reach;
  d.normal = patch ? patch->normal : of.normal;
  d.p_A = d.p_B = 0.5 * (X_WA.p + X_WB.p);
  if (!patch) return d;
  const auto psi = found.points.psi.begin();
  const auto nearest = std::min_element(psi + patch->begin, psi + patch->end) - psi;
  d.p_A = found.points.p_A[static_cast<std::size_t>(nearest)];
  d.p_B = found.points.p_B[static_cast<std::size_t>(nearest)];
  return d;
}

Patch Collider::nearest_parts(int a, int b, const Pose& X_WA, const Pose& X_WB, double reach) {
  if (!solids_.is_compound(a) && !solids_.is_compound(b)) return {};
  const ContactData& found = compound_.find(solids_, a, X_WA, b, X_WB, {.reach = reach});
  const auto nearest = std::ranges::min_element(found.patches, {}, &Patch::distance);
  return nearest == found.patches.end() ? Patch{} : *nearest;
}

bool Collider::append_pair(const Patch& of, const Pose& X_WA, const Pose& X_WB,
                           const PatchOptions& options, ContactData& out) {
  if (of.part_a < 0 && of.part_b < 0)
    return append_pair(of.geom_a, of.geom_b, X_WA, X_WB, options, out);
  const ContactData& all = compound_.find(solids_, of.geom_a, X_WA, of.geom_b, X_WB, options);
  const Patch* found = nearest_normal(all, of.normal);
  if (!found) return false;
  Patch patch = *found;
  patch.part_a = of.part_a;
  patch.part_b = of.part_b;
  patch.begin = out.points.count();
  const ContactPoints& points = all.points;
  for (int i = found->begin; i < found->end; ++i)
    out.points.add(points.p_A[at(i)], points.p_B[at(i)], points.psi[at(i)], points.id[at(i)]);
  patch.end = out.points.count();
  out.patches.push_back(patch);
  return true;
}

Proximity Collider::distance(int a, int b, const Pose& X_WA, const Pose& X_WB) {
  Part& part = parts_[0];
  if (Vec3 origin; make_polygons(a, b, X_WA, X_WB, part, origin)) {
    Proximity d = planar_proximity(part.polygon_A, part.polygon_B, *plane_);
    d.p_A += origin;
    d.p_B += origin;
    return d;
  }
  return proximity(solids_[a], X_WA, solids_[b], X_WB);
}

bool Collider::append_pair(int a, int b, const Pose& X_WA, const Pose& X_WB,
                           const PatchOptions& options, ContactData& out) {
  Part& part = parts_[0];
  bool appended = false;
  if (Vec3 origin; make_polygons(a, b, X_WA, X_WB, part, origin))
    appended = append_planar_patch(part.polygon_A, part.polygon_B, *plane_,
                                   planar_proximity(part.polygon_A, part.polygon_B, *plane_),
                                   options.reach, origin, out);
  else
    appended =
        append_patch(solids_[a], X_WA, solids_[b], X_WB,
                     proximity(solids_[a], X_WA, solids_[b], X_WB), options, part.patch, out);
  if (!appended) return false;
  out.patches.back().geom_a = a;
  out.patches.back().geom_b = b;
  return true;
}

// Both solids as polygons of the plane; false: the world is not planar, or one is no prism of it.
bool Collider::make_polygons(int a, int b, const Pose& X_WA, const Pose& X_WB, Part& part,
                             Vec3& origin) const {
  if (!plane_) return false;
  const Convex &A = solids_[a], &B = solids_[b];
  origin = A.is_half_space() ? X_WB.p : X_WA.p;
  return make_polygon(A, X_WA, *plane_, origin, part.polygon_A) &&
         make_polygon(B, X_WB, *plane_, origin, part.polygon_B);
}

}  // namespace abut
