// Analytic derivatives of a step against central differences of whole steps, inside a contact mode; and
// where there are none.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <random>

#include "abut/load/load.h"
#include "abut/math/rotation.h"
#include "abut/model/kinematics.h"
#include "abut/simulate/derive/derivatives.h"
#include "tests/support/tree.h"

namespace abut::test {
namespace {

struct Case {
  Model model;
  State state;
  Input input;
  std::string contact = "st";

  explicit Case(Model m) : model(std::move(m)), state(model), input(model) {}
};

Simulator simulator_of(const Case& c) {
  ContactSettings s = contact_settings(c.model);
  set_contact(s, c.contact);
  set_accuracy(s, 1e-13);  // the differences divide what it leaves by their size
  return Simulator(c.model, s);
}

StepDerivatives analytic(const Case& c) {
  Simulator simulator = simulator_of(c);
  return differentiate_step(simulator, c.state, c.input, {.method = DerivativeMethod::analytic});
}

// Central differences of two sizes, so that the error is of the fourth order.
StepDerivatives differences(const Case& c, double h = 1e-4) {
  Simulator simulator = simulator_of(c);
  const auto of = [&](double size) {
    return differentiate_step(simulator, c.state, c.input,
                              {.step = size, .kink = 1e9, .method = DerivativeMethod::differences});
  };
  StepDerivatives once = of(h), twice = of(2 * h);
  once.A = (4 * once.A - twice.A) / 3, once.B = (4 * once.B - twice.B) / 3;
  return once;
}

void expect_same(const MatX& found, const MatX& expected, const std::string& what) {
  ASSERT_EQ(found.cols(), expected.cols()) << what;
  if (found.size() == 0) return;
  ASSERT_TRUE(found.allFinite()) << what;
  for (int c = 0; c < found.cols(); ++c) {
    const double size = std::max(1.0, expected.col(c).cwiseAbs().maxCoeff());
    int row = 0;
    const double off = (found.col(c) - expected.col(c)).cwiseAbs().maxCoeff(&row);
    EXPECT_LT(off, 1e-6 * size) << what << " column " << c << " row " << row << ": "
                                << found(row, c) << ", differences " << expected(row, c);
  }
}

void expect_analytic(const Case& c, double size = 1e-4) {
  const StepDerivatives found = analytic(c), expected = differences(c, size);
  ASSERT_TRUE(found.analytic) << found.why_not[0];
  EXPECT_TRUE(found.exists()) << testing::PrintToString(found.why_not);
  expect_same(found.A, expected.A, c.contact + " A");
  expect_same(found.B, expected.B, c.contact + " B");
}

Case with_floor(const std::string& body, const std::string& more = "") {
  return Case(
      compile(parse_mjcf("<mujoco><option timestep='0.01' gravity='0 0 -10'/><worldbody>"
                         "<geom name='floor' type='plane' size='1 1 1' friction='0.5'/>" +
                         body + "</worldbody>" + more + "</mujoco>")));
}

void draw(std::vector<double>& values, double size, std::mt19937& random) {
  std::uniform_real_distribution<double> of(-size, size);
  for (double& x : values) x = of(random);
}

void draw_state(Case& c, double size, std::mt19937& random) {
  std::vector<double> moved(static_cast<std::size_t>(c.model.nv));
  draw(moved, size, random);
  advance(c.model, moved, 1, c.state.q);
  draw(c.state.v, size, random);
  draw(c.state.act, 0.3, random);
  draw(c.input.ctrl, 0.3, random);
}

TEST(AnalyticDerivatives, OfAFreeBodyWhoseCentreOfMassIsElsewhere) {
  Case c = with_floor(
      "<body pos='0 0 5'><freejoint/><geom type='box' size='0.1 0.2 0.3' pos='0.1 0.05 -0.2' "
      "mass='2' euler='20 30 40'/></body>");
  std::mt19937 random(1);
  for (int i = 0; i < 5; ++i) {
    draw_state(c, 1 + 10 * i, random);  // fast ones turn in several parts
    c.state.q[2] = 5;
    draw(c.input.force, 3, random);
    c.input.wrench[1] << 1, -2, 3, 0.3, 0.2, -0.1;
    expect_analytic(c, 3e-5);
  }
}

TEST(AnalyticDerivatives, OfAPendulumInClosedForm) {
  Case c = with_floor(
      "<body pos='0 0 3'><joint type='hinge' axis='0 1 0'/><geom size='0.1' pos='0 0 -1' "
      "mass='2'/></body>");
  c.state.q[0] = 0.4, c.state.v[0] = 1.1;
  const StepDerivatives d = analytic(c);
  const double h = 0.01, inertia = 2 + 0.4 * 2 * 0.01, k = -h * 20 / inertia * std::cos(0.4);
  ASSERT_TRUE(d.exists());
  EXPECT_LT((d.A - (MatX(2, 2) << 1 + h * k, h, k, 1).finished()).norm(), 1e-14);
}

// Servos, motors, filters, springs, dampers that grow, tendons, armature; hinges, slides and balls.
TEST(AnalyticDerivatives, OfAnArmWithActuators) {
  Case c = with_floor(
      "<body pos='0 0 3'><joint name='a' axis='0 0 1' damping='0.3' armature='0.02'/>"
      "<geom type='capsule' size='0.04' fromto='0 0 0 0.4 0 0.1' mass='1'/>"
      "<body pos='0.4 0 0.1'><joint name='b' axis='0 1 0' pos='0.01 0 0.02' stiffness='3' "
      "springref='20'/>"
      "<joint name='s' type='slide' axis='1 0 1' stiffness='80'/>"
      "<geom type='capsule' size='0.03' fromto='0 0 0 0.3 0.1 0' mass='0.7' contype='0'/>"
      "<body pos='0.3 0.1 0' gravcomp='0.5'><joint name='w' type='ball' damping='0.02'/>"
      "<geom type='box' size='0.05 0.1 0.02' pos='0.05 0 0' mass='0.4' contype='0'/>"
      "</body></body></body>",
      "<tendon><fixed name='t' stiffness='4' damping='0.2'><joint joint='a' coef='1'/>"
      "<joint joint='b' coef='-0.5'/></fixed></tendon>"
      "<actuator><position joint='a' kp='30' kv='2'/><motor joint='b' gear='3'/>"
      "<velocity joint='s' kv='5'/><position tendon='t' kp='2'/>"
      "<general joint='b' dyntype='filter' dynprm='0.05' gainprm='4'/>"
      "<general joint='a' dyntype='filterexact' dynprm='0.02' gainprm='2' actearly='true'/>"
      "<motor joint='a' ctrlrange='-0.01 0.01' ctrllimited='true'/></actuator>");
  std::mt19937 random(2);
  for (const Integrator integrator : {Integrator::euler, Integrator::implicit}) {
    c.model.option.integrator = integrator;
    for (int i = 0; i < 3; ++i) {
      draw_state(c, 1, random);
      c.input.ctrl.back() = 0.3;  // beyond its range
      c.input.wrench[2] << 1, 2, -1, 0.1, -0.2, 0.3;
      expect_analytic(c);
    }
  }
}

TEST(AnalyticDerivatives, OfADamperThatGrowsWithTheSpeed) {
  Case c = with_floor(
      "<body pos='0 0 3'><joint name='a' axis='0 1 0'/><geom type='capsule' size='0.04' "
      "fromto='0 0 0 0.4 0 0' mass='1'/></body>");
  c.model.dofs[0].damping = {0.2, 0.3, 0.4};
  for (const double v : {2.0, -2.0}) {
    c.state.v[0] = v;
    expect_analytic(c);
  }
}

TEST(AnalyticDerivatives, OfTheHumanoidInTheAir) {
  Case c(load_model(in_tree("/worlds/humanoid.xml")));
  std::mt19937 random(3);
  for (int i = 0; i < 3; ++i) {
    c.state = State(c.model);
    draw_state(c, 0.3, random);
    c.state.q[2] += 3;
    for (std::size_t j = 0; j < c.model.joints.size(); ++j)  // off their limits
      c.model.joints[j].limited = false;
    c.model.option.contact_on = false;
    expect_analytic(c);
  }
}

// A tree that is drawn: hinges, slides and balls anywhere, on the ground or floating.
TEST(AnalyticDerivatives, OfRandomTrees) {
  std::mt19937 random(4);
  const auto number = [&](double size) {
    return std::uniform_real_distribution<double>(-size, size)(random);
  };
  const auto vector = [&] { return fmt::format("{} {} {}", number(1), number(1), number(1)); };
  for (int i = 0; i < 8; ++i) {
    std::string open, close;
    for (int b = 0; b < 5; ++b) {
      const char* type = i % 2 == 0 && b == 0                                    ? "free"
                         : std::uniform_int_distribution<int>(0, 2)(random) == 0 ? "ball"
                         : b % 2 == 0                                            ? "slide"
                                                                                 : "hinge";
      open += fmt::format(
          "<body pos='{}' euler='{}'><joint type='{}' axis='{}' pos='{}' damping='0.1'/>"
          "<geom type='box' size='0.2 0.1 0.3' pos='{}' euler='{}' mass='{}' contype='0' "
          "conaffinity='0'/>",
          vector(), vector(), type, vector(), type == std::string("free") ? "0 0 0" : vector(),
          vector(), vector(), 1 + number(0.5));
      const bool ends = std::uniform_int_distribution<int>(0, 2)(random) == 0 && b > 0;
      if (ends)
        open += "</body>";
      else
        close += "</body>";
    }
    Case c = with_floor(open + close);
    draw_state(c, 1, random);
    expect_analytic(c);
  }
}

Case ball_on_floor() {
  return with_floor(
      "<body pos='0 0 0.1'><freejoint/><geom name='ball' size='0.1' mass='1'/></body>");
}

// The gap closes in the step under st, and stays under ap.
TEST(AnalyticDerivatives, OfABallThatRestsSlidesAndRolls) {
  for (const std::string contact : {"st", "ap", "fast"})
    for (const double turn : {0.0, 2.0, 5.0, -5.0}) {  // rests, slides, sticks, slides
      Case c = ball_on_floor();
      c.contact = contact;
      c.state.q[2] += contact == "ap" ? 1e-5 : 3e-4;
      c.state.v = {0.5, 0.2, 0, -2 * turn / 10, turn, 0.3};
      if (turn == 0.0) c.state.v = {0, 0, 0, 0, 0, 0};
      expect_analytic(c, 1e-6);
    }
}

TEST(AnalyticDerivatives, OfABoxThatRestsAndSlides) {
  for (const std::string contact : {"st", "ap"})
    for (const double speed : {0.0, 1.0}) {
      Case c = with_floor(
          "<body pos='0 0 0.05'><freejoint/><geom name='box' type='box' size='0.1 0.2 0.05' "
          "mass='1'/></body>");
      c.contact = contact;
      c.state.q[2] += contact == "ap" ? 1e-5 : 3e-4;
      c.state.v[0] = speed, c.state.v[1] = 0.5 * speed;
      // a tilt closes corners one after the other: differences are off by their size
      expect_analytic(c, contact == "ap" ? 1e-6 : 1e-7);
    }
}

// Under ap, which is linear about the start: st finds these contacts again at the end of the step.
TEST(AnalyticDerivatives, OfContactsOfTreesAndOfPairs) {
  Case leg = with_floor(
      "<body pos='0 0 0.7'><joint name='s' type='slide' axis='0 0 1'/><joint name='a' axis='0 1 "
      "0'/>"
      "<geom type='capsule' size='0.03' fromto='0 0 0 0.2 0 -0.3' mass='1' contype='0' "
      "conaffinity='0'/>"
      "<body pos='0.2 0 -0.3'><joint name='k' axis='0 1 0.2'/>"
      "<geom name='foot' size='0.05' pos='-0.1 0.02 -0.35' mass='0.4'/></body></body>",
      "<actuator><position joint='k' kp='20' kv='1'/><motor joint='a'/></actuator>");
  leg.contact = "ap";
  for (const double v : {0.0, -1.0}) {
    leg.state = State(leg.model);
    leg.state.q[0] = 1e-5, leg.state.v[0] = -0.3, leg.state.v[1] = v, leg.state.v[2] = 0.4;
    expect_analytic(leg, 1e-6);
  }
  Case ball = with_floor(
      "<body pos='0 0 0.05'><freejoint/><geom name='box' type='box' size='0.3 0.3 0.05' "
      "mass='2'/></body>"
      "<body pos='0.02 0.03 0.2'><freejoint/><geom name='ball' size='0.1' mass='1'/></body>");
  ball.contact = "ap";
  ball.state.q[2] += 1e-5, ball.state.q[9] += 2e-5;
  ball.state.v[6] = 0.3;
  expect_analytic(ball, 1e-8);  // larger tilts of the box open a corner
  Case balls = with_floor(
      "<body pos='0 0 0.1'><geom name='still' size='0.1' mass='2'/></body>"
      "<body pos='0.03 0.02 0.297'><freejoint/><geom name='ball' size='0.1' mass='1'/></body>");
  balls.contact = "ap";
  balls.state.q[2] = 0.1 + std::sqrt(0.04 - 0.0013) + 1e-5;
  balls.state.v[0] = 0.3;
  expect_analytic(balls, 1e-6);
  Case capsule = with_floor(
      "<body pos='0 0 0.1003' euler='90 0 0'><freejoint/><geom name='rod' type='capsule' size='0.1 "
      "0.2' mass='1'/></body>");
  capsule.state.v[0] = 0.3;
  expect_analytic(capsule, 1e-7);  // larger tilts make st find the contacts again
}

TEST(AnalyticDerivatives, OfLimitsAndDryJoints) {
  for (const std::string contact : {"st", "ap", "none"}) {
    Case c = with_floor(
        "<body pos='0 0 3'><joint name='a' axis='0 1 0' range='-10 30' limited='true' "
        "frictionloss='0.3'/>"
        "<geom type='capsule' size='0.04' fromto='0 0 0 0.4 0 0' mass='1' contype='0'/>"
        "<body pos='0.4 0 0'><joint name='b' axis='0 1 0' frictionloss='0.05'/>"
        "<geom type='capsule' size='0.03' fromto='0 0 0 0.3 0.1 0' mass='0.7' "
        "contype='0'/></body></body>",
        "<actuator><motor joint='b'/></actuator>");
    c.contact = contact;
    const double top = 30 * 3.14159265358979 / 180;
    for (const double v : {0.0, 1.0}) {
      c.state = State(c.model);
      c.state.q[0] = top - 5e-4, c.state.v[1] = v;  // falls onto it
      if (contact != "ap") expect_analytic(c, 1e-5);
      c.state.q[0] = 0.1;
      expect_analytic(c, 1e-5);
    }
  }
}

// --- where there are none -------------------------------------------------------------------------

TEST(AnalyticDerivatives, NameTheColumnsOfAGapThatIsZero) {
  Case c = ball_on_floor();
  const StepDerivatives d = analytic(c);
  ASSERT_TRUE(d.analytic);
  EXPECT_FALSE(d.exists());
  EXPECT_THAT(d.why_not[2], testing::HasSubstr("floor ball: the gap is zero"));
  for (const std::size_t column : {0, 1, 3, 4, 5, 6, 7, 8, 9})
    EXPECT_EQ(d.why_not[column], "") << column;
  const StepDerivatives by_steps = differences(c, 1e-5);
  for (const int column : {0, 1, 3, 4, 5, 6, 7, 8, 9})
    EXPECT_LT((d.A.col(column) - by_steps.A.col(column)).norm(), 1e-6) << column;
}

TEST(AnalyticDerivatives, NameAnImpulseOfZero) {
  Case c = ball_on_floor();
  c.model.option.gravity.setZero();
  const StepDerivatives d = analytic(c);
  for (const std::size_t column : {2, 8})
    EXPECT_THAT(d.why_not[column], testing::HasSubstr("does not press")) << column;
  for (const std::size_t column : {0, 1, 3, 4, 5, 6, 7, 9}) EXPECT_EQ(d.why_not[column], "");
}

TEST(AnalyticDerivatives, NameTheBorderOfStickAndSlip) {
  Case c = with_floor(
      "<body pos='0 0 0.05'><freejoint/><geom name='box' type='box' size='0.1 0.2 0.05' "
      "mass='1'/></body>");
  c.state.q[2] += 3e-4;
  // all that friction has: mu times weight, and what stops the fall of the gap
  c.state.v[0] = 0.01 * 10 - 0.03;  // the larger of the two frictions is 1
  EXPECT_FALSE(analytic(c).exists());
}

TEST(AnalyticDerivatives, AreNotOfWhatTheEquationsDoNotHold) {
  Case c = ball_on_floor();
  const auto why = [&](const std::string& contact) {
    c.contact = contact;
    const StepDerivatives d = analytic(c);
    EXPECT_FALSE(d.analytic);
    EXPECT_FALSE(d.exists());
    EXPECT_TRUE(d.A.array().isNaN().all());
    return d.why_not[0];
  };
  EXPECT_THAT(why("multipoint"), testing::HasSubstr("has memory"));
  EXPECT_THAT(why("deepest"), testing::HasSubstr("has memory"));
  c.state.q[2] -= 1e-3;
  EXPECT_THAT(why("st"), testing::HasSubstr("overlap"));
  c.model.option.integrator = Integrator::explicit_euler;
  EXPECT_THAT(why("ap"), testing::HasSubstr("integrator explicit"));
}

TEST(AnalyticDerivatives, AreNotOfAnImpact) {
  Case c =
      with_floor("<body pos='0 0 0.13'><freejoint/><geom name='ball' size='0.1' mass='1'/></body>",
                 "<custom><numeric name='abut.restitution' data='0.5'/></custom>");
  c.state.v[2] = -5;
  const StepDerivatives d = analytic(c);
  EXPECT_FALSE(d.exists());
  EXPECT_THAT(d.why_not[0], testing::HasSubstr("impacts"));
}

TEST(AnalyticDerivatives, AreNotOfABoxOnItsEdgeWithACylinder) {
  Case c = with_floor(
      "<body pos='0 0 0.1' euler='90 0 0'><freejoint/><geom name='roll' type='cylinder' size='0.1 "
      "0.2' mass='1'/></body>");
  c.state.q[2] += 3e-4;
  EXPECT_THAT(analytic(c).why_not[0], testing::HasSubstr("floor roll"));
}

TEST(AnalyticDerivatives, AutomaticFallsBackToDifferences) {
  Case c = ball_on_floor();
  c.contact = "multipoint";
  c.state.q[2] = 5;
  Simulator simulator = simulator_of(c);
  const StepDerivatives d = differentiate_step(simulator, c.state, c.input);
  EXPECT_FALSE(d.analytic);
  EXPECT_TRUE(d.exists());
  EXPECT_NEAR(d.A(0, 6), 0.01, 1e-9);
}

}  // namespace
}  // namespace abut::test
