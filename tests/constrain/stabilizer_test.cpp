// The stabilisers beside the post-step's LCP: pseudo-inverse, Baumgarte in both forms, gamma, and
// the restriction of large post-steps (C-7, C-9, C-10, C-14, C-15, C-E4, C-X5, C-X6).
#include <gtest/gtest.h>

#include "abut/constrain/stabilize/post_step.h"
#include "abut/constrain/stabilize/pseudo_inverse.h"
#include "tests/contact/scene.h"
#include "tests/contact/scenes.h"

namespace abut {
namespace {

using test::Scene;

ContactSettings with(const std::string& model, const char* stabilize) {
  ContactSettings s = test::settings(model);
  set_stabilize(s, stabilize);
  return s;
}

// A ball on a thread of half a metre, that swings.
std::string pendulum(double gravity = -9.81) {
  return fmt::format(
      "<mujoco><option timestep='0.001' gravity='0 0 {}'/><worldbody><body name='bob' pos='0.5 0 "
      "0'><freejoint/><geom type='sphere' size='0.1'/></body></worldbody><equality><connect "
      "body1='bob' anchor='-0.5 0 0'/></equality></mujoco>",
      gravity);
}

double joint_error(const Scene& scene) {
  const Eigen::Quaterniond q(scene.state.q[3], scene.state.q[4], scene.state.q[5],
                             scene.state.q[6]);
  return (scene.position() - q * Vec3(0.5, 0, 0)).norm();
}

// Of two balls of 1 and 3 kg that are 8 mm from where their joint would have them, the metric of
// the masses moves the light one three times as far (eq. 14), the plain one both alike (eqs 12, 13).
TEST(PostPinv, MovesByMassesOrBothAlike) {
  const auto moved = [](const char* text) {
    Scene s(
        "<mujoco><option timestep='0.001' gravity='0 0 0'/><worldbody>"
        "<body name='a'><freejoint/><geom type='sphere' size='.1' mass='1'/></body>"
        "<body name='b'><freejoint/><geom type='sphere' size='.1' mass='3'/></body></worldbody>"
        "<equality><connect body1='a' body2='b' anchor='0 0 0'/></equality></mujoco>",
        with("none", text));
    s.state.q[0] = 0.008;
    s.step();
    return std::array{0.008 - s.position(0).x(), s.position(1).x()};
  };
  for (const char* text : {"post:1", "post-pinv:1"}) {
    EXPECT_NEAR(moved(text)[0], 0.006, 1e-12) << text;
    EXPECT_NEAR(moved(text)[1], 0.002, 1e-12) << text;
  }
  EXPECT_NEAR(moved("post-plain:1")[0], 0.004, 1e-12);
  EXPECT_NEAR(moved("post-plain:1")[1], 0.004, 1e-12);
}

// A thread of half a metre is 0.3 m off: one post-step leaves much, and without a number they are
// repeated until less than 1e-4 of the size is left.
TEST(PostStep, IsRepeatedUntilItIsDone) {
  const auto left = [](const char* text, int& steps) {
    Scene s(pendulum(0), with("none", text));
    s.state.q[0] = 0.3;
    s.state.q[2] = 0.2;
    s.step();
    steps = s.simulator.contact().post().steps;
    return joint_error(s);
  };
  int one = 0, all = 0;
  EXPECT_GT(left("post:1", one), 0.05);
  EXPECT_LT(left("post", all), 1e-4);
  EXPECT_EQ(one, 1);
  EXPECT_GT(all, 2);
  EXPECT_LE(all, PostStep::kMostSteps);
  EXPECT_EQ(stabilize_text(with("none", "post")), "post");
  EXPECT_EQ(stabilize_text(with("none", "post:1")), "post:1");
}

// C-X6: a box of 1 x 0.5 in the plane, sunk by 0.02 and tilted by 0.03 rad. The same point twice
// shares its multiplier and moves the box as once.
TEST(PseudoInverse, GivesTheSpecsNumbersAndIsNotTroubledByTheSamePointTwice) {
  const double J = (1 + 0.25) / 12, c = std::cos(0.03), s = std::sin(0.03);
  const double x[] = {-0.5 * c + 0.25 * s, 0.5 * c + 0.25 * s};
  const double gap[] = {-0.5 * s - 0.25 * c + 0.23, 0.5 * s - 0.25 * c + 0.23};
  EXPECT_NEAR(gap[0], -0.034885, 1e-6);
  EXPECT_NEAR(gap[1], -0.004890, 1e-6);
  PseudoInverse inverse;
  VectorX l;
  DenseRows A(2, 2);
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 2; ++j) A(i, j) = 1 + x[i] * x[j] / J;
  EXPECT_EQ(inverse.solve(A, Eigen::Vector2d(-gap[0], -gap[1]), l), 2);
  EXPECT_NEAR(l[0], 0.013335, 1e-6);
  EXPECT_NEAR(l[1], 0.006778, 1e-6);

  const int twice[] = {0, 1, 1};
  DenseRows B(3, 3);
  VectorX g(3), m;
  for (int i = 0; i < 3; ++i) {
    g[i] = -gap[twice[i]];
    for (int j = 0; j < 3; ++j) B(i, j) = A(twice[i], twice[j]);
  }
  EXPECT_EQ(inverse.solve(B, g, m), 2);
  EXPECT_NEAR(m[0], l[0], 1e-12);
  EXPECT_NEAR(m[1], l[1] / 2, 1e-12);
  EXPECT_NEAR(m[2], l[1] / 2, 1e-12);
}

// C-T10: four points under a box are one too many; LCP and pseudo-inverse lift it alike.
TEST(PostPinv, MovesARedundantBoxAsTheLcpDoes) {
  Scene lcp(test::stack_of_boxes(1, 1, -0.002), with("ap", "post"));
  Scene pinv(test::stack_of_boxes(1, 1, -0.002), with("ap", "post-pinv"));
  lcp.step();
  pinv.step();
  EXPECT_NEAR(lcp.position().z(), 0.5, 1e-9);
  for (std::size_t i = 0; i < lcp.state.q.size(); ++i)
    EXPECT_NEAR(lcp.state.q[i], pinv.state.q[i], 1e-12) << i;
}

// Pushed in by gravity, w_n = 0: the overlap shrinks by 1 - alpha h a step (C-E4), and with gamma
// = 1 it is gone in one.
TEST(Baumgarte, OverlapShrinksByItsRate) {
  Scene scene(test::stack_of_boxes(1, 1, -0.01), with("ap", "baumgarte:10"));
  double overlap = 0.01;
  for (int i = 0; i < 50; ++i) {
    scene.step();
    overlap *= 1 - 10 / 240.0;
    ASSERT_NEAR(0.5 - scene.position().z(), overlap, 1e-9) << i;
  }
  Scene gamma(test::stack_of_boxes(1, 1, -0.01), with("ap", "gamma:1"));
  gamma.step();
  EXPECT_NEAR(gamma.position().z(), 0.5, 1e-9);
}

// st's max(psi, 0) / h has the whole of the position already: only joints are stabilised.
TEST(Baumgarte, LeavesTheContactsOfStAlone) {
  Scene scene(test::stack_of_boxes(1, 1, -0.01), with("st", "baumgarte:10"));
  scene.run(0.1);
  EXPECT_NEAR(scene.position().z(), 0.49, 1e-9);
}

// C-E4: the error is multiplied by 1 - alpha h, so 2 / h is where it goes mad.
TEST(Baumgarte, IsStableBelowTwoOverTheStepAndNotAbove) {
  double last = 1;
  for (const char* text : {"none", "baumgarte:50", "baumgarte:200", "baumgarte:1000", "post"}) {
    Scene scene(pendulum(), with("none", text));
    scene.run(0.6);
    EXPECT_LT(joint_error(scene), last) << text;
    last = joint_error(scene);
  }
  Scene below(pendulum(), with("none", "baumgarte:1900"));
  below.run(0.6);
  EXPECT_LT(joint_error(below), 1e-4);
  Scene above(pendulum(), with("none", "baumgarte:2100"));
  double worst = 0;
  for (int i = 0; i < 600; ++i) {
    above.step();
    worst = std::max(worst, joint_error(above));
  }
  EXPECT_GT(worst, 1e-2);
}

// g'' + alpha g' + beta g = 0 of a ball that is pulled to a point, no more and no less.
TEST(BaumgarteAcc, ErrorsFollowItsEquation) {
  ContactSettings s = with("none", "baumgarte-acc:30,400");
  EXPECT_EQ(s.rate, 30);
  EXPECT_EQ(s.stiff, 400);
  Scene scene(
      "<mujoco><option timestep='0.002' gravity='0 0 0'/><worldbody><body name='ball'><freejoint/>"
      "<geom type='sphere' size='0.1'/></body></worldbody><equality><connect body1='ball' "
      "anchor='0 0 0'/></equality></mujoco>",
      s);
  scene.state.q[0] = 0.1;
  double g = 0.1, v = 0;
  for (int i = 0; i < 200; ++i) {
    scene.step();
    v -= 0.002 * (30 * v + 400 * g);
    g += 0.002 * v;
    ASSERT_NEAR(scene.position().x(), g, 1e-12) << i;
  }
}

// The velocity term: a ball that turns about the end of its thread is held by omega^2 r.
TEST(BaumgarteAcc, KnowsTheCentripetalAcceleration) {
  Scene scene(pendulum(0), with("none", "baumgarte-acc:0,0"));
  scene.state.v = {0, 0.5 * 3, 0, 0, 0, 3};
  scene.step();
  EXPECT_NEAR(scene.velocity().x(), -0.001 * 9 * 0.5, 1e-11);
  EXPECT_NEAR(scene.velocity().y(), 1.5, 1e-11);
}

// C-T9: 30 % overlap. No post-step moves the box by more than a tenth of its size, none makes the
// overlap worse, and it ends.
TEST(PostStep, TakesLargeOverlapInSmallSteps) {
  for (const char* text : {"post", "post-pinv", "post:3"}) {
    Scene scene(test::stack_of_boxes(1, 1, -0.3), with("st", text));
    double before = 0.3, z = 0.2;
    int steps = 0;
    for (; steps < 20 && before > 1e-6; ++steps) {
      scene.step();
      const double overlap = 0.5 - scene.position().z();
      EXPECT_LE(overlap, before) << text;
      const double most = 0.1 * std::sqrt(3.0) * scene.simulator.contact().post().steps;
      EXPECT_LE(scene.position().z() - z, most + 1e-4) << text;
      before = overlap;
      z = scene.position().z();
      EXPECT_LT(scene.velocity().norm(), 1e-9) << "a post-step leaves velocities alone";
    }
    EXPECT_LE(steps, 3) << text;
    EXPECT_NEAR(scene.position().z(), 0.5, 1e-4) << text;
  }
}

}  // namespace
}  // namespace abut
