// Random numbers with the same bits on every machine and compiler, unlike the distributions of the
// standard library: SplitMix64 (Steele, Lea and Flood 2014), followed only by + - * / and sqrt.
//
//   abut::SplitMix random(seed);
//   const double x = random.uniform(-1, 1);
#pragma once

#include <cmath>
#include <cstdint>

#include "abut/math/types.h"

namespace abut {

class SplitMix {
 public:
  explicit SplitMix(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {
    std::uint64_t x = state_ += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
  }
  // lo <= x <= hi (hi by rounding alone)
  double uniform(double lo, double hi) {
    return lo + (hi - lo) * (static_cast<double>(bits() >> 11) * 0x1p-53);
  }
  // lo .. hi, both included; the bias of % is below 1e-15 for ranges of ours
  int integer(int lo, int hi) {
    return lo + static_cast<int>(bits() % (static_cast<std::uint64_t>(hi - lo) + 1));
  }
  // true once in `n` calls on average
  bool chance(int n) { return integer(1, n) == 1; }
  // 2^lo .. 2^hi, all orders of magnitude alike
  double magnitude(int lo, int hi) {
    const int k = integer(lo, hi - 1);
    const double power =
        k < 0 ? 1 / static_cast<double>(1ull << -k) : static_cast<double>(1ull << k);
    return power * uniform(1, 2);
  }
  Vec3 vec(double size) {
    const double x = uniform(-size, size), y = uniform(-size, size), z = uniform(-size, size);
    return {x, y, z};
  }
  Vec3 direction() {
    for (;;) {
      const Vec3 v = vec(1);
      const double length2 = v.x() * v.x() + v.y() * v.y() + v.z() * v.z();
      if (length2 > 0.01 && length2 < 1) return v / std::sqrt(length2);
    }
  }

 private:
  std::uint64_t state_;
};

}  // namespace abut
