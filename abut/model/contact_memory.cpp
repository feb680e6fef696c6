#include "abut/model/contact_memory.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "abut/math/bits.h"

namespace abut {

namespace {
template <typename T>
std::span<T> slice(T* data, int index, int width) {
  return {data + static_cast<std::ptrdiff_t>(index) * width, static_cast<std::size_t>(width)};
}
}  // namespace

void ContactMemory::set_widths(int per_pair, int per_point) {
  if (per_pair == pair_width_ && per_point == point_width_) return;
  clear();
  pair_width_ = per_pair;
  point_width_ = per_point;
}

void ContactMemory::clear() {
  pairs_.clear();
  point_ids_.clear();
  pair_values_.clear();
  point_values_.clear();
}

int ContactMemory::append(const PairMemory& header, std::span<const std::uint64_t> ids) {
  assert(pairs_.empty() || pairs_.back().key < header.key);
  PairMemory& pair = pairs_.emplace_back(header);
  pair.point_begin = static_cast<std::uint32_t>(point_ids_.size());
  pair.point_count = static_cast<std::uint32_t>(ids.size());
  point_ids_.insert(point_ids_.end(), ids.begin(), ids.end());
  pair_values_.resize(pairs_.size() * static_cast<std::size_t>(pair_width_), 0.0);
  point_values_.resize(point_ids_.size() * static_cast<std::size_t>(point_width_), 0.0);
  return static_cast<int>(pairs_.size()) - 1;
}

int ContactMemory::find(PairKey key) const {
  const auto it = std::lower_bound(pairs_.begin(), pairs_.end(), key,
                                   [](const PairMemory& p, PairKey k) { return p.key < k; });
  return it != pairs_.end() && it->key == key ? static_cast<int>(it - pairs_.begin()) : -1;
}

int ContactMemory::find_point(int pair, std::uint64_t id) const {
  const PairMemory& p = pairs_[static_cast<std::size_t>(pair)];
  for (std::uint32_t i = p.point_begin; i < p.point_begin + p.point_count; ++i)
    if (point_ids_[i] == id) return static_cast<int>(i);
  return -1;
}

std::span<double> ContactMemory::pair_values(int pair) {
  return slice(pair_values_.data(), pair, pair_width_);
}
std::span<const double> ContactMemory::pair_values(int pair) const {
  return slice(pair_values_.data(), pair, pair_width_);
}
std::span<double> ContactMemory::point_values(int point) {
  return slice(point_values_.data(), point, point_width_);
}
std::span<const double> ContactMemory::point_values(int point) const {
  return slice(point_values_.data(), point, point_width_);
}

namespace {

constexpr std::size_t kHeaderWords = sizeof(PairMemory) / sizeof(std::uint64_t);
constexpr std::size_t kCountWords = 3;  // widths, pairs, points

template <typename T>
std::uint64_t* put(const std::vector<T>& from, std::uint64_t* to) {
  if (!from.empty()) std::memcpy(to, from.data(), from.size() * sizeof(T));
  return to + from.size() * sizeof(T) / sizeof *to;
}

template <typename T>
const std::uint64_t* take(const std::uint64_t* from, std::size_t count, std::vector<T>& to) {
  to.resize(count);
  if (count > 0) std::memcpy(static_cast<void*>(to.data()), from, count * sizeof(T));
  return from + count * sizeof(T) / sizeof *from;
}

}  // namespace

std::size_t ContactMemory::word_count() const {
  if (pair_width_ == 0 && point_width_ == 0 && pairs_.empty()) return 0;
  return kCountWords + kHeaderWords * pairs_.size() + point_ids_.size() + pair_values_.size() +
         point_values_.size();
}

void ContactMemory::write_words(std::uint64_t* to) const {
  if (word_count() == 0) return;
  *to++ = static_cast<std::uint64_t>(pair_width_) << 32 | static_cast<std::uint32_t>(point_width_);
  *to++ = pairs_.size();
  *to++ = point_ids_.size();
  put(point_values_, put(pair_values_, put(point_ids_, put(pairs_, to))));
}

bool ContactMemory::read_words(std::span<const std::uint64_t> words) {
  ContactMemory m;
  if (!words.empty()) {
    if (words.size() < kCountWords) return false;
    const std::uint64_t per_pair = words[0] >> 32, per_point = words[0] & 0xffffffff;
    const std::uint64_t pairs = words[1], points = words[2];
    // a count must not be so large that the sum below overflows
    if (per_pair > 1 << 20 || per_point > 1 << 20) return false;
    if (pairs > words.size() || points > words.size()) return false;
    if (words.size() != kCountWords + (kHeaderWords + per_pair) * pairs + (1 + per_point) * points)
      return false;
    m.pair_width_ = static_cast<std::int32_t>(per_pair);
    m.point_width_ = static_cast<std::int32_t>(per_point);
    const std::uint64_t* from = words.data() + kCountWords;
    from = take(from, pairs, m.pairs_);
    from = take(from, points, m.point_ids_);
    from = take(from, pairs * per_pair, m.pair_values_);
    take(from, points * per_point, m.point_values_);
    for (const PairMemory& p : m.pairs_)
      if (std::uint64_t{p.point_begin} + p.point_count > points) return false;
  }
  *this = std::move(m);
  return true;
}

void ContactMemory::hash(Hash& h) const {
  h.value(static_cast<std::uint64_t>(pair_width_) << 32 | static_cast<std::uint32_t>(point_width_));
  h.array(std::span<const PairMemory>(pairs_));
  h.array(std::span<const std::uint64_t>(point_ids_));
  h.array(std::span<const double>(pair_values_));
  h.array(std::span<const double>(point_values_));
}

bool ContactMemory::operator==(const ContactMemory& o) const {
  return pair_width_ == o.pair_width_ && point_width_ == o.point_width_ &&
         same_bits(pairs_, o.pairs_) && same_bits(point_ids_, o.point_ids_) &&
         same_bits(pair_values_, o.pair_values_) && same_bits(point_values_, o.point_values_);
}

}  // namespace abut
