// Random polyhedra and motions for experiments, from a seed.
#pragma once

#include <random>

#include "abut/shape/hull.h"

namespace abut::reproduce {

class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}
  double uniform(double low, double high) {
    // not std::uniform_real_distribution: its numbers differ between libraries
    return low + (high - low) * (static_cast<double>(engine_()) / 4294967296.0);
  }
  Vec3 vec(double size) {
    const double x = uniform(-size, size), y = uniform(-size, size);
    return {x, y, uniform(-size, size)};
  }
  Vec3 direction() {
    for (;;) {
      const Vec3 v = vec(1);
      if (v.norm() > 0.1 && v.norm() < 1) return v.normalized();
    }
  }
  Quat rotation() {
    const Vec3 axis = direction();
    return Quat(Eigen::AngleAxisd(uniform(-3.1, 3.1), axis));
  }
  // About `points` vertices on an ellipsoid of semi-axes 0.5 to 1 m.
  Polyhedron hull(int points) {
    const Vec3 axes(uniform(0.5, 1), uniform(0.5, 1), uniform(0.5, 1));
    std::vector<Vec3> cloud;
    for (int i = 0; i < points; ++i) cloud.push_back(axes.cwiseProduct(direction()));
    return convex_hull(cloud);
  }

 private:
  std::mt19937 engine_;  // 32 bits a number, the same everywhere
};

}  // namespace abut::reproduce
