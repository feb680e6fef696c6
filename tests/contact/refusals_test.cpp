// What must be refused, and what would be easy to fake (docs/derivations/rules.md), of st, ap,
// joints and stabilisers, each by name. Fakes that other tests cover:
//
//   F-7   post-step orders h^2, h^4; mass-weighted minimality   reproduce: C-T1, C-T11
//   F-8   the chain at both gravities                           reproduce: C-T1 (9.81), C-T2 (80)
//   F-15  lexicographic Lemke; residuals, not flags             solve: Lemke.DoesNotCycleWhere..,
//                                                               Chain.KeepsTheBestOfThoseThatFailed
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "abut/contact/combinations.h"
#include "abut/model/maximal.h"
#include "tests/contact/scene.h"
#include "tests/contact/scenes.h"

namespace abut {
namespace {

using test::Scene;
using testing::HasSubstr;

ContactSettings with(const char* contact, const char* stabilize, const char* contacts = "auto") {
  ContactSettings s;
  set_contact(s, contact);
  set_stabilize(s, stabilize);
  set_stabilize_contacts(s, contacts);
  return s;
}

// Angular velocity of a free body in world axes (rad/s).
Vec3 spin(const State& state, int body) {
  const double* q = &state.q[static_cast<std::size_t>(7 * body + 3)];
  const double* v = &state.v[static_cast<std::size_t>(6 * body + 3)];
  return Quat(q[0], q[1], q[2], q[3]) * Vec3(v[0], v[1], v[2]);
}

std::string refusal(const ContactSettings& s) {
  const Model model = compile(parse_mjcf(test::stack_of_boxes(1)));
  try {
    Simulator simulator(model, s);
  } catch (const WorldError& e) {
    return e.what();
  }
  return "";
}

// "PEG/ST + Baumgarte or gamma on the same contacts (double counting)"
TEST(Refusals, BaumgarteOrGammaOnTheContactsOfSt) {
  for (const char* stabilize : {"baumgarte:50", "gamma:0.5"}) {
    EXPECT_THAT(refusal(with("st", stabilize, "on")), HasSubstr("count twice; use"));
    EXPECT_EQ(refusal(with("st", stabilize)), "") << "acts on joints alone";
    EXPECT_EQ(refusal(with("st", stabilize, "off")), "");
    EXPECT_EQ(refusal(with("ap", stabilize, "on")), "");
  }
}

// An explicit abut.stabilize.contacts that makes no sense fails.
TEST(Refusals, StabilisingContactsThatThereAreNot) {
  EXPECT_THAT(refusal(with("none", "post", "on")), HasSubstr("no contacts"));
  EXPECT_THAT(refusal(with("st", "none", "on")), HasSubstr("no stabiliser"));
  EXPECT_EQ(refusal(with("st", "post", "on")), "");
  EXPECT_EQ(refusal(with("ap", "post-pinv", "on")), "");
  ContactSettings s;
  EXPECT_THROW(set_stabilize_contacts(s, "yes"), std::invalid_argument);
  std::string world = test::stack_of_boxes(1);
  world.insert(world.find("<worldbody>"),
               "<custom><text name='abut.stabilize.contacts' data='maybe'/></custom>");
  const Model model = compile(parse_mjcf(world));
  EXPECT_THROW(contact_settings(model), WorldError);
}

// "contact post-stabilisation together with a penalty model (penetration is its state); joint
// post-stabilisation is fine"
TEST(Refusals, PostStabilisationOfPenaltyContacts) {
  EXPECT_THAT(refusal(with("deepest", "post", "on")), HasSubstr("forces come from"));
  EXPECT_EQ(refusal(with("deepest", "post")), "");
  EXPECT_EQ(refusal(with("deepest", "post", "off")), "");
}

// "acceleration-level Baumgarte with velocity-level LCP"; joints alone may have it.
TEST(Refusals, AccelerationLevelBaumgarteWithVelocityLevelModels) {
  for (const char* model : {"st", "ap"})
    EXPECT_THAT(why_not({.contact = model, .stabilize = "baumgarte-acc"}), HasSubstr("use "));
  EXPECT_EQ(why_not({.contact = "none", .stabilize = "baumgarte-acc"}), "");
}

// "RK4 with ST/AP (the step is the integrator)"
TEST(Refusals, RungeKuttaWithTimeStepping) {
  for (const char* model : {"st", "ap"})
    EXPECT_THAT(why_not({.contact = model, .integrator = "rk4"}), HasSubstr("use euler"));
}

// "lcp_fast (S-2) for frictional problems"
TEST(Refusals, PrincipalPivotingForFriction) {
  for (const char* solver : {"pivot", "murty"})
    for (const char* friction : {"cone", "pyramid"})
      EXPECT_THAT(why_not({.friction = friction, .solver = solver}), HasSubstr("use "));
  EXPECT_EQ(why_not({.friction = "none", .solver = "pivot"}), "");
}

// "Ax=b static friction inside an LCP frictional model; anchor springs with ST": no such friction
// can be named with st and ap.
TEST(Refusals, SpringsForFrictionInsideAComplementarityModel) {
  for (const char* friction : {"linear", "anchor", "springs"}) {
    ContactSettings s;
    std::string why;
    try {
      set_friction(s, friction);
      why = why_not(choice_of(s, Integrator::euler));
    } catch (const std::invalid_argument& e) {
      why = e.what();
    }
    EXPECT_NE(why, "") << friction;
  }
}

// "joint post-stabilisation in tree-structured generalized coordinates": there is nothing to do,
// and asking for it is no error.
TEST(Refusals, PostStabilisationOfATreeHasNothingToDo) {
  const char* const world =
      "<mujoco><worldbody><body><joint type='hinge' axis='0 1 0'/><geom size='.1' pos='1 0 0'/>"
      "</body></worldbody></mujoco>";
  Scene post(world, with("none", "post:3")), none(world, with("none", "none"));
  post.run(1);
  none.run(1);
  EXPECT_EQ(post.simulator.contact().post().steps, 0);
  EXPECT_TRUE(post.state == none.state);
}

// What abut.stabilize.contacts does where it makes sense: `off` leaves overlap where it is.
TEST(StabilizeContacts, OffLeavesContactsAndKeepsJoints) {
  const std::string world =
      "<mujoco><option timestep='0.004'/><worldbody><geom type='plane' size='5 5 1'/>"
      "<body pos='0 0 0.09'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
      "<body name='bob' pos='1 0 2'><freejoint/><geom type='sphere' size='0.1'/></body>"
      "</worldbody><equality><connect body1='bob' anchor='-0.5 0 0'/></equality></mujoco>";
  for (const auto& [model, stabilize] :
       {std::pair{"st", "post"}, {"ap", "post"}, {"ap", "gamma:1"}, {"ap", "baumgarte:50"}}) {
    SCOPED_TRACE(std::string(model) + " " + stabilize);
    Scene on(world, with(model, stabilize)), off(world, with(model, stabilize, "off"));
    on.run(0.5);
    off.run(0.5);
    EXPECT_GT(on.position(0).z(), 0.0999);
    EXPECT_NEAR(off.position(0).z(), 0.09, 1e-9);
    // the joint is held in both: without a stabiliser it drifts by millimetres
    EXPECT_LT(std::abs((off.position(1) - Vec3(0.5, 0, 2)).norm() - 0.5), 1e-3);
  }
}

// F-4: "solver failure hidden by fallback": what answered, and after how many, is told.
TEST(NotFaked, F4_FallbacksAreTold) {
  ContactSettings s;
  s.solver = "lemke,cone";  // lemke takes no cones
  Scene scene(test::stack_of_boxes(2), s);
  scene.step();
  const SolveReport& report = scene.simulator.contact().stepping().report();
  ASSERT_EQ(report.methods().size(), 1u);
  EXPECT_EQ(report.methods()[0].name, "cone");
  s.solver = "nsgs,cone";
  Scene hard(test::stack_of_boxes(20, 1, 0, 100), s);
  std::int64_t fallbacks = 0;
  for (int i = 0; i < 5; ++i) {
    hard.step();
    fallbacks += hard.simulator.contact().stepping().report().fallbacks;
  }
  EXPECT_GT(fallbacks, 0) << "sweeps do not solve a stack of 20 with 100:1 on top";
  EXPECT_EQ(hard.unsolved, 0);
}

// F-6: "a standing pile by freezing the body": it reacts in the next step to what friction cannot
// hold within it (mu g h = 0.02 m/s).
TEST(NotFaked, F6_NothingSleeps) {
  for (const char* model : {"st", "ap"}) {
    Scene scene(test::stack_of_boxes(3), with(model, "post"));
    scene.run(2);
    const Vec3 before = scene.position(2);
    scene.state.v[12] = 0.05;  // the top one, sideways
    scene.step();
    const double h = scene.model.option.timestep;
    EXPECT_NEAR((scene.position(2) - before).x(), h * (0.05 - 0.5 * 9.81 * h), 1e-6) << model;
  }
}

// F-7: "post-stabilisation by tiny sub-steps or by projecting": the velocities of a step are the
// same with and without it. (State has those of rotation in body axes, which the post-step turns.)
TEST(NotFaked, F7_ThePostStepLeavesVelocitiesAlone) {
  const std::string world =
      "<mujoco><option timestep='0.004'/><worldbody><geom type='plane' size='5 5 1'/>"
      "<body pos='0 0 0.098' euler='3 5 0'><freejoint/><geom type='box' size='.1 .1 .1'/></body>"
      "<body name='bob' pos='1.1 0 2'><freejoint/><geom type='sphere' size='0.1'/></body>"
      "</worldbody><equality><connect body1='bob' anchor='-0.5 0 0'/></equality></mujoco>";
  for (const char* model : {"st", "ap"}) {
    Scene post(world, with(model, "post:3")), none(world, with(model, "none"));
    post.state.q[7] += 0.01;  // the joint is off
    none.state.q[7] += 0.01;
    post.step();
    none.step();
    EXPECT_NE(post.state.q, none.state.q) << model;
    for (const int body : {0, 1}) {
      EXPECT_EQ(post.velocity(body), none.velocity(body)) << model;
      EXPECT_LT((spin(post.state, body) - spin(none.state, body)).norm(), 1e-15) << model;
    }
  }
}

// F-16: "generalized coordinates done by maximal coordinates + joints": two angles are two numbers,
// and their joints cannot come apart.
TEST(NotFaked, F16_GeneralizedCoordinatesAreThat) {
  const auto world = [](const char* coordinates) {
    return fmt::format(
        "<mujoco><custom><text name='abut.coordinates' data='{}'/></custom><worldbody>"
        "<body><joint type='hinge' axis='0 1 0'/><geom size='.1' pos='1 0 0'/>"
        "<body pos='1 0 0'><joint type='hinge' axis='0 1 0'/><geom size='.1' pos='1 0 0'/></body>"
        "</body></worldbody></mujoco>",
        coordinates);
  };
  Scene generalized(world("generalized"), with("none", "none"));
  EXPECT_EQ(generalized.state.q.size(), 2u);
  EXPECT_EQ(generalized.state.v.size(), 2u);
  EXPECT_TRUE(generalized.model.equalities.empty());
  Scene maximal(world("maximal"), with("none", "none"));
  EXPECT_EQ(maximal.state.q.size(), 14u);
  EXPECT_EQ(maximal.model.equalities.size(), 2u);
}

TEST(Settings, ANameThatNothingReadsIsAnError) {
  const auto with = [](const char* name) {
    return compile(parse_mjcf(fmt::format(
        "<mujoco><custom><text name='{}' data='post'/></custom><worldbody/></mujoco>", name)));
  };
  EXPECT_NO_THROW(contact_settings(with("abut.stabilize")));
  EXPECT_NO_THROW(contact_settings(with("mine.stabilise")));  // not ours
  try {
    contact_settings(with("abut.stabilise"));
    FAIL();
  } catch (const WorldError& e) {
    EXPECT_NE(std::string(e.what()).find("did you mean 'abut.stabilize'"), std::string::npos)
        << e.what();
  }
}

// Design, section 2: lnc and peg take curved solids against half-spaces, and refuse otherwise.
TEST(Refused, CurvedSolidsWhereFacesAreNeeded) {
  const auto world = [](const char* other) {
    return fmt::format(
        "<mujoco><worldbody><geom name='other' {}/><body pos='0 0 3'><freejoint/>"
        "<geom name='ball' type='sphere' size='.2'/></body></worldbody></mujoco>",
        other);
  };
  for (const char* model : {"peg", "peg-paper", "lnc"}) {
    ContactSettings s;
    set_contact(s, model);
    EXPECT_NO_THROW(Scene(world("type='plane' size='5 5 1'"), s));
    try {
      Scene scene(world("type='box' size='1 1 1'"), s);
      FAIL() << model;
    } catch (const WorldError& e) {
      EXPECT_THAT(std::string(e.what()), HasSubstr("'ball' is curved"));
    }
  }
}

}  // namespace
}  // namespace abut
