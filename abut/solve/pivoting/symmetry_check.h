// SymmetryCheck: whether a dense matrix is symmetric, row by row as far as somebody asks, or all of
// it at once. What was checked is not checked again.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "abut/solve/pivoting/row_states.h"

namespace abut {

class SymmetryCheck {
 public:
  // A must live until the last question.
  void set(const DenseRows& A) {
    A_ = &A;
    known_.assign(static_cast<std::size_t>(A.rows()), 0);
    all_ = false;
  }

  // Row i is its column.
  bool row(int i) {
    if (all_ || known_[i]) return true;
    known_[i] = row_is_column(*A_, i);
    return known_[i];
  }
  bool all() {
    all_ = all_ || is_symmetric(*A_);
    return all_;
  }
  bool rows(std::span<const int> of) {
    // a column touches a cache line for each entry: many of them are dearer than all rows in tiles
    if (of.size() * 8 > known_.size()) return all();
    return std::all_of(of.begin(), of.end(), [this](int i) { return row(i); });
  }

 private:
  const DenseRows* A_ = nullptr;
  std::vector<char> known_;  // rows that are known to be their columns
  bool all_ = false;
};

}  // namespace abut
