// Families keep their promises: the same bits from the same seed, the class they declare, the
// solution they know.
#include "abut/solve/generate/generate.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include "abut/math/hash.h"
#include "abut/math/random.h"

namespace abut {
namespace {

std::uint64_t hash_of(const Problem& p) {
  Hash hash;
  DenseRows A;
  p.A.to_dense(A);
  hash.bytes(A.data(), sizeof(double) * A.size());
  for (const VectorX* v : {&p.b, &p.lo, &p.hi, &p.mu})
    hash.bytes(v->data(), sizeof(double) * v->size());
  for (const int j : p.bound_by) hash.value(static_cast<std::uint64_t>(j));
  for (const Cone& c : p.cones) hash.value(c.mu);
  return hash.digest();
}

TEST(Generate, GivesTheSameBitsFromTheSameSeed) {
  for (const Family& f : families()) {
    EXPECT_EQ(hash_of(generate(f.name, 24, 5)), hash_of(generate(f.name, 24, 5))) << f.name;
    EXPECT_NE(hash_of(generate(f.name, 24, 5)), hash_of(generate(f.name, 24, 6))) << f.name;
  }
}

// Written down once: a change of compiler or machine that changes a bit shows here.
TEST(Generate, GivesTheBitsThatItAlwaysGave) {
  Hash all;
  for (const Family& f : families())
    for (const int n : {1, 13, 40}) all.value(hash_of(generate(f.name, n, 1)));
  EXPECT_EQ(all.digest(), 3487442467962117899u);
}

TEST(Generate, MakesProblemsOfTheKindAndAboutTheSizeAskedFor) {
  for (const Family& f : families())
    for (const int n : {1, 2, 3, 7, 12, 30, 100})
      for (std::uint64_t seed = 1; seed < 6; ++seed) {
        const Problem p = generate(f.name, n, seed);
        EXPECT_EQ(p.what_is_wrong(), "") << f.name << " " << n;
        // `boxed` of few rows may draw nothing but free ones
        if (n >= 12) {
          EXPECT_EQ(p.kind(), f.kind) << f.name << " " << n;
        }
        EXPECT_GE(p.size(), 1);
        if (n >= 30) {
          EXPECT_NEAR(p.size(), n, 0.6 * n) << f.name;
        }
      }
}

TEST(Generate, ThrowsAndNamesTheFamilies) {
  try {
    generate("definit", 3, 1);
    FAIL();
  } catch (const std::invalid_argument& e) {
    EXPECT_NE(std::string(e.what()).find("'definit'; there are p-matrix definite"),
              std::string::npos);
  }
}

// All principal minors, for sizes where 2^n is little.
double least_minor(const DenseRows& A) {
  const int n = static_cast<int>(A.rows());
  double least = kInfinity;
  for (int mask = 1; mask < 1 << n; ++mask) {
    std::vector<int> in;
    for (int i = 0; i < n; ++i)
      if (mask >> i & 1) in.push_back(i);
    const Eigen::MatrixXd minor = A(in, in);
    least = std::min(least, minor.determinant());
  }
  return least;
}

TEST(Generate, PMatricesHavePositiveMinors) {
  int indefinite = 0;
  for (const char* family : {"p-matrix", "definite", "scaled", "cycling", "boxed"})
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      DenseRows A;
      generate(family, 7, seed).A.to_dense(A);
      EXPECT_GT(least_minor(A), 0) << family << " " << seed;
      if (std::string_view(family) == "p-matrix") {
        const Eigen::MatrixXd sum = A + A.transpose();
        indefinite += Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(sum).eigenvalues()[0] < 0;
      }
    }
  EXPECT_GE(indefinite, 3);  // else the family would be only `definite` again
}

TEST(Generate, SemidefiniteMatricesHaveNoNegativeEigenvalue) {
  for (const char* family :
       {"semidefinite", "degenerate", "infeasible", "mixed", "mixed-schur", "cones", "stack"})
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      DenseRows A;
      generate(family, 48, seed).A.to_dense(A);
      const Eigen::MatrixXd sum = A + A.transpose();
      const VectorX values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(sum).eigenvalues();
      EXPECT_GT(values[0], -1e-12 * values.maxCoeff()) << family << " " << seed;
      // redundant indeed
      if (std::string_view(family) != "stack" && std::string_view(family) != "mixed-schur") {
        EXPECT_LT(values[0], 1e-10 * values.maxCoeff()) << family << " " << seed;
      }
    }
}

// Copositive: x' A x >= 0 for x >= 0. Tried with many x, sparse ones too.
TEST(Generate, FrictionMatricesAreCopositive) {
  SplitMix random(3);
  for (const char* family : {"friction", "painleve"})
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      DenseRows A;
      generate(family, 24, seed).A.to_dense(A);
      for (int k = 0; k < 200; ++k) {
        VectorX x(A.rows());
        for (double& v : x) v = random.chance(3) ? random.uniform(0, 1) : 0;
        EXPECT_GE(x.dot(A * x), -1e-12 * x.squaredNorm()) << family << " " << seed;
      }
    }
}

TEST(Generate, KnowsSolutions) {
  for (const char* family : {"degenerate", "scaled", "cycling"})
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
      VectorX z, w, scratch;
      const Problem p = generate(family, 20, seed, &z);
      ASSERT_EQ(z.size(), p.size());
      EXPECT_LE(residuals(p, z, w, scratch).relative, 1e-12) << family << " " << seed;
      if (std::string_view(family) == "degenerate") {
        EXPECT_EQ(residuals(p, z, w, scratch).natural, 0);
        EXPECT_GE((z.array() + w.array() == 0).count(), 2);
      }
    }
}

TEST(Generate, InfeasibleProblemsHaveACertificate) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const Problem p = generate("infeasible", 12, seed);
    // y > 0 with A y = 0 is the null vector
    const Eigen::FullPivLU<Eigen::MatrixXd> lu(p.A.rows());
    VectorX y = lu.kernel().col(0);
    if (lu.dimensionOfKernel() != 1) continue;  // a matrix of even less rank: y is not unique
    y /= y[0];
    EXPECT_GT(y.minCoeff(), 0);
    EXPECT_LT(y.dot(p.b), -1e-3);
    const Problem rods = generate("painleve-acceleration", 4, seed);
    EXPECT_LT(rods.A.rows().diagonal().maxCoeff(), 0);
    EXPECT_LT(rods.b.maxCoeff(), 0);
  }
}

}  // namespace
}  // namespace abut
