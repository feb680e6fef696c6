// Sensors: MuJoCo's values without contacts, and closed forms with them.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "abut/load/load.h"
#include "abut/simulate/sense/sensors.h"
#include "support/tree.h"

namespace abut {
namespace {

Model world(const std::string& text) {
  return compile(parse_mjcf("<mujoco>" + text + "</mujoco>"));
}

struct Trial {
  explicit Trial(Model m)
      : model(std::move(m)), state(model), input(model), simulator(model), sensors(model) {}
  void steps(int count) {
    for (int i = 0; i < count; ++i) simulator.step(state, input);
    sensors.update(simulator, state, input);
  }
  Vec3 vector(const char* name) const {
    return Eigen::Map<const Vec3>(sensors.sensor(name).value().data());
  }
  double number(const char* name) const { return sensors.sensor(name).value()[0]; }

  Model model;
  State state;
  Input input;
  Simulator simulator;
  Sensors sensors;
};

TEST(Sensors, HaveMujocosValuesWithoutContacts) {
  const Model model = load_model(test::in_tree("/tests/data/sensors/sensors.xml"));
  EXPECT_TRUE(model.warnings.empty());
  State state(model);
  Input input(model);
  set_keyframe(model, 0, state, &input);
  Sensors sensors(model);
  sensors.update(state, input);
  std::ifstream file(test::in_tree("/tests/data/sensors/sensors.txt"));
  std::string line;
  int lines = 0;
  while (std::getline(file, line)) {
    std::istringstream words(line);
    std::string name;
    words >> name;
    const auto value = sensors.sensor(name).value();
    for (const double x : value) {
      double expected = 0;
      ASSERT_TRUE(words >> expected) << name;
      EXPECT_NEAR(x, expected, 1e-11 * (1 + std::abs(expected))) << name;
    }
    ++lines;
  }
  EXPECT_EQ(lines, sensors.count());
}

constexpr const char* kTable = R"(
  <option timestep="0.002"/>
  <worldbody>
    <geom type="plane" size="2 2 0.1"/>
    <body name="lower" pos="0 0 0.1"><freejoint/>
      <geom type="box" size="0.1 0.1 0.1" mass="2"/>
      <site name="sole" type="box" size="0.11 0.11 0.02" pos="0 0 -0.1"/>
      <site name="left" type="box" size="0.02 0.11 0.02" pos="-0.1 0 -0.1"/>
      <site name="imu" pos="0.05 0 0"/>
      <body name="top" pos="0 0 0.15">
        <geom type="box" size="0.05 0.05 0.05" mass="0.5" contype="0" conaffinity="0"/>
        <site name="joint" pos="0.1 0 0"/>
      </body>
    </body>
  </worldbody>
  <sensor>
    <touch name="sole" site="sole"/><touch name="left" site="left"/>
    <touch name="sole_cut" site="sole" cutoff="3"/>
    <accelerometer name="acc" site="imu" noise="0.25"/>
    <force name="force" site="joint"/><torque name="torque" site="joint"/>
    <clock name="clock"/>
  </sensor>)";

TEST(Sensors, OfABoxAtRestReadItsWeight) {
  Trial trial(world(kTable));
  trial.steps(200);
  EXPECT_NEAR(trial.number("sole"), 2.5 * 9.81, 1e-6);
  EXPECT_NEAR(trial.number("left"), 1.25 * 9.81, 1e-6);
  EXPECT_EQ(trial.number("sole_cut"), 3);
  EXPECT_NEAR((trial.vector("acc") - Vec3(0, 0, 9.81)).norm(), 0, 1e-6);
  EXPECT_NEAR((trial.vector("force") - Vec3(0, 0, 0.5 * 9.81)).norm(), 0, 1e-6);
  // the weight acts 0.1 m behind the site
  EXPECT_NEAR((trial.vector("torque") - Vec3(0, 0.1 * 0.5 * 9.81, 0)).norm(), 0, 1e-6);
  EXPECT_DOUBLE_EQ(trial.number("clock"), trial.state.time);
  EXPECT_EQ(trial.sensors.sensor("acc").noise(), 0.25);
}

TEST(Sensors, OfAFallingBoxReadNoGravityAndNoTouch) {
  Trial trial(world(kTable));
  trial.state.q[2] = 5;
  trial.steps(20);
  EXPECT_NEAR(trial.vector("acc").norm(), 0, 1e-9);
  EXPECT_NEAR(trial.vector("force").norm(), 0, 1e-9);
  EXPECT_EQ(trial.number("sole"), 0);
}

// The force between a pendulum and its support carries what hangs on it, pushed or not.
TEST(Sensors, OfForcesLeaveOutWhatActsFromOutside) {
  Trial trial(world(R"(
    <worldbody><body name="arm"><joint type="slide" axis="1 0 0"/>
      <geom type="sphere" size="0.1" mass="2"/><site name="s"/></body></worldbody>
    <sensor><force name="f" site="s"/></sensor>)"));
  const int arm = trial.model.find_body("arm");
  trial.input.wrench[static_cast<std::size_t>(arm)] << 3, 0, -5, 0, 0, 0;
  trial.steps(1);
  EXPECT_NEAR((trial.vector("f") - Vec3(0, 0, 2 * 9.81 + 5)).norm(), 0, 1e-9);
}

TEST(Sensors, NamesAndKindsThatThereAreNotAreTold) {
  const Model model = world(R"(
    <worldbody><body name="b"><joint name="knee"/><geom size="0.1" mass="1"/></body></worldbody>
    <sensor><jointpos name="angle" joint="knee"/><user name="mine" dim="2"/></sensor>)");
  ASSERT_EQ(model.warnings.size(), 1U);
  EXPECT_NE(model.warnings[0].text.find("<user> gives no values"), std::string::npos);
  Sensors sensors(model);
  EXPECT_TRUE(sensors.sensor("mine").value().empty());
  try {
    sensors.sensor("angel");
    FAIL();
  } catch (const std::invalid_argument& e) {
    EXPECT_STREQ(e.what(), "there is no sensor 'angel'; did you mean 'angle'?");
  }
  EXPECT_THROW(world(R"(<worldbody><body><joint name="knee"/><geom size="0.1" mass="1"/></body>
    </worldbody><sensor><jointpos joint="kneee"/></sensor>)"),
               std::runtime_error);
  EXPECT_THROW(world(R"(<worldbody><body><joint name="j" type="ball"/><geom size="0.1" mass="1"/>
    </body></worldbody><sensor><jointvel joint="j"/></sensor>)"),
               std::runtime_error);
}

}  // namespace
}  // namespace abut
