// Worlds of Williams, Lu and Trinkle: those in worlds/peg are those that the experiments build, and
// PEG keeps what it promises in all of them.
#include "abut/reproduce/williams_lu_trinkle/p_worlds.h"

#include <gtest/gtest.h>

#include "abut/load/load.h"
#include "abut/model/kinematics.h"
#include "abut/simulate/overlap.h"
#include "abut/simulate/simulator.h"
#include "support/tree.h"

namespace abut::reproduce {
namespace {

Model load(const std::string& name) {
  return load_model(test::in_tree("/worlds/peg/") + name + ".xml");
}

State start(const Model& model, Input& input) {
  State state(model);
  if (const int key = model.find_keyframe("go"); key >= 0) set_keyframe(model, key, state, &input);
  return state;
}

TEST(WorldsOfSeed001, AreThoseOfTheExperiments) {
  struct Case {
    const char* file;
    World built;
    int steps;
  };
  const Case cases[] = {{"corner", corner(), 8},
                        {"triangles", triangle_world(triangles_tilted()), 4},
                        {"block_on_block", block_on_block(0.1), 8},
                        {"stack", stack_of_cubes(10, 0.02), 2}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.file);
    const Model file = load(c.file), built = compile(c.built);
    const ContactSettings contact = contact_settings(file);
    EXPECT_EQ(contact.model, "peg");
    ASSERT_EQ(file.nq, built.nq);
    ASSERT_EQ(file.geoms.size(), built.geoms.size());
    EXPECT_EQ(file.option.timestep, built.option.timestep);
    Input ia(file), ib(built);
    State a = start(file, ia), b = start(built, ib);
    Simulator run_a(file, contact), run_b(built, contact);
    for (int i = 0; i < c.steps; ++i) {
      run_a.step(a, ia);
      run_b.step(b, ib);
    }
    for (std::size_t i = 0; i < a.q.size(); ++i) EXPECT_NEAR(a.q[i], b.q[i], 1e-9);
    for (std::size_t i = 0; i < a.v.size(); ++i) EXPECT_NEAR(a.v[i], b.v[i], 1e-9);
  }
}

TEST(WorldsOfSeed001, EndApartUnderPeg) {
  for (const char* name : {"corner", "triangles", "block_on_block", "vertex_edge", "vertex_vertex",
                           "edge_edge", "stack"}) {
    SCOPED_TRACE(name);
    const Model model = load(name);
    Simulator simulator(model);
    Input input(model);
    State state = start(model, input);
    OverlapMeasure measure(model);
    Derived d(model);
    std::int64_t fallbacks = 0;
    double deepest = 0, most = 0;
    bool pressed = false;
    for (int i = 0; i < 8; ++i) {
      simulator.step(state, input);
      fallbacks += simulator.contact().report().fallbacks;
      positions(model, state, input, d);
      deepest = std::max(deepest, measure.of(d).deepest);
      for (const Vec3& p : simulator.contact().stepping().impulses()) pressed |= p.norm() > 0;
    }
    for (const double size : simulator.contact().collider().sizes()) most = std::max(most, size);
    EXPECT_LE(deepest, 1e-8 * most);
    EXPECT_EQ(fallbacks, 0);
    EXPECT_EQ(pressed, std::string(name) != "corner");  // what is to meet meets
  }
}

}  // namespace
}  // namespace abut::reproduce
