// RankSet: a set of integers below n that finds the nearest member on either side in log_64(n)
// steps. It is a bitmap, with a second bitmap of its nonempty words above it, and so on. It
// allocates only when it grows.
//
//   abut::RankSet set;
//   set.reset(1000);
//   set.insert(12);
//   int next = set.after(3);    // 12; -1: none
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace abut {

class RankSet {
 public:
  // Empties the set, for members 0 .. n - 1.
  void reset(int n) {
    begin_.clear();
    std::size_t total = 0;
    for (std::size_t words = static_cast<std::size_t>(n);;) {
      words = (words + 63) / 64;
      begin_.push_back(total);
      total += words;
      if (words <= 1) break;
    }
    words_.assign(total, 0);
  }
  void insert(int i) {
    for (const std::size_t level : begin_) {
      words_[level + static_cast<std::size_t>(i) / 64] |= std::uint64_t{1} << (i % 64);
      i /= 64;
    }
  }
  void erase(int i) {
    for (const std::size_t level : begin_) {
      std::uint64_t& word = words_[level + static_cast<std::size_t>(i) / 64];
      word &= ~(std::uint64_t{1} << (i % 64));
      if (word != 0) return;
      i /= 64;
    }
  }
  // The least member above i, which may be -1; -1: none.
  int after(int i) const {
    int x = i + 1;
    for (std::size_t level = 0; level < begin_.size(); ++level, x = x / 64 + 1) {
      ++steps_;
      if (static_cast<std::size_t>(x) / 64 >= size(level)) return -1;
      const std::uint64_t word =
          words_[begin_[level] + static_cast<std::size_t>(x) / 64] >> (x % 64);
      if (word != 0) return down(level, x + std::countr_zero(word), true);
    }
    return -1;
  }
  // The greatest member below i; -1: none.
  int before(int i) const {
    int x = i - 1;
    for (std::size_t level = 0; level < begin_.size() && x >= 0; ++level, x = x / 64 - 1) {
      ++steps_;
      const std::uint64_t word = words_[begin_[level] + static_cast<std::size_t>(x) / 64]
                                 << (63 - x % 64);
      if (word != 0) return down(level, x - std::countl_zero(word), false);
    }
    return -1;
  }
  // Total number of words that after() and before() have read.
  std::int64_t steps() const { return steps_; }

 private:
  std::size_t size(std::size_t level) const {
    return (level + 1 < begin_.size() ? begin_[level + 1] : words_.size()) - begin_[level];
  }
  // From a nonempty word of this level to its first or last member.
  int down(std::size_t level, int x, bool first) const {
    while (level-- > 0) {
      ++steps_;
      const std::uint64_t word = words_[begin_[level] + static_cast<std::size_t>(x)];
      x = 64 * x + (first ? std::countr_zero(word) : 63 - std::countl_zero(word));
    }
    return x;
  }

  std::vector<std::size_t> begin_;  // of each level in words_
  std::vector<std::uint64_t> words_;
  mutable std::int64_t steps_ = 0;
};

}  // namespace abut
