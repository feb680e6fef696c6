#include "abut/solve/pivoting/dantzig.h"

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
  for (const auto& [n, seed] : {std::pair{50, 66},
                                {50, 116},
                                {50, 147},
                                {200, 81},
                                {200, 199},
                                // rows given up for a while
                                {50, 62},
                                {50, 798},
                                {200, 47},
                                {200, 138},
                                {200, 178}}) {
    Answer answer;
    solver->solve(generate("semidefinite", n, seed), answer);
    EXPECT_EQ(answer.status, SolveStatus::solved) << n << " " << seed << ": " << answer.reason;
    EXPECT_LT(answer.pivots, 2 * n);
  }
}

TEST(Dantzig, SolvesRedundantContacts) { expect_solves_redundant_contacts(*make_dantzig()); }

// No more rows carry than are independent: three of a face, whatever their number.
TEST(Dantzig, ThreeOfAFaceCarry) {
  auto solver = make_dantzig();
  for (const int contacts : {4, 20, 100, 400})
    for (unsigned seed = 1; seed <= 10; ++seed) {
      Answer answer;
      solver->solve(one_face(contacts, seed), answer);
      EXPECT_EQ(answer.status, SolveStatus::solved);
      EXPECT_LE((answer.z.array() != 0).count(), 3);
      EXPECT_LT(answer.pivots, 30) << contacts << " contacts, seed " << seed;
    }
}

// Rows that are others, or sums of others, to the last bit: small integers.
TEST(Dantzig, SolvesExactlyDependentRows) {
  Random random(6);
  auto solver = make_dantzig();
  for (const int n : {20, 60, 200})
    for (int turn = 0; turn < 10; ++turn) {
      Eigen::MatrixXd J(n, 6);
      for (int i = 0; i < n; ++i)
        for (int k = 0; k < 6; ++k)
          J(i, k) = i < 6              ? random.integer(-2, 2)
                    : random.chance(2) ? J(i - 6, k)
                                       : J(i - 1, k) + J(i - 2, k);
      Problem p = Problem::lcp(n);
      p.A.rows() = J * J.transpose();
      Eigen::VectorXd v(6);
      for (int k = 0; k < 6; ++k) v[k] = random.integer(-3, 3);
      p.b = J * v;  // 0 <= J (v + J' z): z = 0 and any other that keeps bodies apart
      Answer answer;
      solver->solve(p, answer);
      EXPECT_EQ(answer.status, SolveStatus::solved) << n << " " << turn << ": " << answer.reason;
      // w is the projection of v: no z makes |v + J' z| smaller
      EXPECT_GE(answer.w.minCoeff(), -1e-9 * (1 + p.b.cwiseAbs().maxCoeff()));
      EXPECT_NEAR(answer.z.dot(answer.w), 0, 1e-8 * (1 + answer.z.dot(answer.z)));
    }
}

// A row and its column times a number: the same problem in other units.
TEST(Dantzig, SolvesBadlyScaledProblems) {
  Random random(3);
  auto solver = make_dantzig();
  for (int seed = 1; seed <= 30; ++seed) {
    Problem p = generate(seed % 2 ? "definite" : "semidefinite", seed % 3 ? 60 : 12, seed);
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
  for (const auto& [n, seed] :
       {std::pair{50, 17}, {50, 54}, {50, 165}, {50, 210}, {200, 26}, {1000, 1}}) {
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

// A is read by rows where it is used. What it is elsewhere changes nothing, and where it is used
// nothing is said of a matrix that is not symmetric but that.
TEST(Dantzig, SeesThatAIsNotSymmetricWhereItMatters) {
  auto solver = make_dantzig();
  Answer answer;
  for (int seed = 1; seed <= 20; ++seed) {
    solver->solve(generate("p-matrix", 40, seed), answer);
    EXPECT_EQ(answer.status, SolveStatus::failed);
    EXPECT_EQ(answer.reason, "A is not symmetric");
    // A has a direction with A d = 0 and b'd < 0, and is not symmetric: no proof
    Problem p = generate("infeasible", 40, seed);
    p.A.rows()(3, 5) += 1;
    solver->solve(p, answer);
    EXPECT_EQ(answer.status, SolveStatus::failed);
    EXPECT_EQ(answer.reason, "A is not symmetric");
  }
  Problem p = Problem::lcp(20);
  p.A.rows().setIdentity();
  p.b.setOnes();
  p.b[4] = -1;
  p.A.rows()(5, 7) = 0.3;  // meets z = 0
  solver->solve(p, answer);
  EXPECT_EQ(answer.status, SolveStatus::solved);
  EXPECT_EQ(answer.z[4], 1);
  for (const double off : {0.3, -3.0}) {  // of which one leaves z a solution
    p.A.rows()(7, 4) = off;
    solver->solve(p, answer);
    EXPECT_EQ(answer.status, SolveStatus::failed);
    EXPECT_EQ(answer.reason, "A is not symmetric");
  }
}

// Contacts that part: whatever A is.
TEST(Dantzig, LooksAtNothingWhereZeroSolves) {
  auto solver = make_dantzig();
  Answer answer;
  for (const int n : {6, 40}) {
    Problem p = generate("p-matrix", n, 1);
    p.b = p.b.cwiseAbs();
    solver->solve(p, answer);
    EXPECT_EQ(answer.status, SolveStatus::solved);
    EXPECT_EQ(answer.w, p.b);
    p.b[n - 1] = -1e-3;
    solver->solve(p, answer);
    EXPECT_NE(answer.status, SolveStatus::solved);
  }
  Problem p = generate("boxed-friction", 30, 2);
  p.b = p.b.cwiseAbs();
  solver->solve(p, answer);
  EXPECT_EQ(answer.status, SolveStatus::solved);
  EXPECT_EQ(answer.z, VectorX::Zero(p.size()));
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
