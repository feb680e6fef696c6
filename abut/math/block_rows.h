// BlockRows: a square matrix of dense blocks, most of which are zero, such as the Delassus matrix J
// M^-1 J': contacts that share no body have no block.
//
//   abut::BlockRows A;
//   A.add_row(3);
//   A.block(A.add_block(0, 3))[0] = 1;
#pragma once

#include <vector>

namespace abut {

// The diagonal blocks are square, of any sizes; block row r holds the unknowns first[r] .. first[r
// + 1]. The blocks of a row are sorted by column and stored row major, one after the other; the
// diagonal block is always stored.
struct BlockRows {
  std::vector<int> first{0};      // first unknown of each block row, and the end: size() + 1
  std::vector<int> row_begin{0};  // into `column` and `value_begin`: size() + 1
  std::vector<int> column;        // block column of each block
  std::vector<int> value_begin;   // into `values`
  std::vector<double> values;

  int size() const { return static_cast<int>(first.size()) - 1; }
  int unknowns() const { return first.back(); }
  int width(int block) const { return first[block + 1] - first[block]; }
  int find(int row, int column) const;  // index of the block; -1: not stored (zero)
  double* block(int k) { return values.data() + value_begin[k]; }
  const double* block(int k) const { return values.data() + value_begin[k]; }

  void clear();
  // Starts the next block row, of `width` unknowns. Then add_block() adds its blocks in ascending
  // order of column, each width x width(column), zero.
  void add_row(int width);
  // `columns` is the number of unknowns of the block column, which may be added after this row.
  int add_block(int column, int columns);
};

}  // namespace abut
