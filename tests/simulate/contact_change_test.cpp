// Contacts that a program changes before they are solved, and events of contact: closed forms.
#include <gtest/gtest.h>

#include <vector>

#include "abut/load/load.h"
#include "abut/simulate/contact_events.h"

namespace abut {
namespace {

Model box_on_a_plane(const std::string& contact, const char* more = "") {
  return compile(parse_mjcf(R"(<mujoco><option timestep="0.002"/>
    <worldbody><geom name="floor" type="plane" size="9 9 1" friction="0.5"/>
    <body name="box" pos="0 0 0.1"><freejoint/>
      <geom name="box" type="box" size="0.2 0.2 0.1" mass="3" friction="0.5"/></body></worldbody>
    <custom><text name="abut.contact" data=")" +
                            contact + R"("/>)" + more + "</custom></mujoco>"));
}

struct Trial {
  explicit Trial(Model m) : model(std::move(m)), state(model), input(model), simulator(model) {}
  void steps(int count) {
    for (int i = 0; i < count; ++i) simulator.step(state, input);
  }
  Model model;
  State state;
  Input input;
  Simulator simulator;
};

// A belt of 0.4 m/s: mu g = 4.905 m/s^2, so that the box slides for 0.0815 s and then rides.
TEST(ContactChange, ABeltCarriesABox) {
  for (const char* contact : {"st", "ap"}) {
    SCOPED_TRACE(contact);
    Trial trial(box_on_a_plane(contact));
    const int floor = trial.model.find_geom("floor");
    trial.simulator.on_contact([floor](ContactChange& c) {
      // the belt runs along +x: the surface of the other geom moves along -x beside it
      const Vec3 belt(0.4, 0, 0);
      c.surface_velocity = c.geom_a == floor ? Vec3(-belt) : belt;
    });
    trial.steps(25);
    EXPECT_NEAR(trial.state.v[0], 0.5 * 9.81 * 0.05, 1e-6);
    trial.steps(225);
    EXPECT_NEAR(trial.state.v[0], 0.4, 1e-6);
    EXPECT_NEAR(trial.state.q[2], 0.1, 1e-6);
    const double slides = 0.4 / (0.5 * 9.81);
    EXPECT_NEAR(trial.state.q[0], 0.4 * (0.5 - 0.5 * slides), 0.4 * 0.002);
    trial.simulator.on_contact({});
    trial.steps(250);
    EXPECT_NEAR(trial.state.v[0], 0, 1e-9);
  }
}

TEST(ContactChange, FrictionIsWhatTheProgramSays) {
  Trial trial(box_on_a_plane("st"));
  trial.state.v[0] = 2;
  trial.simulator.on_contact([](ContactChange& c) {
    EXPECT_EQ(c.friction, 0.5);
    EXPECT_NEAR(c.gap, 0, 1e-6);
    EXPECT_NEAR(std::abs(c.normal.z()), 1, 1e-12);
    c.friction = 0.1;
  });
  trial.steps(100);
  EXPECT_NEAR(trial.state.v[0], 2 - 0.1 * 9.81 * 0.2, 1e-6);
}

TEST(ContactChange, APairThatIsSwitchedOffFallsThrough) {
  Trial trial(box_on_a_plane("st"));
  trial.simulator.on_contact([](ContactChange& c) { c.on = false; });
  trial.steps(100);
  EXPECT_NEAR(trial.state.v[2], -9.81 * 0.2, 1e-9);
  EXPECT_LT(trial.state.q[2], -0.09);
}

TEST(ContactChange, IsRefusedWhereContactsAreNotRows) {
  for (const char* contact : {"multipoint", "volumetric", "lnc"}) {
    Trial trial(box_on_a_plane(contact));
    EXPECT_THROW(trial.simulator.on_contact([](ContactChange&) {}), WorldError) << contact;
    trial.simulator.on_contact({});
  }
  Trial bounces(box_on_a_plane("st", R"(<numeric name="abut.restitution" data="0.5"/>)"));
  EXPECT_THROW(bounces.simulator.on_contact([](ContactChange&) {}), WorldError);
}

TEST(ContactEvents, ComeWithTheFirstAndTheLastStepOfAContact) {
  for (const char* contact : {"st", "multipoint"}) {
    SCOPED_TRACE(contact);
    Trial trial(box_on_a_plane(contact));
    trial.state.q[2] = 0.15;  // lands after sqrt(2 0.05 / g) = 0.101 s
    ContactEvents events;
    std::vector<double> begun, ended;
    for (int i = 0; i < 400; ++i) {
      if (i == 200) trial.input.wrench[1][2] = 60;  // N: twice the weight lifts it
      trial.steps(1);
      events.update(trial.simulator);
      if (!events.begun().empty()) begun.push_back(trial.state.time);
      if (!events.ended().empty()) ended.push_back(trial.state.time);
    }
    ASSERT_FALSE(begun.empty());
    EXPECT_NEAR(begun.front(), 0.101, 0.005);
    ASSERT_FALSE(ended.empty());
    EXPECT_NEAR(ended.back(), 0.4, 0.05);
    EXPECT_TRUE(events.touching().empty());
  }
}

}  // namespace
}  // namespace abut
