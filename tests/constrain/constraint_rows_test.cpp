// Rows of constraints: what is done for several at once, and for rows of one entry.
#include "abut/constrain/rows/constraint_rows.h"

#include <gtest/gtest.h>

#include "abut/dynamics/mass_matrix.h"
#include "abut/load/load.h"
#include "abut/model/kinematics.h"
#include "support/random.h"
#include "support/tree.h"

namespace abut {
namespace {

struct Humanoid {
  Model model = load_model(test::in_tree("/worlds/humanoid.xml"));
  State state{model};
  Input input{model};
  Derived d{model};

  Humanoid() {
    positions(model, state, input, d);
    velocities(model, state, d);
    mass_matrix(model, d);
    factor(model, d);
  }
};

TEST(ConstraintRows, FourRightSidesAreSolvedAsOneIs) {
  const Humanoid h;
  const Tree& tree = h.model.trees.front();
  test::Random random(5);
  std::vector<double> four(4 * static_cast<std::size_t>(tree.dof_count));
  for (double& x : four) x = random.uniform(-1, 1);
  const std::vector<double> before = four;
  solve_tree_four(h.model, h.d, tree, four.data());
  for (std::size_t r = 0; r < 4; ++r) {
    std::vector<double> one;
    for (std::size_t i = r; i < before.size(); i += 4) one.push_back(before[i]);
    solve_tree(h.model, h.d, tree, one.data());
    for (std::size_t i = 0; i < one.size(); ++i) EXPECT_EQ(one[i], four[4 * i + r]);
  }
}

// A row of one dof is known as such, and gives the numbers of a row that is not.
TEST(ConstraintRows, ARowOfOneEntryIsSeenAsItIs) {
  const Humanoid h;
  const int tree = 0, body = h.model.dofs[12].body;
  ConstraintRows rows(h.model);
  rows.begin(h.d);
  for (int dof = 6; dof < 13; ++dof) rows.add_dof(rows.add(1, body, 0), 0, dof, 2);
  const int two = rows.add(1, body, 0);
  rows.add_dof(two, 0, 12, 1);
  rows.add_dof(two, 0, 14, 3);
  rows.finish();
  for (int g = 0; g < 7; ++g) EXPECT_EQ(rows.groups()[static_cast<std::size_t>(g)].only, 6 + g);
  EXPECT_EQ(rows.groups()[7].only, -1);
  EXPECT_EQ(rows.groups()[7].tree[0], tree);

  FactoredMatrix sparse;
  const std::vector<int> all = {0, 1, 2, 3, 4, 5, 6, 7};
  rows.take(all, sparse);
  FactoredMatrix plain = sparse;
  for (RowGroup& g : plain.groups) g.only = -1;
  std::vector<double> u(static_cast<std::size_t>(h.model.nv)), a(8), b(8);
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = 0.1 * static_cast<double>(i) - 0.7;
  sparse.velocities(u, a);
  plain.velocities(u, b);
  EXPECT_EQ(a, b);
  for (int g = 0; g < 8; ++g) EXPECT_EQ(sparse.diagonal(g, 0), plain.diagonal(g, 0));
}

// D-15: M^-1 J' is the same by factors of M, by test forces and by M^-1 in full, with what implicit
// damping adds to M.
TEST(ConstraintRows, ThreeWaysToTheInverseAgree) {
  Humanoid h;
  test::Random random(11);
  for (std::size_t i = 7; i < h.state.q.size(); ++i) h.state.q[i] += random.uniform(-0.5, 0.5);
  positions(h.model, h.state, h.input, h.d);
  velocities(h.model, h.state, h.d);
  mass_matrix(h.model, h.d);
  for (const double most : {0.0, 2.0}) {
    std::vector<double> extra(static_cast<std::size_t>(h.model.nv));
    for (double& x : extra) x = random.uniform(0, most);
    factor(h.model, h.d, extra);
    const int bodies = static_cast<int>(h.model.bodies.size());
    ConstraintRows rows(h.model);
    std::vector<std::vector<double>> answers;
    for (const InverseBy by :
         {InverseBy::factors, InverseBy::unit_forces, InverseBy::operational_space}) {
      rows.invert_by(by);
      rows.begin(h.d);
      for (int i = 0; i < 30; ++i) {
        const int body = 1 + i % (bodies - 1);
        rows.add_point(rows.add(1, body, 0), 0, body,
                       h.d.body_pose[static_cast<std::size_t>(body)].p + Vec3(0.1, 0.02 * i, 0),
                       Vec3(0.2, 0.3, 0.9), 1);
      }
      rows.finish();
      BlockRows A;
      rows.delassus(A);
      answers.push_back(A.values);
    }
    double largest = 0;
    for (const double x : answers[0]) largest = std::max(largest, std::abs(x));
    for (std::size_t i = 0; i < answers[0].size(); ++i) {
      EXPECT_NEAR(answers[1][i], answers[0][i], 1e-11 * largest);
      EXPECT_NEAR(answers[2][i], answers[0][i], 1e-11 * largest);
    }
  }
}

}  // namespace
}  // namespace abut
