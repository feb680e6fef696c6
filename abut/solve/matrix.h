// The matrix A of a complementarity problem w = A z + b, in one of four forms:
//
//   dense      row major
//   blocks     block-sparse rows: contacts that share no body do not meet
//   operator   y = A x by a function of the user's, with A's diagonal blocks beside it
//   factored   J, M^-1 J' and what is on the diagonal beside their product
//              (factored/factored_matrix.h); Solver::solve() makes blocks of it for solvers that
//              do not take factors
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
#include "abut/solve/factored/factored_matrix.h"

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
  enum class Form { dense, blocks, matrix_free, factored };

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
  void set_factored();  // empty; fill factored()

  DenseRows& rows() { return dense_; }
  const DenseRows& rows() const { return dense_; }
  BlockRows& blocks() { return blocks_; }
  const BlockRows& blocks() const { return blocks_; }
  const MatrixOperator& op() const { return operator_; }
  FactoredMatrix& factored() { return factored_; }
  const FactoredMatrix& factored() const { return factored_; }

  void multiply(const VectorX& x, VectorX& y) const;      // y = A x
  void multiply_abs(const VectorX& x, VectorX& y) const;  // y = |A| |x|; operator: |A x|;
                                                          // factored: |J| |M^-1 J'| |x|
  // A as a dense matrix; operators and factors are asked n times.
  void to_dense(DenseRows& out) const;
  double max_abs() const;  // largest |A_ij|; operator, factored: of its diagonal
  bool all_finite() const;

 private:
  Form form_ = Form::dense;
  DenseRows dense_;
  BlockRows blocks_;
  MatrixOperator operator_;
  FactoredMatrix factored_;
  mutable std::vector<double> u_;  // scratch of factored products
};

}  // namespace abut
