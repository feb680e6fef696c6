// A small world, read whole.
#include <gtest/gtest.h>

#include "abut/load/load.h"

namespace abut {
namespace {

TEST(Mjcf, ReadsASmallWorld) {
  const World w = parse_mjcf(R"(
    <mujoco model="swing">
      <option timestep="0.001" gravity="0 0 -5"/>
      <default>
        <geom density="500"/>
        <default class="arm"><joint damping="2"/></default>
      </default>
      <worldbody>
        <geom name="floor" type="plane" size="0 0 1"/>
        <body name="upper" pos="0 0 1" childclass="arm">
          <joint name="shoulder" axis="0 1 0" range="-90 90"/>
          <geom name="bone" type="capsule" fromto="0 0 0 0.5 0 0" size="0.05"/>
          <body name="lower" pos="0.5 0 0" euler="0 90 0">
            <joint name="elbow" axis="0 1 0"/>
            <geom size="0.1"/>
          </body>
        </body>
      </worldbody>
      <actuator><motor name="m" joint="elbow" gear="3"/></actuator>
    </mujoco>)");
  EXPECT_EQ(w.name, "swing");
  EXPECT_EQ(w.option.timestep, 0.001);
  EXPECT_EQ(w.option.gravity.z(), -5);
  ASSERT_EQ(w.worldbody.bodies.size(), 1u);
  const BodyDesc& upper = w.worldbody.bodies[0];
  EXPECT_EQ(upper.joints[0].damping[0], 2);
  EXPECT_NEAR(upper.joints[0].range[1], 1.5707963267948966, 1e-15);
  EXPECT_EQ(upper.geoms[0].density, 500);
  const BodyDesc& lower = upper.bodies[0];
  EXPECT_NEAR((lower.pose.q * Vec3::UnitZ() - Vec3::UnitX()).norm(), 0, 1e-15);
  EXPECT_EQ(w.actuators[0].gear[0], 3);
  EXPECT_TRUE(w.warnings.empty());
  EXPECT_EQ(lower.source.line, 13);

  const Model m = compile(w);
  EXPECT_EQ(m.nv, 2);
}

}  // namespace
}  // namespace abut
