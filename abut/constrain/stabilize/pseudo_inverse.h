// x = A^+ b of a symmetric semidefinite A, by its eigenvalues; those below `cut` of the largest
// count as none (Cline and Pai, section IV-B; C-9). With A = J M^-1 J', M^-1 J' A^+ is the
// pseudo-inverse of J in the metric of the masses (C-10): the least change, by its energy, that
// comes nearest to J dp = b, redundant rows or not.
//
// Rows are first scaled to a unit diagonal, so that metres and radians are cut alike.
//
//   abut::PseudoInverse inverse;
//   int rank = inverse.solve(A, b, x);
#pragma once

#include <Eigen/Eigenvalues>

#include "abut/constrain/tolerances.h"
#include "abut/solve/matrix.h"

namespace abut {

class PseudoInverse {
 public:
  double cut = kPseudoInverseCut;

  // Returns how many eigenvalues counted. The same size again allocates nothing.
  int solve(const DenseRows& A, const VectorX& b, VectorX& x);

 private:
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen_;
  Eigen::MatrixXd scaled_;
  VectorX scale_;
};

}  // namespace abut
