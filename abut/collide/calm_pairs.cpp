#include "abut/collide/calm_pairs.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "abut/collide/proximity/proximity.h"
#include "abut/collide/tolerances.h"
#include "abut/math/index.h"

namespace abut {

namespace {

std::array<std::int64_t, 7> bits_of(const Pose& X) {
  const double numbers[7] = {X.p.x(), X.p.y(), X.p.z(), X.q.w(), X.q.x(), X.q.y(), X.q.z()};
  std::array<std::int64_t, 7> bits;
  std::memcpy(bits.data(), numbers, sizeof numbers);
  return bits;
}

// The next power of two, so that what is known of a pair does not change with every reach.
double rounded_up(double x) {
  int exponent = 0;
  std::frexp(x, &exponent);
  return std::ldexp(1.0, exponent);
}

}  // namespace

bool is_calm(double size, double motion) { return motion <= kCalmMotion * size; }

void CalmPairs::begin(const ConvexSet& solids, std::span<const double> sizes,
                      std::span<const Pose> poses, std::span<const Transform> placed,
                      std::span<const std::uint8_t> calm) {
  any_ = !calm.empty();
  next_ = 0;
  now_.clear();
  if (!any_) return;
  placed_ = placed;
  grids_.resize(poses.size());
  for (std::size_t g = 0; g < poses.size(); ++g) {
    grids_[g].calm = calm[g] != 0 && solids.can_collide(static_cast<int>(g)) &&
                     !solids.is_compound(static_cast<int>(g));
    if (grids_[g].calm) round(grids_[g], sizes[g], solids[static_cast<int>(g)].radius, poses[g]);
  }
}

void CalmPairs::round(Grid& grid, double size, double radius, const Pose& X) {
  // half-spaces, whose points are anywhere, do not move
  const bool bounded = size > 0 && std::isfinite(size) && std::isfinite(radius);
  const double step = bounded ? kCalmCell * rounded_up(size) : 0, turn = kCalmCell;
  std::array<std::int64_t, 7> cell;
  if (bounded) {
    for (int k = 0; k < 3; ++k) cell[at(k)] = std::llround(X.p[k] / step);
    for (int k = 0; k < 4; ++k) cell[at(3 + k)] = std::llround(X.q.coeffs()[k] / turn);
  } else {
    cell = bits_of(X);
  }
  if (grid.epoch > 0 && cell == grid.cell) return;
  grid.cell = cell;
  ++grid.epoch;
  grid.pose = X;
  grid.margin = 0;
  if (bounded) {
    for (int k = 0; k < 3; ++k) grid.pose.p[k] = step * static_cast<double>(cell[at(k)]);
    for (int k = 0; k < 4; ++k)
      grid.pose.q.coeffs()[k] = turn * static_cast<double>(cell[at(3 + k)]);
    grid.pose.q.normalize();
    // half a cell in each of three coordinates, and in each of four of a rotation, which turns by
    // twice the change of its quaternion
    grid.margin = step + 2 * turn * radius;
  }
  grid.placed = Transform(grid.pose);
}

int CalmPairs::take_slot() {
  if (free_.empty()) {
    slots_.emplace_back();
    return static_cast<int>(slots_.size()) - 1;
  }
  const int slot = free_.back();
  free_.pop_back();
  slots_[at(slot)].epoch_a = 0;
  return slot;
}

int CalmPairs::place(PairKey key) {
  const auto [a, b] = solids_of(key);
  if (!grids_[at(a)].calm || !grids_[at(b)].calm) return -1;
  for (; next_ < before_.size() && before_[next_].key < key; ++next_)
    free_.push_back(before_[next_].slot);
  const bool is_known = next_ < before_.size() && before_[next_].key == key;
  now_.push_back({key, is_known ? before_[next_++].slot : take_slot()});
  return static_cast<int>(now_.size()) - 1;
}

void CalmPairs::finish() {
  for (; next_ < before_.size(); ++next_) free_.push_back(before_[next_].slot);
  std::swap(before_, now_);
}

void CalmPairs::fetch(int place) const {
  if (place < 0) return;
  constexpr std::size_t kLine = 64, kMostBytes = 640;  // of a cache line; a slot with eight points
  const char* slot = reinterpret_cast<const char*>(&slots_[at(before_[at(place)].slot)]);
  for (std::size_t i = 0; i < std::min(sizeof(Slot), kMostBytes); i += kLine)
    __builtin_prefetch(slot + i);
}

bool CalmPairs::append(int place, const ConvexSet& solids, double reach, int max_points,
                       Scratch& scratch, WarmStart& warm_start, ContactData& out) {
  const auto [a, b] = solids_of(before_[at(place)].key);
  Slot& slot = slots_[at(before_[at(place)].slot)];
  const Grid &A = grids_[at(a)], &B = grids_[at(b)];
  const double wanted = rounded_up(reach + A.margin + B.margin);
  if (slot.epoch_a != A.epoch || slot.epoch_b != B.epoch || slot.reach != wanted)
    renew(slot, a, b, wanted, max_points, solids, scratch);
  warm_start = slot.warm_start;
  return append_moved(slot, a, b, reach, out);
}

void CalmPairs::renew(Slot& slot, int a, int b, double reach, int max_points,
                      const ConvexSet& solids, Scratch& scratch) const {
  const Grid &A = grids_[at(a)], &B = grids_[at(b)];
  slot.epoch_a = A.epoch;
  slot.epoch_b = B.epoch;
  slot.reach = reach;
  slot.count = 0;
  slot.warm_start = {};
  const Proximity d = proximity(PlacedConvex{solids[a], A.placed},
                                PlacedConvex{solids[b], B.placed}, &slot.warm_start, reach);
  scratch.found.clear();
  if (!append_patch(solids[a], A.pose, solids[b], B.pose, d,
                    {reach, max_points > 0 ? std::min(max_points, kMost) : kMost}, scratch.patch,
                    scratch.found))
    return;
  const Patch& patch = scratch.found.patches[0];
  slot.a = patch.a;
  slot.b = patch.b;
  slot.indeterminate = patch.indeterminate;
  slot.turns_with_b = patch.b.kind == FeatureKind::face && patch.a.kind != FeatureKind::face;
  slot.normal = (slot.turns_with_b ? B : A).placed.R.transpose() * patch.normal;
  const ContactPoints& points = scratch.found.points;
  slot.count = patch.count();
  for (int i = 0; i < slot.count; ++i)
    slot.points[at(i)] = {A.placed.R.transpose() * (points.p_A[at(i)] - A.placed.p),
                          B.placed.R.transpose() * (points.p_B[at(i)] - B.placed.p),
                          points.id[at(i)]};
}

bool CalmPairs::append_moved(const Slot& slot, int a, int b, double reach, ContactData& out) const {
  if (slot.count == 0) return false;
  const Transform &A = placed_[at(a)], &B = placed_[at(b)];
  Patch patch;
  patch.normal = (slot.turns_with_b ? B : A).R * slot.normal;
  patch.distance = HUGE_VAL;
  patch.begin = out.points.count();
  for (int i = 0; i < slot.count; ++i) {
    const Point& point = slot.points[at(i)];
    const Vec3 p_A = A * point.a, p_B = B * point.b;
    const double psi = patch.normal.dot(p_B - p_A);
    if (!(psi <= reach)) continue;
    // p_B - p_A is along the normal but for a shift of the size of a cell
    const Vec3 middle = 0.5 * (p_A + p_B), half = 0.5 * psi * patch.normal;
    out.points.add(middle - half, middle + half, psi, point.id);
    patch.distance = std::min(patch.distance, psi);
  }
  patch.end = out.points.count();
  if (patch.count() == 0) return false;
  patch.a = slot.a;
  patch.b = slot.b;
  patch.indeterminate = slot.indeterminate;
  out.patches.push_back(patch);
  return true;
}

}  // namespace abut
