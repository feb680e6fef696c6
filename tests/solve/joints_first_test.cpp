// Loops and dry friction of joints, eliminated or given their bounds before contacts are solved.
#include "abut/solve/wrap/joints_first.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "abut/solve/factored/held_rows.h"
#include "tests/support/random.h"

namespace abut {
namespace {

using test::Random;

// Hands problems on, and keeps what it was given.
class Spy final : public Solver {
 public:
  Spy(std::string_view chain, std::vector<int>& sizes)
      : behind_(make_solver(chain)), sizes_(sizes) {}
  const SolverInfo& info() const override { return behind_->info(); }

 protected:
  void run(const Problem& problem, Answer& answer) override {
    sizes_.push_back(problem.size());
    behind_->options = options;
    behind_->solve(problem, answer);
  }

 private:
  std::unique_ptr<Solver> behind_;
  std::vector<int>& sizes_;
};

// A robot of `dofs` velocities and a free body. Every joint has dry friction; contacts of the robot
// with the ground and with the body; loops within the robot.
struct Robot {
  Problem p;
  Eigen::MatrixXd J, Minv;

  Robot(unsigned seed, int dofs, int contacts, int loops, double mu) {
    Random random(seed);
    p.A.set_factored();
    FactoredMatrix& A = p.A.factored();
    A.trees = {{0, dofs, 0}, {dofs, 6, 1}};
    Minv = Eigen::MatrixXd::Zero(dofs + 6, dofs + 6);
    for (const TreeBlock& tree : A.trees) {
      Eigen::MatrixXd root(tree.size, tree.size);
      for (double& x : root.reshaped()) x = random.uniform(-1, 1);
      Minv.block(tree.first, tree.first, tree.size, tree.size) =
          root * root.transpose() + Eigen::MatrixXd::Identity(tree.size, tree.size);
    }
    for (int i = 0; i < loops; ++i) add(1, {0}, random);
    for (int i = 0; i < dofs; ++i) {
      add(1, {0}, random);
      std::fill(A.J.end() - dofs, A.J.end(), 0.0);
      A.J[A.J.size() - static_cast<std::size_t>(dofs - i)] = 1;
      A.groups.back().only = i;
    }
    for (int i = 0; i < contacts; ++i) {
      if (i % 2 == 0)
        add(mu >= 0 ? 3 : 1, {0}, random);
      else
        add(mu >= 0 ? 3 : 1, {0, 1}, random);
    }
    finish();
    p.resize(A.rows());
    for (double& b : p.b) b = random.uniform(-1, 1);
    for (int i = 0; i < loops; ++i) p.set_free(i);
    for (int i = loops; i < loops + dofs; ++i) {
      p.hi[i] = random.uniform(0.01, 0.3);
      p.lo[i] = -p.hi[i];
    }
    if (mu >= 0)
      for (int i = 0; i < contacts; ++i) p.cones.push_back({loops + dofs + 3 * i, 3, mu});
  }

  void add(int size, std::initializer_list<int> trees, Random& random) {
    FactoredMatrix& A = p.A.factored();
    RowGroup g;
    g.row = A.rows();
    g.size = size;
    for (const int t : trees) {
      g.begin[g.trees] = static_cast<int>(A.J.size());
      g.tree[g.trees++] = t;
      for (int i = 0; i < size * A.trees[static_cast<std::size_t>(t)].size; ++i)
        A.J.push_back(random.uniform(-1, 1));
    }
    A.groups.push_back(g);
  }

  // M^-1 J' of J.
  void finish() {
    FactoredMatrix& A = p.A.factored();
    A.MinvJT = A.J;
    J = Eigen::MatrixXd::Zero(A.rows(), Minv.rows());
    for (const RowGroup& g : A.groups)
      for (int side = 0; side < g.trees; ++side) {
        const TreeBlock& tree = A.trees[static_cast<std::size_t>(g.tree[side])];
        for (int k = 0; k < g.size; ++k) {
          const auto begin = static_cast<std::size_t>(g.begin[side] + k * tree.size);
          const Eigen::Map<const VectorX> row(&A.J[begin], tree.size);
          J.row(g.row + k).segment(tree.first, tree.size) = row;
          Eigen::Map<VectorX>(&A.MinvJT[begin], tree.size) =
              Minv.block(tree.first, tree.first, tree.size, tree.size) * row;
        }
      }
  }
};

// Without Coulomb's friction the velocities are unique.
TEST(JointsFirst, MovesAsTheWholeProblemDoes) {
  int fewer_rows = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    const Robot robot(seed, 4 + static_cast<int>(seed % 9), 3, static_cast<int>(seed % 3), -1);
    std::vector<int> sizes;
    auto split = make_joints_first(std::make_unique<Spy>("pivot,dantzig,lemke", sizes));
    auto whole = make_solver("pivot,dantzig,lemke");
    Answer a, b;
    split->solve(robot.p, a);
    whole->solve(robot.p, b);
    ASSERT_EQ(a.status, SolveStatus::solved) << seed;
    ASSERT_EQ(b.status, SolveStatus::solved) << seed;
    EXPECT_LT((a.w - b.w).cwiseAbs().maxCoeff(), 1e-8) << seed;
    fewer_rows += !sizes.empty() && sizes.front() < robot.p.size();
  }
  EXPECT_GT(fewer_rows, 50);
}

TEST(JointsFirst, LeavesContactsWithFrictionToTheSolverBehind) {
  int rounds = 0, fewer_rows = 0;
  for (unsigned seed = 0; seed < 60; ++seed) {
    const Robot robot(seed, 5 + static_cast<int>(seed % 9), 4, static_cast<int>(seed % 3), 0.5);
    std::vector<int> sizes;
    auto solver = make_joints_first(std::make_unique<Spy>("cone,nsgs", sizes));
    Answer answer;
    solver->solve(robot.p, answer);
    ASSERT_EQ(answer.status, SolveStatus::solved) << seed << " " << answer.residuals.relative;
    ASSERT_FALSE(sizes.empty());
    fewer_rows += sizes.front() < robot.p.size();
    rounds += static_cast<int>(sizes.size());

    // the answer again, as the start of the next step
    sizes.clear();
    solver->options.warm_start = true;
    const VectorX z = answer.z;
    solver->solve(robot.p, answer);
    EXPECT_EQ(answer.z, z);
    EXPECT_EQ(answer.iterations, 0);
    EXPECT_TRUE(sizes.empty());
  }
  EXPECT_GT(fewer_rows, 50);
  EXPECT_GT(rounds, 60);  // joints changed sides
}

TEST(JointsFirst, NeedsNoSolverWhereThereAreJointsAlone) {
  Robot robot(7, 8, 0, 0, -1);
  robot.p.lo.setConstant(-1e3);  // all stick
  robot.p.hi.setConstant(1e3);
  std::vector<int> sizes;
  auto solver = make_joints_first(std::make_unique<Spy>("pivot", sizes));
  Answer answer;
  solver->solve(robot.p, answer);
  EXPECT_EQ(answer.status, SolveStatus::solved);
  EXPECT_LT(answer.w.cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_TRUE(sizes.empty());
}

TEST(JointsFirst, BearsLoopsThatSayTheSameTwice) {
  Robot robot(3, 8, 4, 2, 0.5);
  FactoredMatrix& A = robot.p.A.factored();
  std::copy_n(A.J.begin(), 8, A.J.begin() + 8);
  robot.finish();
  robot.p.b[1] = robot.p.b[0];
  std::vector<int> sizes;
  auto solver = make_joints_first(std::make_unique<Spy>("cone,nsgs", sizes));
  Answer answer;
  solver->solve(robot.p, answer);
  EXPECT_EQ(answer.status, SolveStatus::solved) << answer.residuals.relative;
  EXPECT_LT(std::abs(answer.w[0]) + std::abs(answer.w[1]), 1e-9);
  EXPECT_LT(std::abs(answer.z[0]) + std::abs(answer.z[1]), 10);
}

// No impulses satisfy both: the solver behind is asked with all rows, and the residual tells.
TEST(JointsFirst, HandsOnLoopsThatContradictEachOther) {
  Robot robot(3, 8, 4, 2, 0.5);
  FactoredMatrix& A = robot.p.A.factored();
  std::copy_n(A.J.begin(), 8, A.J.begin() + 8);
  robot.finish();
  robot.p.b[1] = robot.p.b[0] + 0.1;
  std::vector<int> sizes;
  auto solver = make_joints_first(std::make_unique<Spy>("cone,nsgs", sizes));
  Answer answer;
  solver->solve(robot.p, answer);
  EXPECT_NE(answer.status, SolveStatus::solved);
  ASSERT_FALSE(sizes.empty());
  EXPECT_EQ(sizes.back(), robot.p.size());
}

TEST(JointsFirst, HandsOnProblemsWithoutJoints) {
  Robot robot(5, 6, 4, 0, 0.5);
  FactoredMatrix& A = robot.p.A.factored();
  std::vector<int> contacts(4), place;
  for (int i = 0; i < 4; ++i) contacts[static_cast<std::size_t>(i)] = 6 + i;
  Problem p;
  p.A.set_factored();
  take_groups(A, contacts, place, p.A.factored());
  p.resize(12);
  p.b = robot.p.b.tail(12);
  for (int i = 0; i < 4; ++i) p.cones.push_back({3 * i, 3, 0.5});
  std::vector<int> sizes;
  auto split = make_joints_first(std::make_unique<Spy>("cone,nsgs", sizes));
  auto whole = make_solver("cone,nsgs");
  Answer a, b;
  split->solve(p, a);
  whole->solve(p, b);
  EXPECT_EQ(a.z, b.z);
  EXPECT_EQ(a.iterations, b.iterations);
}

TEST(HeldRows, AreTheSchurComplement) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Robot robot(seed, 9, 2, 2, 0.5);
    const FactoredMatrix& A = robot.p.A.factored();
    HeldRows rows;
    rows.begin(A, 0);
    std::vector<char> held(static_cast<std::size_t>(A.rows()), 0);
    std::vector<int> chosen;
    for (int i = 0; i < 11; ++i) {
      rows.add(i, 0);
      if ((i + static_cast<int>(seed)) % 3 == 0)
        chosen.push_back(i), held[static_cast<std::size_t>(i)] = 1;
    }
    rows.hold(held);
    ASSERT_TRUE(rows.any());
    const Eigen::MatrixXd JE = robot.J(chosen, Eigen::seqN(0, 9)),
                          M = robot.Minv.topLeftCorner(9, 9);
    const Eigen::MatrixXd E = JE * M * JE.transpose();
    const Eigen::MatrixXd M_held = M - M * JE.transpose() * E.inverse() * JE * M;
    VectorX j = robot.J.row(11).head(9);
    VectorX row = M * j;
    rows.stiffen(row.data());
    EXPECT_LT((row - M_held * j).norm(), 1e-10 * (M * j).norm());

    std::vector<double> u(15);
    for (std::size_t i = 0; i < 15; ++i) u[i] = 0.1 * static_cast<double>(i) - 0.5;
    VectorX z = VectorX::Constant(A.rows(), 3);
    rows.solve(robot.p.b, u, z);
    const VectorX expected =
        -E.inverse() * (robot.p.b(chosen) + JE * Eigen::Map<const VectorX>(u.data(), 9));
    EXPECT_LT((z(chosen) - expected).norm(), 1e-10 * (1 + expected.norm()));
    EXPECT_EQ(z[11], 3);
    EXPECT_EQ(rows.diagonal(2), A.diagonal(2, 0));
  }
}

}  // namespace
}  // namespace abut
