// What contact models remember from step to step, as part of State.
//
// A flat table sorted by pair key: a fixed header per touching pair, and a number of
// doubles per pair and per point that the contact model declares (PID sum, friction
// anchors, warm-start impulses ..). Sorted, so that its bytes do not depend on the
// order in which pairs were found.
//
//   ContactMemory memory;
//   memory.set_widths(1, 3);
//   memory.append(pair_key(geom_a, geom_b), header, point_ids);
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "abut/math/hash.h"
#include "abut/math/types.h"

namespace abut {

using PairKey = std::uint64_t;

// The same key whichever geom is named first.
inline PairKey pair_key(int geom_a, int geom_b) {
  const auto lo = static_cast<std::uint64_t>(geom_a < geom_b ? geom_a : geom_b);
  const auto hi = static_cast<std::uint64_t>(geom_a < geom_b ? geom_b : geom_a);
  return lo << 32 | hi;
}

enum class ContactPhase : std::int32_t { apart, impacting, resting };  // D-1

// What the last query of a pair found, so that the next one starts there (collide/).
struct WarmStart {
  std::int32_t feature_a = -1, feature_b = -1;  // closest or of least translation; -1: none yet
  // Overlapping: every other direction needed at least `bound` (m) to part the two when B
  // stood at `position`, `quaternion` in A. While these features need less than that by
  // more than the two moved, they still give the least translation. < 0: not known.
  double bound = -1;
  double position[3] = {0, 0, 0}, quaternion[4] = {1, 0, 0, 0};
};

// No padding: it is hashed and written as raw bytes.
struct PairMemory {
  PairKey key = 0;
  ContactPhase phase = ContactPhase::apart;
  std::int32_t branch = 0;       // the model's own choice (PEG: hitting set)
  double normal[3] = {0, 0, 0};  // from A to B, world axes; 0: none yet
  std::uint32_t point_begin = 0, point_count = 0;
  WarmStart warm_start;
};
static_assert(sizeof(WarmStart) == 8 + 8 * 8 && sizeof(PairMemory) == 48 + sizeof(WarmStart));

class ContactMemory {
 public:
  // Doubles per pair and per point. Changing them clears the table: numbers of one
  // contact model mean nothing to another.
  void set_widths(int per_pair, int per_point);
  void clear();

  // Pairs must come in ascending key order; returns the pair's index. Values start at 0.
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

  // The whole table as 64-bit words, for files; nothing if it is as new. read_words() says
  // whether they were such words; if not, it leaves the table as it was.
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
