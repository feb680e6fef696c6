#include "abut/collide/parts/merge_patches.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

#include "abut/collide/parts/tolerances.h"
#include "abut/collide/patch/hull_above.h"
#include "abut/collide/patch/patch_reduce.h"
#include "abut/math/index.h"

namespace abut {
namespace {

// splitmix64
std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

// Removes points at one place; of two the deeper one stays.
void drop_same_places(std::vector<PatchPoint>& points, double tolerance) {
  std::sort(points.begin(), points.end(), [](const PatchPoint& p, const PatchPoint& q) {
    return std::tie(p.psi, p.a, p.b) < std::tie(q.psi, q.a, q.b);
  });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const PatchPoint p = points[i];
    const bool is_new = std::none_of(
        points.begin(), points.begin() + static_cast<std::ptrdiff_t>(kept),
        [&](const PatchPoint& q) {
          return std::abs(p.u - q.u) <= tolerance && std::abs(p.v - q.v) <= tolerance &&
                 std::abs(p.psi - q.psi) <= tolerance;
        });
    if (is_new) points[kept++] = p;
  }
  points.resize(kept);
}

}  // namespace

// The kind of a feature stays, its index is mixed with the parts' numbers.
void name_points(ContactData& data, const Patch& patch) {
  const std::uint64_t salt = mixed(patch.key()) & 0x0fffffff0fffffffu;
  const auto ids = data.points.id.begin();
  for (auto id = ids + patch.begin; id != ids + patch.end; ++id) *id ^= salt;
}

void MergePatches::merge(ContactData& data, const ConvexSet& solids, const Options& options) {
  const std::vector<Patch>& patches = data.patches;
  order_.resize(patches.size());
  std::iota(order_.begin(), order_.end(), 0);
  std::sort(order_.begin(), order_.end(), [&](int i, int k) {
    const Patch &p = patches[at(i)], &q = patches[at(k)];
    return std::tuple(p.geom_a, p.geom_b, p.key()) < std::tuple(q.geom_a, q.geom_b, q.key());
  });
  taken_.assign(patches.size(), 0);
  merged_.clear();
  for (std::size_t i = 0; i < order_.size(); ++i) {
    if (taken_[at(order_[i])]) continue;
    const Patch& first = patches[at(order_[i])];
    group_.assign(1, order_[i]);
    for (std::size_t k = i + 1; k < order_.size(); ++k) {
      const Patch& other = patches[at(order_[k])];
      if (other.geom_a != first.geom_a || other.geom_b != first.geom_b) break;
      if (taken_[at(order_[k])] || !(first.normal.dot(other.normal) > 1 - kOnePatch)) continue;
      taken_[at(order_[k])] = 1;
      group_.push_back(order_[k]);
    }
    append_group(data, pair_size(solids[first.geom_a], solids[first.geom_b]), options);
  }
  // in the order of keys
  order_.resize(merged_.patches.size());
  std::iota(order_.begin(), order_.end(), 0);
  std::sort(order_.begin(), order_.end(), [&](int i, int k) {
    return merged_.patches[at(i)].key() < merged_.patches[at(k)].key();
  });
  sorted_.clear();
  for (const int i : order_) {
    Patch patch = merged_.patches[at(i)];
    const int begin = patch.begin, end = patch.end;
    patch.begin = sorted_.points.count();
    for (int k = begin; k < end; ++k)
      sorted_.points.add(merged_.points.p_A[at(k)], merged_.points.p_B[at(k)],
                         merged_.points.psi[at(k)], merged_.points.id[at(k)]);
    patch.end = sorted_.points.count();
    sorted_.patches.push_back(patch);
  }
  data = sorted_;  // not swapped: each keeps what it has grown to
}

// Appends the group to merged_ as one patch.
void MergePatches::append_group(const ContactData& data, double size, const Options& options) {
  const auto patch_at = [&](int i) -> const Patch& { return data.patches[at(i)]; };
  const auto known = [&](int i) {
    return options.memory != nullptr && options.memory->find(patch_at(i).key()) >= 0;
  };
  const auto named = std::find_if(group_.begin(), group_.end(), known);
  Patch patch = patch_at(named != group_.end() ? *named : group_.front());
  const bool alone = group_.size() == 1;
  const Vec3 origin = data.points.p_A[at(patch.begin)], w = patch.normal, u = w.unitOrthogonal(),
             v = w.cross(u);
  scratch_.points.clear();
  for (const int i : group_) {
    patch.distance = std::min(patch.distance, patch_at(i).distance);
    for (int k = patch_at(i).begin; k < patch_at(i).end; ++k) {
      const Vec3 x = data.points.p_A[at(k)] - origin;
      const std::uint64_t id = data.points.id[at(k)];
      scratch_.points.push_back({u.dot(x), v.dot(x), w.dot(x), data.points.psi[at(k)],
                                 static_cast<std::int32_t>(id >> 32),
                                 static_cast<std::int32_t>(id & 0xffffffffu)});
    }
  }
  if (!alone) drop_same_places(scratch_.points, kOnPart * size);
  std::sort(scratch_.points.begin(), scratch_.points.end(),
            [](const PatchPoint& p, const PatchPoint& q) {
              return std::tie(p.a, p.b) < std::tie(q.a, q.b);
            });
  // corners at seams lie between others: they would hold nothing, and pull means towards the seams
  if (!alone) {
    ReduceOptions reduce{
        options.max_points > 0 ? options.max_points : HullAbove::kMost, 0, size, {}};
    for (const PatchPoint& p : scratch_.points) reduce.reach = std::max(reduce.reach, p.psi);
    if (const int pair = options.memory ? options.memory->find(patch.key()) : -1; pair >= 0) {
      const PairMemory& m = options.memory->pairs()[at(pair)];
      reduce.kept_before = options.memory->point_ids().subspan(m.point_begin, m.point_count);
    }
    keep_few(scratch_, reduce);
  }
  patch.begin = merged_.points.count();
  for (const PatchPoint& p : scratch_.points) {
    const Vec3 p_A = origin + p.u * u + p.v * v + p.w * w;
    merged_.points.add(p_A, p_A + p.psi * w, p.psi,
                       point_id(unpacked_feature(p.a), unpacked_feature(p.b)));
  }
  patch.end = merged_.points.count();
  merged_.patches.push_back(patch);
}

}  // namespace abut
