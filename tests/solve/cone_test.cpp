#include "abut/solve/cone/cone.h"

#include <gtest/gtest.h>

#include "abut/math/random.h"
#include "abut/solve/generate/generate.h"
#include "abut/solve/linear/block_lu.h"
#include "abut/solve/linear/reduced_matrix.h"
#include "abut/solve/sweeping/nsgs.h"
#include "solve/stacks.h"
#include "support/heap.h"

namespace abut {
namespace {

using test::made_dense, test::Stack, test::stack_problem;

Answer solve(const Problem& p, double tolerance = 1e-10) {
  auto solver = make_cone();
  solver->options.tolerance = tolerance;
  Answer a;
  solver->solve(p, a);
  return a;
}

TEST(BlockLu, SolvesAnyPattern) {
  // an arrow and a ring of blocks of 1 to 4 rows
  const std::vector<int> sizes{2, 3, 1, 4, 2};
  const std::vector<int> begin{0, 5, 8, 11, 14, 17};
  const std::vector<int> neighbours{0, 1, 2, 3, 4, 0, 1, 2, 0, 1, 2, 0, 3, 4, 0, 3, 4};
  BlockLu lu;
  lu.set_pattern(sizes, begin, neighbours);
  lu.clear();
  const int n = lu.unknowns();
  Eigen::MatrixXd A = Eigen::MatrixXd::Zero(n, n);
  std::vector<int> first{0};
  for (const int s : sizes) first.push_back(first.back() + s);
  for (int i = 0; i < 5; ++i)
    for (int k = begin[i]; k < begin[i + 1]; ++k) {
      const int j = neighbours[k];
      for (int r = 0; r < sizes[i]; ++r)
        for (int c = 0; c < sizes[j]; ++c) {
          const double value = std::sin(3.0 * i + 7 * j + 5 * r + 11 * c) + (i == j && r == c) * 4;
          lu.block(i, j)[r * sizes[j] + c] = A(first[i] + r, first[j] + c) = value;
        }
    }
  Eigen::VectorXd b(n);
  for (int i = 0; i < n; ++i) b[i] = i - 3;
  Eigen::VectorXd x = b;
  ASSERT_TRUE(lu.factor());
  lu.solve(x.data());
  EXPECT_LT((A * x - b).norm(), 1e-12);
}

TEST(ReducedMatrix, IsAInTheSizeOfItsRank) {
  const Problem p = stack_problem({.boxes = 5, .contacts = 9, .mass_ratio = 10});
  std::vector<RowPiece> pieces;
  for (const Cone& c : p.cones) pieces.push_back({c.first, c.size});
  ReducedMatrix reduced;
  reduced.set(p.A, pieces, VectorX::Ones(p.size()));
  EXPECT_EQ(reduced.rank(), 30);  // 135 rows
  VectorX x(p.size()), y, expected;
  for (int i = 0; i < p.size(); ++i) x[i] = std::cos(2.0 * i);
  reduced.multiply(x, y);
  p.A.multiply(x, expected);
  EXPECT_LT((y - expected).cwiseAbs().maxCoeff(), 1e-12 * expected.cwiseAbs().maxCoeff());
}

TEST(ReducedMatrix, TakesAsItIsWhatIsNotSymmetric) {
  Problem p = generate("p-matrix", 12, 3);
  std::vector<RowPiece> pieces;
  for (int i = 0; i < p.size(); ++i) pieces.push_back({i, 1});
  ReducedMatrix reduced;
  reduced.set(p.A, pieces, VectorX::Constant(p.size(), 0.5));
  VectorX x = VectorX::LinSpaced(p.size(), -1, 2), y, expected;
  reduced.multiply(x, y);
  p.A.multiply(x, expected);
  EXPECT_LT((y - 0.25 * expected).cwiseAbs().maxCoeff(), 1e-12);
}

TEST(ConeSolver, SettlesTallStacksToTheLastDigits) {
  for (const int boxes : {10, 30, 100})
    for (const double mu : {0.1, 0.5, 1.0})
      for (const double ratio : {1.0, boxes < 100 ? 100.0 : 10.0}) {
        const Answer a =
            solve(stack_problem({.boxes = boxes, .mu = mu, .mass_ratio = ratio, .seed = 2}));
        EXPECT_EQ(a.status, SolveStatus::solved)
            << boxes << " " << mu << " " << ratio << ": " << a.residuals.relative;
        EXPECT_LT(a.iterations, 80);  // half of what one start may take
      }
}

TEST(ConeSolver, IsNotTroubledByRedundantContacts) {
  for (const int contacts : {1, 3, 4, 16, 100, 400}) {
    const Answer a = solve(stack_problem({.boxes = 1, .contacts = contacts, .mu = 0.3}));
    EXPECT_EQ(a.status, SolveStatus::solved) << contacts << ": " << a.residuals.relative;
    EXPECT_LT(a.iterations, 20);
  }
}

TEST(ConeSolver, SolvesGeneratedProblems) {
  for (const char* family : {"stack", "stack-redundant", "cones", "semidefinite", "definite",
                             "mixed", "mixed-schur", "degenerate"})
    for (int seed = 1; seed <= 20; ++seed) {
      const Answer a = solve(generate(family, 30, seed));
      EXPECT_EQ(a.status, SolveStatus::solved)
          << family << " " << seed << ": " << a.residuals.relative;
    }
}

// Forces of redundant contacts are not unique; velocities are where there is no friction.
// As in some of FCLIB's files: A symmetric to three digits, which must not cost its sparsity.
TEST(ConeSolver, SolvesStacksThatAreNotQuiteSymmetric) {
  auto solver = make_cone();
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Problem p = generate("stack", 90, seed);
    ASSERT_EQ(p.A.form(), Matrix::Form::blocks);
    SplitMix random(seed);
    for (double& x : p.A.blocks().values) x *= 1 + 1e-3 * random.uniform(-1, 1);
    Answer answer;
    solver->solve(p, answer);
    EXPECT_EQ(answer.status, SolveStatus::solved) << seed << ": " << answer.reason;

    ReducedMatrix reduced;
    std::vector<RowPiece> pieces;
    std::vector<DiagonalBlock> blocks;
    for (const Cone& c : p.cones) {
      pieces.push_back({c.first, c.size});
      blocks.push_back({{2, 0, 0, 0, 2, 0, 0, 0, 2},
                        {0.5, 0, 0, 0, 0.5, 0, 0, 0, 0.5},
                        {1, 0, 0, 0, 1, 0, 0, 0, 1},
                        {},
                        {},
                        false});
    }
    const int n = p.size();
    reduced.set(p.A, pieces, VectorX::Ones(n));
    ASSERT_TRUE(reduced.factor(blocks));
    const VectorX r = VectorX::LinSpaced(n, -1, 1);
    VectorX x, Ax;
    reduced.solve(r, x);
    p.A.multiply(x, Ax);
    EXPECT_LT((2 * x + Ax - r).lpNorm<Eigen::Infinity>(), 1e-12);
  }
}

TEST(ConeSolver, FindsTheVelocitiesOfNsgsInBothForms) {
  const Problem p = stack_problem({.boxes = 3, .mu = 0, .push = 0.3, .seed = 4});
  const Answer blocks = solve(p), dense = solve(made_dense(p));
  ASSERT_EQ(blocks.status, SolveStatus::solved);
  ASSERT_EQ(dense.status, SolveStatus::solved);
  auto nsgs = make_nsgs();
  nsgs->options.tolerance = 1e-9;
  Answer other;
  nsgs->solve(p, other);
  ASSERT_EQ(other.status, SolveStatus::solved);
  EXPECT_LT((blocks.w - dense.w).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_LT((blocks.w - other.w).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_GT(blocks.w.cwiseAbs().maxCoeff(), 1e-3);  // something moves
}

TEST(ConeSolver, DoesNotMindTheUnitOfMass) {
  const Problem p = stack_problem({.boxes = 4, .mu = 0.3, .seed = 6});
  const Answer a = solve(p);
  ASSERT_EQ(a.status, SolveStatus::solved);
  for (const double unit : {1e-3, 1e3}) {
    Problem q = p;
    for (double& v : q.A.blocks().values) v *= unit;
    const Answer b = solve(q, 1e-9);
    EXPECT_EQ(b.status, SolveStatus::solved) << unit;
    EXPECT_LT((b.w - a.w).cwiseAbs().maxCoeff(), 1e-6);
  }
}

TEST(ConeSolver, StartsWarm) {
  Problem p = stack_problem({.boxes = 10, .mu = 0.5, .seed = 3});
  auto solver = make_cone();
  Answer a;
  solver->solve(p, a);
  ASSERT_EQ(a.status, SolveStatus::solved);
  const int cold = a.iterations;
  p.b *= 1.01;
  solver->options.warm_start = true;
  solver->solve(p, a);
  EXPECT_EQ(a.status, SolveStatus::solved);
  EXPECT_LE(2 * a.iterations, cold);
}

TEST(ConeSolver, AllocatesNothingTheSecondTimeAndRepeatsItself) {
  const Problem p = stack_problem({.boxes = 6, .mu = 0.2});
  auto solver = make_cone();
  Answer a;
  solver->solve(p, a);
  const VectorX first = a.z;
  const long before = test::heap_count();
  solver->solve(p, a);
  EXPECT_EQ(test::heap_count(), before);
  EXPECT_EQ(a.z, first);
}

// A joint, a contact in the plane, one in space without friction, a motor with limits.
TEST(ConeSolver, MeetsOtherRowsBesideCones) {
  Problem p = Problem::lcp(9);
  DenseRows J(9, 12);
  for (int i = 0; i < 108; ++i) J.data()[i] = std::sin(0.7 * i * i);
  p.A.rows() = J * J.transpose();
  p.b << 1, -2, -1, 0.5, -3, 1, 1, 2, -9;
  p.set_free(0), p.set_free(1);
  p.cones = {{2, 2, 0.4}, {4, 3, 0}};
  p.lo[7] = -0.1, p.hi[7] = 0.2;
  p.lo[8] = -kInfinity, p.hi[8] = 0.5;
  ASSERT_EQ(p.what_is_wrong(), "");
  const Answer a = solve(p);
  EXPECT_EQ(a.status, SolveStatus::solved) << a.residuals.relative;
  auto nsgs = make_nsgs();
  Answer other;
  nsgs->solve(p, other);
  ASSERT_EQ(other.status, SolveStatus::solved);
  EXPECT_LT((a.z - other.z).cwiseAbs().maxCoeff(), 1e-7);
}

TEST(ConeSolver, SaysWhatItDoesNotTake) {
  Problem p = Problem::lcp(5);
  p.A.rows().setIdentity();
  p.b.setConstant(-1);
  p.cones = {{0, 3, 0.5}};
  p.set_bound_by(4, 3, 0.3);
  const Answer a = solve(p);
  EXPECT_EQ(a.status, SolveStatus::failed);
  EXPECT_EQ(a.reason, "takes no rows bound by another");
}

// Painleve's rod: a thin rod that slides on its tip, steep and rough enough that friction
// presses the tip down. Velocities have a solution (an impact without collision), whichever
// way it slides; accelerations, where the direction of friction is given, have none.
TEST(ConeSolver, PainlevesRod) {
  const double mass = 1, half = 1, inertia = mass * half * half / 3, angle = 1.2, mu = 2;
  const double x = half * std::cos(angle), y = half * std::sin(angle);  // of the tip, from above
  Problem p = Problem::lcp(2);
  p.A.rows() << 1 / mass + x * x / inertia, -x * y / inertia,  //
      -x * y / inertia, 1 / mass + y * y / inertia;
  ASSERT_LT(p.A.rows()(0, 0) + mu * p.A.rows()(0, 1), 0);  // presses itself down
  p.cones = {{0, 2, mu}};
  for (const double slide : {-3.0, -0.1, 0.1, 3.0}) {
    p.b << -0.0981, slide;
    const Answer a = solve(p);
    EXPECT_EQ(a.status, SolveStatus::solved) << slide << ": " << a.residuals.relative;
  }
  Problem acceleration = Problem::lcp(1);
  acceleration.A.rows() << p.A.rows()(0, 0) + mu * p.A.rows()(0, 1);
  acceleration.b << -9.81;
  EXPECT_NE(solve(acceleration).status, SolveStatus::solved);
  acceleration.b << 9.81;  // two: leaving, and jammed
  EXPECT_EQ(solve(acceleration).status, SolveStatus::solved);
}

TEST(ConeSolver, EndsOnNumbersThatAreNone) {
  Problem p = stack_problem({.boxes = 2});
  p.b[0] = std::nan("");
  EXPECT_EQ(solve(p).status, SolveStatus::failed);
  p = stack_problem({.boxes = 2});
  p.A.blocks().values[0] = 1e300;
  EXPECT_TRUE(solve(p).z.allFinite());
  p.A.blocks().values[0] = -1;
  p.b[0] = -1e200;
  EXPECT_EQ(solve(p).status, SolveStatus::failed);
}

}  // namespace
}  // namespace abut
