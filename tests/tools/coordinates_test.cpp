// --coordinates: the same world in joint coordinates, or as bodies held together by constraints.
#include <gmock/gmock.h>

#include "tests/tools/tool.h"

namespace abut::test {
namespace {

using testing::HasSubstr;

class Coordinates : public ToolTest {};

TEST_F(Coordinates, RobotsOfTheTreeRunInBoth) {
  for (const std::string world : {"arm6", "gripper", "ragdoll", "four_bar"}) {
    const Answer maximal = abut("run " + world + " --coordinates maximal --time 0.2 --json");
    EXPECT_EQ(maximal.exit_code, 0) << world << maximal.err;
    const Answer inspected = abut("inspect " + world + " --coordinates maximal --json");
    EXPECT_EQ(inspected.exit_code, 0) << world << inspected.err;
    EXPECT_EQ(inspected.json()["nv"].get<int>() % 6, 0) << world;
    EXPECT_EQ(abut("run " + world + " --coordinates generalized --time 0.01 --quiet").exit_code, 0);
  }
}

// Its own integrator is rk4, which has no place for impulses beside contacts.
TEST_F(Coordinates, ADoublePendulumOfJointsTakesEuler) {
  const std::string run = "run double_pendulum --coordinates maximal --time 0.2 --json";
  const Answer as_it_is = abut(run);
  ASSERT_EQ(as_it_is.exit_code, 0) << as_it_is.err;
  EXPECT_EQ(as_it_is.json()["integrator"], "euler");
  EXPECT_EQ(as_it_is.json()["warnings"].size(), 1u);
  EXPECT_EQ(abut(run + " --integrator rk4").exit_code, 2);
  EXPECT_EQ(abut(run + " --integrator euler").exit_code, 0);
}

TEST_F(Coordinates, RefusalsSayWhatThereIs) {
  const Answer polar = abut("run arm6 --coordinates polar");
  EXPECT_NE(polar.exit_code, 0);
  EXPECT_THAT(polar.err, HasSubstr("generalized, maximal"));
}

}  // namespace
}  // namespace abut::test
