// The problem (29) of Williams, Lu and Trinkle with its slacks, and LMMCP on it (P-E1, P-N2).
#include "abut/contact/complementarity/printed_problem.h"
#include "abut/contact/complementarity/feature_model.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "abut/contact/complementarity/feature_stepping.h"
#include "abut/reproduce/williams_lu_trinkle/p_triangles.h"
#include "abut/reproduce/williams_lu_trinkle/p_worlds.h"
#include "abut/solve/newton/lmmcp.h"
#include "tests/contact/scene.h"

namespace abut {
namespace {

using namespace reproduce;

ContactSettings by_lmmcp(const std::string& model) {
  ContactSettings s;
  s.model = model;
  s.friction = FrictionKind::pyramid;
  s.stabilize = Stabilize::none;
  s.solver = "lmmcp";
  s.own_words["peg.relinearize"] = "off";
  return s;
}

// Every solution that it has, and no other: by enumeration of the forces at C2 and C3 (P-T6).
TEST(PrintedProblem, HasTheSolutionsThatEnumerationFinds) {
  for (const Triangles& t : {triangles_on_a_line(), triangles_tilted()})
    for (const std::string m : {"lnc", "peg-paper"}) {
      SCOPED_TRACE(m);
      const Model model = compile(triangle_world(t));
      Simulator simulator(model, by_lmmcp(m));
      State state(model);
      const Input input(model);
      set_keyframe(model, model.find_keyframe("go"), state);
      simulator.step(state, input);
      const PrintedProblem* printed = simulator.contact().as<FeatureModel>()->stepping().printed();
      ASSERT_NE(printed, nullptr);
      std::vector<double> found;
      for (const VectorX& z : lmmcp_solutions(printed->problem(), {.starts = 100}))
        found.push_back(printed->motion(z));
      const auto solutions = m == "lnc" ? lnc_solutions(t, 0.5) : peg_solutions(t, 0.5);
      ASSERT_FALSE(found.empty());
      for (const TriangleSolution& s : solutions)
        EXPECT_TRUE(std::any_of(found.begin(), found.end(), [&](double motion) {
          return std::abs(motion - s.motion) < 1e-8;
        })) << s.motion;
      for (const double motion : found)
        EXPECT_TRUE(std::any_of(solutions.begin(), solutions.end(), [&](const auto& s) {
          return std::abs(motion - s.motion) < 1e-8;
        })) << motion;
    }
}

// U alone: the matrix is that of st, and so is the step.
TEST(PrintedProblem, OfUnilateralContactsIsStewartAndTrinkles) {
  for (const char* friction : {"0", "0.3"}) {
    const auto world = fmt::format(
        R"(<mujoco><option timestep="0.01"/><worldbody>
             <geom type="plane" size="1 1 1" friction="{0}"/>
             <body pos="0 0 0.5"><freejoint/>
               <geom type="box" size="0.5 0.4 0.5" mass="2" friction="{0}"/></body>
           </worldbody></mujoco>)",
        friction);
    ContactSettings st = by_lmmcp("st");
    st.data = ContactSource::features;
    test::Scene a(world, by_lmmcp("peg-paper")), b(world, st);
    for (test::Scene* s : {&a, &b}) {
      s->state.v[0] = 1;
      s->step();
    }
    const Problem& p = a.simulator.contact().as<FeatureModel>()->stepping().printed()->problem();
    EXPECT_EQ(p.size(), friction[1] == 0 ? 4 : 4 * (1 + 8 + 1));
    for (std::size_t i = 0; i < a.state.v.size(); ++i)
      EXPECT_NEAR(a.state.v[i], b.state.v[i], 1e-9) << i;
  }
}

}  // namespace
}  // namespace abut
