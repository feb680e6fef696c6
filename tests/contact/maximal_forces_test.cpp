// Springs, damping, armature, limits, dry friction, motors, tendons and couplings of joints: the
// same world in both coordinates moves alike.
#include <gtest/gtest.h>

#include "abut/dynamics/energy.h"
#include "abut/load/load.h"
#include "abut/load/mjcf/mjcf.h"
#include "abut/model/kinematics.h"
#include "abut/model/maximal.h"
#include "abut/simulate/simulator.h"
#include "support/tree.h"

namespace abut {
namespace {

struct RunOf {
  Model model;
  Simulator simulator;
  State state;
  Input input;
  Derived d;
  int unsolved = 0;

  static Model compiled(World world, double h, const char* coordinates) {
    if (h > 0) world.option.timestep = h;
    ask_for_coordinates(world, coordinates);
    return compile(world);
  }
  static ContactSettings settings() {
    ContactSettings s;
    s.model = "none";
    s.post_steps = 2;
    return s;
  }
  RunOf(const World& world, double h, const char* coordinates, const char* keyframe = nullptr)
      : model(compiled(world, h, coordinates)),
        simulator(model, settings()),
        state(model),
        input(model),
        d(model) {
    if (keyframe != nullptr) set_keyframe(model, model.find_keyframe(keyframe), state, &input);
  }
  void run(double seconds) {
    const int steps = static_cast<int>(std::round(seconds / model.option.timestep));
    for (int i = 0; i < steps; ++i) {
      simulator.step(state, input);
      unsolved += simulator.contact().stepping().report().unsolved;
    }
    positions(model, state, input, d);
    velocities(model, state, d);
  }
};

// The most that a body's centre is apart in the two.
double apart(const RunOf& a, const RunOf& b) {
  double most = 0;
  for (int i = 1; i < a.model.nbody(); ++i) {
    const int j = b.model.find_body(a.model.body_names[i]);
    const auto com = [](const RunOf& r, int body) {
      const auto k = static_cast<std::size_t>(body);
      return Vec3(r.d.body_pose[k] * (r.model.bodies[k].mass.com + Vec3(0.1, 0.05, 0)));
    };
    most = std::max(most, (com(a, i) - com(b, j)).norm());
  }
  return most;
}

// Two joints of each kind, one on the other; %J stands for what every joint has.
std::string world_of(const std::string& joints, const std::string& rest = "") {
  return "<mujoco><compiler angle='radian'/><option timestep='0.001'/><worldbody>"
         "<body name='upper' pos='0.1 0 1'><joint name='shoulder' axis='0.2 1 0.1' damping='0.05' "
         "stiffness='2' springref='0.3' armature='0.02'/>"
         "<geom type='capsule' fromto='0 0 0 0.5 0 0' size='0.05' mass='2'/>"
         "<body name='tip' pos='0.5 0 0' quat='1 0.1 -0.2 0.3'>" +
         joints +
         "<geom type='box' size='0.2 0.05 0.1' pos='0.2 0.05 0.1' mass='1.5'/></body></body>"
         "</worldbody>" +
         rest + "</mujoco>";
}

struct Case {
  const char* name;
  std::string joints, rest = "";
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

class JointForces : public testing::TestWithParam<Case> {};

// Both are methods of first order for the same motion: their difference halves with h.
TEST_P(JointForces, AgreeToTheOrderOfTheMethod) {
  const World world = parse_mjcf(world_of(GetParam().joints, GetParam().rest));
  double off[2], energy_off[2];
  double h = 1e-3;
  for (int i = 0; i < 2; ++i, h /= 2) {
    RunOf generalized(world, h, "generalized"), maximal(world, h, "maximal");
    double total[2];
    for (RunOf* r : {&generalized, &maximal}) {
      for (double& c : r->input.ctrl) c = 0.7;
      r->run(0.4);
      EXPECT_EQ(r->unsolved, 0);
      const Energy e = energy(r->model, r->state, r->d);
      total[r == &maximal] = e.kinetic + e.potential;
    }
    off[i] = apart(generalized, maximal);
    energy_off[i] = std::abs(total[1] - total[0]) / std::abs(total[0]);
  }
  EXPECT_LT(off[0], 6e-3);
  EXPECT_NEAR(off[0] / off[1], 2, 0.5) << off[0];
  EXPECT_LT(energy_off[0], 5e-3);
  EXPECT_LT(energy_off[1], 0.7 * energy_off[0]);
}

const std::string kAll =
    " stiffness='3' springref='0.2' damping='0.04' armature='0.01' frictionloss='0.05'/>";
const std::string kPlain = " stiffness='3' damping='0.04' armature='0.01' frictionloss='0.05'/>";

INSTANTIATE_TEST_SUITE_P(
    Of, JointForces,
    testing::Values(
        Case{"hinge", "<joint name='a' axis='0 1 0.3' pos='0.02 0 0.01'" + kAll},
        Case{"hinge_with_ref",
             "<joint name='a' axis='0 1 0.3' ref='0.4' range='0.3 0.9' stiffness='5'/>"},
        Case{"slide", "<joint name='a' type='slide' axis='2 0 0.4'" + kAll},
        Case{"ball", "<joint name='a' type='ball'" + kPlain},
        Case{"cylindrical", "<joint name='a' type='slide' axis='-1 -2 0'" + kAll +
                                "<joint name='b' axis='1 2 0' pos='0.1 0 0'" + kAll},
        Case{"universal",
             "<joint name='a' axis='1 0 1'" + kAll + "<joint name='b' axis='1 0 -1'" + kAll},
        Case{"planar", "<joint name='a' type='slide' axis='1 0.3 0.3'" + kAll +
                           "<joint name='b' type='slide' axis='0 1 1'" + kAll +
                           "<joint name='c' axis='0 1 -1' pos='0.1 0 0'" + kAll},
        Case{"planar_hinge_first", "<joint name='c' axis='0 1 -1' pos='0.1 0 0'" + kAll +
                                       "<joint name='a' type='slide' axis='1 0.3 0.3'" + kAll +
                                       "<joint name='b' type='slide' axis='0 1 1'" + kAll},
        Case{"motor", "<joint name='a' axis='0 1 0.3'/>",
             "<actuator><motor joint='a' gear='2'/><position joint='shoulder' kp='6' kv='0.4'/>"
             "</actuator>"},
        Case{"motor_on_ball", "<joint name='a' type='ball' damping='0.02'/>",
             "<actuator><motor joint='a' gear='0.3 0.2 -0.5'/>"
             "<general jointinparent='a' gear='0.1 -0.2 0.4' biastype='affine' gainprm='2' "
             "biasprm='0 -2 0'/></actuator>"},
        Case{"servo_by_ratio", "<joint name='a' axis='0 1 0.3' range='-1 2' armature='0.01'/>",
             "<actuator><position joint='a' kp='8' dampratio='1' inheritrange='1'/></actuator>"},
        Case{"forcerange", "<joint name='a' axis='0 1 0.3' actuatorfrcrange='-0.6 0.6'/>",
             "<actuator><motor joint='a' gear='2'/></actuator>"},
        Case{"tendon", "<joint name='a' axis='0 1 0.3'/>",
             "<tendon><fixed name='t' stiffness='4' damping='0.1'><joint joint='a' coef='2'/>"
             "<joint joint='shoulder' coef='-1'/></fixed></tendon>"
             "<actuator><motor tendon='t' gear='0.5'/></actuator>"},
        Case{"coupled", "<joint name='a' axis='0 1 0.3'/>",
             "<equality><joint joint1='a' joint2='shoulder' polycoef='0 -1.5 0.2 0 0'/>"
             "</equality>"}),
    [](const auto& info) { return std::string(info.param.name); });

// A limit is met on the way: both stop there.
TEST(MaximalLimits, OfHingeSlideAndBallHold) {
  const std::pair<const char*, double> kinds[] = {
      {"<joint name='a' axis='0 1 0' range='-2 0.3'", 0.3},
      {"<joint name='a' type='slide' axis='0 0 -1' range='-1 0.2'", 0.2},
      {"<joint name='a' type='ball' range='0 0.4'", 0.4}};
  for (const auto& [joint, end] : kinds) {
    const World world = parse_mjcf(
        std::string("<mujoco><compiler angle='radian'/><worldbody><body name='b' pos='0 0 1'>") +
        joint +
        "/><geom type='box' size='0.2 0.05 0.05' pos='0.2 0 0'/></body></worldbody></mujoco>");
    RunOf maximal(world, 1e-3, "maximal"), generalized(world, 1e-3, "generalized");
    for (RunOf* r : {&maximal, &generalized}) r->run(1.5);
    EXPECT_EQ(maximal.unsolved, 0) << joint;
    ASSERT_EQ(maximal.model.tendons.size(), 1u);
    EXPECT_NEAR(maximal.d.tendon_length[0], end, 1e-9) << joint;
    EXPECT_NEAR(maximal.d.tendon_velocity[0], 0, 1e-9) << joint;
    EXPECT_LT(apart(maximal, generalized), 1e-6) << joint;
  }
}

// A wheel on a servo turns three times, and its spring and coupling count the turns with it.
TEST(MaximalTurns, AreCounted) {
  const World world = parse_mjcf(R"(<mujoco><compiler angle='radian'/><worldbody>
    <body name='wheel'><joint name='w' axis='0 1 0' damping='0.3'/>
      <geom type='cylinder' size='0.2 0.02' euler='1.5708 0 0'/></body>
    <body name='other' pos='1 0 0'><joint name='o' axis='0 1 0' stiffness='0.01'/>
      <geom type='cylinder' size='0.2 0.02' euler='1.5708 0 0'/></body></worldbody>
    <equality><joint joint1='o' joint2='w' polycoef='0 -0.5 0 0 0'/></equality>
    <actuator><position joint='w' kp='3' ctrlrange='-20 20'/></actuator>
    <keyframe><key name='wound' qpos='9 -4.5' ctrl='9'/></keyframe></mujoco>)");
  RunOf maximal(world, 2e-3, "maximal");
  maximal.input.ctrl[0] = 6 * 3.14159265358979;
  maximal.run(4);
  RunOf generalized(world, 2e-3, "generalized");
  generalized.input.ctrl = maximal.input.ctrl;
  generalized.run(4);
  EXPECT_GT(generalized.state.q[0], 5 * 3.14);
  EXPECT_NEAR(maximal.d.tendon_length[0], generalized.state.q[0], 0.02);
  EXPECT_NEAR(maximal.d.tendon_length[1], -0.5 * maximal.d.tendon_length[0], 1e-9);
  EXPECT_EQ(maximal.unsolved, 0);
  // from a keyframe that is turns away, and from a copy of the state in the middle of it
  RunOf wound(world, 2e-3, "maximal", "wound");
  wound.run(0.1);
  EXPECT_NEAR(wound.d.tendon_length[0], 9, 0.02);
  RunOf copy(world, 2e-3, "maximal");
  copy.state = maximal.state;
  copy.input = maximal.input;
  copy.run(0.2);
  maximal.run(0.2);
  EXPECT_TRUE(copy.state == maximal.state);
}

// Robots of the tree, from their keyframes: servos, tendons, springs, limits together.
TEST(MaximalWorlds, RobotsRunBothWays) {
  struct {
    const char *world, *keyframe;
    double within;
  } robots[] = {{"arm6", "home", 3e-3}, {"gripper", nullptr, 3e-3}, {"ragdoll", nullptr, 3e-3}};
  for (const auto& [name, keyframe, within] : robots) {
    const World world = load_world(test::in_tree("/worlds/") + name + ".xml");
    double off[2];
    double h = 1e-3;
    for (double& x : off) {
      RunOf generalized(world, h, "generalized", keyframe), maximal(world, h, "maximal", keyframe);
      for (RunOf* r : {&generalized, &maximal}) r->run(0.3);
      EXPECT_EQ(maximal.unsolved, 0) << name;
      x = apart(generalized, maximal);
      h /= 2;
    }
    EXPECT_LT(off[0], within) << name;
    EXPECT_LT(off[1], 0.7 * off[0] + 1e-9) << name;
  }
}

TEST(MaximalRefusals, SayWhatIsInTheWay) {
  const auto refused = [](const std::string& joints, const std::string& rest, const char* what) {
    try {
      RunOf(parse_mjcf(world_of(joints, rest)), 1e-3, "maximal");
      ADD_FAILURE() << what;
    } catch (const WorldError& e) {
      EXPECT_NE(std::string(e.what()).find(what), std::string::npos) << e.what();
    }
  };
  refused("<joint name='a' axis='0 1 0' actuatorgravcomp='true'/>", "", "actuatorgravcomp");
  refused("<joint name='a' axis='0 1 0' actuatorfrcrange='-1 1'/>",
          "<tendon><fixed name='t'><joint joint='a' coef='1'/></fixed></tendon>"
          "<actuator><motor tendon='t'/></actuator>",
          "actuatorfrcrange");
  refused(
      "<joint name='a' type='slide' axis='1 0 0'/><joint name='b' axis='0 0 1'/>"
      "<joint name='c' type='slide' axis='0 1 0'/>",
      "", "between its slides");
  refused("<joint name='a' axis='0 1 0'/><joint name='b' axis='0 1 1'/>", "", "universal");
}

}  // namespace
}  // namespace abut
