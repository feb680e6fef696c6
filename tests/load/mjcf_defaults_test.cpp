#include <gtest/gtest.h>

#include "abut/load/load.h"

namespace abut {
namespace {

TEST(MjcfDefaults, ClassesInheritWhereverTheParentSaysIt) {
  // the parent's own geom comes after the nested class, and counts for it
  const World w = parse_mjcf(R"(<mujoco>
    <default>
      <default class="a">
        <default class="b"><geom density="2"/></default>
        <geom margin="0.5" density="1"/>
      </default>
    </default>
    <default class="main"><geom friction="0.1"/></default>
    <worldbody><geom class="a" size="1"/><geom class="b" size="1"/><geom size="1"/></worldbody>
  </mujoco>)");
  const auto& g = w.worldbody.geoms;
  EXPECT_EQ(g[0].density, 1);
  EXPECT_EQ(g[1].density, 2);
  EXPECT_EQ(g[2].density, 1000);
  EXPECT_EQ(g[0].margin, 0.5);
  EXPECT_EQ(g[1].margin, 0.5);
  // nested classes were copied before the second section spoke
  EXPECT_EQ(g[0].friction[0], 1);
  EXPECT_EQ(g[2].friction[0], 0.1);
}

TEST(MjcfDefaults, ChildclassHoldsUntilTheNext) {
  const World w = parse_mjcf(R"(<mujoco>
    <default>
      <default class="a"><geom density="1"/><joint damping="1"/></default>
      <default class="b"><geom density="2"/></default>
    </default>
    <worldbody>
      <body childclass="a">
        <geom size="1"/><geom size="1" class="b"/><joint/>
        <body><geom size="1"/></body>
        <body childclass="b"><geom size="1"/></body>
        <frame childclass="b"><geom size="1"/><body><geom size="1"/></body></frame>
        <geom size="1"/>
      </body>
      <geom size="1"/>
    </worldbody></mujoco>)");
  const BodyDesc& body = w.worldbody.bodies[0];
  EXPECT_EQ(body.joints[0].damping[0], 1);
  EXPECT_EQ(body.geoms[0].density, 1);
  EXPECT_EQ(body.geoms[1].density, 2);
  EXPECT_EQ(body.bodies[0].geoms[0].density, 1);
  EXPECT_EQ(body.bodies[1].geoms[0].density, 2);
  EXPECT_EQ(body.geoms[2].density, 2);
  EXPECT_EQ(body.bodies[2].geoms[0].density, 2);
  EXPECT_EQ(body.geoms[3].density, 1);
  EXPECT_EQ(w.worldbody.geoms[0].density, 1000);
}

TEST(MjcfDefaults, ActuatorShortcutsShareOneSetOfParameters) {
  const World w = parse_mjcf(R"(<mujoco>
    <default>
      <default class="servo"><position kp="50" kv="3"/>
        <default class="soft"><position kp="5"/></default>
        <default class="ratio"><position dampratio="1"/></default>
        <default class="drive"><velocity kv="7"/></default>
      </default>
      <default class="plain"><general gainprm="9" ctrlrange="-1 1"/></default>
    </default>
    <actuator>
      <position joint="j" class="servo"/>
      <position joint="j" class="soft"/>
      <position joint="j" class="ratio"/>
      <general joint="j" class="servo"/>
      <motor joint="j" class="servo"/>
      <velocity joint="j" class="drive"/>
      <position joint="j" class="plain"/>
      <position joint="j" class="soft" kv="1" kp="2"/>
    </actuator></mujoco>)");
  const auto& a = w.actuators;
  using P = std::array<double, 3>;
  EXPECT_EQ(a[0].gainprm, (P{50, 0, 0}));
  EXPECT_EQ(a[0].biasprm, (P{0, -50, -3}));
  EXPECT_EQ(a[1].biasprm, (P{0, -5, -3}));
  EXPECT_EQ(a[2].biasprm, (P{0, -50, 0}));
  EXPECT_EQ(a[2].damping_ratio, 1);
  EXPECT_EQ(a[3].biasprm, (P{0, -50, -3}));
  EXPECT_EQ(a[3].bias, Bias::affine);
  EXPECT_EQ(a[4].gainprm, (P{1, 0, 0}));
  EXPECT_EQ(a[4].bias, Bias::none);
  EXPECT_EQ(a[5].biasprm, (P{0, 0, -7}));
  EXPECT_EQ(a[6].biasprm, (P{0, -9, 0}));  // kp comes from the class's gain
  EXPECT_EQ(a[6].ctrlrange, (Range{-1, 1}));
  EXPECT_EQ(a[7].biasprm, (P{0, -2, -1}));
}

}  // namespace
}  // namespace abut
