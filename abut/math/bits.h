// Comparing numbers by their bits: NaN equals itself, -0 is not 0.
#pragma once

#include <cstring>
#include <type_traits>
#include <vector>

namespace abut {

template <typename T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  static_assert(std::is_trivially_copyable_v<T>);
  if (a.size() != b.size()) return false;
  return a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

inline bool same_bits(double a, double b) { return std::memcmp(&a, &b, sizeof a) == 0; }

}  // namespace abut
