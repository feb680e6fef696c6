// The matrix A of a complementarity problem w = A z + b (for contacts, the Delassus matrix), in one
// of three forms:
//
//   dense      row major
//   blocks     block-sparse rows: contacts that share no body have no block
//   operator   y = A x by a function of the user, with A's diagonal blocks beside it
//
// A solver states which forms it uses without conversion (solver.h); pivoting methods call
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

#include "abut/math/block_rows.h"
#include "abut/math/types.h"

namespace abut {

using VectorX = Eigen::VectorXd;
using DenseRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

struct MatrixOperator {
  int size = 0;
  std::function<void(const double* x, double* y)> apply;  // y = A x
  BlockRows diagonal;  // diagonal blocks, for methods that precondition by them
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
  // A as a dense matrix; an operator is applied n times.
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
