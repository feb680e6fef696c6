// Enumeration is the oracle of the other solvers, so it is tested by hand-made problems whose
// solutions are known, and by what must not change them.
#include "abut/solve/pivoting/enumerate.h"

#include <gtest/gtest.h>

#include "support/heap.h"
#include "support/random.h"

namespace abut {
namespace {

using test::Random;

Problem random_lcp(Random& random, int n) {
  Problem p = Problem::lcp(n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) p.A.rows()(i, j) = random.uniform(-1, 1);
    p.b[i] = random.uniform(-1, 1);
  }
  return p;
}

TEST(Enumerate, FindsBothSolutionsOfMurtysTwoByTwo) {
  // M = [[1, 2], [2, 1]], q = (-1, -1): (1, 0), (0, 1) and (1/3, 1/3)
  Problem p = Problem::lcp(2);
  p.A.rows() << 1, 2, 2, 1;
  p.b << -1, -1;
  const Enumeration all = enumerate_solutions(p);
  EXPECT_TRUE(all.complete);
  EXPECT_EQ(all.choices, 4);
  ASSERT_EQ(all.solutions.size(), 3u);
  EXPECT_EQ(enumerate_solutions(p, 1e-10, 2).solutions.size(), 2u);
}

TEST(Enumerate, SaysInfeasibleWhereThereIsNoSolution) {
  Problem p = Problem::lcp(2);
  p.A.rows() << 0, -1, 1, 0;
  p.b << -1, 1;
  Answer answer;
  auto solver = make_solver("enum");
  solver->solve(p, answer);
  EXPECT_EQ(answer.status, SolveStatus::infeasible);
  EXPECT_EQ(answer.iterations, 4);
}

TEST(Enumerate, FindsTheOnePointOfASingularChoice) {
  // z1 + z2 = 1 from the first two rows; rows 3 and 4 leave (0.75, 0.25) .. (0.8, 0.2) of it,
  // which neither a basic nor the least solution hits
  Problem p = Problem::lcp(4);
  p.A.rows() << 1, 1, 0, 0, 1, 1, 0, 0, 1, -3, 0, 0, -1, 4, 0, 0;
  p.b << -1, -1, 0, 0;
  const Enumeration all = enumerate_solutions(p);
  ASSERT_FALSE(all.solutions.empty());
  for (const VectorX& z : all.solutions) {
    EXPECT_NEAR(z[0] + z[1], 1, 1e-12);
    EXPECT_GE(z[0], 0.75 - 1e-9);
    EXPECT_LE(z[0], 0.8 + 1e-9);
  }
  // and none is invented where the inequalities shut it out
  p.b[3] = -1;
  EXPECT_TRUE(enumerate_solutions(p).solutions.empty());
}

TEST(Enumerate, TakesTheBoundOfAnotherRow) {
  // a block pushed by f on a floor: normal force 1, friction at most 0.5
  for (const double f : {0.3, 2.0, -2.0}) {
    Problem p = Problem::lcp(2);
    p.A.rows() << 1, 0, 0, 1;
    p.b << -1, f;
    p.set_bound_by(1, 0, 0.5);
    const Enumeration all = enumerate_solutions(p);
    ASSERT_EQ(all.solutions.size(), 1u);
    EXPECT_NEAR(all.solutions[0][1], std::clamp(-f, -0.5, 0.5), 1e-14);
  }
}

TEST(Enumerate, FindsWhatWasPutIntoRandomBoxedProblems) {
  Random random(11);
  for (int trial = 0; trial < 100; ++trial) {
    const int n = random.integer(1, 7);
    Problem p = random_lcp(random, n);
    VectorX z(n), w(n);
    for (int i = 0; i < n; ++i) {
      const double lo = random.chance(4) ? -kInfinity : random.uniform(-1, 0);
      const double hi = random.chance(4) ? kInfinity : random.uniform(0, 1);
      p.lo[i] = lo, p.hi[i] = hi;
      const int where = random.integer(0, 2);
      z[i] = where == 0 && std::isfinite(lo) ? lo : where == 1 && std::isfinite(hi) ? hi : 0;
      w[i] = z[i] == 0 ? 0 : z[i] == lo ? random.uniform(0, 1) : -random.uniform(0, 1);
    }
    p.b = w - p.A.rows() * z;
    bool found = false;
    for (const VectorX& s : enumerate_solutions(p).solutions)
      found |= (s - z).cwiseAbs().maxCoeff() < 1e-7;
    EXPECT_TRUE(found) << "trial " << trial;
  }
}

TEST(Enumerate, CountsOneSolutionOfAPMatrixHoweverScaled) {
  Random random(12);
  for (int trial = 0; trial < 40; ++trial) {
    const int n = random.integer(1, 10);
    Problem p = random_lcp(random, n);
    DenseRows a = p.A.rows();
    p.A.rows() = a * a.transpose() + 0.1 * DenseRows::Identity(n, n) + (a - a.transpose());
    const Enumeration all = enumerate_solutions(p);
    ASSERT_EQ(all.solutions.size(), 1u);
    // w' = D w, z' = E^-1 z
    VectorX d(n), e(n);
    for (int i = 0; i < n; ++i)
      d[i] = random.magnitude(1e-4, 1e4), e[i] = random.magnitude(1e-4, 1e4);
    Problem q = p;
    q.A.rows() = d.asDiagonal() * p.A.rows() * e.asDiagonal();
    q.b = d.cwiseProduct(p.b);
    const Enumeration scaled = enumerate_solutions(q);
    bool found = false;
    for (const VectorX& s : scaled.solutions)
      found |= (s.cwiseProduct(e) - all.solutions[0]).cwiseAbs().maxCoeff() < 1e-6;
    EXPECT_TRUE(found) << "trial " << trial;
  }
}

TEST(Enumerate, RefusesWhatIsTooMuch) {
  Problem p = Problem::lcp(40);
  Answer answer;
  auto solver = make_solver("enum");
  p.b.setConstant(-1);
  solver->solve(p, answer);
  EXPECT_EQ(answer.status, SolveStatus::failed);
  EXPECT_EQ(answer.reason, "too many choices to enumerate");
}

TEST(Enumerate, SolvesSixteenRowsAgainWithoutTakingMemory) {
  Random random(13);
  Problem p = random_lcp(random, 16);
  DenseRows a = p.A.rows();
  p.A.rows() = a * a.transpose() + 0.1 * DenseRows::Identity(16, 16);
  Answer answer;
  auto solver = make_solver("enum");
  solver->solve(p, answer);
  EXPECT_EQ(answer.status, SolveStatus::solved);
  const long before = test::heap_count();
  solver->solve(p, answer);
  EXPECT_EQ(test::heap_count(), before);

  // nor through singular choices: every contact twice
  Problem twice = Problem::lcp(8);
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) twice.A.rows()(i, j) = p.A.rows()(i / 2, j / 2);
  for (int i = 0; i < 8; ++i) twice.b[i] = -1 - i / 2;
  solver->solve(twice, answer);
  EXPECT_EQ(answer.status, SolveStatus::solved);
  const long again = test::heap_count();
  solver->solve(twice, answer);
  EXPECT_EQ(test::heap_count(), again);
}

}  // namespace
}  // namespace abut
