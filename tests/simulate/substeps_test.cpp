#include "abut/simulate/substeps.h"

#include <gtest/gtest.h>

#include "abut/load/mjcf/mjcf.h"
#include "tests/support/allocations.h"

namespace abut {
namespace {

Model driven() {
  return compile(
      parse_mjcf("<mujoco><worldbody><body name='hand' mocap='true' pos='1 0 0'>"
                 "<geom size='0.1'/></body></worldbody></mujoco>"));
}

TEST(Substeps, OneIsTheWholeStep) {
  const Model model = driven();
  Substeps s(model);
  s.begin(0.01, 1, Input(model));
  EXPECT_EQ(s.length(), 0.01);
  EXPECT_TRUE(s.ends_part());
  s.taken();
  EXPECT_TRUE(s.done());
  EXPECT_FALSE(s.several());
}

TEST(Substeps, PartsCarryDrivenBodiesOn) {
  const Model model = driven();
  Input input(model);
  input.mocap_velocity[0][0] = 2;
  Substeps s(model);
  double x = 1;
  int count = 0;
  for (s.begin(0.01, 4, input); !s.done(); s.taken(), ++count) {
    EXPECT_NEAR(s.input().mocap[0].p.x(), x, 1e-15);
    x += 2 * s.length();
  }
  EXPECT_EQ(count, 4);
  EXPECT_NEAR(x, 1.02, 1e-15);
}

TEST(Substeps, TheRestFollowsAShortOne) {
  const Model model = driven();
  Substeps s(model);
  s.begin(0.01, 1, Input(model));
  s.shorten(0.004);
  EXPECT_FALSE(s.ends_part());
  s.taken();
  EXPECT_NEAR(s.length(), 0.006, 1e-17);
  EXPECT_TRUE(s.ends_part());
  s.taken();
  EXPECT_TRUE(s.done());
  EXPECT_TRUE(s.several());
}

// Halves of halves, in the order of time, and never more than kMostHalvings deep.
TEST(Substeps, HalvesAddUpToTheStep) {
  const Model model = driven();
  Substeps s(model);
  double sum = 0;
  int tries = 0;
  for (s.begin(1, 1, Input(model)); !s.done(); ++tries) {
    if (sum == 0 && s.may_halve()) {
      s.halve();
      continue;
    }
    sum += s.length();
    s.taken();
  }
  EXPECT_EQ(sum, 1);
  EXPECT_EQ(tries, Substeps::kMostHalvings + Substeps::kMostHalvings + 1);
}

TEST(Substeps, AllocatesNothingOnceItHasGrown) {
  const Model model = driven();
  const Input input(model);
  Substeps s(model);
  const auto halve_all = [&] {
    for (s.begin(1, 8, input); !s.done();) s.may_halve() ? s.halve() : s.taken();
  };
  halve_all();
  const auto before = test::allocation_count();
  halve_all();
  EXPECT_EQ(test::allocation_count(), before);
}

}  // namespace
}  // namespace abut
