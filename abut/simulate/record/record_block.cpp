#include "abut/simulate/record/record_block.h"

#include <algorithm>

namespace abut {

std::vector<RecordColumn> record_columns(const Model& model, bool contacts) {
  using enum ColumnType;
  const auto nbody = static_cast<std::size_t>(model.nbody());
  auto count = [](int n) { return std::vector<std::size_t>{static_cast<std::size_t>(n)}; };
  const std::size_t on = contacts ? 1 : 0;
  const auto number = contacts ? std::vector<std::size_t>{} : std::vector<std::size_t>{0};
  return {
      {"time", real, {}, "s", "time of the state"},
      {"step", integer, {}, "1", "steps taken since the start of the run"},
      {"q", real, count(model.nq), "m, rad, 1 (see model/q_units)",
       "positions; quaternions as wxyz"},
      {"v", real, count(model.nv), "m/s, rad/s (see model/v_units)", "velocities"},
      {"act", real, count(model.na), "1", "activations of actuators with dynamics"},
      {"turn", real, count(static_cast<int>(model.measures.size())), "m, rad",
       "of joints in maximal coordinates: how far they are, turns counted"},
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
      {"memory_end",
       integer,
       {},
       "1",
       "where in `memory` the row ends; it begins where the last did"},
      {"contacts/pairs_end", integer, number, "1",
       "where the row's pairs end; they begin where the last row's did"},
      {"contacts/body_force",
       real,
       {on * nbody, 3},
       "N",
       "of all contacts on each body, in the step that led to the state"},
      {"contacts/body_friction",
       real,
       {on * nbody, 3},
       "N",
       "the part of body_force that is tangential to the contacts"},
      {"contacts/body_torque",
       real,
       {on * nbody, 3},
       "N m",
       "of all contacts on each body, about body_point"},
      {"contacts/body_point",
       real,
       {on * nbody, 3},
       "m",
       "where body_force acts; NaN: the body touches nothing"},
      {"memory", bits, {}, "1", "what contacts remember from step to step, for abut alone", false},
      {"contacts/pair_geoms",
       integer,
       {on * 2},
       "1",
       "geoms A and B of each pair (model/geom_names)",
       false},
      {"contacts/pair_force", real, {on * 3}, "N", "on B; A has its opposite", false},
      {"contacts/pair_torque", real, {on * 3}, "N m", "on B, about pair_point", false},
      {"contacts/pair_point", real, {on * 3}, "m", "where pair_force acts", false},
      {"contacts/pair_normal", real, {on * 3}, "1", "unit, from A to B", false},
      {"contacts/pair_normal_force", real, number, "N", "the part of pair_force along pair_normal",
       false},
      {"contacts/pair_friction_force", real, number, "N", "length of the rest of it", false},
      {"contacts/pair_points_end", integer, number, "1",
       "where the pair's points end; they begin where the last pair's did", false},
      {"contacts/point_position", real, {on * 3}, "m", "points of the pairs", false},
      {"contacts/point_force", real, {on * 3}, "N", "on B", false},
      {"contacts/point_normal_force", real, number, "N", "the part along pair_normal", false},
  };
}

RecordBlock::RecordBlock(const std::vector<RecordColumn>& columns) {
  std::size_t row = 0;
  for (const RecordColumn& c : columns) {
    widths_.push_back(c.width());
    by_row_.push_back(c.by_row);
    entries_.push_back(0);
    if (c.by_row) row += c.width();
  }
  // a large world still gets some rows, a small one no more than it takes to be efficient
  capacity_ = std::clamp<std::size_t>(kWords / row, 8, 8192);
  for (std::size_t c = 0; c < widths_.size(); ++c)
    words_.emplace_back(by_row_[c] ? capacity_ * widths_[c] : 0);
}

double* RecordBlock::extend(ColumnId column, std::size_t count) {
  const auto c = static_cast<std::size_t>(column);
  const std::size_t begin = entries_[c] * widths_[c], end = begin + count * widths_[c];
  if (end > words_[c].size()) words_[c].resize(std::max(end, 2 * words_[c].size()));
  entries_[c] += count;
  entry_words_ += end - begin;
  return words_[c].data() + begin;
}

void RecordBlock::clear() {
  rows_ = 0;
  entry_words_ = 0;
  std::fill(entries_.begin(), entries_.end(), 0);
}

std::size_t RecordBlock::bytes() const {
  std::size_t words = 0;
  for (std::size_t c = 0; c < widths_.size(); ++c) words += entries(c) * widths_[c];
  return 8 * words;
}

}  // namespace abut
