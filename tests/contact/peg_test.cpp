// PEG (Williams, Lu and Trinkle): P-T1, P-T5, P-T7, P-T8, P-T10 and what the paper asks of a step.
#include "abut/contact/complementarity/peg.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "abut/model/kinematics.h"
#include "abut/simulate/overlap.h"
#include "tests/contact/scene.h"
#include "tests/contact/scenes.h"
#include "tests/support/allocations.h"

namespace abut {
namespace {

ContactSettings with(const std::string& model, bool relinearize = true) {
  ContactSettings s;
  s.model = model;
  s.own_words["peg.relinearize"] = relinearize ? "on" : "off";
  return s;
}

// P-X6: a red cube at rest over a blue one that is fixed, `gap` (m) apart; h = 0.25 s.
std::string block_on_block(double gap, double friction = 0) {
  return fmt::format(
      "<mujoco><option timestep='0.25'/><worldbody>"
      "<geom name='blue' type='box' size='.5 .5 .5' friction='{0}'/>"
      "<body name='red' pos='0 0 {1}'><freejoint/>"
      "<geom name='red' type='box' size='.5 .5 .5' mass='1' friction='{0}'/></body>"
      "</worldbody></mujoco>",
      friction, 1 + gap);
}

// P-X5: two triangles of mass 1 and J = 1/12 in the plane; A comes with (-1, 0); h = 0.5 s.
std::string triangles(const std::array<Vec2, 3>& A, const std::array<Vec2, 3>& B) {
  std::string meshes, bodies;
  const auto add = [&](char name, const std::array<Vec2, 3>& points) {
    const Vec2 c = (points[0] + points[1] + points[2]) / 3;
    std::string vertices;
    for (const double z : {-0.5, 0.5})
      for (const Vec2& p : points)
        vertices += fmt::format("{:.17g} {:.17g} {} ", p.x() - c.x(), p.y() - c.y(), z);
    meshes += fmt::format("<mesh name='{}' vertex='{}'/>", name, vertices);
    bodies += fmt::format(
        "<body name='{0}' pos='{1:.17g} {2:.17g} 0'>"
        "<inertial pos='0 0 0' mass='1' diaginertia='0.1 0.1 {3:.17g}'/>"
        "<joint type='slide' axis='1 0 0'/><joint type='slide' axis='0 1 0'/>"
        "<joint type='hinge' axis='0 0 1'/>"
        "<geom type='mesh' mesh='{0}' friction='0'/></body>",
        name, c.x(), c.y(), 1.0 / 12);
  };
  add('B', B);
  add('A', A);
  return fmt::format(
      "<mujoco><option timestep='0.5' gravity='0 0 0'/><asset>{}</asset>"
      "<custom><text name='abut.plane' data='xy'/></custom><worldbody>{}</worldbody></mujoco>",
      meshes, bodies);
}

std::string triangles_tilted() {  // F11-T
  const auto at = [](double degrees) {
    const double a = degrees * std::numbers::pi / 180;
    return Vec2(std::cos(a), std::sin(a));
  };
  const Vec2 o(0.1, 0.05);
  return triangles({o, o + at(10), o + at(70)}, {Vec2(0, 0), at(110), at(170)});
}

TEST(Peg, BlockOnBlockEndsOnTop) {  // P-T7
  for (const double gap : {0.1, 0.3}) {
    test::Scene scene(block_on_block(gap), with("peg"));
    scene.step();
    EXPECT_NEAR(scene.state.v[2], -gap / 0.25, 1e-9);
    EXPECT_NEAR(scene.state.q[2], 1, 1e-9);
    EXPECT_EQ(scene.simulator.contact().report().fallbacks, 0);
  }
}

TEST(Peg, BlockOnBlockIsFreeToSlide) {  // P-T7: what st and ap with features are not
  for (const auto& [model, v_x] :
       {std::pair<std::string, double>{"peg", 1.0}, {"st", 0.0}, {"ap", 0.0}}) {
    ContactSettings settings = with(model);
    settings.data = ContactSource::features;
    settings.stabilize = Stabilize::none;
    settings.tolerance = model == "ap" ? 0.2 : 1e-4;
    test::Scene scene(block_on_block(0.1), settings);
    scene.input.wrench[1][0] = 4;
    scene.step();
    EXPECT_NEAR(scene.state.v[0], v_x, 1e-9) << model;
    EXPECT_NEAR(scene.state.v[2], model == "ap" ? 0 : -0.4, 1e-9) << model;
  }
}

TEST(Peg, TrianglesAsTheEquationsHaveThem) {  // P-T5, to first order: branch {C1, C3}
  for (const std::string model : {"peg", "peg-paper"}) {
    test::Scene scene(triangles_tilted(), with(model, false));
    scene.state.v[3] = -1;
    scene.step();
    const double B[] = {-0.11325, 0.04122, -0.28559}, A[] = {-0.88675, -0.04122, 0.84055};
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(scene.state.v[static_cast<std::size_t>(k)], B[k], 1e-5) << model;
      EXPECT_NEAR(scene.state.v[static_cast<std::size_t>(3 + k)], A[k], 1e-5) << model;
    }
  }
}

TEST(Peg, LncLetsTrianglesPass) {  // P-T5: the least motion that it accepts is none
  test::Scene scene(triangles_tilted(), with("lnc"));
  scene.state.v[3] = -1;
  scene.step();
  EXPECT_NEAR(scene.state.v[3], -1, 1e-12);
  EXPECT_NEAR(scene.state.v[0], 0, 1e-12);
}

TEST(Peg, TrianglesEndWithoutOverlap) {  // P-T5, relinearised
  test::Scene scene(triangles_tilted(), with("peg"));
  scene.state.v[3] = -1;
  scene.step();
  OverlapMeasure measure(scene.model);
  Derived d(scene.model);
  positions(scene.model, scene.state, scene.input, d);
  EXPECT_LT(measure.of(d).deepest, 1e-12);
  EXPECT_NEAR(scene.state.v[0] + scene.state.v[3], -1, 1e-12);
  EXPECT_NEAR(scene.state.v[1] + scene.state.v[4], 0, 1e-12);
}

// P-T10: where every pair has one plane, peg is st.
TEST(Peg, OnlyUIsStewartTrinkle) {
  for (const FrictionKind friction : {FrictionKind::none, FrictionKind::cone}) {
    ContactSettings peg = with("peg", false), st = with("st");
    st.own_words["st.contacts"] = "start";  // as printed
    peg.friction = st.friction = friction;
    peg.stabilize = st.stabilize = Stabilize::none;
    std::vector<Problem> problems[2];
    State end[2];
    int i = 0;
    for (const ContactSettings& s : {peg, st}) {
      test::Scene scene(test::stack_of_boxes(1, 1, 1e-5), s);
      scene.state.v[0] = 0.3;
      scene.simulator.contact().watch(
          [&](const Problem& p, const Answer&) { problems[i].push_back(p); });
      for (int k = 0; k < 3; ++k) scene.step();
      end[i++] = scene.state;
    }
    ASSERT_FALSE(problems[1].empty());
    // peg looks at a step more than once; the first look that has rows is that of st
    const Problem &p = problems[0].front(), &q = problems[1].front();
    ASSERT_EQ(p.b.size(), q.b.size());
    EXPECT_EQ(p.b, q.b);
    EXPECT_EQ(p.A.blocks().values, q.A.blocks().values);
    for (std::size_t k = 0; k < end[0].v.size(); ++k) EXPECT_NEAR(end[0].v[k], end[1].v[k], 1e-12);
  }
}

TEST(Peg, ThinPlateHolds) {
  test::Scene scene(
      "<mujoco><option timestep='0.25'/><worldbody><geom type='box' size='1 1 0.001'/>"
      "<body pos='0 0 1'><freejoint/><geom type='box' size='.1 .1 .1' mass='1'/></body>"
      "</worldbody></mujoco>",
      with("peg"));
  scene.run(3);
  EXPECT_NEAR(scene.state.q[2], 0.101, 1e-9);
}

TEST(Peg, StackStands) {  // P-T8
  for (const double h : {0.01, 0.05}) {
    test::Scene scene(test::stack_of_boxes(5), with("peg"));
    scene.model.option.timestep = h;
    scene.run(1);
    for (int i = 0; i < 5; ++i)
      EXPECT_NEAR(scene.state.q[static_cast<std::size_t>(7 * i + 2)], i + 0.5, 1e-6);
    EXPECT_EQ(scene.simulator.contact().report().fallbacks, 0);
  }
}

TEST(Peg, AWarmStepAllocatesNothing) {
  test::Scene scene(test::stack_of_boxes(3), with("peg"));
  for (int i = 0; i < 10; ++i) scene.step();
  const long before = test::allocation_count();
  for (int i = 0; i < 10; ++i) scene.step();
  EXPECT_EQ(test::allocation_count(), before);
}

TEST(Peg, DoesNotBounceAndSaysSo) {
  test::Scene scene(
      "<mujoco><option timestep='0.01'/>"
      "<custom><numeric name='abut.restitution' data='0.8'/></custom><worldbody>"
      "<geom type='plane' size='5 5 1'/><body pos='0 0 1'><freejoint/>"
      "<geom type='box' size='.2 .2 .2'/></body></worldbody></mujoco>",
      with("peg"));
  const std::vector<std::string> warnings = scene.simulator.contact().warnings();
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("abut.restitution"), std::string::npos);
  scene.run(1);
  EXPECT_NEAR(scene.state.q[2], 0.2, 1e-9);
}

}  // namespace
}  // namespace abut
