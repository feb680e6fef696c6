// The step and the run: no allocation, the same bits however a run is cut, what MuJoCo gets.
#include "abut/simulate/simulator.h"
#include "abut/model/kinematics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "abut/contact/combinations.h"
#include "abut/load/load.h"
#include "abut/simulate/run.h"
#include "support/allocations.h"
#include "support/fixture.h"
#include "support/random_worlds.h"
#include "support/tree.h"
#include "tests/contact/scenes.h"

namespace abut {
namespace {

std::filesystem::path world_file(const std::string& name) {
  return std::filesystem::path(test::in_tree()) / "worlds" / (name + ".xml");
}

// Every world that can run, under every integrator.
std::vector<std::string> world_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(test::in_tree("/worlds")))
    if (entry.path().extension() == ".xml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

class EveryWorld : public testing::TestWithParam<std::string> {};

TEST_P(EveryWorld, LoadsWithoutAWarningAndStepsWithoutAllocating) {
  Model model = load_model(world_file(GetParam()));
  for (const Warning& w : model.warnings) ADD_FAILURE() << to_string(w.source) << ": " << w.text;
  if (!why_not_simulated(model).empty()) {
    EXPECT_FALSE(model.equalities.empty());
    model.option.equality_on = false;
  }
  for (const Integrator integrator :
       {Integrator::euler, Integrator::implicit, Integrator::explicit_euler, Integrator::rk4}) {
    model.option.integrator = integrator;
    // those that leave no place for impulses
    model.option.constraint_on = why_not(choice_of(contact_settings(model), model)).empty();
    Simulator simulator(model);
    State state(model);
    Input input(model);
    if (!model.keyframes.empty()) set_keyframe(model, 0, state, &input);
    const State start = state;
    for (int i = 0; i < 10; ++i) simulator.step(state, input);
    state = start;  // what is warm has seen as many contacts as there will be
    const long before = test::allocation_count();
    for (int i = 0; i < 10; ++i) simulator.step(state, input);
    EXPECT_EQ(test::allocation_count(), before);
    EXPECT_EQ(diverged_body(model, state), -1);
  }
}

TEST(Simulator, StepsOfEveryStabiliserAndFrictionDoNotAllocate) {
  const Model model = compile(parse_mjcf(test::stack_of_boxes(3, 1, -1e-4)));
  for (const char* friction : {"cone", "pyramid:4", "none"})
    for (const char* stabilize : {"post", "post-pinv", "baumgarte", "gamma", "none"}) {
      ContactSettings settings;
      set_contact(settings, "ap");
      set_friction(settings, friction);
      set_stabilize(settings, stabilize);
      Simulator simulator(model, settings);
      State state(model);
      const Input input(model);
      for (int i = 0; i < 20; ++i) simulator.step(state, input);
      const long before = test::allocation_count();
      for (int i = 0; i < 20; ++i) simulator.step(state, input);
      EXPECT_EQ(test::allocation_count(), before) << friction << ' ' << stabilize;
    }
}

TEST(Simulator, StepsUnderForcesDoNotAllocate) {
  Model model = compile(parse_mjcf(test::stack_of_boxes(3, 1, -1e-4)));
  for (const char* contact : {"deepest", "baraff", "multipoint"})
    for (const Integrator integrator : {Integrator::euler, Integrator::rk4}) {
      model.option.integrator = integrator;
      ContactSettings settings;
      set_contact(settings, contact);
      Simulator simulator(model, settings);
      State state(model);
      const Input input(model);
      for (int i = 0; i < 20; ++i) simulator.step(state, input);
      const long before = test::allocation_count();
      for (int i = 0; i < 20; ++i) simulator.step(state, input);
      EXPECT_EQ(test::allocation_count(), before) << contact;
    }
}

TEST(Simulator, StepsOfHeldFrictionDoNotAllocate) {
  const Model model = compile(parse_mjcf(test::stack_of_boxes(3, 1, -1e-4)));
  ContactSettings settings;
  set_contact(settings, "multipoint");
  set_friction(settings, "linear");
  Simulator simulator(model, settings);
  State state(model);
  const Input input(model);
  for (int i = 0; i < 20; ++i) simulator.step(state, input);
  const long before = test::allocation_count();
  for (int i = 0; i < 20; ++i) simulator.step(state, input);
  EXPECT_EQ(test::allocation_count(), before);
}

INSTANTIATE_TEST_SUITE_P(Worlds, EveryWorld, testing::ValuesIn(world_names()),
                         [](const auto& info) { return test::test_name(info.param); });

TEST(Simulator, CopiesOfAStateHaveTheSameFuture) {
  const Model model = load_model(world_file("demo"));
  State one(model);
  Input input(model);
  set_keyframe(model, 0, one, &input);
  Simulator a(model);
  for (int i = 0; i < 20; ++i) a.step(one, input);
  State two = one;
  Simulator cold(model);  // nothing of the first one's caches
  for (int i = 0; i < 50; ++i) {
    a.step(one, input);
    cold.step(two, input);
    ASSERT_EQ(one.hash(), two.hash()) << "step " << i;
  }
}

TEST(Simulator, CopyingIntoAStateDoesNotAllocate) {
  const Model model = load_model(world_file("humanoid"));
  const State from(model);
  State to(model);
  const long before = test::allocation_count();
  to = from;
  EXPECT_EQ(test::allocation_count(), before);
}

TEST(Simulator, RefusesAStateOfAnotherModel) {
  const Model model = load_model(world_file("pendulum")),
              other = load_model(world_file("double_pendulum"));
  Simulator simulator(model);
  State state(other);
  EXPECT_THROW(simulator.step(state, Input(other)), WorldError);
}

// The crank goes round and round; the pin between coupler and rocker holds.
TEST(Simulator, KeepsALoopClosed) {
  const Model model = load_model(world_file("four_bar"));
  EXPECT_EQ(why_not_simulated(model), "");
  Simulator simulator(model);
  State state(model);
  Input input(model);
  input.ctrl[0] = 10;
  EqualityRows pin(model);
  ConstraintRows rows(model);
  Derived d(model);
  double worst = 0;
  for (int i = 0; i < 3000; ++i) {
    simulator.step(state, input);
    positions(model, state, input, d);
    rows.begin(d);
    pin.add(state, input, d, rows);
    worst = std::max(worst, pin.worst().length);
  }
  EXPECT_LT(worst, 1e-9);
  EXPECT_GT(state.q[0], 2 * M_PI);  // it did go round
}

TEST(Simulator, HasNoPlaceForImpulsesInRungeKutta) {
  Model model = load_model(world_file("four_bar"));
  model.option.integrator = Integrator::rk4;
  EXPECT_THROW(Simulator{model}, WorldError) << "st is the integrator";
  // rk4 that a file asks for gives way, and says so
  model.custom["abut.integrator.else"].text = "euler";
  const Simulator simulator(model);
  EXPECT_EQ(simulator.integrator(), Integrator::euler);
  ASSERT_EQ(simulator.warnings().size(), 1u);
  EXPECT_THAT(simulator.warnings()[0], testing::HasSubstr("euler runs instead"));
  model.option.equality_on = false;
  EXPECT_EQ(Simulator{model}.integrator(), Integrator::rk4);
  EXPECT_TRUE(Simulator{model}.warnings().empty());
  model.custom.clear();
  EXPECT_NO_THROW(Simulator{model});
}

// Without st it has: joints that close loops are held by their accelerations.
TEST(Simulator, KeepsALoopClosedInRungeKutta) {
  Model model = load_model(world_file("four_bar"));
  model.option.integrator = Integrator::rk4;
  for (const char* contact : {"none", "deepest", "baraff", "multipoint"}) {
    ContactSettings settings;
    set_contact(settings, contact);
    set_stabilize(settings, "none");
    Simulator simulator(model, settings);
    State state(model);
    Input input(model);
    input.ctrl[0] = 10;
    Measure measure(model);
    for (int i = 0; i < 500; ++i) simulator.step(state, input);
    EXPECT_GT(std::abs(state.q[0]), 1);
    EXPECT_LT(measure.sample(state, input).joint_error, 1e-7) << contact;
  }
}

TEST(Run, CutInTwoHasTheSameBits) {
  const Model model = load_model(world_file("arm6"));
  const auto file = std::filesystem::path(testing::TempDir()) /
                    ("abut_run_test_" + std::to_string(getpid()) + ".state");
  auto advance_by = [&](State& state, Input& input, double time) {
    Simulator simulator(model);
    Measure measure(model);
    RunSettings settings;
    settings.time = time;
    return run(simulator, state, input, settings, measure).steps;
  };
  State whole(model), half(model);
  Input input(model), half_input(model);
  set_keyframe(model, 0, whole, &input);
  set_keyframe(model, 0, half, &half_input);
  EXPECT_EQ(advance_by(whole, input, 0.5), step_count(0.5, model.option.timestep));
  advance_by(half, half_input, 0.25);
  save_state(model, half, half_input, file);
  State resumed(model);
  Input resumed_input(model);  // controls come back with the file
  load_state(model, file, resumed, resumed_input);
  advance_by(resumed, resumed_input, 0.25);
  EXPECT_TRUE(resumed == whole);
  std::filesystem::remove(file);
}

TEST(Run, StopsAtTheLastGoodStateWhenItDiverges) {
  World world;
  BodyDesc& body = world.body("wheel");
  body.hinge("axle", {0, 0, 1});
  body.sphere(0.1);
  world.velocity("unstable", "axle", -100);
  world.option.timestep = 0.01;
  Model model = compile(world);
  Simulator simulator(model);
  Measure measure(model);
  State state(model);
  state.v[0] = 1;
  Input input(model);
  const RunOutcome outcome = run(simulator, state, input, {}, measure);
  EXPECT_EQ(outcome.diverged_body, model.find_body("wheel"));
  EXPECT_LT(outcome.steps, 1000);
  EXPECT_TRUE(std::isfinite(state.v[0]));
  EXPECT_LE(std::abs(state.v[0]), 1e6);
}

TEST(Run, CallsControlBeforeEachStepAndObservesEachMeasuredOne) {
  const Model model = load_model(world_file("pendulum"));
  Simulator simulator(model);
  Measure measure(model);
  State state(model);
  Input input(model);
  RunSettings settings;
  settings.time = 10 * model.option.timestep;
  settings.measure = MeasureWhen{4, false};
  int controls = 0;
  std::vector<std::int64_t> observed;
  settings.control = [&](const Model&, const State&, Input& in) {
    EXPECT_EQ(in.force[0], 0.0);  // cleared before each call
    in.force[0] = 3;
    ++controls;
  };
  settings.observe = [&](std::int64_t step, const State&, const Sample&) {
    observed.push_back(step);
  };
  run(simulator, state, input, settings, measure);
  EXPECT_EQ(controls, 10);
  EXPECT_EQ(observed, (std::vector<std::int64_t>{0, 4, 8, 10}));
  EXPECT_GT(std::abs(state.v[0]), 0);
}

TEST(Run, KeepsAJointWithinItsLimit) {
  World world;
  BodyDesc& body = world.body("arm");
  JointDesc& hinge = body.hinge("elbow", {0, 1, 0});
  hinge.range = {-0.1, 0.1};
  hinge.limited = true;
  body.capsule({0, 0, 0}, {0.5, 0, 0}, 0.02);
  const Model model = compile(world);
  Simulator simulator(model);
  Measure measure(model);
  State state(model);
  Input input(model);
  RunSettings settings;
  settings.time = 1;
  run(simulator, state, input, settings, measure);
  EXPECT_NEAR(state.q[0], 0.1, 1e-9);
  EXPECT_NEAR(state.v[0], 0, 1e-9);
}

// A pendulum's energy under RK4 is its own exact solution's: constant.
TEST(Measure, DriftIsRelativeToWhatThereIs) {
  const Model model = load_model(world_file("double_pendulum"));
  Simulator simulator(model);
  Measure measure(model);
  State state(model);
  Input input(model);
  state.q[0] = 1;
  RunSettings settings;
  settings.time = 2;
  run(simulator, state, input, settings, measure);
  EXPECT_LT(measure.energy_drift(), 1e-6);
  EXPECT_GT(measure.energy_drift(), 0);
  EXPECT_GT(measure.momentum_drift(), 0.5);  // gravity and the pivot change it
}

// One step and ten of MuJoCo's Euler (implicit in joint damping), implicitfast and Runge-Kutta.
// Worlds whose
// joints are hinges and slides have the same rule as ours, to rounding; where there is a free
// or ball joint, MuJoCo's rotations are of lower order, and ours differ on purpose.
TEST(Steps, AgreeWithMujocoOnHingesAndSlides) {
  int compared = 0;
  for (const auto& file : test::json_files(test::in_tree("/tests/data/mujoco"))) {
    const test::Json j = test::read_json(file);
    if (!j.contains("steps")) continue;
    Model model =
        load_model(std::filesystem::path(test::in_tree()) / j.at("file").get<std::string>());
    model.option.constraint_on = false;  // as the reference was made: smooth dynamics alone
    const bool plain =
        std::all_of(model.joints.begin(), model.joints.end(), [](const Joint& joint) {
          return joint.type == JointType::hinge || joint.type == JointType::slide;
        });
    if (!plain || model.nv == 0) continue;
    SCOPED_TRACE(file.stem().string());
    for (const auto& result : j.at("steps").at("results")) {
      const std::string integrator = result.at("integrator");
      if (integrator == "Euler" || integrator == "Euler-explicit")
        model.option.integrator = Integrator::euler;
      else if (integrator == "RK4")
        model.option.integrator = Integrator::rk4;
      else if (integrator == "implicitfast")
        model.option.integrator = Integrator::implicit;
      else
        continue;
      model.option.euler_damp = integrator != "Euler-explicit";
      // MuJoCo's RK4 applies the exact filter once more to slopes that already have it in
      // (docs/decisions.md)
      const bool filtered =
          std::any_of(model.actuators.begin(), model.actuators.end(),
                      [](const Actuator& a) { return a.dynamics == Dynamics::filterexact; });
      if (filtered && integrator == "RK4") continue;
      // the damping of tendons and of servos on them is explicit in ours (integrate.h)
      if (integrator == "implicitfast" && !model.tendons.empty()) continue;
      State state(model);
      Input input(model);
      test::read_state(j.at("states").at(j.at("steps").at("from_state").get<int>()), state, input);
      Simulator simulator(model);
      for (int i = 0; i < result.at("count").get<int>(); ++i) simulator.step(state, input);
      SCOPED_TRACE(integrator + " x " + std::to_string(result.at("count").get<int>()));
      EXPECT_LE(test::relative_error(state.q, test::numbers(result.at("q"))), 1e-9);
      EXPECT_LE(test::relative_error(state.v, test::numbers(result.at("v"))), 1e-9);
      if (model.na > 0) {
        EXPECT_LE(test::relative_error(state.act, test::numbers(result.at("act"))), 1e-9);
      }
      ++compared;
    }
  }
  EXPECT_GT(compared, 50);
}

}  // namespace
}  // namespace abut
