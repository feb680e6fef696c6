// The matrix A of a complementarity problem w = A z + b, in one of three forms:
//
//   dense      row major
//   blocks     block-sparse rows: contacts that share no body do not meet
//   operator   y = A x by a function of the user's, with A's diagonal blocks beside it
//
// A solver says which forms it can use as they are (solver.h); pivoting methods ask for
// `to_dense`. Every form is assigned in place: the same sizes again allocate nothing.
//
//   abut::Matrix A = abut::Matrix::dense(2);
//   A.rows() << 2, 1,
//               1, 2;
//   A.multiply(x, y);  // y = A x
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "abut/math/types.h"

namespace abut {

using VectorX = Eigen::VectorXd;
using DenseRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Square blocks on the diagonal, of any sizes; block row r holds the unknowns
// first[r] .. first[r + 1]. The blocks of a row are sorted by column and stored row major,
// one after the other; the one on the diagonal is always there.
struct BlockRows {
  std::vector<int> first{0};      // of each block row, and the end: size() + 1
  std::vector<int> row_begin{0};  // into `column` and `value_begin`: size() + 1
  std::vector<int> column;        // block column of each block
  std::vector<int> value_begin;   // into `values`
  std::vector<double> values;

  int size() const { return static_cast<int>(first.size()) - 1; }
  int unknowns() const { return first.back(); }
  int width(int block) const { return first[block + 1] - first[block]; }
  int find(int row, int column) const;  // index of the block, -1: not stored (zero)
  double* block(int k) { return values.data() + value_begin[k]; }
  const double* block(int k) const { return values.data() + value_begin[k]; }

  void clear();
  // Starts the next block row, of `width` unknowns; its blocks then come by `add_block`, in
  // ascending order of column, each width x width(column), zero.
  void add_row(int width);
  // `columns` is how many unknowns the block column has; it may come later than this row.
  int add_block(int column, int columns);
};

struct MatrixOperator {
  int size = 0;
  std::function<void(const double* x, double* y)> apply;  // y = A x
  BlockRows diagonal;  // diagonal blocks alone, for methods that precondition by them
};

class Matrix {
 public:
  enum class Form { dense, blocks, matrix_free };

  static Matrix dense(int n) {
    Matrix m;
    m.set_dense(n);
    return m;
  }

  Form form() const { return form_; }
  int size() const;

  void set_dense(int n);  // zeros
  void set_blocks();      // empty; fill blocks()
  void set_operator(MatrixOperator op);

  DenseRows& rows() { return dense_; }
  const DenseRows& rows() const { return dense_; }
  BlockRows& blocks() { return blocks_; }
  const BlockRows& blocks() const { return blocks_; }
  const MatrixOperator& op() const { return operator_; }

  void multiply(const VectorX& x, VectorX& y) const;      // y = A x
  void multiply_abs(const VectorX& x, VectorX& y) const;  // y = |A| |x|; operator: |A x|
  // A as a dense matrix; an operator is asked n times.
  void to_dense(DenseRows& out) const;
  double max_abs() const;  // largest |A_ij|; operator: of its diagonal blocks
  bool all_finite() const;

 private:
  Form form_ = Form::dense;
  DenseRows dense_;
  BlockRows blocks_;
  MatrixOperator operator_;
};

}  // namespace abut
