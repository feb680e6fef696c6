// HandPath: where a scripted hand wants to be at a time. It goes from point to point as hands do,
// with the least jerk (Flash and Hogan 1985), and rests at each point.
//
//   const double rows[] = {0, 0, 0, 0, 1, 0.1, 0, 0};   // t, x, y, z
//   abut::haptic::HandPath path(rows, {});
//   abut::haptic::HandGoal goal = path.at(0.5);
#pragma once

#include <span>
#include <vector>

#include "abut/math/types.h"

namespace abut::haptic {

struct HandGoal {
  Vec3 position = Vec3::Zero(), velocity = Vec3::Zero();  // m, m/s
  Vec3 turn = Vec3::Zero(), turn_rate = Vec3::Zero();     // rotation vector (rad), its rate
};

class HandPath {
 public:
  HandPath() = default;  // at rest at zero
  // Rows of four numbers: t (s, ascending), x, y, z (m); and t, rx, ry, rz (rotation vector, rad).
  // Throws std::invalid_argument.
  HandPath(std::span<const double> positions, std::span<const double> turns);

  // Begins anew when it is over, if it ends where it began; else the hand stays at the end.
  HandGoal at(double time) const;
  double duration() const;  // s

 private:
  struct Track {
    std::vector<double> times;
    std::vector<Vec3> points;
    void at(double time, Vec3& value, Vec3& rate) const;
    bool closed() const { return points.size() > 1 && points.front() == points.back(); }
  };
  static Track track_of(std::span<const double> rows);

  Track position_, turn_;
};

}  // namespace abut::haptic
