// Controls, pushes and driven bodies from files and flags.
#include "abut/simulate/outside.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <fstream>

#include "abut/model/kinematics.h"
#include "abut/simulate/run.h"

namespace abut {
namespace {

using testing::HasSubstr;

struct Scene {
  World world;
  Model model;
  Scene() {
    world.option.gravity.setZero();
    BodyDesc& box = world.body("box", {0, 0, 1});
    box.free();
    box.box({0.1, 0.2, 0.3}).mass = 2;
    BodyDesc& arm = world.body("arm");
    arm.hinge("elbow", {0, 1, 0});
    arm.sphere(0.1);
    world.body("hand").mocap = true;
    world.motor("motor", "elbow");
    model = compile(world);
  }
};

template <typename F>
std::string message(F&& f) {
  try {
    f();
  } catch (const std::exception& e) {
    return e.what();
  }
  return "no error";
}

class CsvFile {
 public:
  explicit CsvFile(const std::string& text) { std::ofstream(path_) << text; }
  ~CsvFile() { std::filesystem::remove(path_); }
  CsvTable read() const { return read_csv(path_); }

 private:
  std::filesystem::path path_ = std::filesystem::path(testing::TempDir()) /
                                ("abut_outside_test_" + std::to_string(getpid()) + ".csv");
};

TEST(Push, ChangesMomentumByForceTimesTime) {
  Scene s;
  Simulator simulator(s.model);
  State state(s.model);
  Input input(s.model);
  const Push push = parse_push(s.model, "0.1, 0.2, box, 4, 0, 0, 0, 0.2, 0");
  Derived d(s.model);
  Measure measure(s.model);
  RunSettings settings;
  settings.time = 1;
  settings.control = [&](const Model& m, const State& st, Input& in) {
    positions(m, st, in, d);
    push.apply(m, d, st.time, in);
  };
  run(simulator, state, input, settings, measure);
  EXPECT_NEAR(measure.last().momentum.linear.x(), 0.8, 1e-9);
  EXPECT_NEAR(state.v[0], 0.4, 1e-9);
  // at a point 0.2 m along y the force also turns it about -z
  EXPECT_LT(state.v[5], -0.5);
}

TEST(Push, SaysWhatIsWrong) {
  Scene s;
  auto error = [&](const char* text) { return message([&] { parse_push(s.model, text); }); };
  EXPECT_THAT(error("1,1,bix,0,0,1"), HasSubstr("did you mean 'box'"));
  EXPECT_THAT(error("1,1,box,0,0"), HasSubstr("5 parts instead of 6 or 9"));
  EXPECT_THAT(error("1,1,box,0,zero,1"), HasSubstr("'zero' is no number"));
  EXPECT_THAT(error("1,-1,box,0,0,1"), HasSubstr("duration"));
  EXPECT_THAT(error("1,1,hand,0,0,1"), HasSubstr("cannot move"));
  EXPECT_THAT(error("nan,1,box,0,0,1"), HasSubstr("no number"));
}

TEST(ControlTable, HoldsEachRowUntilTheNext) {
  Scene s;
  const ControlTable table(s.model,
                           CsvFile("# comment\nt, motor\n0.5, 2\n\n1.0, -3 # last\n").read());
  Input input(s.model);
  auto at = [&](double t) {
    table.apply(t, input);
    return input.ctrl[0];
  };
  EXPECT_EQ(at(0), 0);
  EXPECT_EQ(at(0.5), 2);
  EXPECT_EQ(at(0.99), 2);
  EXPECT_EQ(at(1), -3);
  EXPECT_EQ(at(100), -3);
}

TEST(ControlTable, SaysWhatIsWrongAndWhere) {
  Scene s;
  auto error = [&](const char* text) {
    return message([&] { ControlTable(s.model, CsvFile(text).read()); });
  };
  EXPECT_THAT(error("t,motr\n0,1\n"), HasSubstr("did you mean 'motor'"));
  EXPECT_THAT(error("time,motor\n0,1\n"), HasSubstr("first column must be t"));
  EXPECT_THAT(error("t,motor\n0,1\n0,2\n"), HasSubstr(":3: times must ascend"));
  EXPECT_THAT(error("t,motor\n0,1,2\n"), HasSubstr(":2: has 3 numbers"));
  EXPECT_THAT(error("t,motor\n0,x\n"), HasSubstr("'x' in column 'motor'"));
  EXPECT_THAT(error("t,motor\n"), HasSubstr("no row"));
  EXPECT_THAT(error(""), HasSubstr("is empty"));
  EXPECT_THAT(message([] { read_csv("/no/such.csv"); }), HasSubstr("no such file"));
}

TEST(DrivePath, MovesSteadilyAndKnowsItsVelocity) {
  Scene s;
  const int hand = s.model.find_body("hand");
  const DrivePath path(s.model, hand,
                       CsvFile("t,x,y,z,qw,qx,qy,qz\n0,0,0,0,1,0,0,0\n2,1,0,4,0,0,0,1\n").read());
  Input input(s.model);
  path.apply(1, input);
  EXPECT_NEAR(input.mocap[0].p.z(), 2, 1e-12);
  EXPECT_NEAR(input.mocap[0].q.z(), std::sin(M_PI / 4), 1e-12);  // half of half a turn
  EXPECT_NEAR(input.mocap_velocity[0][2], 2, 1e-12);
  EXPECT_NEAR(input.mocap_velocity[0][5], M_PI / 2, 1e-12);
  path.apply(3, input);
  EXPECT_EQ(input.mocap[0].p.x(), 1);
  EXPECT_TRUE(input.mocap_velocity[0].isZero(0));
  Derived d(s.model);
  positions(s.model, State(s.model), input, d);
  EXPECT_EQ(d.body_pose[hand].p.z(), 4);
}

TEST(DrivePath, SaysWhatIsWrong) {
  Scene s;
  const int hand = s.model.find_body("hand"), box = s.model.find_body("box");
  const char* good = "t,x,y,z,qw,qx,qy,qz\n0,0,0,0,1,0,0,0\n";
  EXPECT_THAT(message([&] { DrivePath(s.model, box, CsvFile(good).read()); }),
              HasSubstr("mocap=\"true\""));
  EXPECT_THAT(message([&] { DrivePath(s.model, hand, CsvFile("t,x\n0,1\n").read()); }),
              HasSubstr("eight columns"));
  EXPECT_THAT(message([&] {
                DrivePath(s.model, hand, CsvFile("t,x,y,z,qw,qx,qy,qz\n0,0,0,0,0,0,0,0\n").read());
              }),
              HasSubstr("quaternion is zero"));
}

// A ball on a PD target is a damped oscillator.
TEST(PdTargets, PullAsASpringAndADamper) {
  Scene s;
  s.world.option.timestep = 1e-4;
  const Model model = compile(s.world);
  State state(model);
  PdTargets pd(model);
  const double mass = 1000 * 4.0 / 3 * 3.14159265358979 * 1e-3;  // a ball of 0.1 m
  const double inertia = 0.4 * mass * 0.01, w = 20;
  // critically damped: q = target (1 - (1 + w t) exp(-w t))
  pd.set("elbow", {.position = 0.3, .stiffness = inertia * w * w, .damping = 2 * inertia * w});
  Simulator simulator(model);
  Input input(model);
  for (int i = 0; i < 1000; ++i) {
    input.clear_forces();
    pd.apply(state, input);
    simulator.step(state, input);
  }
  const double q = state.q[static_cast<std::size_t>(
      model.joints[static_cast<std::size_t>(model.find_joint("elbow"))].q)];
  EXPECT_NEAR(q, 0.3 * (1 - 3 * std::exp(-2.0)), 1e-3);
}

TEST(PdTargets, AreNamed) {
  Scene s;
  PdTargets pd(s.model);
  EXPECT_TRUE(pd.empty());
  pd.set("elbow,0.5,40,2");
  pd.set("elbow,0.6,40,2");
  State state(s.model);
  Input input(s.model);
  pd.apply(state, input);
  const Joint& elbow = s.model.joints[static_cast<std::size_t>(s.model.find_joint("elbow"))];
  EXPECT_DOUBLE_EQ(input.force[static_cast<std::size_t>(elbow.dof)], 24);
  EXPECT_THAT(message([&] { pd.set("elbwo,0,1,1"); }), HasSubstr("did you mean 'elbow'"));
  EXPECT_THAT(message([&] { pd.set("elbow,0,1"); }), HasSubstr("3 parts instead of 4"));
  EXPECT_THAT(message([&] { pd.set("elbow,x,1,1"); }), HasSubstr("'x' is no number"));
  EXPECT_THAT(message([&] { pd.set("elbow,0,-1,1"); }), HasSubstr("0 or more"));
  const int free = s.model.joints[0].type == JointType::free ? 0 : 1;
  EXPECT_THAT(message([&] { pd.set(s.model.joint_names[free], {}); }),
              HasSubstr("hinges and slides"));
}

}  // namespace
}  // namespace abut
