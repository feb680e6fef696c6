// Boxes for the tasks, the same numbers in every engine's program: some that rest on each
// other, and thousands that fly about.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "scene.h"

class Numbers {
 public:
  // the high bits of a linear congruence: plain, and the same everywhere
  double uniform(double low, double high) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (static_cast<double>(state_ >> 11) * 0x1p-53);
  }

 private:
  std::uint64_t state_ = 42;
};

struct RestingPair {
  Point half_a, half_b;
  Placement X_WA, X_WB;
};

// B lies on A, turned about the vertical, tilted by some 1e-5 rad and 0.1 mm deep.
inline std::vector<RestingPair> resting_boxes(int count) {
  Numbers r;
  std::vector<RestingPair> pairs;
  for (int i = 0; i < count; ++i) {
    RestingPair p;
    p.half_a = {r.uniform(0.3, 0.5), r.uniform(0.3, 0.5), r.uniform(0.3, 0.5)};
    p.half_b = {r.uniform(0.3, 0.5), r.uniform(0.3, 0.5), r.uniform(0.3, 0.5)};
    p.X_WA = {{r.uniform(-1, 1), r.uniform(-1, 1), p.half_a[2]}, {1, 0, 0, 0}};
    const double turn = i % 2 == 0 ? 0 : r.uniform(0, 0.8), tilt = r.uniform(-1e-5, 1e-5);
    p.X_WB = {{p.X_WA.position[0] + r.uniform(-0.2, 0.2), p.X_WA.position[1] + r.uniform(-0.2, 0.2),
               2 * p.half_a[2] + p.half_b[2] - 1e-4},
              {std::cos(turn) * std::cos(tilt), std::cos(turn) * std::sin(tilt),
               std::sin(turn) * std::sin(tilt), std::sin(turn) * std::cos(tilt)}};
    pairs.push_back(p);
  }
  return pairs;
}

// Boxes along the axes that fly straight, turn back at the walls of a room, and after a
// while go back the way they came, so that all their places can be known beforehand.
class FlyingBoxes {
 public:
  explicit FlyingBoxes(int count) {
    Numbers r;
    const double room = 0.5 * std::cbrt(static_cast<double>(count));
    const auto anywhere = [&](double low, double high) {
      return Point{r.uniform(low, high), r.uniform(low, high), r.uniform(low, high)};
    };
    std::vector<Point> start, velocity;
    for (int i = 0; i < count; ++i) {
      half.push_back(anywhere(0.05, 0.2));
      start.push_back(anywhere(0, room));
      velocity.push_back(anywhere(-1, 1));
    }
    for (int step = 0; step < kSteps; ++step)
      for (std::size_t i = 0; i < half.size(); ++i) {
        Point p;
        for (std::size_t k = 0; k < 3; ++k) {
          // 2 ms a step, at up to 1 m/s
          const double way = std::abs(start[i][k] + 0.002 * step * velocity[i][k]);
          p[k] = way < room ? way : 2 * room - way;
        }
        places_.push_back(p);
      }
  }

  int count() const { return static_cast<int>(half.size()); }
  const Point& position(int i, int step) const {
    const int there_and_back = step % (2 * kSteps);
    const int k = there_and_back < kSteps ? there_and_back : 2 * kSteps - 1 - there_and_back;
    return places_[static_cast<std::size_t>(k * count() + i)];
  }

  std::vector<Point> half;

 private:
  static constexpr int kSteps = 64;
  std::vector<Point> places_;  // of all boxes, step after step
};
