// LU factorisation of a block-sparse matrix with a symmetric pattern and square diagonal blocks of
// any sizes: minimum-degree order, fill computed once per pattern, pivoting inside the diagonal
// blocks. Intended for matrices 1 + G B without small pivots (cone.h).
//
//   lu.set_pattern(sizes, begin, neighbours);   // does nothing if it is the last one
//   lu.clear();
//   add to lu.block(i, j) ..
//   lu.factor();
//   lu.solve(x);                                // in place, in the order of the blocks
#pragma once

#include <span>
#include <vector>

namespace abut {

class BlockLu {
 public:
  // Block i has sizes[i] rows and meets the blocks neighbours[begin[i] .. begin[i + 1]] (which may
  // include i).
  void set_pattern(std::span<const int> sizes, std::span<const int> begin,
                   std::span<const int> neighbours);

  void clear();
  double* block(int i, int j);  // row major, sizes[i] x sizes[j]; i and j must meet

  // False: a diagonal block is singular.
  bool factor();
  void solve(double* x) const;

  int size() const { return static_cast<int>(sizes_.size()); }
  int unknowns() const { return begin_.empty() ? 0 : begin_.back(); }
  std::size_t stored() const { return values_.size(); }  // numbers in the factor, with fill

 private:
  void order();
  void lay_out();
  int find(int pivot, int later) const;  // index into later_, by positions in the order

  std::vector<int> sizes_, pattern_begin_, pattern_;  // as given
  std::vector<int> begin_;                            // first unknown of each block
  std::vector<int> order_, position_;                 // block at a position, and back
  // for the pivot at position k: positions of the later blocks it meets, with fill
  std::vector<int> later_begin_, later_;
  std::vector<std::size_t> diagonal_at_, upper_at_, lower_at_;  // into values_
  std::vector<std::size_t> targets_;  // of all updates, in the order of execution
  std::vector<double> values_;
  std::vector<int> pivots_;
  std::vector<std::vector<int>> meets_;  // scratch of `order`, as are these
  std::vector<int> degrees_, joined_;
  mutable std::vector<double> x_;
};

}  // namespace abut
