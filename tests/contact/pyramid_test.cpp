// Friction in pyramids: by itself, on the incline, and in scenes at random (C-6, C-T12, S-T2).
#include "abut/solve/cone/pyramid.h"

#include <gtest/gtest.h>

#include <numbers>
#include <random>

#include "tests/contact/scene.h"
#include "tests/contact/scenes.h"

namespace abut {
namespace {

using test::Scene;

constexpr double kG = 9.81;

ContactSettings with_pyramid(const std::string& model, int directions,
                             const char* solver = "auto") {
  ContactSettings s = test::settings(model);
  s.friction = FrictionKind::pyramid;
  s.directions = directions;
  s.solver = solver;
  return s;
}

// A unit mass at a point that is pressed down and pushed aside: A = 1.
Problem pushed_point(double normal, double t1, double t2, double mu) {
  Problem p;
  p.A.set_blocks();
  p.resize(3);
  BlockRows& A = p.A.blocks();
  A.clear();
  A.add_row(3);
  double* block = A.block(A.add_block(0, 3));
  block[0] = block[4] = block[8] = 1;
  p.b << normal, t1, t2;
  p.cones.push_back({0, 3, mu});
  return p;
}

TEST(Pyramid, SlipsAlongADirectionAsTheConeDoes) {
  Pyramid pyramid(4);
  const Problem cones = pushed_point(-2, 3, 0, 0.5);
  const auto lemke = make_solver("lemke");
  Answer answer;
  lemke->solve(pyramid.build(cones), answer);
  ASSERT_EQ(answer.status, SolveStatus::solved);
  VectorX z;
  pyramid.restore(answer.z, z);
  EXPECT_NEAR(z[0], 2, 1e-12);
  EXPECT_NEAR(z[1], -1, 1e-12);  // mu p_n, against the motion
  EXPECT_NEAR(z[2], 0, 1e-12);
  EXPECT_NEAR(answer.z[5], 2, 1e-12);  // s: the speed that is left
}

// The start that lift() makes of a solution is one of the LCP: rows, slack and all.
TEST(Pyramid, LiftsASolutionToASolution) {
  const auto lemke = make_solver("lemke");
  for (const int directions : {4, 6, 8, 14}) {
    Pyramid pyramid(directions);
    for (const double angle : {0.0, 0.4, 2.5, 3.2, 6.2}) {
      for (const double push : {0.3, 3.0}) {  // sticks, slips
        const Problem cones = pushed_point(-2, push * std::cos(angle), push * std::sin(angle), 0.5);
        Answer answer, again;
        lemke->solve(pyramid.build(cones), answer);
        VectorX z, w, scratch;
        pyramid.restore(answer.z, z);
        pyramid.lift(z, again.z);
        EXPECT_LT(residuals(pyramid.problem(), again.z, w, scratch).natural, 1e-12)
            << directions << ' ' << angle << ' ' << push;
      }
    }
  }
}

class PyramidModels : public testing::TestWithParam<std::string> {};

// C-T12: along an edge of the pyramid the law is Coulomb's.
TEST_P(PyramidModels, ABoxOnTheInclineSticksOrSlidesExactlyAlongADirection) {
  for (const int directions : {4, 8}) {
    Scene sticks(test::incline(0.3, 0.4), with_pyramid(GetParam(), directions));
    const Vec3 start = sticks.position();
    sticks.run(1);
    EXPECT_LT((sticks.position() - start).norm(), 1e-6);
    EXPECT_EQ(sticks.unsolved, 0);

    Scene slides(test::incline(0.5, 0.4), with_pyramid(GetParam(), directions));
    slides.run(1);
    EXPECT_NEAR(slides.velocity().norm(), 1.2595306, 1e-6);
    EXPECT_EQ(slides.unsolved, 0);
    EXPECT_LT(slides.residual, 1e-10);
  }
}

// Between two edges friction is at least cos(pi / N) of the cone's: the pyramid tends to the cone.
TEST_P(PyramidModels, ObliqueSlidingLacksTheConeByAtMostItsFaces) {
  const auto speed = [&](int directions, double heading) {
    Scene scene(test::incline(0.5, 0.4, heading), with_pyramid(GetParam(), directions));
    scene.run(1);
    return scene.velocity().norm();
  };
  const auto expected = [](double mu) { return kG * (std::sin(0.5) - mu * std::cos(0.5)); };
  double last = 1;
  for (const int directions : {4, 8, 16}) {
    const double face = std::cos(std::numbers::pi / directions);
    double worst = 0;
    for (const double heading : {0.3, 0.785, 1.9}) {
      const double v = speed(directions, heading);
      EXPECT_GT(v, expected(0.4) * (1 - 1e-3)) << directions << ' ' << heading;
      EXPECT_LT(v, expected(0.4 * face) * (1 + 1e-3)) << directions << ' ' << heading;
      worst = std::max(worst, v - expected(0.4));
    }
    EXPECT_LT(worst, last);
    last = worst;
  }
}

INSTANTIATE_TEST_SUITE_P(Pyramids, PyramidModels, testing::Values("st", "ap"),
                         [](const auto& info) { return info.param; });

// Boxes and balls over a floor and against each other, moving at random; nothing overlaps.
std::string scene_at_random(std::mt19937& random) {
  std::uniform_real_distribution<double> real(-1, 1);
  const double mu = 0.6 * (1 + real(random));
  std::string s = fmt::format(
      "<mujoco><option timestep='0.01'/><worldbody><geom type='plane' size='5 5 1' "
      "friction='{}'/>",
      mu);
  const int bodies = 1 + static_cast<int>(random() % 3);
  for (int i = 0; i < bodies; ++i) {
    const bool ball = random() % 3 == 0;
    s += fmt::format(
        "<body pos='{} {} {}' euler='0 0 {}'><freejoint/><geom type='{}' size='{}' mass='{}' "
        "friction='{}'/></body>",
        0.02 * real(random), 0.02 * real(random), 0.1 + i * 0.2 + 1e-9, 90 * real(random),
        ball ? "sphere" : "box", ball ? "0.1" : "0.1 0.1 0.1", std::exp(2 * real(random)), mu);
  }
  return s + "</worldbody></mujoco>";
}

// S-T2 through the simulator, and C-6: inside the pyramid, slip does negative work. Lemke alone,
// as nothing else has to end with a solution.
TEST(PyramidScenes, LemkeSolves500AtRandom) {
  std::mt19937 random(6);
  std::uniform_real_distribution<double> real(-1, 1);
  int problems = 0, slipping = 0;
  for (int i = 0; i < 500; ++i) {
    const int directions = 4 + 2 * static_cast<int>(random() % 3);
    ContactSettings settings = with_pyramid(i % 2 ? "st" : "ap", directions, "lemke");
    settings.own_words["st.contacts"] = "start";  // all that is near is in the problem
    Scene scene(scene_at_random(random), settings);
    for (double& v : scene.state.v) v = real(random);
    scene.step();
    const TimeStepping& stepping = scene.simulator.contact().stepping();
    EXPECT_EQ(stepping.report().unsolved, 0) << "scene " << i;
    EXPECT_LT(stepping.report().residual, 1e-10) << "scene " << i;
    problems += stepping.report().problems;
    // velocities at the contacts after the step, by the bodies of free joints
    std::vector<double> u(scene.state.v.size());
    const Derived& d = scene.simulator.derived();
    ConstraintRows rows(scene.model);
    rows.begin(d);
    for (const Contact& c : stepping.contacts()) {
      const int g = rows.add(3, c.body_a, c.body_b);
      for (int k = 0; k < 3; ++k) {
        rows.add_point(g, k, c.body_b, c.position, c.frame.col(k), 1);
        rows.add_point(g, k, c.body_a, c.position, c.frame.col(k), -1);
      }
    }
    for (std::size_t k = 0; k < u.size(); ++k)
      u[k] = scene.simulator.free_velocities()[k] + scene.simulator.contact().change()[k];
    std::vector<double> w(3 * stepping.contacts().size());
    rows.velocities(u, w);
    for (std::size_t c = 0; c < stepping.contacts().size(); ++c) {
      const Contact& contact = stepping.contacts()[c];
      const Vec3 p = contact.frame.transpose() * stepping.impulses()[c];
      const Eigen::Vector2d slip(w[3 * c + 1], w[3 * c + 2]);
      EXPECT_LE(p.tail<2>().norm(), contact.material.friction * p[0] + 1e-9);
      const double work = p.tail<2>().dot(slip);
      // the edge that acts is within 180 / N degrees of the motion's opposite
      const double face = std::cos(std::numbers::pi / directions);
      EXPECT_LE(work, 1e-9);
      if (slip.norm() > 1e-6 && p[0] > 1e-6) {
        EXPECT_LE(work, -face * contact.material.friction * p[0] * slip.norm() + 1e-9);
        ++slipping;
      }
    }
  }
  EXPECT_GT(problems, 450);
  EXPECT_GT(slipping, 200);
}

TEST(PyramidScenes, AStackStandsStill) {
  Scene scene(test::stack_of_boxes(5), with_pyramid("st", 8));
  scene.run(0.5);
  EXPECT_EQ(scene.unsolved, 0);
  EXPECT_NEAR(scene.position(4).z(), 4.5, 1e-6);
  EXPECT_LT(scene.position(4).head<2>().norm(), 1e-6);
}

}  // namespace
}  // namespace abut
