// The updated factor against A_CC itself, through random comings and goings.
#include "abut/solve/linear/active_factor.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "abut/solve/linear/dense_lu.h"
#include "support/random.h"

namespace abut {
namespace {

using test::Random;

double error_of_solve(const ActiveFactor& factor, const DenseRows& A, Random& random) {
  const int k = factor.size();
  VectorX x(k), right = VectorX::Zero(k);
  for (int i = 0; i < k; ++i) x[i] = random.uniform(-1, 1);
  for (int i = 0; i < k; ++i)
    for (int j = 0; j < k; ++j) right[i] += A(factor.rows()[i], factor.rows()[j]) * x[j];
  factor.solve(right.data());
  return k == 0 ? 0 : (right - x).cwiseAbs().maxCoeff();
}

TEST(ActiveFactor, StaysTheFactorOfItsRows) {
  Random random(1);
  const int n = 37;
  DenseRows G(n, n);
  for (int i = 0; i < n * n; ++i) G.data()[i] = random.uniform(-1, 1);
  const DenseRows A = G * G.transpose() + DenseRows::Identity(n, n);
  ActiveFactor factor;
  factor.reset(n);
  std::vector<int> dependent, coming;
  for (int turn = 0; turn < 300; ++turn) {
    if (random.chance(2)) {
      coming.clear();
      for (int i = 0; i < n; ++i)
        if (factor.position(i) < 0 && random.chance(6)) coming.push_back(i);
      factor.append(A, coming, dependent);
    } else if (random.chance(2)) {
      const int row = random.integer(0, n - 1);
      if (factor.position(row) < 0) {
        const double schur = factor.forward(A, row);
        ASSERT_GT(schur, 0);
        factor.push(row, schur);
      }
    } else {
      for (int k = 0; k < 4 && factor.size() > 0; ++k)
        factor.remove(random.integer(0, factor.size() - 1));
    }
    for (int k = 0; k < factor.size(); ++k) ASSERT_EQ(factor.position(factor.rows()[k]), k);
    ASSERT_LT(error_of_solve(factor, A, random), 1e-10) << "turn " << turn;
  }
  EXPECT_TRUE(dependent.empty());
}

TEST(ActiveFactor, LeavesOutRowsThatDepend) {
  Random random(2);
  DenseRows G(30, 5);
  for (int i = 0; i < G.size(); ++i) G.data()[i] = random.uniform(-1, 1);
  const DenseRows A = G * G.transpose();
  ActiveFactor factor;
  factor.reset(30);
  std::vector<int> all(30), dependent;
  for (int i = 0; i < 30; ++i) all[i] = i;
  factor.append(A, all, dependent);
  EXPECT_EQ(factor.size(), 5);
  EXPECT_EQ(dependent.size(), 25u);
  EXPECT_EQ(factor.forward(A, dependent.front()), 0);
}

TEST(DenseLu, SolvesScaledSystemsAndRefusesSingularOnes) {
  Random random(3);
  DenseLu lu;
  lu.resize(23);
  for (int n = 1; n <= 23; ++n) {
    DenseRows A(n, n);
    VectorX x(n);
    for (int i = 0; i < n; ++i) {
      x[i] = random.uniform(-1, 1);
      const double scale = random.magnitude(1e-8, 1e8);
      for (int j = 0; j < n; ++j) A(i, j) = scale * random.uniform(-1, 1);
    }
    VectorX right = A * x;
    lu.start(n) = A;
    ASSERT_TRUE(lu.factor());
    lu.solve(right.data());
    EXPECT_LT((right - x).cwiseAbs().maxCoeff(), 1e-9);
    if (n < 2) continue;
    A.row(n - 1) = 3 * A.row(0);
    lu.start(n) = A;
    EXPECT_FALSE(lu.factor());
  }
}

}  // namespace
}  // namespace abut
