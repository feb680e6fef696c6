// Residuals of hand-made points: what a solver is judged by must itself be right.
#include "abut/solve/answer.h"

#include <gtest/gtest.h>

#include <cmath>

namespace abut {
namespace {

Residuals of(const Problem& p, const VectorX& z) {
  VectorX w, scratch;
  return residuals(p, z, w, scratch);
}

TEST(Residuals, AreTheSmallerOfZAndWForAnLcp) {
  Problem p = Problem::lcp(2);
  p.A.rows() << 2, 1, 1, 2;
  p.b << -1, 1;
  // w = (0, 1.5): a solution
  EXPECT_EQ(of(p, Eigen::Vector2d(0.5, 0)).natural, 0);
  // w = (-1, 1)
  const Residuals off = of(p, Eigen::Vector2d(0, 0));
  EXPECT_EQ(off.natural, 1);
  EXPECT_EQ(off.relative, 0.5);
  EXPECT_EQ(off.row_scaled, 1);
  EXPECT_EQ(off.complementarity, 0);
}

TEST(Residuals, AreNoNumberIfWIsNone) {
  Problem p = Problem::lcp(2);
  p.A.rows() << 1, 0, 0, 1;
  p.b << 1, std::nan("");
  EXPECT_TRUE(std::isnan(of(p, Eigen::Vector2d(0, 0)).relative));
}

TEST(Residuals, OfAFreeRowAreW) {
  Problem p = Problem::lcp(1);
  p.A.rows() << 2;
  p.b << 3;
  p.set_free(0);
  EXPECT_EQ(p.kind(), ProblemKind::mlcp);
  EXPECT_EQ(of(p, VectorX::Constant(1, -1.5)).natural, 0);
  EXPECT_EQ(of(p, VectorX::Constant(1, -1)).natural, 1);
  EXPECT_EQ(of(p, VectorX::Constant(1, -1)).feasibility, 1);
}

TEST(Residuals, OfABoxAllowNegativeWAtTheTop) {
  Problem p = Problem::lcp(1);
  p.A.rows() << 1;
  p.b << -5;
  p.lo[0] = -1, p.hi[0] = 2;
  EXPECT_EQ(p.kind(), ProblemKind::boxed);
  EXPECT_EQ(of(p, VectorX::Constant(1, 2)).natural, 0);   // w = -3 at the top
  EXPECT_EQ(of(p, VectorX::Constant(1, -1)).natural, 3);  // w = -6 at the bottom: the box is 3 wide
}

TEST(Residuals, OfABoundByAnotherFollowIt) {
  Problem p = Problem::lcp(2);
  p.A.rows() << 1, 0, 0, 1;
  p.b << -2, -5;
  p.set_bound_by(1, 0, 0.5);
  EXPECT_EQ(of(p, Eigen::Vector2d(2, 1)).natural, 0);  // pulls with all it may: 0.5 * 2
  EXPECT_EQ(of(p, Eigen::Vector2d(2, 2)).natural, 1);
}

// A block that slides: z on the cone's edge against the sliding velocity w_t.
TEST(Residuals, OfACone) {
  Problem p = Problem::lcp(3);
  p.A.rows().setIdentity();
  p.cones = {{0, 3, 0.5}};
  EXPECT_EQ(p.kind(), ProblemKind::cone);
  p.b << -2, 3, 4;  // |b_t| = 5
  EXPECT_NEAR(of(p, Eigen::Vector3d(2, -0.6, -0.8)).natural, 0, 1e-15);
  EXPECT_GT(of(p, Eigen::Vector3d(2, -0.8, -0.6)).natural, 0.1);  // not against the sliding
  EXPECT_GT(of(p, Eigen::Vector3d(2, 0, 0)).natural, 0.1);
  p.b << -2, 0.3, 0.4;  // sticks
  EXPECT_NEAR(of(p, Eigen::Vector3d(2, -0.3, -0.4)).natural, 0, 1e-15);
  p.b << 1, 3, 4;  // leaves
  EXPECT_EQ(of(p, Eigen::Vector3d(0, 0, 0)).natural, 0);
  p.cones[0].mu = 0;  // and leaves straight up, without friction
  p.b << 1, 0, 0;
  EXPECT_EQ(of(p, Eigen::Vector3d(0, 0, 0)).natural, 0);
}

// z - (z - w) would be 0 where w is below the rounding of z.
TEST(Residuals, OfAConeSeeASmallWBesideALargeZ) {
  Problem p = Problem::lcp(3);
  p.A.rows().setZero();
  p.cones = {{0, 3, 0.5}};
  p.b << 1e-4, 0, 0;
  EXPECT_EQ(of(p, Eigen::Vector3d(1e13, 0, 0)).natural, 1e-4);  // inside: w must be 0
  p.b << 0, 3e-4, 0;
  EXPECT_EQ(of(p, Eigen::Vector3d(1e13, 0, 0)).natural, 3e-4);
  EXPECT_GT(of(p, Eigen::Vector3d(1e13, 0, 0.5e13)).natural, 1e-4);  // across the edge
}

TEST(Problem, SaysWhatIsWrong) {
  Problem p = Problem::lcp(3);
  EXPECT_EQ(p.what_is_wrong(), "");
  p.lo[1] = 2, p.hi[1] = 1;
  EXPECT_EQ(p.what_is_wrong(), "row 1: lo = 2 is not below hi = 1");
  p = Problem::lcp(3);
  p.set_bound_by(1, 1, 0.5);
  EXPECT_NE(p.what_is_wrong(), "");
  p = Problem::lcp(3);
  p.cones = {{1, 3, 0.5}};
  EXPECT_NE(p.what_is_wrong(), "");
  p = Problem::lcp(3);
  p.b[2] = std::nan("");
  EXPECT_EQ(p.what_is_wrong(), "b[2] is not a finite number");
}

TEST(Matrix, FormsAgree) {
  Matrix blocks;
  blocks.set_blocks();
  BlockRows& m = blocks.blocks();
  m.add_row(1);
  m.block(m.add_block(0, 1))[0] = 2;
  m.block(m.add_block(1, 2))[1] = -3;
  m.add_row(2);
  const int k = m.add_block(1, 2);
  for (int i = 0; i < 4; ++i) m.block(k)[i] = i + 1;
  DenseRows dense;
  blocks.to_dense(dense);
  DenseRows expected(3, 3);
  expected << 2, 0, -3, 0, 1, 2, 0, 3, 4;
  EXPECT_EQ(dense, expected);
  EXPECT_EQ(m.find(1, 0), -1);
  EXPECT_EQ(m.find(0, 1), 1);

  Matrix free;
  free.set_operator({3,
                     [&](const double* x, double* y) {
                       Eigen::Map<VectorX>(y, 3) = expected * Eigen::Map<const VectorX>(x, 3);
                     },
                     {}});
  const VectorX x = Eigen::Vector3d(1, -2, 5);
  VectorX y, yb;
  free.multiply(x, y);
  blocks.multiply(x, yb);
  EXPECT_EQ(y, yb);
  free.to_dense(dense);
  EXPECT_EQ(dense, expected);
  blocks.multiply_abs(x, yb);
  EXPECT_EQ(yb, VectorX(Eigen::Vector3d(17, 12, 26)));
}

}  // namespace
}  // namespace abut
