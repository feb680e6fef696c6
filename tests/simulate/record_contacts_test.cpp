// Contacts in recordings: forces come back as they were, and a run goes on from any row.
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>

#include "abut/load/load.h"
#include "abut/load/mjcf/mjcf.h"
#include "abut/simulate/record/recording.h"
#include "abut/simulate/run.h"
#include "contact/scenes.h"
#include "support/allocations.h"

namespace abut {
namespace {

class RecordContacts : public testing::Test {
 protected:
  std::filesystem::path file_ = std::filesystem::path(testing::TempDir()) /
                                ("abut_contacts_" + std::to_string(getpid()) + ".h5");
  void TearDown() override { std::filesystem::remove(file_); }
};

ContactSettings chosen(const char* model, const char* friction, const char* stabilize) {
  ContactSettings s;
  set_contact(s, model);
  set_friction(s, friction);
  set_stabilize(s, stabilize);
  return s;
}

const std::vector<ContactSettings>& choices() {
  static const std::vector<ContactSettings> all{
      chosen("st", "cone", "post"), chosen("st", "pyramid:8", "post:2"),
      chosen("st", "none", "none"), chosen("ap", "cone", "gamma:0.5"),
      chosen("ap", "pyramid:4", "baumgarte:20")};
  return all;
}

// They fall, tilt, strike and come to rest.
std::string tumbling() {
  std::string s = test::stack_of_boxes(4, 0.2, 0.01);
  s.replace(s.find("<freejoint/>"), 12, "<freejoint name='f'/>");
  return s.insert(s.find("</mujoco>"),
                  "<keyframe><key name='go' qpos='0 0 .11 1 0 0 0  .05 0 .34 .98 .1 .1 0  "
                  "0 .06 .6 1 0 0 0  0 0 .9 .9 0 .3 .3'/></keyframe>");
}

TEST_F(RecordContacts, ForcesComeBackAsTheyWere) {
  const Model model = compile(parse_mjcf(tumbling()));
  State state(model);
  Input input(model);
  set_keyframe(model, 0, state, &input);
  Simulator simulator(model);
  Recorder recorder(model, file_);
  std::vector<ContactForces> put_in(1);
  recorder.record(0, state, input);
  for (int i = 1; i < 200; ++i) {
    simulator.step(state, input);
    put_in.push_back(simulator.contact_forces());
    recorder.record(i, state, input, &put_in.back());
  }
  recorder.close();
  const Recording back(file_);
  ASSERT_EQ(back.rows(), 200);
  ASSERT_EQ(back.geom_names().size(), model.geoms.size());
  std::size_t pairs = 0, most = 0;
  const auto on_bodies = back.read("contacts/body_force"), at = back.read("contacts/body_point");
  std::vector<BodyForce> bodies;
  for (std::size_t row = 0; row < put_in.size(); ++row) {
    const ContactForces &in = put_in[row], out = back.contact_forces(static_cast<int>(row));
    ASSERT_EQ(out.pairs.size(), in.pairs.size());
    ASSERT_EQ(out.points.size(), in.points.size());
    for (std::size_t i = 0; i < in.pairs.size(); ++i) {
      const PairForce &a = in.pairs[i], &b = out.pairs[i];
      EXPECT_EQ(a.geom_a, b.geom_a);
      EXPECT_EQ(a.geom_b, b.geom_b);
      EXPECT_EQ(a.force, b.force);
      EXPECT_EQ(a.torque, b.torque);
      EXPECT_EQ(a.point, b.point);
      EXPECT_EQ(a.normal, b.normal);
      EXPECT_EQ(a.begin, b.begin);
      EXPECT_EQ(a.end, b.end);
    }
    for (std::size_t i = 0; i < in.points.size(); ++i) {
      EXPECT_EQ(in.points[i].position, out.points[i].position);
      EXPECT_EQ(in.points[i].force, out.points[i].force);
      EXPECT_EQ(in.points[i].normal, out.points[i].normal);
    }
    in.on_bodies(model, bodies);
    for (std::size_t b = 0; b < bodies.size(); ++b)
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t i = (row * bodies.size() + b) * 3 + k;
        EXPECT_EQ(on_bodies[i], bodies[b].force[static_cast<int>(k)]);
        EXPECT_EQ(std::isnan(at[i]), bodies[b].pairs == 0);
      }
    pairs += in.pairs.size();
    most = std::max(most, in.pairs.size());
  }
  EXPECT_GE(most, 4u);
  EXPECT_EQ(back.read_contacts("contacts/pair_force").size(), 3 * pairs);
  EXPECT_EQ(back.read_contacts("contacts/pair_force", 0, 1).size(), 0u);
  EXPECT_THROW(back.contact_forces(200), RecordError);
}

// Angles between bodies are known but for whole turns, which the state counts: a wheel that has
// gone round twice goes on with its spring wound up.
TEST_F(RecordContacts, TurnsOfJointsInMaximalCoordinatesGoOnToo) {
  const Model model = compile(parse_mjcf(R"(
      <mujoco><option gravity="0 0 0" timestep="0.005"/>
        <custom><text name="abut.coordinates" data="maximal"/></custom>
        <worldbody><body><joint name="axle" type="hinge" axis="0 1 0" stiffness="0.01"/>
          <geom type="box" size="0.3 0.05 0.05" mass="1" contype="0" conaffinity="0"/></body>
        </worldbody></mujoco>)"));
  ASSERT_FALSE(model.measures.empty());
  State state(model);
  const Input input(model);
  state.v[4] = 20;
  Simulator simulator(model);
  Recorder recorder(model, file_);
  for (int i = 0; i <= 200; ++i) {
    if (i > 0) simulator.step(state, input);
    recorder.record(i, state, input);
  }
  recorder.close();
  EXPECT_GT(state.turn[0], 4 * 3.2);
  const Recording back(file_);
  State resumed(model);
  back.read_state(150, resumed);
  EXPECT_EQ(resumed.hash(), back.hashes()[150]);
  for (int i = 151; i <= 200; ++i) simulator.step(resumed, input);
  EXPECT_TRUE(resumed == state);
}

TEST_F(RecordContacts, ARunGoesOnFromAnyRowBitForBit) {
  for (const ContactSettings& settings : choices()) {
    SCOPED_TRACE(settings.model + " " + friction_text(settings) + " " + stabilize_text(settings));
    const Model model = compile(parse_mjcf(tumbling()));
    State state(model);
    Input input(model);
    set_keyframe(model, 0, state, &input);
    Simulator simulator(model, settings);
    Recorder recorder(model, file_);
    constexpr int kSteps = 160;
    for (int i = 0; i <= kSteps; ++i) {
      if (i > 0) simulator.step(state, input);
      recorder.record(i, state, input);
    }
    recorder.close();
    const Recording back(file_);
    const auto hashes = back.hashes();
    const std::filesystem::path saved = file_.string() + ".state";
    for (const int row : {0, 1, 40, 77, 120, 159}) {
      State resumed(model), loaded(model);
      back.read_state(row, resumed);
      ASSERT_EQ(resumed.hash(), hashes[static_cast<std::size_t>(row)]);
      save_state(model, resumed, input, saved);
      load_state(model, saved, loaded, input);
      Simulator cold(model, settings), other(model, settings);
      for (int i = row + 1; i <= kSteps; ++i) {
        cold.step(resumed, input);
        other.step(loaded, input);
        ASSERT_EQ(resumed.hash(), hashes[static_cast<std::size_t>(i)]) << row << " to " << i;
      }
      EXPECT_TRUE(resumed == state);
      EXPECT_TRUE(loaded == state);
    }
    std::filesystem::remove(saved);
  }
}

TEST_F(RecordContacts, HandingOverAllocatesNothingOnceWarm) {
  const Model model = compile(parse_mjcf(test::stack_of_boxes(5)));
  State state(model);
  const Input input(model);
  Simulator simulator(model);
  RecordSettings settings;
  settings.flush_every = 60;  // the writer sleeps, so that all that is counted is the step's
  Recorder recorder(model, file_, settings);
  ContactForces forces;
  const auto rows = [&](int count) {
    for (int i = 0; i < count; ++i) {
      simulator.step(state, input);
      simulator.contact_forces(forces);
      recorder.record(i, state, input, &forces);
    }
  };
  rows(135);  // the columns of contacts grow by doubling
  const long before = test::allocation_count();
  rows(60);
  EXPECT_EQ(test::allocation_count(), before);
}

TEST_F(RecordContacts, WithoutThemThereIsNoGroup) {
  const Model model = compile(parse_mjcf(test::stack_of_boxes(1)));
  RecordSettings settings;
  settings.contacts = false;
  Recorder recorder(model, file_, settings);
  recorder.record(0, State(model), Input(model));
  recorder.close();
  const Recording back(file_);
  EXPECT_EQ(back.width("contacts/body_force"), 0);
  EXPECT_TRUE(back.contact_forces(0).pairs.empty());
  EXPECT_THROW(back.read_contacts("contacts/pair_force"), RecordError);
}

// Normal m g cos a and tangential m g sin a, through the centre of mass.
TEST(BodyForces, OfABoxOnAnIncline) {
  const double a = 0.3, heading = 0.7;
  const Model model = compile(parse_mjcf(test::incline(a, 0.5, heading)));
  State state(model);
  const Input input(model);
  Simulator simulator(model);
  for (int i = 0; i < 200; ++i) simulator.step(state, input);
  std::vector<BodyForce> bodies;
  simulator.contact_forces().on_bodies(model, bodies);
  const int box = model.find_body("box");
  const BodyForce& f = bodies[static_cast<std::size_t>(box)];
  const double weight = 9.81 * model.bodies[static_cast<std::size_t>(box)].mass.mass;
  EXPECT_NEAR(f.normal().norm(), weight * std::cos(a), 1e-6 * weight);
  EXPECT_NEAR(f.friction.norm(), weight * std::sin(a), 1e-6 * weight);
  EXPECT_LT((f.force - Vec3(0, 0, weight)).norm(), 1e-6 * weight);
  // it acts below the centre, as else the box would tip
  const Vec3 centre(state.q[0], state.q[1], state.q[2]);
  EXPECT_LT((f.torque + (f.point - centre).cross(f.force)).norm(), 1e-6 * weight);
  EXPECT_LT((f.point - centre).head<2>().norm(), 1e-5);
  EXPECT_LT((bodies[static_cast<std::size_t>(model.find_body("ramp"))].force + f.force).norm(),
            1e-12 * weight);
  EXPECT_EQ(bodies[0].pairs, 0);
}

}  // namespace
}  // namespace abut
