#include "abut/contact/penalty/initial_overlap.h"

#include <algorithm>
#include <cmath>

#include "abut/contact/penalty/tolerances.h"
#include "abut/math/index.h"

namespace abut {

namespace {

PairKey key_of(const Patch& patch) { return patch.key(); }

// s.
double part_of(double overlap, double depth) {
  return overlap > 0 && depth > 0 ? 1 - std::min(overlap / depth, 1.0) : 1;
}

}  // namespace

// What the two did not move by in a step: points approach, or turn into each other.
double InitialOverlap::at_first_sight(const ForceScene& scene, int p) const {
  const PairView pair(scene, p);
  const double depth = -pair.patch.distance;
  if (pair.patch.count() == 0) return depth;
  const std::vector<Vec3>& at_A = pair.points().p_A;
  double fastest = 0;
  for (int i = pair.patch.begin; i < pair.patch.end; ++i)
    fastest = std::max(fastest, -pair.velocity(at_A[at(i)]).dot(pair.patch.normal));
  const Vec3& near = at_A[at(pair.patch.begin)];
  fastest += (pair.twist_b(near).ang - pair.twist_a(near).ang).norm() *
             pair_size(pair.solid_a(), pair.solid_b());
  return std::max(depth - model_.option.timestep * fastest, 0.0);
}

void InitialOverlap::begin(double h, const ForceScene& scene, const ContactMemory& before,
                           bool fresh, std::size_t slot) {
  overlaps_.clear();
  if (!on_) return;
  const double kept = std::exp(-h / kRecovery);
  for (int p = 0; p < static_cast<int>(scene.data.patches.size()); ++p) {
    const Patch& patch = scene.data.patches[at(p)];
    const double depth = -patch.distance;
    if (!(depth > 0)) continue;
    const int known = fresh ? -1 : before.find(key_of(patch));
    const double last = known >= 0 ? std::min(before.pair_values(known)[slot], depth)
                        : fresh    ? depth
                                   : at_first_sight(scene, p);
    const double now = kept * last > kPaid * depth ? kept * last : 0;
    if (last > 0) overlaps_.push_back({key_of(patch), last, now});
  }
}

std::span<const Recovery> InitialOverlap::of(const ContactData& data) {
  recovery_.clear();
  if (overlaps_.empty()) return recovery_;
  for (const Patch& patch : data.patches) {
    Recovery& r = recovery_.emplace_back();
    const Overlap* overlap = find(key_of(patch));
    if (overlap == nullptr) continue;
    r.part = part_of(overlap->now, -patch.distance);
    const double was = r.part > 0 ? part_of(overlap->last, -patch.distance) / r.part : 1;
    r.gained = 1 - was * was;
  }
  return recovery_;
}

const InitialOverlap::Overlap* InitialOverlap::find(PairKey key) const {
  const auto it = std::lower_bound(overlaps_.begin(), overlaps_.end(), key,
                                   [](const Overlap& o, PairKey k) { return o.key < k; });
  return it != overlaps_.end() && it->key == key ? &*it : nullptr;
}

double InitialOverlap::left(PairKey key) const {
  const Overlap* overlap = find(key);
  return overlap != nullptr ? overlap->now : 0;
}

}  // namespace abut
