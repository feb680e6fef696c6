#include "abut/solve/pivoting/small_tableau.h"

#include <gtest/gtest.h>

#include "abut/solve/answer.h"
#include "abut/solve/generate/generate.h"
#include "abut/solve/pivoting/dantzig.h"

namespace abut {
namespace {

double residual(const Problem& p, const VectorX& z) {
  VectorX w, scratch;
  return residuals(p, z, w, scratch).relative;
}

// What it answers is right to rounding, for every width of its vectors; giving up is rare.
TEST(SmallTableau, SolvesToRoundingWhatItAnswers) {
  SmallTableau tableau;
  for (const char* family : {"definite", "semidefinite", "degenerate"})
    for (int n = 1; n <= SmallTableau::kMost; ++n) {
      int answered = 0;
      for (int seed = 1; seed <= 50; ++seed) {
        const Problem p = generate(family, n, seed);
        VectorX z(p.size());
        int pivots = 0;
        if (!tableau.solve(p, 1000, z, pivots)) continue;
        ++answered;
        EXPECT_LT(residual(p, z), 1e-13) << family << " " << n << " " << seed;
        EXPECT_GE(z.minCoeff(), 0);
      }
      EXPECT_GE(answered, 47) << family << " " << n;
    }
}

// The general code, which a start at 0 asks for, finds the same w.
TEST(SmallTableau, AgreesWithTheGeneralCode) {
  SmallTableau tableau;
  auto general = make_dantzig();
  general->options.warm_start = true;
  for (const char* family : {"definite", "semidefinite", "degenerate"})
    for (int seed = 1; seed <= 60; ++seed) {
      const Problem p = generate(family, 2 + seed % 15, seed);
      VectorX z(p.size()), w, scratch;
      int pivots = 0;
      if (!tableau.solve(p, 1000, z, pivots)) continue;
      residuals(p, z, w, scratch);
      Answer answer;
      answer.z.setZero(p.size());
      general->solve(p, answer);
      ASSERT_EQ(answer.status, SolveStatus::solved);
      EXPECT_LT((w - answer.w).lpNorm<Eigen::Infinity>(),
                1e-11 * (1 + p.b.lpNorm<Eigen::Infinity>()))
          << family << " " << seed;
    }
}

// Bounds on one side or the other, both at 0, and free rows.
TEST(SmallTableau, TakesFreeRowsAndBoundsAtZero) {
  SmallTableau tableau;
  int answered = 0;
  for (int seed = 1; seed <= 100; ++seed) {
    Problem p = generate("definite", 9, seed);
    p.lo[1] = -kInfinity, p.hi[1] = 0;
    p.hi[2] = 0.1;
    p.lo[3] = -0.1, p.hi[3] = 0;
    p.set_free(4);
    p.lo[5] = p.hi[5] = 0;
    VectorX z(p.size());
    int pivots = 0;
    if (!tableau.solve(p, 1000, z, pivots)) continue;
    ++answered;
    EXPECT_LT(residual(p, z), 1e-13) << seed;
    EXPECT_EQ(z[5], 0);
  }
  EXPECT_GE(answered, 95);
}

TEST(SmallTableau, LeavesTheRestToOthers) {
  SmallTableau tableau;
  VectorX z(20);
  int pivots = 0;
  const auto answers = [&](const Problem& p) { return tableau.solve(p, 1000, z, pivots); };
  const Problem good = generate("definite", 6, 1);
  EXPECT_TRUE(answers(good));
  EXPECT_FALSE(answers(generate("definite", 17, 1)));
  EXPECT_FALSE(answers(Problem::lcp(0)));
  Problem p = good;
  p.lo[2] = -1, p.hi[2] = 1;  // 0 is inside
  EXPECT_FALSE(answers(p));
  p = good;
  p.set_bound_by(1, 0, 0.5);
  EXPECT_FALSE(answers(p));
  p = good;
  p.A.rows()(1, 2) += 0.1;  // not symmetric
  EXPECT_FALSE(answers(p));
  p = good;
  p.A.rows()(3, 3) = -1;
  EXPECT_FALSE(answers(p));
  p = good;
  p.A.rows()(3, 3) = std::nan("");
  EXPECT_FALSE(answers(p));
  p = good;
  p.b[1] = std::nan("");
  EXPECT_FALSE(answers(p));
  p = Problem::lcp(2);  // a vice: no solution
  p.A.rows() << 1, -1, -1, 1;
  p.b << -1, -1;
  EXPECT_FALSE(answers(p));
  p = generate("definite", 12, 1);
  EXPECT_FALSE(tableau.solve(p, 1, z, pivots));  // more pivots than it may
}

}  // namespace
}  // namespace abut
