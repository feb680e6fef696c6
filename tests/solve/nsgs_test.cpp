#include "abut/solve/sweeping/nsgs.h"

#include <gtest/gtest.h>

#include "abut/solve/linear/generalized_inverse.h"
#include "solve/stacks.h"
#include "support/heap.h"

namespace abut {
namespace {

using test::made_dense, test::Stack, test::stack_problem;

TEST(GeneralizedInverse, OfRegularAndRedundantSquares) {
  Eigen::Matrix<double, 4, 4, Eigen::RowMajor> A, X;
  A << 0, 2, 1, 0, 3, 1, 0, 1, 0, 0, 5, 2, 1, 0, 0, 4;
  X = A;
  std::vector<int> scratch;
  EXPECT_EQ(generalized_inverse(X.data(), 4, 1e-12, scratch), 4);
  EXPECT_LT((A * X - Eigen::Matrix4d::Identity()).norm(), 1e-14);
  A.row(2) = A.row(0) + A.row(3);
  X = A;
  EXPECT_EQ(generalized_inverse(X.data(), 4, 1e-12, scratch), 3);
  EXPECT_LT((A * X * A - A).norm(), 1e-13);
}

TEST(Nsgs, SettlesStacksInBothForms) {
  for (const double mu : {0.1, 0.5, 1.0}) {
    const Problem blocks = stack_problem({.boxes = 4, .mu = mu, .seed = 3});
    ASSERT_EQ(blocks.what_is_wrong(), "");
    const Problem dense = made_dense(blocks);
    auto solver = make_nsgs();
    solver->options.tolerance = 1e-8;
    Answer a, d;
    solver->solve(blocks, a);
    solver->solve(dense, d);
    EXPECT_EQ(a.status, SolveStatus::solved) << a.residuals.relative;
    EXPECT_EQ(d.status, SolveStatus::solved) << d.residuals.relative;
    EXPECT_LT((a.w - d.w).cwiseAbs().maxCoeff(), 1e-6);
  }
}

TEST(Nsgs, StartsWhereItIsTold) {
  const Problem p = stack_problem({.boxes = 3});
  auto solver = make_nsgs();
  solver->options.tolerance = 1e-9;
  Answer a;
  solver->solve(p, a);
  ASSERT_EQ(a.status, SolveStatus::solved);
  EXPECT_GT(a.iterations, 0);
  solver->options.warm_start = true;
  solver->solve(p, a);
  EXPECT_EQ(a.iterations, 0);
}

TEST(Nsgs, AllocatesNothingTheSecondTime) {
  const Problem p = stack_problem({.boxes = 3});
  auto solver = make_nsgs();
  Answer a;
  solver->solve(p, a);
  const long before = test::heap_count();
  solver->solve(p, a);
  EXPECT_EQ(test::heap_count(), before);
}

// Two free rows (a joint), a contact in the plane, a boxed row, a row bound by another.
TEST(Nsgs, MeetsFreeAndBoxedRowsBesideCones) {
  Problem p = Problem::lcp(7);
  DenseRows J(7, 9);
  for (int i = 0; i < 63; ++i) J.data()[i] = std::sin(0.7 * i * i);
  p.A.rows() = J * J.transpose();
  p.b << 1, -2, -1, 0.5, 3, -4, 2;
  p.set_free(0), p.set_free(1);
  p.cones = {{2, 2, 0.4}};
  p.lo[4] = -0.3, p.hi[4] = 0.2;
  p.set_bound_by(6, 5, 0.3);
  ASSERT_EQ(p.what_is_wrong(), "");
  auto solver = make_nsgs();
  Answer a;
  solver->solve(p, a);
  EXPECT_EQ(a.status, SolveStatus::solved) << a.residuals.relative;
  EXPECT_NEAR(a.w[0], 0, 1e-9);
  EXPECT_NEAR(a.w[1], 0, 1e-9);
}

// The same joint twice: A is singular and the free rows still are met.
TEST(Nsgs, MeetsRedundantFreeRows) {
  Problem p = Problem::lcp(5);
  DenseRows J(5, 6);
  for (int i = 0; i < 30; ++i) J.data()[i] = std::cos(3.0 * i + 1);
  J.row(1) = 2 * J.row(0);
  p.A.rows() = J * J.transpose();
  VectorX v(6);
  v << 1, -1, 2, 0.5, -3, 1;
  p.b = J * v;
  p.set_free(0), p.set_free(1);
  p.cones = {{2, 3, 0.7}};
  auto solver = make_nsgs();
  Answer a;
  solver->solve(p, a);
  EXPECT_EQ(a.status, SolveStatus::solved) << a.residuals.relative;
}

TEST(Nsgs, SaysWhenItCannot) {
  Problem p = Problem::lcp(3);
  p.A.rows() << 0, 0, 0, 0, 1, 0, 0, 0, 1;
  p.b << -1, 0, 0;  // approaches, and no force can stop it
  p.cones = {{0, 3, 0.5}};
  auto solver = make_nsgs();
  solver->options.most_iterations = 50;
  Answer a;
  solver->solve(p, a);
  EXPECT_EQ(a.status, SolveStatus::failed);
  EXPECT_EQ(a.reason, "a diagonal block of A is not positive");
  p.b[0] = std::nan("");
  solver->solve(p, a);
  EXPECT_EQ(a.status, SolveStatus::failed);
}

}  // namespace
}  // namespace abut
