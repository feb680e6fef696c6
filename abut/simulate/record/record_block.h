// What a recording has a row of for each recorded step: the columns, and a block of rows of
// them in memory, on its way from the step to the file. Contacts come and go, so their columns
// have a length of their own; of each row there is where its entries end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "abut/model/model.h"

namespace abut {

enum class ColumnType { real, integer, bits };  // double, int64, uint64: 8 bytes each

struct RecordColumn {
  std::string name;  // of its dataset
  ColumnType type = ColumnType::real;
  std::vector<std::size_t> shape;  // of one row; empty: a number
  std::string units, about;
  bool by_row = true;  // false: a length of its own, and `shape` is that of an entry

  std::size_t width() const {  // numbers in a row; 0: the model has none of it
    std::size_t n = 1;
    for (const std::size_t s : shape) n *= s;
    return n;
  }
};

// The order of record_columns().
enum class ColumnId : std::uint8_t {
  time,
  step,
  q,
  v,
  act,
  turn,
  ctrl,
  body_position,
  body_quaternion,
  hash,
  kinetic,
  potential,
  linear_momentum,
  angular_momentum,
  memory_end,
  pairs_end,
  body_force,
  body_friction,
  body_torque,
  body_point,
  // by entry
  memory,
  pair_geoms,
  pair_force,
  pair_torque,
  pair_point,
  pair_normal,
  pair_normal_force,
  pair_friction_force,
  pair_points_end,
  point_position,
  point_force,
  point_normal_force,
  count
};

// Without `contacts` those of contacts have no width.
std::vector<RecordColumn> record_columns(const Model& model, bool contacts);

class RecordBlock {
 public:
  explicit RecordBlock(const std::vector<RecordColumn>& columns);

  // Where the next row's numbers of a column go; row_done() takes the row in.
  template <class Number>
  void put(ColumnId column, const Number* from) {
    static_assert(sizeof(Number) == 8);
    if (from) std::memcpy(place(column), from, 8 * widths_[static_cast<std::size_t>(column)]);
  }
  double* place(ColumnId column) {
    const auto c = static_cast<std::size_t>(column);
    return words_[c].data() + rows_ * widths_[c];
  }
  // Where `count` more entries of a column with a length of its own go. Allocates only when a
  // block is fuller than it ever was.
  double* extend(ColumnId column, std::size_t count);
  bool has(ColumnId column) const { return widths_[static_cast<std::size_t>(column)] > 0; }
  void row_done() { ++rows_; }
  void clear();

  std::size_t rows() const { return rows_; }
  std::size_t entries(std::size_t column) const {
    return by_row_[column] ? rows_ : entries_[column];
  }
  std::size_t bytes() const;
  bool full() const { return rows_ >= capacity_ || entry_words_ >= kWords; }
  bool half_full() const { return rows_ >= capacity_ / 2 || entry_words_ >= kWords / 2; }
  const void* column(std::size_t c) const { return words_[c].data(); }

 private:
  static constexpr std::size_t kWords = 1 << 19;  // 4 MB

  std::size_t rows_ = 0, capacity_ = 0, entry_words_ = 0;
  std::vector<std::size_t> widths_, entries_;
  std::vector<bool> by_row_;
  std::vector<std::vector<double>> words_;  // integers are kept by their bits
};

}  // namespace abut
