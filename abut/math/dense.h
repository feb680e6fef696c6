// Products and factorisations of dense matrices of any size, compiled once: a source that instantiates
// Eigen's own takes the compiler some five seconds longer (docs/building.md).
//
//   Eigen::SelfAdjointEigenSolver<abut::MatX> eigen;
//   if (abut::find_eigenvectors(A, eigen)) use(eigen.eigenvalues(), eigen.eigenvectors());
//
//   Eigen::LDLT<abut::MatX> factor;
//   abut::factor_symmetric(A, factor);
//   abut::solve_symmetric(factor, x);      // x <- A^-1 x
#pragma once

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>

#include "abut/math/types.h"

namespace abut {

// Of a symmetric matrix, whose lower triangle is read. False: the iteration did not converge. The
// same size again allocates nothing.
bool find_eigenvectors(const Eigen::Ref<const MatX>& A, Eigen::SelfAdjointEigenSolver<MatX>& eigen);

// P' L D L' P of a symmetric positive or negative semidefinite matrix.
void factor_symmetric(const Eigen::Ref<const MatX>& A, Eigen::LDLT<MatX>& factor);
void solve_symmetric(const Eigen::LDLT<MatX>& factor, VecX& x);
void solve_symmetric(const Eigen::LDLT<MatX>& factor, MatX& x);

MatX product(const Eigen::Ref<const MatX>& A, const Eigen::Ref<const MatX>& B);

}  // namespace abut
