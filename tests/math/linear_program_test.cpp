#include "abut/math/linear_program.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <functional>
#include <limits>
#include <random>

namespace abut {
namespace {

using Vector = LinearProgram::Vector;

TEST(LinearProgram, APlaneProblemByHand) {
  LinearProgram lp(2, 100);
  lp.add({1, 2}, 14);
  lp.add({-3, 1}, 0);
  lp.add({1, -1}, 2);
  const auto best = lp.maximise({3, 4});
  ASSERT_TRUE(best.feasible);
  EXPECT_NEAR(best.value, 34, 1e-12);
  EXPECT_NEAR(best.x[0], 6, 1e-12);
  EXPECT_NEAR(best.x[1], 4, 1e-12);
}

TEST(LinearProgram, BoundsHold) {
  for (int n = 1; n <= 4; ++n) {
    LinearProgram lp(n, 7);
    const auto best = lp.maximise({1, -1, 1, -1});
    ASSERT_TRUE(best.feasible);
    EXPECT_EQ(best.value, 7 * n);
  }
}

TEST(LinearProgram, ContradictionsAreFound) {
  for (int n = 1; n <= 4; ++n) {
    LinearProgram lp(n, 10);
    lp.add({1, 0, 0, 0}, -1);
    lp.add({-1, 0, 0, 0}, 0.5);
    EXPECT_FALSE(lp.maximise({0, 0, 0, 1}).feasible);
    // bounds contradict too
    LinearProgram far(n, 10);
    far.add({-1, 0, 0, 0}, -11);
    EXPECT_FALSE(far.maximise({1, 1, 1, 1}).feasible);
  }
}

// The oracle: every choice of n rows held with equality.
template <int D>
double by_all_vertices(const Eigen::MatrixXd& A, const Eigen::VectorXd& b,
                       const Eigen::VectorXd& c) {
  double best = -std::numeric_limits<double>::infinity();
  std::array<int, D> pick;
  const std::function<void(int, int)> choose = [&](int depth, int from) {
    if (depth == D) {
      Eigen::Matrix<double, D, D> M;
      Eigen::Matrix<double, D, 1> r;
      for (int i = 0; i < D; ++i) M.row(i) = A.row(pick[i]), r[i] = b[pick[i]];
      const auto lu = M.fullPivLu();
      if (!lu.isInvertible()) return;
      const Eigen::VectorXd x = lu.solve(r);
      if (((A * x - b).array() <= 1e-9).all()) best = std::max(best, c.dot(x));
      return;
    }
    for (int i = from; i < A.rows(); ++i) pick[depth] = i, choose(depth + 1, i + 1);
  };
  choose(0, 0);
  return best;
}

template <int D>
void compare_with_all_vertices(unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<double> normal;
  int infeasible = 0;
  for (int k = 0; k < 100; ++k) {
    const int rows = D + 1 + k % (D == 4 ? 8 : 12);
    Eigen::MatrixXd A(rows + 2 * D, D);
    Eigen::VectorXd b(rows + 2 * D), c(D);
    LinearProgram lp(D, 5);
    for (int i = 0; i < rows; ++i) {
      Vector a{};
      for (int j = 0; j < D; ++j) A(i, j) = normal(engine);
      A.row(i).normalize();
      // some through one point, some twice, some random
      b[i] = k % 3 == 0 ? A.row(i).sum() : normal(engine) + 0.7;
      if (k % 3 == 1 && i > 0 && i % 2) A.row(i) = A.row(i - 1), b[i] = b[i - 1];
      for (int j = 0; j < D; ++j) a[j] = A(i, j);
      lp.add(a, b[i]);
    }
    for (int j = 0; j < D; ++j) {
      A.row(rows + 2 * j).setUnit(j);
      A.row(rows + 2 * j + 1) = -A.row(rows + 2 * j);
      b[rows + 2 * j] = b[rows + 2 * j + 1] = 5;
    }
    Vector objective{};
    for (int j = 0; j < D; ++j) objective[j] = c[j] = normal(engine);
    const auto best = lp.maximise(objective);
    const double value = by_all_vertices<D>(A, b, c);
    ASSERT_EQ(best.feasible, std::isfinite(value)) << k;
    infeasible += !best.feasible;
    if (!best.feasible) continue;
    EXPECT_NEAR(best.value, value, 1e-9) << k;
    EXPECT_LE(best.violation, 1e-12) << k;
  }
  EXPECT_LT(infeasible, 90);
}

TEST(LinearProgram, AgreesWithAllVerticesIn2) { compare_with_all_vertices<2>(1); }
TEST(LinearProgram, AgreesWithAllVerticesIn3) { compare_with_all_vertices<3>(2); }
TEST(LinearProgram, AgreesWithAllVerticesIn4) { compare_with_all_vertices<4>(3); }

// Ten thousand planes touching one ball, all violated at the start, many at the optimum.
TEST(LinearProgram, ManyRowsAndTies) {
  std::mt19937 engine(4);
  std::normal_distribution<double> normal;
  LinearProgram lp(4, 100);
  for (int i = 0; i < 10000; ++i) {
    Eigen::Vector3d n(normal(engine), normal(engine), normal(engine));
    n.normalize();
    lp.add({n.x(), n.y(), n.z(), 1}, 1 + n.dot(Eigen::Vector3d(0.3, -0.2, 0.1)));
  }
  const auto best = lp.maximise({0, 0, 0, 1});
  ASSERT_TRUE(best.feasible);
  EXPECT_NEAR(best.value, 1, 1e-13);
  EXPECT_NEAR(best.x[0], 0.3, 1e-11);
  EXPECT_NEAR(best.x[1], -0.2, 1e-11);
  EXPECT_NEAR(best.x[2], 0.1, 1e-11);
  EXPECT_LE(best.violation, 1e-13);
  const auto again = lp.maximise({0, 0, 0, 1});
  EXPECT_EQ(again.x, best.x);
}

// All planes through one point: feasible, however rounding has them contradict.
TEST(LinearProgram, OnePointLeft) {
  std::mt19937 engine(5);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 50; ++k) {
    const Eigen::Vector3d p(normal(engine), normal(engine), normal(engine));
    LinearProgram lp(3, 100);
    for (int i = 0; i < 40; ++i) {
      Eigen::Vector3d n(normal(engine), normal(engine), normal(engine));
      n.normalize();
      lp.add({n.x(), n.y(), n.z()}, n.dot(p));
    }
    const auto best = lp.maximise({1, 2, 3});
    ASSERT_TRUE(best.feasible);
    EXPECT_LT((Eigen::Vector3d(best.x[0], best.x[1], best.x[2]) - p).norm(), 1e-11);
  }
}

}  // namespace
}  // namespace abut
