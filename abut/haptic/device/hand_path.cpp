#include "abut/haptic/device/hand_path.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace abut::haptic {

HandPath::Track HandPath::track_of(std::span<const double> rows) {
  if (rows.size() % 4 != 0)
    throw std::invalid_argument("a path has rows of four numbers: t (s) and three more");
  Track track;
  for (std::size_t i = 0; i < rows.size(); i += 4) {
    for (int k = 0; k < 4; ++k)
      if (!std::isfinite(rows[i + static_cast<std::size_t>(k)]))
        throw std::invalid_argument("a path has finite numbers");
    if (!track.times.empty() && rows[i] <= track.times.back())
      throw std::invalid_argument("the times of a path must ascend");
    track.times.push_back(rows[i]);
    track.points.emplace_back(rows[i + 1], rows[i + 2], rows[i + 3]);
  }
  return track;
}

HandPath::HandPath(std::span<const double> positions, std::span<const double> turns)
    : position_(track_of(positions)), turn_(track_of(turns)) {}

double HandPath::duration() const {
  double end = 0;
  for (const Track* t : {&position_, &turn_})
    if (!t->times.empty()) end = std::max(end, t->times.back());
  return end;
}

void HandPath::Track::at(double time, Vec3& value, Vec3& rate) const {
  rate.setZero();
  if (points.empty()) {
    value.setZero();
    return;
  }
  const auto next =
      static_cast<std::size_t>(std::upper_bound(times.begin(), times.end(), time) - times.begin());
  if (next == 0 || next == times.size()) {
    value = next == 0 ? points.front() : points.back();
    return;
  }
  const double span = times[next] - times[next - 1], s = (time - times[next - 1]) / span;
  const Vec3 way = points[next] - points[next - 1];
  value = points[next - 1] + s * s * s * (10 + s * (6 * s - 15)) * way;
  rate = 30 * s * s * (1 - s) * (1 - s) / span * way;
}

HandGoal HandPath::at(double time) const {
  const double end = duration();
  const bool again =
      (position_.points.empty() || position_.closed()) && (turn_.points.empty() || turn_.closed());
  if (again && end > 0 && time > end) time = std::fmod(time, end);
  HandGoal goal;
  position_.at(time, goal.position, goal.velocity);
  turn_.at(time, goal.turn, goal.turn_rate);
  return goal;
}

}  // namespace abut::haptic
