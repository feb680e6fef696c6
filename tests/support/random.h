// Random numbers from a seed.
#pragma once

#include <cmath>
#include <random>

#include "abut/math/types.h"

namespace abut::test {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double uniform(double lo, double hi) {
    return std::uniform_real_distribution<double>(lo, hi)(engine_);
  }
  int integer(int lo, int hi) { return std::uniform_int_distribution<int>(lo, hi)(engine_); }
  Vec3 vec(double size) {
    return {uniform(-size, size), uniform(-size, size), uniform(-size, size)};
  }
  Quat quat() {
    Quat q(uniform(-1, 1), uniform(-1, 1), uniform(-1, 1), uniform(-1, 1));
    if (q.norm() < 0.1) return Quat(1, 0, 0, 0);
    q.normalize();
    return q;
  }
  // of any size between, all orders of magnitude alike
  double magnitude(double lo, double hi) { return lo * std::pow(hi / lo, uniform(0, 1)); }
  Vec3 direction() {
    for (;;) {
      const Vec3 v = vec(1);
      if (v.squaredNorm() > 0.01 && v.squaredNorm() < 1) return v.normalized();
    }
  }
  // one time in `n`
  bool chance(int n) { return integer(1, n) == 1; }

 private:
  std::mt19937 engine_;
};

}  // namespace abut::test
