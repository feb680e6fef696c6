// Lemke's method: against enumeration, on the classes it promises, and honest beyond them.
#include "abut/solve/pivoting/lemke.h"

#include <gtest/gtest.h>

#include "abut/solve/generate/generate.h"
#include "abut/solve/pivoting/enumerate.h"
#include "support/heap.h"
#include "support/random.h"

namespace abut {
namespace {

using test::Random;

Answer solve(const Problem& p) {
  Answer answer;
  make_solver("lemke")->solve(p, answer);
  return answer;
}

// y >= 0 with A' y <= 0 and b' y < 0: no z >= 0 has A z + b >= 0
void expect_proof(const DenseRows& M, const VectorX& q, const VectorX& y) {
  EXPECT_GE(y.minCoeff(), 0);
  EXPECT_LE((M.transpose() * y).maxCoeff(), 1e-8 * M.cwiseAbs().maxCoeff());
  EXPECT_LT(q.dot(y), 0);
}

TEST(Lemke, SolvesByHand) {
  Problem p = Problem::lcp(2);
  p.A.rows() << 2, 1, 1, 2;
  p.b << -5, -6;
  const Answer answer = solve(p);
  EXPECT_EQ(answer.status, SolveStatus::solved);
  EXPECT_NEAR(answer.z[0], 4.0 / 3, 1e-14);
  EXPECT_NEAR(answer.z[1], 7.0 / 3, 1e-14);
  EXPECT_EQ(answer.solver, "lemke");
  EXPECT_GT(answer.pivots, 0);
}

TEST(Lemke, AgreesWithEnumeration) {
  for (const char* family : {"p-matrix", "definite", "semidefinite", "friction", "degenerate",
                             "scaled", "cycling", "painleve", "infeasible"}) {
    for (int seed = 1; seed <= 12; ++seed) {
      const Problem p = generate(family, 4 + seed % 7, seed);
      if (p.size() > 12) continue;
      const Answer answer = solve(p);
      const Enumeration all = enumerate_solutions(p);
      ASSERT_TRUE(all.complete);
      EXPECT_EQ(answer.status,
                all.solutions.empty() ? SolveStatus::infeasible : SolveStatus::solved)
          << family << " " << seed << " " << answer.reason;
      // P-matrices have one solution
      if (all.solutions.size() == 1 && std::string_view(family) != "scaled") {
        EXPECT_LT((answer.z - all.solutions[0]).cwiseAbs().maxCoeff(),
                  1e-8 * (1 + answer.z.cwiseAbs().maxCoeff()))
            << family << " " << seed;
      }
    }
  }
}

TEST(Lemke, AgreesWithEnumerationOnMixedAndBoxedProblems) {
  for (const char* family : {"mixed-schur", "mixed", "boxed", "boxed-friction"})
    for (int seed = 1; seed <= 25; ++seed) {
      const Problem p = generate(family, 5, seed);
      const Answer answer = solve(p);
      EXPECT_EQ(answer.status, SolveStatus::solved) << family << " " << seed << answer.reason;
      // only to see that the question was a fair one
      Enumerator enumerator;
      if (enumerator.start(p, 1e-10)) {
        EXPECT_TRUE(enumerator.next()) << family << " " << seed;
      }
    }
}

// S-T2: friction as Stewart and Trinkle write it is copositive plus, so there is always a
// solution and Lemke finds it.
TEST(Lemke, SolvesFiveHundredScenesWithFriction) {
  int restarts = 0;
  for (int seed = 1; seed <= 500; ++seed) {
    const Problem p = generate("friction", 6 + seed % 60, seed);
    Lemke lemke;
    VectorX z;
    const LemkeResult result = lemke.solve(p.A.rows(), p.b, z);
    EXPECT_EQ(result.end, LemkeEnd::solved) << seed;
    EXPECT_LT(result.residual, 1e-12 * (1 + p.b.cwiseAbs().maxCoeff())) << seed;
    restarts += result.restarts;
  }
  EXPECT_EQ(restarts, 0);
}

// S-T3. With the first of the rows that tie, pivots come round for ever; found by trying
// small integers.
TEST(Lemke, DoesNotCycleWhereAFirstRowRuleDoes) {
  Problem p = Problem::lcp(4);
  p.A.rows() << 0, 1, 1, -1, 0, 1, 0, 1, -2, 2, 1, 2, 0, -1, 2, 0;
  p.b << -1, -1, -2, -2;
  Lemke lemke;
  VectorX z;
  lemke.options.restarts = 0;
  lemke.options.lexicographic = false;
  EXPECT_EQ(lemke.solve(p.A.rows(), p.b, z).end, LemkeEnd::limit);
  lemke.options.lexicographic = true;
  const LemkeResult result = lemke.solve(p.A.rows(), p.b, z);
  EXPECT_EQ(result.end, LemkeEnd::solved);
  EXPECT_LT(result.pivots, 20);
}

// Murty's circulant [[1, 2, 0], [0, 1, 2], [2, 0, 1]], on which Bard's rule cycles, and its
// larger relatives, with q = -e: every row ties.
TEST(Lemke, SolvesCirculantsOnWhichPivotingCycles) {
  Problem p = Problem::lcp(3);
  p.A.rows() << 1, 2, 0, 0, 1, 2, 2, 0, 1;
  p.b.setConstant(-1);
  EXPECT_LT((solve(p).z - VectorX::Constant(3, 1.0 / 3)).norm(), 1e-14);
  for (int seed = 1; seed <= 40; ++seed)
    EXPECT_EQ(solve(generate("cycling", 3 + seed % 40, seed)).status, SolveStatus::solved);
}

TEST(Lemke, NeverReachesItsLimitOnDegenerateIntegers) {
  Random random(31);
  for (int trial = 0; trial < 3000; ++trial) {
    const int n = random.integer(2, 6);
    Problem p = Problem::lcp(n);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) p.A.rows()(i, j) = random.integer(-2, 2);
      p.b[i] = random.integer(-2, 1);
    }
    Lemke lemke;
    VectorX z;
    const LemkeResult result = lemke.solve(p.A.rows(), p.b, z);
    EXPECT_NE(result.end, LemkeEnd::limit) << trial;
    // no class promises anything here, but what is said must be true
    if (result.infeasible) {
      expect_proof(p.A.rows(), p.b, lemke.certificate());
      if (trial < 1000) {
        EXPECT_TRUE(enumerate_solutions(p, 1e-10, 1).solutions.empty()) << trial;
      }
    }
  }
}

// S-T4.
TEST(Lemke, ProvesInfeasibilityByItsRay) {
  for (int seed = 1; seed <= 60; ++seed) {
    const Problem p = generate("infeasible", 3 + seed % 50, seed);
    Lemke lemke;
    VectorX z;
    const LemkeResult result = lemke.solve(p.A.rows(), p.b, z);
    EXPECT_EQ(result.end, LemkeEnd::ray) << seed;
    ASSERT_TRUE(result.infeasible) << seed;
    expect_proof(p.A.rows(), p.b, lemke.certificate());
    EXPECT_EQ(solve(p).status, SolveStatus::infeasible);
  }
}

TEST(Lemke, SaysSecondaryRayWhereItCannotTell) {
  // has a solution, but M is in no class that Lemke is good for
  Problem p = Problem::lcp(4);
  p.A.rows() << -1, 0, 2, -2, 1, 2, 2, -1, 0, -1, 0, -1, -2, 2, 1, 2;
  p.b << -1, -1, 1, 1;
  ASSERT_FALSE(enumerate_solutions(p).solutions.empty());
  const Answer answer = solve(p);
  EXPECT_EQ(answer.status, SolveStatus::failed);
  EXPECT_EQ(answer.reason, "secondary ray");
  EXPECT_GT(answer.residuals.relative, 1e-10);
}

TEST(Lemke, RestartsCountOnlyIfTheySolveTheProblemItself) {
  // a ray for M; M + eps I leads to a solution of M
  Problem p = Problem::lcp(5);
  p.A.rows() << 1, 1, -1, -1, 1, -1, 0, 0, 2, 1, -1, -1, 1, 2, -1, -1, 1, 0, 2, 0, 2, 2, -1, 0, 0;
  p.b << 0, -1, -2, -1, 0;
  Lemke lemke;
  VectorX z;
  const LemkeResult with = lemke.solve(p.A.rows(), p.b, z);
  EXPECT_EQ(with.end, LemkeEnd::solved);
  EXPECT_GE(with.restarts, 2);
  EXPECT_LT(solve(p).residuals.natural, 1e-12);
  lemke.options.restarts = 0;
  EXPECT_EQ(lemke.solve(p.A.rows(), p.b, z).end, LemkeEnd::ray);
}

TEST(Lemke, SolvesRedundantContactsByHundreds) {
  for (const int n : {40, 100, 400})
    for (int seed = 1; seed <= 4; ++seed) {
      const Answer answer = solve(generate("semidefinite", n, seed));
      EXPECT_EQ(answer.status, SolveStatus::solved) << n << " " << seed;
      EXPECT_LT(answer.residuals.relative, 1e-12);
    }
}

TEST(Lemke, SolvesBadlyScaledProblems) {
  for (int seed = 1; seed <= 100; ++seed) {
    const Answer answer = solve(generate("scaled", 2 + seed % 40, seed));
    EXPECT_EQ(answer.status, SolveStatus::solved) << seed << " " << answer.reason;
  }
}

TEST(Lemke, FindsTheSameUnderPermutationAndScaling) {
  Random random(32);
  for (int seed = 1; seed <= 20; ++seed) {
    const Problem p = generate("p-matrix", 12, seed);
    const VectorX z = solve(p).z;
    const int n = p.size();
    std::vector<int> order(n);
    for (int i = 0; i < n; ++i) order[i] = i;
    for (int i = n - 1; i > 0; --i) std::swap(order[i], order[random.integer(0, i)]);
    Problem other = Problem::lcp(n);
    VectorX rows(n), columns(n);
    for (int i = 0; i < n; ++i)
      rows[i] = random.magnitude(0.1, 10), columns[i] = random.magnitude(0.1, 10);
    for (int i = 0; i < n; ++i) {
      other.b[i] = rows[i] * p.b[order[i]];
      for (int j = 0; j < n; ++j)
        other.A.rows()(i, j) = rows[i] * p.A.rows()(order[i], order[j]) * columns[j];
    }
    const VectorX found = solve(other).z;
    for (int i = 0; i < n; ++i)
      EXPECT_NEAR(found[i] * columns[i], z[order[i]], 1e-9 * (1 + z.cwiseAbs().maxCoeff()));
  }
}

TEST(Lemke, TakesAnyFormOfMatrix) {
  const Problem dense = generate("p-matrix", 20, 5);
  const VectorX z = solve(dense).z;

  Problem other = dense;
  MatrixOperator op;
  op.size = 20;
  op.apply = [&](const double* x, double* y) {
    Eigen::Map<VectorX>(y, 20) = dense.A.rows() * Eigen::Map<const VectorX>(x, 20);
  };
  other.A.set_operator(op);
  EXPECT_LT((solve(other).z - z).cwiseAbs().maxCoeff(), 1e-12 * (1 + z.cwiseAbs().maxCoeff()));

  other.A.set_blocks();
  for (int r = 0; r < 4; ++r) {
    other.A.blocks().add_row(5);
    for (int c = 0; c < 4; ++c) {
      const int k = other.A.blocks().add_block(c, 5);
      Eigen::Map<DenseRows>(other.A.blocks().block(k), 5, 5) =
          dense.A.rows().block(5 * r, 5 * c, 5, 5);
    }
  }
  EXPECT_TRUE(solve(other).z == z);
}

TEST(Lemke, EndsOnNumbersThatAreNone) {
  for (const double bad : {std::nan(""), kInfinity, 1e308}) {
    Problem p = generate("definite", 8, 1);
    p.A.rows().setConstant(bad);
    p.b.setConstant(-bad);
    const Answer answer = solve(p);
    EXPECT_LE(answer.pivots, 7 * 1000);
    if (!(bad < kInfinity)) {
      EXPECT_EQ(answer.status, SolveStatus::failed);
    }
  }
}

TEST(Lemke, GivesTheSameBitsAgainAndTakesNoMemory) {
  for (const char* family :
       {"friction", "semidefinite", "scaled", "infeasible", "boxed-friction", "mixed"}) {
    const Problem p = generate(family, 60, 3);
    auto solver = make_solver("lemke");
    Answer first, again;
    solver->solve(p, first);
    solver->solve(p, again);
    const long before = test::heap_count();
    solver->solve(p, again);
    EXPECT_EQ(test::heap_count(), before) << family;
    EXPECT_TRUE(first.z == again.z) << family;
    EXPECT_TRUE(solve(p).z == first.z) << family;
  }
}

}  // namespace
}  // namespace abut
