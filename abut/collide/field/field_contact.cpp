#include "abut/collide/field/field_contact.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "abut/collide/field/tolerances.h"
#include "abut/collide/parts/part_surface.h"
#include "abut/collide/patch/hull_above.h"
#include "abut/collide/patch/patch_reduce.h"
#include "abut/math/index.h"

namespace abut {
namespace {

// Balls that a capsule is looked at as, from end to end.
constexpr int kBallsOfCapsule = 9;

// The geom whose parts name the patches.
int namer(const ConvexSet& solids, int a, int b) { return solids.field(a) != nullptr ? a : b; }

bool is_round(const Convex& c) {
  return c.kind == ShapeKind::sphere || c.kind == ShapeKind::capsule;
}

}  // namespace

bool is_field_pair(const ConvexSet& solids, int a, int b) {
  const bool any = solids.field(a) != nullptr || solids.field(b) != nullptr;
  return any && !solids[a].is_half_space() && !solids[b].is_half_space();
}

bool is_hull_pair(const ConvexSet& solids, int a, int b) {
  return (solids.field(a) != nullptr && solids[b].is_half_space()) ||
         (solids.field(b) != nullptr && solids[a].is_half_space());
}

int first_field(const Model& model) {
  for (std::size_t g = 0; g < model.geoms.size(); ++g) {
    const Shape& shape = model.geoms[g].shape;
    const bool may_have = shape.kind == ShapeKind::mesh && shape.asset >= 0 &&
                          at(shape.asset) < model.assets.fields.size();
    if (may_have && model.assets.fields[at(shape.asset)] != nullptr) return static_cast<int>(g);
  }
  return -1;
}

void FieldContact::append(ConvexSet& solids, int a, const Pose& X_WA, int b, const Pose& X_WB,
                          const PatchOptions& options, const ContactMemory* memory,
                          ContactData& out) {
  find_points(solids, a, X_WA, b, X_WB, options.reach);
  if (points_.empty()) return;
  find_clusters();
  name_clusters(solids, a, X_WA, b, memory);
  for (const Cluster& cluster : clusters_)
    append_cluster(solids, cluster, a, X_WA, b, options, memory, out);
}

SurfaceSolid FieldContact::surface_of(const ConvexSet& solids, int solid) {
  const bool is_geom = solid < solids.numbers().geom_count();
  if (const MeshField* field = is_geom ? solids.field(solid) : nullptr)
    return {&field->surface, field};
  std::unique_ptr<SurfaceMesh>& known = surfaces_[solid];
  if (!known) known = std::make_unique<SurfaceMesh>(*solids[solid].tessellation);
  return {known.get(), nullptr};
}

void FieldContact::find_points(ConvexSet& solids, int a, const Pose& X_WA, int b, const Pose& X_WB,
                               double reach) {
  points_.clear();
  const Transform X_AB = relative(X_WA, X_WB);
  const bool parts_a = solids.is_compound(a) && solids.field(a) == nullptr;
  const bool parts_b = solids.is_compound(b) && solids.field(b) == nullptr;
  if (!parts_a && !parts_b) return find_between(solids, a, b, X_AB, reach);
  // a mesh in pieces, or a height field: contacts at its seams are none
  const int field = parts_a ? b : a, other = parts_a ? a : b;
  const Transform X_WF(parts_a ? X_WB : X_WA), X_WO(parts_a ? X_WA : X_WB);
  for (const int part : parts_.of(solids, other, X_WO, field, X_WF, reach)) {
    const std::size_t begin = points_.size();
    find_between(solids, parts_a ? part : a, parts_a ? b : part, X_AB, reach);
    const auto is_ghost = [&](const SurfacePoint& p) {
      if (parts_a) return !allows_normal(solids, part, p.p_A, p.normal);
      const Transform X_BA = X_AB.inverse();
      return !allows_normal(solids, part, X_BA * p.p_B, -(X_BA.R * p.normal));
    };
    points_.erase(std::remove_if(points_.begin() + static_cast<std::ptrdiff_t>(begin),
                                 points_.end(), is_ghost),
                  points_.end());
  }
}

void FieldContact::find_between(const ConvexSet& solids, int a, int b, const Transform& X_AB,
                                double reach) {
  if (is_round(solids[b])) return find_round(solids, a, b, X_AB, reach);
  if (is_round(solids[a])) {
    const std::size_t begin = points_.size();
    find_round(solids, b, a, X_AB.inverse(), reach);
    for (std::size_t i = begin; i < points_.size(); ++i) {
      SurfacePoint& p = points_[i];
      std::swap(p.p_A, p.p_B);
      std::swap(p.a, p.b);
      p.p_A = X_AB * p.p_A;
      p.p_B = X_AB * p.p_B;
      p.normal = -(X_AB.R * p.normal);
    }
    return;
  }
  const SurfaceSolid A = surface_of(solids, a), B = surface_of(solids, b);
  const std::span<const SurfacePoint> found = contact_.find(A, B, X_AB, reach);
  points_.insert(points_.end(), found.begin(), found.end());
}

// A ball, or a capsule as balls; in the frame of the solid with the field.
void FieldContact::find_round(const ConvexSet& solids, int field, int round, const Transform& X_FR,
                              double reach) {
  const Convex& c = solids[round];
  const SurfaceSolid F = surface_of(solids, field);
  const bool is_ball = c.kind == ShapeKind::sphere;
  const int count = is_ball ? 1 : kBallsOfCapsule;
  for (int i = 0; i < count; ++i) {
    const double along = is_ball ? 0 : c.dimensions[1] * (2.0 * i / (count - 1) - 1);
    const std::span<const SurfacePoint> found =
        contact_.find_ball(F, X_FR * Vec3(0, 0, along), c.rounding, reach, i);
    points_.insert(points_.end(), found.begin(), found.end());
  }
}

// The deepest point begins a cluster, and takes with it all that have nearly its normal.
void FieldContact::find_clusters() {
  clusters_.clear();
  std::sort(points_.begin(), points_.end(), [](const SurfacePoint& p, const SurfacePoint& q) {
    return std::tuple(p.psi, packed(p.a), packed(p.b)) <
           std::tuple(q.psi, packed(q.a), packed(q.b));
  });
  order_.clear();
  taken_.assign(points_.size(), 0);
  for (std::size_t i = 0; i < points_.size(); ++i) {
    if (taken_[i]) continue;
    if (clusters_.size() == at(kFieldParts)) break;
    Cluster cluster{points_[i].normal, points_[i].psi, static_cast<int>(order_.size())};
    for (std::size_t k = i; k < points_.size(); ++k)
      if (!taken_[k] && points_[k].normal.dot(cluster.normal) > kFieldPatch) {
        taken_[k] = 1;
        order_.push_back(static_cast<int>(k));
      }
    cluster.end = static_cast<int>(order_.size());
    clusters_.push_back(cluster);
  }
}

void FieldContact::name_clusters(const ConvexSet& solids, int a, const Pose& X_WA, int b,
                                 const ContactMemory* memory) {
  const int named = namer(solids, a, b), other = named == a ? b : a;
  const int first = solids.numbers().parts(named).begin;
  std::array<bool, kFieldParts> used{};
  if (memory != nullptr)
    for (Cluster& cluster : clusters_) {
      double nearest = kSamePatch;
      for (int slot = 0; slot < kFieldParts; ++slot) {
        const int pair = used[at(slot)] ? -1 : memory->find(pair_key(first + slot, other));
        if (pair < 0) continue;
        const double* n = memory->pairs()[at(pair)].normal;
        const double along = (X_WA.q * cluster.normal).dot(Vec3(n[0], n[1], n[2]));
        if (along <= nearest) continue;
        nearest = along;
        cluster.slot = slot;
      }
      if (cluster.slot >= 0) used[at(cluster.slot)] = true;
    }
  for (Cluster& cluster : clusters_) {
    if (cluster.slot >= 0) continue;
    cluster.slot = static_cast<int>(std::find(used.begin(), used.end(), false) - used.begin());
    used[at(cluster.slot)] = true;
  }
  std::ranges::sort(clusters_, {}, &Cluster::slot);
}

void FieldContact::append_cluster(const ConvexSet& solids, const Cluster& cluster, int a,
                                  const Pose& X_WA, int b, const PatchOptions& options,
                                  const ContactMemory* memory, ContactData& out) {
  const Vec3 &w = cluster.normal, u = w.unitOrthogonal(), v = w.cross(u);
  const SurfacePoint& deepest = points_[at(order_[at(cluster.begin)])];
  const Vec3 origin = deepest.p_A;
  scratch_.points.clear();
  ReduceOptions reduce{
      options.max_points > 0 ? std::min(options.max_points, HullAbove::kMost) : HullAbove::kMost,
      0,
      pair_size(solids[a], solids[b]),
      {}};
  for (int i = cluster.begin; i < cluster.end; ++i) {
    const SurfacePoint& p = points_[at(order_[at(i)])];
    const Vec3 middle = 0.5 * (p.p_A + p.p_B) - origin;
    scratch_.points.push_back({u.dot(middle), v.dot(middle), w.dot(middle) - 0.5 * p.psi, p.psi,
                               packed(p.a), packed(p.b)});
    reduce.reach = std::max(reduce.reach, p.psi);
  }
  std::sort(scratch_.points.begin(), scratch_.points.end(),
            [](const PatchPoint& p, const PatchPoint& q) {
              return std::tie(p.a, p.b, p.psi) < std::tie(q.a, q.b, q.psi);
            });
  const auto same = [](const PatchPoint& p, const PatchPoint& q) {
    return p.a == q.a && p.b == q.b;
  };
  scratch_.points.erase(std::unique(scratch_.points.begin(), scratch_.points.end(), same),
                        scratch_.points.end());
  Patch patch;
  patch.geom_a = a;
  patch.geom_b = b;
  const int named = namer(solids, a, b), part = solids.numbers().parts(named).begin + cluster.slot;
  (named == a ? patch.part_a : patch.part_b) = part;
  patch.normal = X_WA.q * w;
  patch.distance = cluster.psi;
  patch.a = deepest.a;
  patch.b = deepest.b;
  patch.of_field = true;
  if (scratch_.points.size() > 1) {
    if (const int pair = memory ? memory->find(patch.key()) : -1; pair >= 0) {
      const PairMemory& m = memory->pairs()[at(pair)];
      reduce.kept_before = memory->point_ids().subspan(m.point_begin, m.point_count);
    }
    keep_few(scratch_, reduce);
  }
  patch.begin = out.points.count();
  for (const PatchPoint& p : scratch_.points) {
    const Vec3 p_A = X_WA * (origin + p.u * u + p.v * v + p.w * w);
    out.points.add(p_A, p_A + p.psi * patch.normal, p.psi,
                   point_id(unpacked_feature(p.a), unpacked_feature(p.b)));
  }
  patch.end = out.points.count();
  out.patches.push_back(patch);
}

}  // namespace abut
