// Projected Gauss-Seidel, plain (pgs) and accelerated (nncg).
#include <gtest/gtest.h>

#include "abut/solve/generate/generate.h"
#include "abut/solve/sweeping/nncg.h"
#include "abut/solve/sweeping/pgs.h"
#include "solve/stacks.h"
#include "support/heap.h"

namespace abut {
namespace {

using test::made_dense, test::stack_problem;

class Sweeps : public testing::TestWithParam<const char*> {};

TEST_P(Sweeps, SolveWhatIsSymmetricAndDefinite) {
  for (const char* family : {"definite", "semidefinite", "boxed"})
    for (int seed = 1; seed <= 20; ++seed) {
      const Problem p = generate(family, 30, seed);
      auto solver = make_solver(GetParam(), {.tolerance = 1e-8});
      Answer a;
      solver->solve(p, a);
      EXPECT_EQ(a.status, SolveStatus::solved)
          << family << " " << seed << ": " << a.residuals.relative;
    }
}

// Friction is without proof; what is asked is that most come out, and that the others say so.
TEST_P(Sweeps, SolveMostContactsAndAreHonestAboutTheRest) {
  for (const char* family : {"boxed-friction", "cones", "mixed-schur"}) {
    int solved = 0;
    for (int seed = 1; seed <= 20; ++seed) {
      const Problem p = generate(family, 30, seed);
      auto solver = make_solver(GetParam(), {.tolerance = 1e-8});
      Answer a;
      solver->solve(p, a);
      VectorX w, scratch;
      EXPECT_EQ(residuals(p, a.z, w, scratch).relative, a.residuals.relative);
      EXPECT_EQ(a.status == SolveStatus::solved, a.residuals.relative <= 1e-8);
      solved += a.status == SolveStatus::solved;
    }
    EXPECT_GE(solved, 17) << family;
  }
}

TEST_P(Sweeps, ReadBlocksAsTheDenseMatrix) {
  const Problem blocks = stack_problem({.boxes = 3, .mu = 0.3, .seed = 5});
  const Problem dense = made_dense(blocks);
  auto solver = make_solver(GetParam(), {.tolerance = 0, .most_iterations = 20});
  Answer a, d;
  solver->solve(blocks, a);
  solver->solve(dense, d);
  EXPECT_EQ(a.iterations, 20);
  EXPECT_LT((a.z - d.z).cwiseAbs().maxCoeff(), 1e-12);
}

TEST_P(Sweeps, RelaxationCounts) {
  const Problem p = generate("definite", 30, 4);
  int counts[2];
  for (int k = 0; k < 2; ++k) {
    auto solver = make_solver(GetParam(), {.tolerance = 1e-8, .relaxation = k == 0 ? 1.0 : 0.3});
    Answer a;
    solver->solve(p, a);
    EXPECT_EQ(a.status, SolveStatus::solved);
    counts[k] = a.iterations;
  }
  EXPECT_LT(counts[0], counts[1]);
}

TEST_P(Sweeps, AllocateNothingTheSecondTimeAndRepeatThemselves) {
  const Problem p = stack_problem({.boxes = 4});
  auto solver = make_solver(GetParam(), {.most_iterations = 100});
  Answer a;
  solver->solve(p, a);
  const VectorX first = a.z;
  const long before = test::heap_count();
  solver->solve(p, a);
  EXPECT_EQ(test::heap_count(), before);
  EXPECT_EQ(a.z, first);
}

// Painleve's rod, accelerations: A_nn - mu A_nt < 0 and approaching, so no force helps.
TEST_P(Sweeps, SayThatPainlevesRodHasNoAcceleration) {
  Problem p = Problem::lcp(1);
  p.A.rows() << -0.4;
  p.b << -9.81;
  auto solver = make_solver(GetParam());
  Answer a;
  solver->solve(p, a);
  EXPECT_EQ(a.status, SolveStatus::failed);
  EXPECT_EQ(a.reason, "a diagonal entry of A is not positive");
  p.b << 9.81;  // two solutions: leaving, and jamming with z = 9.81 / 0.4
  solver->solve(p, a);
  EXPECT_EQ(a.status, SolveStatus::solved);
}

TEST_P(Sweeps, EndOnNumbersThatAreNone) {
  Problem p = Problem::lcp(4);  // grows by 1e200 a row: overflows in the first sweep
  p.A.rows().setConstant(-1e200);
  p.A.rows().diagonal().setOnes();
  p.b.setConstant(-1);
  auto solver = make_solver(GetParam());
  Answer a;
  solver->solve(p, a);
  EXPECT_EQ(a.status, SolveStatus::failed);
  EXPECT_TRUE(a.z.allFinite());
  p.b[0] = std::nan("");
  solver->solve(p, a);
  EXPECT_EQ(a.status, SolveStatus::failed);
}

INSTANTIATE_TEST_SUITE_P(All, Sweeps, testing::Values("pgs", "nncg"),
                         [](const auto& info) { return std::string(info.param); });

// What it is for.
TEST(Nncg, TakesFewerSweepsThanPgs) {
  int sweeps[2] = {};
  for (int seed = 1; seed <= 5; ++seed) {
    const Problem p = generate("stack", 60, seed);
    for (int k = 0; k < 2; ++k) {
      auto solver = make_solver(k == 0 ? "pgs" : "nncg", {.tolerance = 1e-7});
      Answer a;
      solver->solve(p, a);
      sweeps[k] += a.iterations;
    }
  }
  EXPECT_LT(2 * sweeps[1], sweeps[0]);
}

}  // namespace
}  // namespace abut
