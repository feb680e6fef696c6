// Worlds of Cline and Pai in worlds/ are those that the experiments build in code: they move alike.
#include "abut/reproduce/cline_pai/c_worlds.h"

#include <gtest/gtest.h>

#include "abut/load/load.h"
#include "abut/simulate/simulator.h"
#include "support/tree.h"

namespace abut::reproduce {
namespace {

// Largest difference of q and v after some steps of the two, with the settings of the file.
double apart_after(const Model& file, const Model& built, int steps) {
  const ContactSettings contact = contact_settings(file);
  State sa(file), sb(built);
  const Input ia(file), ib(built);
  Simulator run_a(file, contact), run_b(built, contact);
  for (int i = 0; i < steps; ++i) {
    run_a.step(sa, ia);
    run_b.step(sb, ib);
  }
  double most = 0;
  for (std::size_t i = 0; i < sa.q.size(); ++i) most = std::max(most, std::abs(sa.q[i] - sb.q[i]));
  for (std::size_t i = 0; i < sa.v.size(); ++i) most = std::max(most, std::abs(sa.v[i] - sb.v[i]));
  return most;
}

TEST(WorldsOfSeed003, ChainIsThatOfTheFile) {
  const Model file = load_model(test::in_tree("/worlds/chain6.xml"));
  const Model built = compile(chain_of_rods(6, 9.81, false));
  ASSERT_EQ(file.nq, built.nq);
  ASSERT_EQ(file.equalities.size(), built.equalities.size());
  EXPECT_EQ(file.option.timestep, built.option.timestep);
  EXPECT_LT(apart_after(file, built, 100), 1e-12);
}

// The experiments of Cline and Pai each have a world to run and look at.
TEST(WorldsOfSeed003, AreThoseOfTheExperiments) {
  struct Case {
    const char* file;
    World built;
    int steps;  // until rounding of the file's angles could show in impacts
  };
  const Case cases[] = {
      {"rod_pendulum", rod_pendulum(), 500},    {"pushed_rectangle", pushed_rectangle_world(), 60},
      {"five_bodies", five_bodies(1e-3), 400},  {"sunk_tower", sunk_tower(1), 20},
      {"sunk_rectangle", sunk_rectangle(), 50}, {"box_in_box", box_in_box(), 20},
      {"incline", incline(0.5, 0.4, 0.4), 100}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.file);
    const Model file = load_model(test::in_tree("/worlds/") + c.file + ".xml");
    const Model built = compile(c.built);
    ASSERT_EQ(file.nq, built.nq);
    ASSERT_EQ(file.nv, built.nv);
    ASSERT_EQ(file.geoms.size(), built.geoms.size());
    EXPECT_EQ(file.equalities.size(), built.equalities.size());
    EXPECT_EQ(file.option.timestep, built.option.timestep);
    EXPECT_LT(apart_after(file, built, c.steps), 1e-9);
  }
}

}  // namespace
}  // namespace abut::reproduce
