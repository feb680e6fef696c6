// PatternGroups: rows of a sparse matrix that meet the same others, as contacts of one pair of
// bodies do, put into groups; and which groups meet.
//
// Patterns are compared between nodes: block rows of a matrix in blocks, pieces of a dense one.
#pragma once

#include <span>
#include <vector>

#include "abut/solve/matrix.h"

namespace abut {

// Rows that belong together: a cone, or a row by itself.
struct RowPiece {
  int first, size;
};

class PatternGroups {
 public:
  // The pieces cover all rows, in order. Groups come in the order of their patterns.
  void find(const Matrix& A, std::span<const RowPiece> pieces);
  // Makes all groups one.
  void join();
  // Of every group those that it meets, itself included, ascending.
  void find_neighbours();

  int count() const { return static_cast<int>(groups_.size()); }
  std::span<const int> rows(int group) const {
    return {rows_.data() + groups_[group].row_begin, static_cast<std::size_t>(groups_[group].rows)};
  }
  // By index in the pieces of find(), ascending.
  std::span<const int> pieces(int group) const {
    return {piece_order_.data() + groups_[group].piece_begin,
            static_cast<std::size_t>(groups_[group].pieces)};
  }
  // Of group g: neighbours()[begin()[g]] to neighbours()[begin()[g + 1] - 1].
  const std::vector<int>& begin() const { return begin_; }
  const std::vector<int>& neighbours() const { return neighbours_; }
  // The block row of a row, of a matrix in blocks.
  int node_of(int row) const { return node_of_row_[row]; }

 private:
  struct Group {
    int row_begin, rows;      // into rows_
    int piece_begin, pieces;  // into piece_order_
  };

  void find_nodes(const BlockRows& A);
  void find_nodes(const double* A, int n, std::span<const RowPiece> pieces);
  void number_patterns();
  void collect(std::span<const RowPiece> pieces);
  std::span<const int> met_by(int node) const;

  std::vector<int> node_of_row_, node_first_;
  std::vector<int> node_begin_, node_neighbours_;
  std::vector<int> node_order_, group_of_node_;
  std::vector<int> piece_order_;
  std::vector<Group> groups_;
  std::vector<int> rows_;
  std::vector<int> begin_, neighbours_;
};

}  // namespace abut
