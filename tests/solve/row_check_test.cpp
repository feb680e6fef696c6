// Answers that only rows in small units object to.
#include "abut/solve/row_check.h"

#include <gtest/gtest.h>

#include "abut/solve/solver.h"

namespace abut {
namespace {

// Rows of 1e-8 beside rows of 1e8: z = 0 has a residual of 1e-16, and its first row is wrong.
Problem badly_scaled() {
  Problem p = Problem::lcp(2);
  p.A.rows() << 2e-4, 1e-12, 1e12, 2e4;
  p.b << -1e-8, 1e8;
  return p;
}

TEST(RowCheck, AnAnswerWithAWrongRowIsNotSolved) {
  int wrong = 0;
  for (const SolverEntry& entry : solvers()) {
    auto solver = entry.make();
    solver->options.every_row = true;
    Answer answer;
    solver->solve(badly_scaled(), answer);
    const bool rows_hold = answer.residuals.row_scaled <= kRowWrong;
    EXPECT_EQ(answer.status == SolveStatus::solved, rows_hold)
        << entry.info->name << " " << answer.residuals.row_scaled;
    EXPECT_EQ(answer.reason.empty(), rows_hold) << entry.info->name;
    wrong += !rows_hold;
  }
  EXPECT_GT(wrong, 0) << "no solver shows it: another problem is needed";
}

TEST(RowCheck, WithoutBeingAskedTheRelativeResidualDecides) {
  Answer answer;
  auto solver = make_solver("nsgs");
  solver->solve(badly_scaled(), answer);
  EXPECT_EQ(answer.status, SolveStatus::solved);
}

// A contact that just touches: z = 1e-17 of rounding is measured by nothing else, and is right.
TEST(RowCheck, RoundingInRowsOfNothingIsNoError) {
  Problem p = Problem::lcp(2);
  p.A.rows() << 2, 0, 0, 1;
  p.b << -1, 0;
  VectorX z(2), w, scratch;
  z << 0.5, 1e-17;
  Residuals r = residuals(p, z, w, scratch);
  ASSERT_GT(r.row_scaled, 0.1);
  EXPECT_TRUE(settle_rows(p, 1e-10, z, w, r, scratch));
  EXPECT_EQ(z[1], 0);
  EXPECT_EQ(z[0], 0.5);
  EXPECT_LE(r.row_scaled, 1e-15);
  // the same of a contact with friction
  Problem cone = Problem::lcp(6);
  cone.A.rows().setIdentity();
  cone.b << -1, 0.2, 0, 0, 0, 0;
  cone.cones = {{0, 3, 0.5}, {3, 3, 0.5}};
  VectorX y(6);
  y << 1, -0.2, 0, 1e-16, 1e-17, -1e-17;
  r = residuals(cone, y, w, scratch);
  ASSERT_GT(r.row_scaled, 0.1);
  EXPECT_TRUE(settle_rows(cone, 1e-10, y, w, r, scratch));
  EXPECT_EQ(y.tail(3).norm(), 0);
}

TEST(RowCheck, AWrongRowStaysWrong) {
  const Problem p = badly_scaled();
  VectorX z = VectorX::Zero(2), w, scratch;
  Residuals r = residuals(p, z, w, scratch);
  EXPECT_LT(r.relative, 1e-10);
  EXPECT_FALSE(settle_rows(p, 1e-10, z, w, r, scratch));
  EXPECT_EQ(z.norm(), 0);
}

}  // namespace
}  // namespace abut
