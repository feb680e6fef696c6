#include "abut/solve/linear/least_squares.h"

#include <gtest/gtest.h>

#include <Eigen/QR>

#include "support/random.h"

namespace abut {
namespace {

using test::Random;

Eigen::MatrixXd random_matrix(Random& random, int m, int n) {
  Eigen::MatrixXd a(m, n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) a(i, j) = random.uniform(-1, 1);
  return a;
}

// The reference stacks sqrt(mu) I below J; with mu = 0 that is plain least squares.
TEST(LeastSquares, AgreesWithEigen) {
  Random random(3);
  LeastSquares ls;
  for (int trial = 0; trial < 60; ++trial) {
    const int n = random.integer(1, 25), m = n + random.integer(0, 25);
    Eigen::MatrixXd J = random_matrix(random, m, n);
    if (trial % 3 == 0 && n > 1) J.col(0) = J.col(n - 1);  // not of full rank
    const Eigen::VectorXd r = random_matrix(random, m, 1);
    ls.resize(m + 5, n);
    ls.J.topRows(m) = J;
    ls.J.bottomRows(5).setConstant(7);  // not looked at
    ls.r.head(m) = r;
    ls.factor(m);
    if (trial % 3 == 0 && n > 1)
      EXPECT_GT(ls.condition(), 1e13);
    else
      EXPECT_LT(ls.condition(), 1e5);
    for (const double mu : {0.0, 1e-6, 0.1}) {
      if (mu == 0 && trial % 3 == 0) continue;
      Eigen::MatrixXd stacked(m + n, n);
      stacked << J, std::sqrt(mu) * Eigen::MatrixXd::Identity(n, n);
      Eigen::VectorXd rhs = Eigen::VectorXd::Zero(m + n), x;
      rhs.head(m) = r;
      const Eigen::VectorXd expected = stacked.colPivHouseholderQr().solve(rhs);
      ls.solve(mu, x);
      EXPECT_LT((x - expected).norm(), 1e-8 * (1 + expected.norm())) << n << " " << m << " " << mu;
    }
  }
}

}  // namespace
}  // namespace abut
