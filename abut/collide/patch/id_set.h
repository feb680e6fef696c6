// IdSet: a set of 64-bit ids that remembers the order of insertion.
//
// It is a small open-addressed hash table for floods over features: it holds the features that were
// seen and, in the order of insertion, those that are still to visit. After clear() it keeps its
// memory but starts small again, so that one large query does not slow down the small queries after
// it.
//
//   seen.clear();
//   seen.insert(first);
//   for (int i = 0; i < seen.count(); ++i) visit(seen[i]);  // visit() may insert more
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace abut {

class IdSet {
 public:
  IdSet() { clear(); }

  void clear() {
    names_.clear();
    use_slots(kFewest);
  }
  // Returns false if the id was in the set. Any id but 2^64 - 1 is allowed.
  bool insert(std::uint64_t name) {
    std::size_t slot = place(name);
    while (slots_[slot] != kFree) {
      if (slots_[slot] == name) return false;
      slot = (slot + 1) & mask_;
    }
    slots_[slot] = name;
    names_.push_back(name);
    if (2 * names_.size() > mask_) grow();
    return true;
  }
  int count() const { return static_cast<int>(names_.size()); }
  std::uint64_t operator[](int i) const { return names_[static_cast<std::size_t>(i)]; }

 private:
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};
  static constexpr std::size_t kFewest = 32;

  // Fibonacci hashing: the upper bits of a product with 2^64 / golden ratio.
  std::size_t place(std::uint64_t name) const {
    return static_cast<std::size_t>((name * 0x9e3779b97f4a7c15u) >> 32) & mask_;
  }
  void use_slots(std::size_t count) {
    if (slots_.size() < count) slots_.resize(count);
    std::fill_n(slots_.begin(), count, kFree);
    mask_ = count - 1;
  }
  void grow() {
    use_slots(4 * (mask_ + 1));
    for (const std::uint64_t name : names_) {
      std::size_t slot = place(name);
      while (slots_[slot] != kFree) slot = (slot + 1) & mask_;
      slots_[slot] = name;
    }
  }

  std::vector<std::uint64_t> slots_, names_;
  std::size_t mask_ = 0;
};

}  // namespace abut
