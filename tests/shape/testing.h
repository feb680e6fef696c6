// Shared by the shape tests: random numbers from a seed, comparison of mass properties.
#pragma once

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "abut/math/types.h"
#include "abut/shape/mass_properties.h"

namespace abut::testing {

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  Vec3 in_cube(double half) {
    return {uniform(-half, half), uniform(-half, half), uniform(-half, half)};
  }
  Vec3 direction() {
    std::normal_distribution<double> normal;
    return Vec3(normal(engine_), normal(engine_), normal(engine_)).normalized();
  }
  Quat rotation() { return Quat(Eigen::AngleAxisd(uniform(0, 3.1), direction())); }
  Pose pose(double half) { return {in_cube(half), rotation()}; }
  std::vector<Vec3> points(int count, double half) {
    std::vector<Vec3> out;
    for (int i = 0; i < count; ++i) out.push_back(in_cube(half));
    return out;
  }
  std::mt19937& engine() { return engine_; }

 private:
  std::mt19937 engine_;
};

inline std::vector<Vec3> moved(std::vector<Vec3> points, const Pose& X) {
  for (Vec3& p : points) p = X * p;
  return points;
}

// Relative to mass, to length and to mass times length squared.
inline void expect_same(const MassProperties& a, const MassProperties& b, double tolerance,
                        double length) {
  const double mass = std::abs(b.mass);
  EXPECT_NEAR(a.mass, b.mass, tolerance * mass);
  EXPECT_LT((a.com - b.com).norm(), tolerance * length) << a.com.transpose() << "\nand\n"
                                                        << b.com.transpose();
  EXPECT_LT((a.inertia - b.inertia).norm(), tolerance * mass * length * length)
      << a.inertia << "\nand\n"
      << b.inertia;
}

}  // namespace abut::testing
