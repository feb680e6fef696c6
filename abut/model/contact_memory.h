// ContactMemory: what contact models remember from step to step, as part of State.
//
// It is a flat table sorted by pair key, with a fixed header for each touching pair, and a number
// of doubles per pair and per point that the contact model declares (integral of a controller,
// friction anchors, warm-start impulses ..). The table is sorted, so that its bytes do not depend
// on the order in which pairs were found.
//
//   ContactMemory memory;
//   memory.set_widths(1, 3);
//   memory.append(pair_key(geom_a, geom_b), header, point_ids);
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "abut/math/hash.h"
#include "abut/math/types.h"

namespace abut {

using PairKey = std::uint64_t;

// The key of a pair of geoms, or of the convex solids that they consist of (solid_numbers.h),
// independent of their order.
inline PairKey pair_key(int geom_a, int geom_b) {
  const auto lo = static_cast<std::uint64_t>(geom_a < geom_b ? geom_a : geom_b);
  const auto hi = static_cast<std::uint64_t>(geom_a < geom_b ? geom_b : geom_a);
  return lo << 32 | hi;
}

// The two ids in a key, in ascending order.
inline std::array<int, 2> solids_of(PairKey key) {
  return {static_cast<int>(key >> 32), static_cast<int>(key & 0xffffffff)};
}

enum class ContactPhase : std::int32_t { apart, impacting, resting };  // D-1

// The result of a pair's last distance query, from which the next one starts (collide/).
struct WarmStart {
  // closest features, or of the minimum translation; -1: none
  std::int32_t feature_a = -1, feature_b = -1;
  // For an overlap: a lower bound (m) on the depth along any other direction, when B was at
  // `position`, `quaternion` in A. While these features need less than the bound by more than the
  // pair has moved, they still give the minimum translation. < 0: unknown.
  double bound = -1;
  double position[3] = {0, 0, 0}, quaternion[4] = {1, 0, 0, 0};
};

// No padding: the struct is hashed and written as raw bytes.
struct PairMemory {
  PairKey key = 0;
  ContactPhase phase = ContactPhase::apart;
  std::int32_t branch = 0;       // chosen branch of the model (PEG: hitting set)
  double normal[3] = {0, 0, 0};  // from A to B, world axes; 0: none
  std::uint32_t point_begin = 0, point_count = 0;
  WarmStart warm_start;
};
static_assert(sizeof(WarmStart) == 8 + 8 * 8 && sizeof(PairMemory) == 48 + sizeof(WarmStart));

class ContactMemory {
 public:
  // Sets the number of doubles per pair and per point. A change clears the table, because the
  // values of one contact model have no meaning for another.
  void set_widths(int per_pair, int per_point);
  void clear();

  // Appends a pair; pairs must be in ascending key order. Returns the pair's index. Values start at
  // 0.
  int append(const PairMemory& header, std::span<const std::uint64_t> point_ids);

  int find(PairKey key) const;                       // -1: not there
  int find_point(int pair, std::uint64_t id) const;  // index into the point tables, -1: none

  std::span<PairMemory> pairs() { return pairs_; }
  std::span<const PairMemory> pairs() const { return pairs_; }
  std::span<const std::uint64_t> point_ids() const { return point_ids_; }
  std::span<double> pair_values(int pair);
  std::span<const double> pair_values(int pair) const;
  std::span<double> point_values(int point);
  std::span<const double> point_values(int point) const;
  int pair_width() const { return pair_width_; }
  int point_width() const { return point_width_; }

  // The whole table as 64-bit words, for files; no words if it is new. read_words() returns false
  // and leaves the table unchanged if the words are invalid.
  std::size_t word_count() const;
  void write_words(std::uint64_t* to) const;
  [[nodiscard]] bool read_words(std::span<const std::uint64_t> words);

  void hash(Hash& h) const;
  bool operator==(const ContactMemory& other) const;  // bit for bit

 private:
  std::int32_t pair_width_ = 0, point_width_ = 0;
  std::vector<PairMemory> pairs_;
  std::vector<std::uint64_t> point_ids_;
  std::vector<double> pair_values_, point_values_;
};

}  // namespace abut
