// Rows that press alone are solved for, and the answer is one of the whole problem.
#include "abut/solve/wrap/needed_first.h"

#include <gtest/gtest.h>

#include "row_of_bodies.h"

namespace abut {
namespace {

TEST(NeededFirst, AnswersAreThoseOfTheWholeProblem) {
  for (const int width : {1, 3})
    for (unsigned seed = 1; seed <= 5; ++seed) {
      const Problem p = row_of_bodies(600, width, 1, seed);
      const char* chain = width == 1 ? "pivot,lemke" : "cone,nsgs";
      Answer whole, parts;
      make_solver(chain)->solve(p, whole);
      make_needed_first(make_solver(chain))->solve(p, parts);
      ASSERT_EQ(whole.status, SolveStatus::solved);
      ASSERT_EQ(parts.status, SolveStatus::solved) << parts.reason;
      EXPECT_LT((whole.z - parts.z).cwiseAbs().maxCoeff(), 1e-8) << seed;
    }
}

// A push that runs along the row: each impact needs the next, and none but the first is violated
// at the start.
TEST(NeededFirst, RowsThatAnswersViolateAreNeededToo) {
  Problem p = row_of_bodies(600, 1, 1, 1);
  p.b.setConstant(0.01);
  p.b[40] = -10;
  Answer whole, parts;
  make_solver("lemke")->solve(p, whole);
  make_needed_first(make_solver("lemke"))->solve(p, parts);
  ASSERT_EQ(parts.status, SolveStatus::solved);
  EXPECT_LT((whole.z - parts.z).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_GT((parts.z.array() > 1e-6).count(), 20);
}

// 20,000 rows that would be 3.2 GB as a dense matrix, of which 2,000 are closed, each by itself.
TEST(NeededFirst, FarMoreRowsThanADenseMatrixTakes) {
  const Problem p = row_of_bodies(30'000, 1, 1, 3);
  Answer answer;
  make_needed_first(make_solver("pivot,lemke"))->solve(p, answer);
  EXPECT_EQ(answer.status, SolveStatus::solved) << answer.reason;
}

}  // namespace
}  // namespace abut
