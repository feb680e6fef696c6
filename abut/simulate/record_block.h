// What a recording has a row of for each recorded step: the columns, and a block of rows of
// them in memory, on its way from the step to the file.
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
  ctrl,
  body_position,
  body_quaternion,
  hash,
  kinetic,
  potential,
  linear_momentum,
  angular_momentum,
  count
};

std::vector<RecordColumn> record_columns(const Model& model);

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
  void row_done() { ++rows_; }
  void clear() { rows_ = 0; }

  std::size_t rows() const { return rows_; }
  std::size_t bytes() const {  // of its rows
    std::size_t row = 0;
    for (const std::size_t w : widths_) row += 8 * w;
    return rows_ * row;
  }
  std::size_t capacity() const { return capacity_; }
  const void* column(std::size_t c) const { return words_[c].data(); }

 private:
  std::size_t rows_ = 0, capacity_ = 0;
  std::vector<std::size_t> widths_;
  std::vector<std::vector<double>> words_;  // integers are kept by their bits
};

}  // namespace abut
