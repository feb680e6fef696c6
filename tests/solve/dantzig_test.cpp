#include "abut/solve/dantzig.h"

#include "solve/pivoting_checks.h"

namespace abut {
namespace {

using namespace test;

TEST(Dantzig, SolvesWhatItDeclares) {
  auto solver = make_dantzig();
  for (const char* family : {"definite", "semidefinite", "degenerate", "boxed", "mixed-schur"})
    for (const auto& [n, seeds] : {std::pair{3, 50}, {8, 100}, {40, 40}, {120, 4}})
      expect_solves(*solver, family, n, seeds);
}

TEST(Dantzig, AgreesWithEnumeration) {
  auto solver = make_dantzig();
  for (const char* family : {"definite", "semidefinite", "degenerate", "mixed-schur"})
    expect_w_of_enumeration(*solver, family, 10, 15);
  expect_w_of_enumeration(*solver, "boxed", 7, 20);
}

TEST(Dantzig, AgreesWithSiconos) {
  auto solver = make_dantzig();
  expect_w_of_siconos(*solver, "definite", 60, 5);
  expect_w_of_siconos(*solver, "semidefinite", 60, 10);
}

// Ties that are none in the last digits, and rows that depend on others but for rounding: a
// row that has arrived at w = 0 must not go back and forth with the one that arrived with it.
TEST(Dantzig, EndsWhereRowsArriveTogether) {
  auto solver = make_dantzig();
  for (const auto& [n, seed] : {std::pair{50, 66}, {50, 116}, {50, 147}, {200, 81}, {200, 199}}) {
    Answer answer;
    solver->solve(generate("semidefinite", n, seed), answer);
    EXPECT_EQ(answer.status, SolveStatus::solved) << n << " " << seed << ": " << answer.reason;
    EXPECT_LT(answer.pivots, 2 * n);
  }
}

TEST(Dantzig, SolvesRedundantContacts) { expect_solves_redundant_contacts(*make_dantzig()); }

// A row and its column times a number: the same problem in other units.
TEST(Dantzig, SolvesBadlyScaledProblems) {
  Random random(3);
  auto solver = make_dantzig();
  for (int seed = 1; seed <= 30; ++seed) {
    Problem p = generate(seed % 2 ? "definite" : "semidefinite", 12, seed);
    Answer plain, scaled;
    solver->solve(p, plain);
    VectorX d(p.size());
    for (int i = 0; i < p.size(); ++i) d[i] = random.magnitude(1e-4, 1e4);
    p.A.rows() = d.asDiagonal() * p.A.rows() * d.asDiagonal();
    p.b = d.cwiseProduct(p.b);
    solver->solve(p, scaled);
    const double most = 1 + plain.w.cwiseAbs().maxCoeff();
    EXPECT_LT((scaled.w.cwiseQuotient(d) - plain.w).cwiseAbs().maxCoeff(), 1e-9 * most) << seed;
  }
}

TEST(Dantzig, ProvesThatThereIsNoSolution) {
  auto solver = make_dantzig();
  for (const int n : {4, 12, 60})
    for (int seed = 1; seed <= 20; ++seed) {
      Answer answer;
      solver->solve(generate("infeasible", n, seed), answer);
      EXPECT_EQ(answer.status, SolveStatus::infeasible) << n << " " << seed;
    }
}

// Zeros on the diagonal do not make A semidefinite: the first has the solution (1, 1), the second
// none, but of neither is the direction (1, 0) a proof.
TEST(Dantzig, ProvesNothingByDirectionsThatMoveW) {
  auto solver = make_dantzig();
  for (const double off : {1.0, -1.0, 1e-3}) {
    Problem p = Problem::lcp(2);
    p.A.rows() << 0, off, off, 0;
    p.b << -1, -1;
    Answer answer;
    solver->solve(p, answer);
    EXPECT_EQ(answer.status, SolveStatus::failed) << off;
    EXPECT_EQ(answer.reason, "A is not positive semidefinite");
    Problem larger = Problem::lcp(20);  // not a small one
    larger.A.rows().setIdentity();
    larger.A.rows().topLeftCorner(2, 2) = p.A.rows();
    larger.b.setOnes();
    larger.b.head(2) = p.b;
    solver->solve(larger, answer);
    EXPECT_EQ(answer.status, SolveStatus::failed) << off;
  }
}

TEST(Dantzig, MeetsFrictionBoundsAtTheSolution) {
  auto solver = make_dantzig();
  int solved = 0;
  for (int seed = 1; seed <= 200; ++seed) {
    Answer answer;
    solver->solve(generate("boxed-friction", 24, seed), answer);
    solved += answer.status == SolveStatus::solved;
    EXPECT_EQ(answer.reason.empty(), answer.status == SolveStatus::solved);
  }
  EXPECT_GE(solved, 199);  // there is no guarantee; what it is worth
}

// Where bounds that go half of the way each round come round in a circle.
TEST(Dantzig, FollowsBoundsThatAreSlowToSettle) {
  auto solver = make_dantzig();
  for (const auto& [n, seed] : {std::pair{50, 17}, {50, 54}, {50, 165}, {50, 210}, {200, 26}}) {
    Answer answer;
    solver->solve(generate("boxed-friction", n, seed), answer);
    EXPECT_EQ(answer.status, SolveStatus::solved) << n << " " << seed << ": " << answer.reason;
  }
}

TEST(Dantzig, SaysWhatItDoesNotTake) {
  auto solver = make_dantzig();
  Answer answer;
  solver->solve(generate("p-matrix", 6, 1), answer);
  EXPECT_EQ(answer.status, SolveStatus::failed);
  EXPECT_EQ(answer.reason, "A is not symmetric");
  Problem p = Problem::lcp(2);
  p.A.rows() << -1, 0, 0, 1;
  p.b << -1, -1;
  solver->solve(p, answer);
  EXPECT_EQ(answer.status, SolveStatus::failed);
  EXPECT_EQ(answer.reason, "A is not positive semidefinite");
}

TEST(Dantzig, DoesNotDependOnTheOrderOfRows) {
  auto solver = make_dantzig();
  expect_same_after_permutation(*solver, "semidefinite", 30);
  expect_same_after_permutation(*solver, "boxed", 30);
}

TEST(Dantzig, TakesNoMemoryAgain) {
  auto solver = make_dantzig();
  expect_quiet_and_repeatable(*solver, generate("boxed", 80, 1));
  expect_quiet_and_repeatable(*solver, generate("boxed-friction", 60, 1));
  expect_quiet_and_repeatable(*solver, one_face(100, 1));
}

TEST(Dantzig, StartsWarm) {
  auto solver = make_dantzig();
  solver->options.warm_start = true;
  Answer answer;
  Problem p = generate("boxed", 40, 2);
  solver->solve(p, answer);
  solver->solve(p, answer);
  EXPECT_EQ(answer.status, SolveStatus::solved);
  EXPECT_EQ(answer.pivots, 0);
}

TEST(Dantzig, TakesNonsense) { expect_no_harm_from_nonsense(*make_dantzig()); }

}  // namespace
}  // namespace abut
