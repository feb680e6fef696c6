#include "abut/simulate/record_block.h"

#include <algorithm>

namespace abut {

std::vector<RecordColumn> record_columns(const Model& model) {
  using enum ColumnType;
  const auto nbody = static_cast<std::size_t>(model.nbody());
  auto count = [](int n) { return std::vector<std::size_t>{static_cast<std::size_t>(n)}; };
  return {
      {"time", real, {}, "s", "time of the state"},
      {"step", integer, {}, "1", "steps taken since the start of the run"},
      {"q", real, count(model.nq), "m, rad, 1 (see model/q_units)",
       "positions; quaternions as wxyz"},
      {"v", real, count(model.nv), "m/s, rad/s (see model/v_units)", "velocities"},
      {"act", real, count(model.na), "1", "activations of actuators with dynamics"},
      {"ctrl", real, count(model.nu()), "1", "controls in the step that led to the state"},
      {"body_position", real, {nbody, 3}, "m", "origin of each body frame in the world"},
      {"body_quaternion",
       real,
       {nbody, 4},
       "1",
       "orientation of each body frame in the world, wxyz"},
      {"hash", bits, {}, "1", "hash of the whole state, as printed by abut run"},
      {"measures/kinetic", real, {}, "J", "kinetic energy, armature included"},
      {"measures/potential", real, {}, "J", "potential energy of gravity and springs"},
      {"measures/linear_momentum", real, {3}, "N s", "linear momentum in world axes"},
      {"measures/angular_momentum",
       real,
       {3},
       "N m s",
       "angular momentum about the world's origin"},
  };
}

RecordBlock::RecordBlock(const std::vector<RecordColumn>& columns) {
  constexpr std::size_t kWords = 1 << 19;  // 4 MB
  std::size_t row = 0;
  for (const RecordColumn& c : columns) {
    widths_.push_back(c.width());
    row += c.width();
  }
  // a large world still gets some rows, a small one no more than it takes to be efficient
  capacity_ = std::clamp<std::size_t>(kWords / row, 8, 8192);
  for (const std::size_t w : widths_) words_.emplace_back(capacity_ * w);
}

}  // namespace abut
