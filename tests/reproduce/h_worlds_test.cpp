// Worlds of Hasegawa and Fujii and of K-X1 in worlds/ are those that the experiments build in code.
#include "abut/reproduce/hasegawa_fujii/h_worlds.h"

#include <gtest/gtest.h>

#include "abut/load/load.h"
#include "abut/math/rotation.h"
#include "abut/simulate/simulator.h"
#include "support/tree.h"

namespace abut::reproduce {
namespace {

TEST(WorldsOfSeed004, AreThoseOfTheExperiments) {
  struct Case {
    const char* file;
    World built;
    int steps;
  };
  const Case cases[] = {{"slanted_cube", slanted_cube(0.37, 0.1), 60},
                        {"four_blocks", four_blocks(0.4, 1), 40},
                        {"embedded_box", embedded_box(exp_rotation({0.3, 0.4, 0}), 1e-3), 100}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.file);
    const Model file = load_model(test::in_tree("/worlds/") + c.file + ".xml"),
                built = compile(c.built);
    EXPECT_EQ(contact_settings(file).model, "volumetric");
    ASSERT_EQ(file.nq, built.nq);
    ASSERT_EQ(file.geoms.size(), built.geoms.size());
    EXPECT_EQ(file.option.timestep, built.option.timestep);
    for (const ContactSettings& settings : {volumetric_method(), point_method()}) {
      State a(file), b(built);
      const Input ia(file), ib(built);
      Simulator run_a(file, settings), run_b(built, settings);
      for (int i = 0; i < c.steps; ++i) {
        run_a.step(a, ia);
        run_b.step(b, ib);
      }
      for (std::size_t i = 0; i < a.q.size(); ++i) EXPECT_NEAR(a.q[i], b.q[i], 1e-8);
    }
  }
}

// F-9: one method is never tuned alone.
TEST(WorldsOfSeed004, GiveBothMethodsTheSameGains) {
  const Model model = compile(four_blocks(0.8, 2));
  for (const char* what : {"kp", "kv"})
    EXPECT_EQ(model.custom.at(std::string("abut.deepest.") + what).numbers,
              model.custom.at(std::string("abut.volumetric.") + what).numbers);
}

}  // namespace
}  // namespace abut::reproduce
