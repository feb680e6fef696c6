// Every choice of the command line's names runs, or is refused with a reason
// (docs/derivations/rules.md).
#include "abut/contact/combinations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "abut/model/maximal.h"
#include "abut/solve/solver.h"
#include "tests/contact/scene.h"
#include "tests/contact/scenes.h"

namespace abut {
namespace {

using testing::HasSubstr;

ContactSettings settings_of(const Choice& choice) {
  ContactSettings s;
  set_contact(s, choice.contact);
  set_data(s, choice.data);
  set_friction(s, choice.friction);
  set_stabilize(s, choice.stabilize);
  s.solver = choice.solver;
  return s;
}

// A box dropped on the ground, a pendulum that a connect holds, and one on a hinge: contacts and
// joints.
std::string world(std::string_view integrator) {
  return fmt::format(
      "<mujoco><option timestep='0.005' integrator='{}'/><worldbody>"
      "<geom type='plane' size='5 5 1'/>"
      "<body name='box' pos='0 0 0.1002'><freejoint/><geom type='box' size='0.1 0.1 0.1'/></body>"
      "<body name='bob' pos='1 0 2'><freejoint/><geom type='sphere' size='0.1' contype='0' "
      "conaffinity='0'/></body>"
      "<body name='door' pos='3 0 2'><joint axis='0 1 0' {}/>"
      "<geom type='box' size='0.2 0.1 0.01' pos='0.2 0 0'/></body>"
      "</worldbody><equality><connect body1='bob' anchor='-0.5 0 0'/></equality></mujoco>",
      integrator == "rk4"        ? "RK4"
      : integrator == "implicit" ? "implicitfast"
                                 : "Euler",
      // rk4 has no place for limits
      integrator == "rk4" ? "" : "damping='0.1' range='-30 30'");
}

TEST(Choices, EveryNameOfAnAxisIsBuiltAndNoOther) {
  for (const std::string_view v : values(Axis::contact))
    EXPECT_NO_THROW(settings_of({.contact = v}));
  for (const std::string_view v : values(Axis::friction))
    EXPECT_NO_THROW(settings_of({.friction = v}));
  for (const std::string_view v : values(Axis::stabilize))
    EXPECT_NO_THROW(settings_of({.stabilize = v}));
  EXPECT_EQ(values(Axis::solver).size(), solvers().size() + 1);  // auto
  for (const std::string_view v : values(Axis::solver))
    EXPECT_TRUE(v == "auto" || find_solver(v) != nullptr) << v;
}

TEST(Choices, RefusalsNameWhatThereIsAndSayWhatToUse) {
  for (const Refusal& r : refusals()) {
    EXPECT_THAT(values(r.first), testing::Contains(r.value));
    EXPECT_THAT(values(r.second), testing::Contains(r.other));
    EXPECT_THAT(std::string(r.why), HasSubstr("use ")) << r.value;
  }
}

TEST(Choices, AChainIsRefusedIfEachLinkIs) {
  EXPECT_EQ(why_not({.solver = "lemke,nsgs"}), "");
  EXPECT_THAT(why_not({.solver = "lemke,pivot"}), HasSubstr("solver lemke"));
  EXPECT_EQ(why_not({.contact = "none", .solver = "lemke"}), "") << "no friction without contacts";
}

// The box lies there, the bob hangs on.
void runs_ten_steps(const Model& model, const Choice& choice) {
  SCOPED_TRACE(fmt::format("{} {} {} {} {} {}", choice.contact, choice.friction, choice.stabilize,
                           choice.solver, choice.integrator, choice.coordinates));
  Simulator simulator(model, settings_of(choice));
  State state(model);
  const Input input(model);
  int unsolved = 0;
  for (int i = 0; i < 10; ++i) {
    simulator.step(state, input);
    unsolved += simulator.contact().stepping().report().unsolved;
  }
  EXPECT_EQ(unsolved, 0);
  for (const double x : state.q) ASSERT_TRUE(std::isfinite(x));
  if (choice.contact != "none") {
    // springs give way, by 1.4 mm at this step
    const bool penalty = choice.contact == "deepest" || choice.contact == "multipoint";
    EXPECT_NEAR(state.q[2], 0.1, penalty ? 5e-3 : 1e-3);
  }
  EXPECT_NEAR(std::hypot(state.q[7] - 0.5, state.q[8], state.q[9] - 2), 0.5, 2e-2);
}

// Data is an axis of its own: each with each contact model, all else as it is by itself.
TEST(CombinationsOfData, EachRunsTenStepsOrIsRefused) {
  Model model = compile(parse_mjcf(world("euler")));
  int ran = 0, refused = 0;
  for (const std::string_view contact : values(Axis::contact))
    for (const std::string_view data : values(Axis::data)) {
      if (contact == "none") continue;
      Choice choice{contact, data, default_of(contact, Axis::friction)};
      if (!why_not(choice).empty()) {
        EXPECT_THROW(Simulator(model, settings_of(choice)), WorldError);
        ++refused;
      } else {
        runs_ten_steps(model, choice);
        ++ran;
      }
    }
  // multipoint has two, quasirigid too; st, fast, ap and baraff take all points of patches as well;
  // st, fast, ap, deepest and multipoint kissing manifolds
  EXPECT_EQ(ran, 2 * 2 + 3 + 3 + 2 + 1 + 2 + 2 + 3 + 5);
  EXPECT_EQ(ran + refused,
            std::ssize(values(Axis::data)) * (std::ssize(values(Axis::contact)) - 1));
}

class Combinations : public testing::TestWithParam<std::string_view> {};

TEST_P(Combinations, EachRunsTenStepsOrIsRefused) {
  int ran = 0, refused = 0;
  for (const std::string_view integrator : values(Axis::integrator)) {
    World described = parse_mjcf(world(integrator));
    ask_for_coordinates(described, std::string(GetParam()));
    Model model = compile(described);
    if (integrator == "explicit") model.option.integrator = Integrator::explicit_euler;
    model.custom.erase("abut.integrator.else");  // what a file asks for would give way to euler
    for (const std::string_view contact : values(Axis::contact))
      for (const std::string_view friction : values(Axis::friction))
        for (const std::string_view stabilize : values(Axis::stabilize))
          for (const std::string_view solver : values(Axis::solver)) {
            const Choice choice{
                contact,   default_of(contact, Axis::data), friction, stabilize, solver, integrator,
                GetParam()};
            // frictions that are forces never meet a solver or a stabiliser
            const bool force = friction != "cone" && friction != "pyramid" && friction != "none";
            if (force && friction != default_of(contact, Axis::friction) &&
                (stabilize != "post" || solver != "auto"))
              continue;
            if (!why_not(choice).empty()) {
              EXPECT_THROW(Simulator(model, settings_of(choice)), WorldError);
              ++refused;
            } else {
              runs_ten_steps(model, choice);
              ++ran;
            }
          }
  }
  EXPECT_GT(ran, 100);
  EXPECT_GT(refused, 100);
}

INSTANTIATE_TEST_SUITE_P(In, Combinations, testing::ValuesIn(values(Axis::coordinates)),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace abut
