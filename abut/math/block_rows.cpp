#include "abut/math/block_rows.h"

#include <algorithm>

namespace abut {

int BlockRows::find(int row, int wanted) const {
  const auto begin = column.begin() + row_begin[row], end = column.begin() + row_begin[row + 1];
  const auto it = std::lower_bound(begin, end, wanted);
  return it != end && *it == wanted ? static_cast<int>(it - column.begin()) : -1;
}

void BlockRows::clear() {
  first.assign(1, 0);
  row_begin.assign(1, 0);
  column.clear();
  value_begin.clear();
  values.clear();
}

void BlockRows::add_row(int width) {
  first.push_back(first.back() + width);
  row_begin.push_back(static_cast<int>(column.size()));
}

int BlockRows::add_block(int block_column, int columns) {
  const int index = static_cast<int>(column.size());
  column.push_back(block_column);
  value_begin.push_back(static_cast<int>(values.size()));
  values.resize(values.size() + static_cast<std::size_t>(width(size() - 1)) * columns, 0.0);
  row_begin.back() = static_cast<int>(column.size());
  return index;
}

}  // namespace abut
