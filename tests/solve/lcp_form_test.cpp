// The LCP of a problem has the same solutions, both ways; enumeration tells.
#include "abut/solve/pivoting/lcp_form.h"

#include <gtest/gtest.h>

#include "abut/solve/pivoting/enumerate.h"
#include "support/heap.h"
#include "support/random.h"

namespace abut {
namespace {

using test::Random;

double relative_residual(const Problem& p, const VectorX& z) {
  VectorX w, scratch;
  return residuals(p, z, w, scratch).relative;
}

Problem as_problem(const LcpForm& form) {
  Problem p = Problem::lcp(form.size());
  p.A.rows() = form.M();
  p.b = form.q();
  return p;
}

// Rows of every kind: free, above, below, between, fixed, bound by another.
Problem random_problem(Random& random, int n) {
  Problem p = Problem::lcp(n);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) p.A.rows()(i, j) = random.uniform(-1, 1);
    p.A.rows()(i, i) += 1;
    p.b[i] = random.uniform(-1, 1);
    switch (random.integer(0, 6)) {
      case 0:
        p.set_free(i);
        break;
      case 1:
        p.lo[i] = random.uniform(-1, 1);
        break;
      case 2:
        p.lo[i] = -kInfinity, p.hi[i] = random.uniform(-1, 1);
        break;
      case 3:
        p.lo[i] = random.uniform(-1, 0), p.hi[i] = random.uniform(0, 1);
        break;
      case 4:
        p.lo[i] = p.hi[i] = random.uniform(-1, 1);
        break;
      default:
        if (i > 0 && p.bound_by[i - 1] < 0 && p.lo[i - 1] >= 0)
          p.set_bound_by(i, i - 1, random.chance(5) ? 0 : random.uniform(0, 2));
    }
  }
  return p;
}

void expect_same_solutions(const Problem& p, int trial) {
  LcpForm form;
  ASSERT_TRUE(form.build(p));
  const Problem lcp = as_problem(form);
  ASSERT_EQ(lcp.what_is_wrong(), "");
  const Enumeration here = enumerate_solutions(p), there = enumerate_solutions(lcp);
  ASSERT_TRUE(here.complete && there.complete);
  EXPECT_EQ(here.solutions.empty(), there.solutions.empty()) << "trial " << trial;
  VectorX x, z, w, scratch;
  for (const VectorX& s : there.solutions) {
    form.restore(s, z);
    EXPECT_LT(relative_residual(p, z), 1e-9) << "trial " << trial;
  }
  for (const VectorX& s : here.solutions) {
    residuals(p, s, w, scratch);
    form.lift(s, w, x);
    EXPECT_LT(relative_residual(lcp, x), 1e-8) << "trial " << trial;
    form.restore(x, z);
    EXPECT_LT((z - s).cwiseAbs().maxCoeff(), 1e-8 * (1 + s.cwiseAbs().maxCoeff()));
  }
}

TEST(LcpForm, HasTheSolutionsOfRandomProblemsOfEveryKind) {
  Random random(21);
  for (int trial = 0; trial < 300; ++trial)
    expect_same_solutions(random_problem(random, random.integer(1, 6)), trial);
}

TEST(LcpForm, OfAnLcpIsTheProblemItself) {
  Random random(22);
  Problem p = Problem::lcp(3);
  LcpForm form;
  ASSERT_TRUE(form.build(p));
  EXPECT_EQ(&form.M(), &p.A.rows());
  EXPECT_EQ(&form.q(), &p.b);
}

// Free rows J, doubled, on bodies of mass 1: A = G G' with dependent rows.
Problem with_redundant_joints(Random& random, int joints, int contacts) {
  const int n = 2 * joints + contacts;
  DenseRows G(n, joints + contacts);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < G.cols(); ++j) G(i, j) = random.uniform(-1, 1);
  for (int i = 0; i < joints; ++i) G.row(joints + i) = random.uniform(1, 2) * G.row(i);
  VectorX v(G.cols());
  for (int j = 0; j < G.cols(); ++j) v[j] = random.uniform(-1, 1);
  Problem p = Problem::lcp(n);
  p.A.rows() = G * G.transpose();
  p.b = G * v;
  for (int i = 0; i < 2 * joints; ++i) p.set_free(i);
  return p;
}

TEST(LcpForm, LeavesOutRedundantFreeRows) {
  Random random(23);
  for (int trial = 0; trial < 50; ++trial) {
    Problem p = with_redundant_joints(random, random.integer(1, 4), random.integer(1, 5));
    LcpForm form;
    ASSERT_TRUE(form.build(p));
    const Enumeration all = enumerate_solutions(as_problem(form));
    ASSERT_FALSE(all.solutions.empty());
    VectorX z;
    form.restore(all.solutions[0], z);
    EXPECT_LT(relative_residual(p, z), 1e-12);

    // one of the doubled rows wants something else
    p.b[0] += 0.1;
    EXPECT_FALSE(form.build(p));
  }
}

TEST(LcpForm, KeepsFreeRowsThatOnlyRestrictOthers) {
  // [0 G; -G' C], the first rows free: G z_c = g, as the optimum of a quadratic program
  Random random(24);
  for (int trial = 0; trial < 50; ++trial) {
    const int f = random.integer(1, 2), c = random.integer(3, 4);
    Problem p = Problem::lcp(f + c);
    VectorX inside(f + c);
    inside.setZero();
    for (int j = f; j < f + c; ++j) {
      inside[j] = random.uniform(0, 1);
      p.A.rows()(j, j) = random.uniform(0.1, 1);
      p.b[j] = random.uniform(-1, 1);
      for (int i = 0; i < f; ++i) {
        p.A.rows()(i, j) = random.uniform(-1, 1);
        p.A.rows()(j, i) = -p.A.rows()(i, j);
      }
    }
    for (int i = 0; i < f; ++i) {
      p.set_free(i);
      p.b[i] = -p.A.rows().row(i).dot(inside);
    }
    expect_same_solutions(p, trial);
    EXPECT_FALSE(enumerate_solutions(p, 1e-10, 1).solutions.empty());
  }
}

TEST(LcpForm, BuildsAgainWithoutTakingMemory) {
  Random random(25);
  const Problem p = random_problem(random, 30);
  LcpForm form;
  VectorX z;
  for (int time = 0; time < 2; ++time) {
    const long before = test::heap_count();
    form.build(p);
    form.restore(form.q(), z);
    if (time == 1) {
      EXPECT_EQ(test::heap_count(), before);
    }
  }
}

}  // namespace
}  // namespace abut
