// The problem of an island as a solver gets it that takes factors.
#include <gtest/gtest.h>

#include "abut/constrain/rows/constraint_rows.h"
#include "abut/dynamics/mass_matrix.h"
#include "abut/solve/factored/formed_problem.h"
#include "abut/solve/solver.h"
#include "tests/contact/scene.h"

namespace abut {
namespace {

// Two boxes, one on the other, beside an arm of three links that lies on the ground and whose last
// joint is at its limit; a ball far away.
constexpr const char* kWorld = R"(<mujoco><compiler angle='radian'/><option timestep='0.004'/>
  <worldbody>
    <geom type='plane' size='5 5 1' friction='0.5'/>
    <body pos='0 0 0.1'><freejoint/><geom type='box' size='.1 .1 .1' mass='1'/></body>
    <body pos='0 0 0.3'><freejoint/><geom type='box' size='.1 .1 .1' mass='2'/></body>
    <body pos='1 0 0.05'><joint type='hinge' axis='0 1 0'/>
      <geom type='capsule' fromto='0 0 0 .3 0 0' size='.05' mass='1'/>
      <body pos='.3 0 0'><joint type='hinge' axis='0 1 0' frictionloss='.1'/>
        <geom type='capsule' fromto='0 0 0 .3 0 0' size='.05' mass='1'/>
        <body pos='.3 0 0'><joint type='hinge' axis='0 0 1' limited='true' range='0 1'/>
          <geom type='capsule' fromto='0 0 0 .3 0 0' size='.05' mass='1'/>
        </body></body></body>
    <body pos='-3 0 0.1'><freejoint/><geom type='sphere' size='.1' mass='1'/></body>
  </worldbody></mujoco>)";

// Solves by solvers that want A, and keeps what it was given.
class Keeper final : public Solver {
 public:
  static std::vector<Problem>& seen() {
    static std::vector<Problem> problems;
    return problems;
  }
  static const SolverInfo& its_info() {
    static const SolverInfo info{.name = "factors-keeper",
                                 .summary = "keeps the problems that it is given",
                                 .guarantee = "none",
                                 .kinds = bit(ProblemKind::lcp) | bit(ProblemKind::mlcp) |
                                          bit(ProblemKind::boxed) | bit(ProblemKind::cone),
                                 .forms = bit(Matrix::Form::factored),
                                 .warm_start = true,
                                 .inverse_masses = true};
    return info;
  }
  const SolverInfo& info() const override { return its_info(); }

 protected:
  void run(const Problem& problem, Answer& answer) override {
    seen().push_back(problem);
    auto behind = make_solver("cone,pivot,nsgs", options);
    behind->solve(formed_.form(problem), answer);
  }

 private:
  FormedProblem formed_;
};

const std::vector<Problem>& problems_of_two_steps() {
  static const bool ran = [] {
    add_solver({&Keeper::its_info(),
                []() -> std::unique_ptr<Solver> { return std::make_unique<Keeper>(); }});
    ContactSettings settings = test::settings("st");
    settings.solver = "factors-keeper";
    settings.stabilize = Stabilize::none;
    test::Scene scene(kWorld, settings);
    scene.step();
    Keeper::seen().clear();
    scene.step();
    EXPECT_EQ(scene.unsolved, 0);
    return true;
  }();
  EXPECT_TRUE(ran);
  return Keeper::seen();
}

TEST(IslandProblem, HasTheTreesOfItsIslandAlone) {
  int boxes = 0, arms = 0, balls = 0;
  for (const Problem& p : problems_of_two_steps()) {
    ASSERT_EQ(p.A.form(), Matrix::Form::factored);
    const FactoredMatrix& A = p.A.factored();
    EXPECT_EQ(A.rows(), p.size());
    const bool free = A.trees.front().size == 6;
    boxes += free && A.trees.size() == 2;
    balls += free && A.trees.size() == 1;
    arms += !free && A.trees.size() == 1 && A.trees.front().size == 3;
  }
  EXPECT_GT(boxes, 0);
  EXPECT_GT(arms, 0);
  EXPECT_GT(balls, 0);
  EXPECT_EQ(boxes + arms + balls, static_cast<int>(Keeper::seen().size()));
}

TEST(IslandProblem, HasAGroupOfThreeRowsAContactAndBoundsOfJoints) {
  bool limit = false, friction = false;
  for (const Problem& p : problems_of_two_steps()) {
    const FactoredMatrix& A = p.A.factored();
    std::size_t cone = 0;
    for (const RowGroup& g : A.groups) {
      if (cone < p.cones.size() && p.cones[cone].first == g.row) {
        EXPECT_EQ(g.size, 3);
        EXPECT_EQ(p.cones[cone++].mu, 1);  // the larger of 0.5 and MuJoCo's 1
        continue;
      }
      limit |= p.lo[g.row] == 0 && p.hi[g.row] == kInfinity;
      friction |= p.lo[g.row] == -0.004 * 0.1 && p.hi[g.row] == 0.004 * 0.1;
    }
    EXPECT_EQ(cone, p.cones.size());
  }
  EXPECT_TRUE(limit);
  EXPECT_TRUE(friction);
}

TEST(IslandProblem, HasTheInverseMassOfEachTree) {
  for (const Problem& p : problems_of_two_steps()) {
    const FactoredMatrix& A = p.A.factored();
    std::vector<std::size_t> begin;
    std::size_t end = 0;
    for (const TreeBlock& tree : A.trees) {
      begin.push_back(end);
      end += static_cast<std::size_t>(tree.size * tree.size);
    }
    ASSERT_EQ(A.inverse_mass.size(), end);
    for (const RowGroup& g : A.groups)
      for (int side = 0; side < g.trees; ++side) {
        const auto t = static_cast<std::size_t>(g.tree[side]);
        const int n = A.trees[t].size;
        const Eigen::Map<const DenseRows> Minv(&A.inverse_mass[begin[t]], n, n);
        EXPECT_LT((Minv - Minv.transpose()).norm(), 1e-12 * Minv.norm());
        const auto at = static_cast<std::size_t>(g.begin[side]);
        const Eigen::Map<const DenseRows> J(&A.J[at], g.size, n), MinvJT(&A.MinvJT[at], g.size, n);
        EXPECT_LT((J * Minv - MinvJT).norm(), 1e-12 * (1 + MinvJT.norm()));
      }
  }
}

// The same step, by solvers that get A.
TEST(IslandProblem, LeadsToTheStepOfTheSolversThatWantA) {
  problems_of_two_steps();
  for (const char* solver : {"nsgs", "factors-keeper"}) {
    ContactSettings settings = test::settings("st");
    test::Scene expected(kWorld, settings);
    settings.solver = solver;
    test::Scene scene(kWorld, settings);
    scene.run(0.2);
    expected.run(0.2);
    for (std::size_t i = 0; i < scene.state.v.size(); ++i)
      EXPECT_NEAR(scene.state.v[i], expected.state.v[i], 1e-6) << solver << " " << i;
  }
}

}  // namespace
}  // namespace abut
