#include "abut/math/dense.h"

namespace abut {

bool find_eigenvectors(const Eigen::Ref<const MatX>& A,
                       Eigen::SelfAdjointEigenSolver<MatX>& eigen) {
  return eigen.compute(A).info() == Eigen::Success;
}

void factor_symmetric(const Eigen::Ref<const MatX>& A, Eigen::LDLT<MatX>& factor) {
  factor.compute(A);
}

void solve_symmetric(const Eigen::LDLT<MatX>& factor, VecX& x) { factor.solveInPlace(x); }
void solve_symmetric(const Eigen::LDLT<MatX>& factor, MatX& x) { factor.solveInPlace(x); }

MatX product(const Eigen::Ref<const MatX>& A, const Eigen::Ref<const MatX>& B) { return A * B; }

}  // namespace abut
