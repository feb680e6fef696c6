// Order, links, trees, degrees of freedom and the pattern of the mass matrix.
#include <gmock/gmock.h>

#include "abut/model/model.h"

namespace abut {
namespace {

using ::testing::ElementsAre;

// world -- base (fixed) -- arm (hinge) -- hand (fixed) -- finger (slide, hinge)
//       |                             '-- thumb (ball)
//       '- ball (free)
World small_world() {
  World world;
  auto& base = world.body("base", {0, 0, 1});
  base.box({0.1, 0.1, 0.1});
  auto& arm = base.body("arm", {1, 0, 0});
  arm.hinge("shoulder", {0, 2, 0}).ref = 0.25;
  arm.sphere(0.1);
  auto& hand = arm.body("hand", {1, 0, 0});
  hand.sphere(0.1);
  auto& finger = hand.body("finger", {0.5, 0, 0});
  finger.slide("reach", {1, 0, 0});
  finger.hinge("curl", {0, 0, 1});
  finger.sphere(0.1);
  auto& thumb = hand.body("thumb", {0, 0.5, 0});
  thumb.ball("saddle");
  thumb.sphere(0.1);
  auto& ball = world.body("ball", {0, 1, 1}, Quat(0, 1, 0, 0));
  ball.free("flight");
  ball.sphere(0.1);
  return world;
}

TEST(CompileLayout, BodiesAreDepthFirst) {
  const Model m = compile(small_world());
  ASSERT_EQ(m.nbody(), 7);
  EXPECT_EQ(m.body_names[0], "world");
  EXPECT_EQ(m.find_body("base"), 1);
  EXPECT_EQ(m.find_body("finger"), 4);
  EXPECT_EQ(m.find_body("ball"), 6);
  EXPECT_EQ(m.bodies[4].parent, 3);
  EXPECT_EQ(m.bodies[5].parent, 3);
  EXPECT_EQ(m.bodies[4].depth, 4);
  EXPECT_EQ(m.bodies[3].weld, 2);  // the hand is one with the arm
  EXPECT_EQ(m.bodies[1].weld, 0);  // the base is one with the world
}

TEST(CompileLayout, LinksAndTrees) {
  const Model m = compile(small_world());
  ASSERT_EQ(m.links.size(), 4u);
  EXPECT_EQ(m.bodies[1].link, -1);
  EXPECT_EQ(m.bodies[3].link, 0);
  EXPECT_EQ(m.links[1].parent, 0);
  EXPECT_EQ(m.links[2].parent, 0);
  EXPECT_EQ(m.links[3].parent, -1);
  ASSERT_EQ(m.trees.size(), 2u);
  EXPECT_EQ(m.trees[0].link_count, 3);
  EXPECT_EQ(m.trees[0].dof_count, 6);
  EXPECT_FALSE(m.trees[0].free_body);
  EXPECT_EQ(m.trees[1].dof_begin, 6);
  EXPECT_TRUE(m.trees[1].free_body);
}

TEST(CompileLayout, PositionsAndDofs) {
  const Model m = compile(small_world());
  EXPECT_EQ(m.nq, 1 + 2 + 4 + 7);
  EXPECT_EQ(m.nv, 1 + 2 + 3 + 6);
  EXPECT_THAT(m.qpos0, ElementsAre(0.25, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 1, 0, 0));
  EXPECT_EQ(m.joints[0].axis, Vec3(0, 1, 0));
  std::vector<int> parents;
  for (const Dof& dof : m.dofs) parents.push_back(dof.parent);
  EXPECT_THAT(parents, ElementsAre(-1, 0, 1, 0, 3, 4, -1, 6, 7, 8, 9, 10));
}

TEST(CompileLayout, PatternOfTheMassMatrix) {
  const Model m = compile(small_world());
  EXPECT_THAT(m.M_row, ElementsAre(0, 1, 3, 6, 8, 11, 15, 16, 18, 21, 25, 30, 36));
  EXPECT_EQ(m.M_col.size(), 36u);
  for (int i = 0; i < m.nv; ++i) {
    for (int k = m.M_row[i] + 1; k < m.M_row[i + 1]; ++k) EXPECT_LT(m.M_col[k - 1], m.M_col[k]);
    EXPECT_EQ(m.M_col[m.M_row[i + 1] - 1], i);
  }
  EXPECT_THAT(std::vector<int>(m.M_col.begin() + 8, m.M_col.begin() + 11), ElementsAre(0, 3, 4));
}

TEST(CompileLayout, LinkWeighsWhatIsWeldedToIt) {
  const Model m = compile(small_world());
  const double ball = m.bodies[2].mass.mass;
  EXPECT_NEAR(m.links[0].mass.mass, 2 * ball, 1e-12);
  EXPECT_NEAR(m.links[0].mass.com.x(), 0.5, 1e-15);
  // two balls half a metre off their common centre
  EXPECT_NEAR(m.links[0].mass.inertia(1, 1), 2 * ball * (0.4 * 0.01 + 0.25), 1e-12);
}

TEST(CompileLayout, MocapBodiesAreNumberedAndBelongToNoLink) {
  World world;
  world.body("fixed").sphere(0.1);
  auto& hand = world.body("hand", {1, 2, 3});
  hand.mocap = true;
  hand.body("nail").sphere(0.1);
  world.body("other").mocap = true;
  const Model m = compile(world);
  EXPECT_EQ(m.nmocap, 2);
  EXPECT_EQ(m.bodies[2].mocap, 0);
  EXPECT_EQ(m.bodies[4].mocap, 1);
  EXPECT_EQ(m.bodies[2].link, -1);
  EXPECT_EQ(m.bodies[3].link, -1);
  EXPECT_EQ(m.bodies[2].weld, 2);
  EXPECT_EQ(m.bodies[3].weld, 2);
  EXPECT_EQ(m.bodies[1].weld, 0);
}

}  // namespace
}  // namespace abut
