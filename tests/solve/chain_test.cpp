// Chains: which link answers, what is kept of those that failed.
#include "abut/solve/wrap/chain.h"

#include <gtest/gtest.h>

#include "abut/solve/generate/generate.h"
#include "support/heap.h"

namespace abut {
namespace {

TEST(Chain, TheFirstThatSolvesAnswers) {
  const Problem p = generate("cycling", 5, 1);
  Answer answer;
  // Gauss-Seidel goes round on these
  make_solver("pgs,lemke,enum")->solve(p, answer);
  EXPECT_EQ(answer.status, SolveStatus::solved);
  EXPECT_EQ(answer.solver, "lemke");
  EXPECT_EQ(answer.link, 1);
  EXPECT_GT(answer.pivots, 0);
  EXPECT_GT(answer.iterations, 0);  // those of pgs count too
}

TEST(Chain, AProofEndsIt) {
  Answer answer;
  make_solver("pgs,lemke,lmmcp", {.most_iterations = 50})
      ->solve(generate("infeasible", 12, 1), answer);
  EXPECT_EQ(answer.status, SolveStatus::infeasible);
  EXPECT_EQ(answer.solver, "lemke");
  EXPECT_EQ(answer.link, 1);
  EXPECT_EQ(answer.starts, 0);  // lmmcp was not asked
  EXPECT_FALSE(answer.reason.empty());
  EXPECT_GT(answer.residuals.relative, 1e-10);
}

TEST(Chain, KeepsTheBestOfThoseThatFailed) {
  const Problem p = generate("stack", 60, 3);
  Answer one, two, both;
  const SolveOptions few{.tolerance = 1e-14, .most_iterations = 3};
  make_solver("pgs", few)->solve(p, one);
  make_solver("nsgs", few)->solve(p, two);
  make_solver("pgs,nsgs", few)->solve(p, both);
  EXPECT_EQ(both.status, SolveStatus::failed);
  EXPECT_EQ(both.residuals.relative, std::min(one.residuals.relative, two.residuals.relative));
  EXPECT_EQ(both.z, one.residuals.relative < two.residuals.relative ? one.z : two.z);
}

TEST(Chain, PassesOverLinksThatDoNotTakeTheKind) {
  Answer answer;
  make_solver("lemke,enum,nsgs")->solve(generate("stack", 12, 1), answer);
  EXPECT_EQ(answer.solver, "nsgs");
  EXPECT_EQ(answer.link, 2);
  make_solver("lemke,enum")->solve(generate("stack", 12, 1), answer);
  EXPECT_EQ(answer.status, SolveStatus::failed);
  EXPECT_FALSE(answer.reason.empty());
}

TEST(Chain, StartsEveryLinkWhereItIsTold) {
  const Problem p = generate("definite", 20, 1);
  Answer cold, warm;
  make_solver("pgs,nncg")->solve(p, cold);
  warm.z = cold.z;
  make_solver("pgs,nncg", {.warm_start = true})->solve(p, warm);
  EXPECT_EQ(warm.status, SolveStatus::solved);
  EXPECT_LT(warm.iterations, cold.iterations);
}

TEST(Chain, SolvesAgainWithoutAllocating) {
  const Problem p = generate("friction", 24, 1);
  const auto chain = make_solver("nncg,lemke");
  Answer answer;
  chain->solve(p, answer);
  const long before = test::heap_count();
  chain->solve(p, answer);
  EXPECT_EQ(test::heap_count() - before, 0);
  EXPECT_EQ(answer.status, SolveStatus::solved);
}

// What most people will use: every family that has a solution, and the proofs of those without.
TEST(Chain, AutoSolvesEveryFamily) {
  for (const Family& f : families())
    for (const int n : {3, 12, 40})
      for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        Answer answer;
        make_solver("auto")->solve(generate(f.name, n, seed), answer);
        EXPECT_EQ(answer.status, f.solvable ? SolveStatus::solved : SolveStatus::infeasible)
            << f.name << " " << n << " " << seed << " " << answer.reason;
      }
}

// Rows of 1e-8 beside rows of 1e8: z = 0 has a residual of 1e-16 and is wrong.
TEST(Chain, LooksAtEveryRowIfAsked) {
  Problem p = Problem::lcp(2);
  p.A.rows() << 2e-4, 1e-12, 1e12, 2e4;
  p.b << -1e-8, 1e8;
  Answer answer;
  SolveOptions options;
  options.every_row = true;
  make_solver("auto", options)->solve(p, answer);
  EXPECT_EQ(answer.status, SolveStatus::solved);
  EXPECT_LT(answer.residuals.row_scaled, 1e-12);
  EXPECT_NEAR(answer.z[0], 0.5e-4, 1e-18);
}

TEST(Chain, UnknownNamesAreNamed) {
  EXPECT_THROW(make_solver("lemke,magic"), std::invalid_argument);
  EXPECT_THROW(make_solver(""), std::invalid_argument);
  EXPECT_THROW(make_solver("lemke,"), std::invalid_argument);
}

}  // namespace
}  // namespace abut
