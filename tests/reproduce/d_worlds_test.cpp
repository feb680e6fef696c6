// Worlds of Drumwright: those in worlds/multipoint are those that the experiments build.
#include "abut/reproduce/drumwright/d_worlds.h"

#include <gtest/gtest.h>

#include "abut/load/load.h"
#include "abut/simulate/simulator.h"
#include "support/tree.h"

namespace abut::reproduce {
namespace {

TEST(WorldsOfSeed000, AreThoseOfTheExperiments) {
  struct Case {
    const char* file;
    World built;
    bool printed;  // the paper's gains are in the file
  };
  const double rest = 0.5 - 98.1 / (5000 + 100 / 0.15);
  const Case cases[] = {
      {"block",
       block_on_plane(10, {0, 0, 0.45},
                      Quat(0.968602, -0.233264, -0.043745, 0.074054).normalized()),
       true},
      {"pushed_block", block_on_plane(10, {0, 0, rest}, Quat::Identity()), true},
      {"pile", pile_of_shapes(1), false}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.file);
    World world = c.built;
    if (c.printed) set_gains(world, {});
    const Model file =
        load_model(test::in_tree("/worlds/multipoint/") + std::string(c.file) + ".xml");
    const Model built = compile(world);
    const ContactSettings contact = contact_settings(file);
    EXPECT_EQ(contact.model, "multipoint");
    EXPECT_EQ(file.option.timestep, built.option.timestep);
    EXPECT_EQ(file.option.integrator, built.option.integrator);
    ASSERT_EQ(file.nq, built.nq);
    State a(file), b(built);
    Simulator run_a(file, contact), run_b(built, contact);
    const Input ia(file), ib(built);
    for (int i = 0; i < 100; ++i) {
      run_a.step(a, ia);
      run_b.step(b, ib);
    }
    for (std::size_t i = 0; i < a.q.size(); ++i) EXPECT_NEAR(a.q[i], b.q[i], 1e-9);
    for (std::size_t i = 0; i < a.v.size(); ++i) EXPECT_NEAR(a.v[i], b.v[i], 1e-9);
  }
}

}  // namespace
}  // namespace abut::reproduce
