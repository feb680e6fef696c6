// Joints eliminated before the rest: chains, loops, redundant joints, and what limits and contacts
// are left with.
#include "abut/solve/wrap/free_first.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <numeric>

#include "abut/math/random.h"
#include "abut/solve/linear/block_lu.h"

namespace abut {
namespace {

// J M^-1 J' of n joints of `rows` rows in a row, each between two bodies of six dofs; joint 0 is
// also on the ground. `twice`: the last joint again.
struct Chain {
  Eigen::MatrixXd J;
  std::vector<int> first;

  Chain(int n, int rows, bool closed, bool twice, unsigned seed) {
    SplitMix random(seed);
    const int joints = n + (twice ? 1 : 0);
    J.setZero(joints * rows, 6 * n);
    for (int j = 0; j < n; ++j)
      for (int r = 0; r < rows; ++r)
        for (int c = 0; c < 6; ++c) {
          J(j * rows + r, 6 * j + c) = random.uniform(-1, 1);
          if (j > 0 || closed) J(j * rows + r, 6 * ((j + n - 1) % n) + c) = random.uniform(-1, 1);
        }
    if (twice) J.bottomRows(rows) = J.middleRows((n - 1) * rows, rows);
    for (int j = 0; j <= joints; ++j) first.push_back(j * rows);
  }
};

// Blocks of J J' + the others' rows, all of one row.
Problem problem_of(const Chain& chain, const Eigen::MatrixXd& others) {
  Eigen::MatrixXd J(chain.J.rows() + others.rows(), chain.J.cols());
  J << chain.J, others;
  const Eigen::MatrixXd A = J * J.transpose();
  std::vector<int> first = chain.first;
  for (int i = 0; i < others.rows(); ++i) first.push_back(first.back() + 1);
  Problem p;
  p.A.set_blocks();
  BlockRows& blocks = p.A.blocks();
  blocks.clear();
  for (std::size_t i = 0; i + 1 < first.size(); ++i) {
    const int n = first[i + 1] - first[i];
    blocks.add_row(n);
    for (std::size_t j = 0; j + 1 < first.size(); ++j) {
      const int m = first[j + 1] - first[j];
      if (i != j && A.block(first[i], first[j], n, m).isZero(0)) continue;
      double* to = blocks.block(blocks.add_block(static_cast<int>(j), m));
      for (int r = 0; r < n; ++r)
        for (int c = 0; c < m; ++c) to[r * m + c] = A(first[i] + r, first[j] + c);
    }
  }
  p.resize(static_cast<int>(J.rows()));
  for (int i = 0; i < chain.J.rows(); ++i) p.set_free(i);
  return p;
}

Answer solved(const Problem& p) {
  const auto solver = make_free_first(make_solver("pivot,lemke"));
  Answer answer;
  solver->solve(p, answer);
  return answer;
}

TEST(FreeFirst, SolvesAChainAsADenseFactorDoes) {
  for (const bool closed : {false, true}) {
    const Chain chain(12, 4, closed, false, 3);
    Problem p = problem_of(chain, Eigen::MatrixXd(0, chain.J.cols()));
    for (int i = 0; i < p.size(); ++i) p.b[i] = std::sin(i);
    const Answer answer = solved(p);
    EXPECT_EQ(answer.status, SolveStatus::solved);
    EXPECT_EQ(answer.solver, "free-first");
    const Eigen::MatrixXd A = chain.J * chain.J.transpose();
    const VectorX z = -A.ldlt().solve(p.b);
    EXPECT_LT((answer.z - z).norm(), 1e-9 * z.norm());
  }
}

// The impulses share the load; what they do to the bodies is what one joint does.
TEST(FreeFirst, AJointThatIsThereTwiceChangesNothing) {
  const Chain once(6, 5, false, false, 5), twice(6, 5, false, true, 5);
  Problem p = problem_of(once, Eigen::MatrixXd(0, once.J.cols()));
  Problem q = problem_of(twice, Eigen::MatrixXd(0, twice.J.cols()));
  for (int i = 0; i < p.size(); ++i) p.b[i] = q.b[i] = std::cos(3 * i);
  for (int r = 0; r < 5; ++r) q.b[p.size() + r] = p.b[p.size() - 5 + r];
  const Answer one = solved(p), two = solved(q);
  EXPECT_EQ(two.status, SolveStatus::solved);
  EXPECT_EQ(two.solver, "free-first");
  const VectorX u = once.J.transpose() * one.z, v = twice.J.transpose() * two.z;
  EXPECT_LT((u - v).norm(), 1e-9 * u.norm());
  // how the two share is decided by the 1e-12 on the diagonal alone: rounding over that
  for (int r = 0; r < 5; ++r)
    EXPECT_NEAR(two.z[p.size() - 5 + r], two.z[p.size() + r], 1e-3 * two.z.norm());
}

// Rows that only push, and boxed ones, behind the joints: as without elimination.
TEST(FreeFirst, LeavesTheOthersTheirProblem) {
  const Chain chain(10, 5, false, false, 8);
  SplitMix random(4);
  Eigen::MatrixXd others(12, chain.J.cols());
  for (int i = 0; i < others.size(); ++i) others.data()[i] = random.uniform(-1, 1);
  Problem p = problem_of(chain, others);
  for (int i = 0; i < p.size(); ++i) p.b[i] = random.uniform(-1, 1);
  for (int i = p.size() - 4; i < p.size(); ++i) p.lo[i] = -0.1, p.hi[i] = 0.1;
  Answer all;
  make_solver("pivot,lemke,dantzig")->solve(p, all);
  ASSERT_EQ(all.status, SolveStatus::solved);
  const Answer answer = solved(p);
  EXPECT_EQ(answer.status, SolveStatus::solved);
  EXPECT_EQ(answer.solver, "free-first");
  EXPECT_LT((answer.z - all.z).norm(), 1e-7 * all.z.norm());
}

// Numbers in the factor of a chain whose joints come in any order: as many more for each link.
TEST(FreeFirst, TheFactorGrowsWithTheLinks) {
  const auto stored = [](int n) {
    std::vector<int> name(static_cast<std::size_t>(n));
    std::iota(name.begin(), name.end(), 0);
    SplitMix random(2);
    for (std::size_t i = name.size(); i-- > 1;)
      std::swap(name[i], name[static_cast<std::size_t>(random.integer(0, static_cast<int>(i)))]);
    std::vector<std::vector<int>> meets(name.size());
    for (std::size_t i = 0; i + 1 < name.size(); ++i) {
      meets[static_cast<std::size_t>(name[i])].push_back(name[i + 1]);
      meets[static_cast<std::size_t>(name[i + 1])].push_back(name[i]);
    }
    std::vector<int> sizes(name.size(), 5), begin{0}, neighbours;
    for (const std::vector<int>& m : meets) {
      neighbours.insert(neighbours.end(), m.begin(), m.end());
      begin.push_back(static_cast<int>(neighbours.size()));
    }
    BlockLu lu;
    lu.set_pattern(sizes, begin, neighbours);
    return lu.stored();
  };
  EXPECT_EQ(stored(10), 10u * 25 + 9u * 50);  // no fill at all
  EXPECT_EQ(stored(30), 30u * 25 + 29u * 50);
  EXPECT_EQ(stored(270), 270u * 25 + 269u * 50);
}

}  // namespace
}  // namespace abut
