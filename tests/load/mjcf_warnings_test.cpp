// What MJCF defines and abut does not simulate: said once, and the rest is read.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "abut/load/load.h"

namespace abut {
namespace {

using testing::HasSubstr;

std::vector<std::string> warnings(const std::string& inside) {
  std::vector<std::string> all;
  for (const Warning& w : parse_mjcf("<mujoco>\n" + inside + "\n</mujoco>", "w.xml").warnings)
    all.push_back(to_string(w.source) + ": " + w.text);
  return all;
}

TEST(MjcfWarnings, OnePerKindAtItsFirstPlace) {
  const auto w = warnings(R"(<worldbody>
    <light pos="0 0 1"/>
    <camera name="c"/>
    <body><light/><camera/><geom size="1"/></body></worldbody>
    <asset><texture name="t" type="2d" builtin="flat"/><texture name="u" file="no-such.png"/></asset>)");
  ASSERT_EQ(w.size(), 3u);
  EXPECT_THAT(w[0], HasSubstr("w.xml:3: <light>"));
  EXPECT_THAT(w[1], HasSubstr("w.xml:4: <camera>"));
  EXPECT_THAT(w[2], HasSubstr("<texture>"));
}

TEST(MjcfWarnings, SensorsWithoutValuesAreWarnedOfOnce) {
  const Model model = compile(parse_mjcf(R"(<mujoco><worldbody><body><joint name="j"/>
    <geom size="1"/></body></worldbody>
    <sensor><user dim="1"/><jointpos joint="j"/><plugin/></sensor></mujoco>)",
                                         "w.xml"));
  ASSERT_EQ(model.warnings.size(), 1u);
  EXPECT_EQ(to_string(model.warnings[0].source), "w.xml:3");
  EXPECT_THAT(model.warnings[0].text,
              HasSubstr("<user> gives no values: this kind is not computed; 1 more"));
}

TEST(MjcfWarnings, UnsimulatedElements) {
  const char* cases[] = {
      "<deformable><flex name='f' body='b' element='0 1'/></deformable>",
      "<extension><plugin plugin='p'/></extension>",
      "<worldbody><composite type='cable'/></worldbody>",
      "<worldbody><flexcomp name='f' type='grid'><pin id='0'/></flexcomp></worldbody>",
      "<asset><skin name='s'/></asset>",
      "<tendon><spatial name='t'><site site='a'/><site site='b'/></spatial></tendon>",
      "<equality><flex flex='f'/></equality>",
      "<actuator><muscle name='m' tendon='t'/></actuator>",
      "<actuator><adhesion body='b' ctrlrange='0 1' gain='3'/></actuator>",
      "<actuator><general joint='j' dyntype='muscle'/></actuator>",
      "<actuator><motor cranksite='a' slidersite='b' cranklength='1'/></actuator>",
      "<actuator><motor joint='j' armature='1'/></actuator>",
      "<worldbody><geom size='1' surfacevel='1'/></worldbody>",
      "<option><flag override='enable'/></option>",
      "<compiler fusestatic='true'/>",
      "<compiler discardvisual='true'/>",
      "<worldbody><geom size='1' solref='0.01'/><geom size='1' solimp='0.9'/></worldbody>"};
  for (const char* c : cases) EXPECT_EQ(warnings(c).size(), 1u) << c;
}

TEST(MjcfWarnings, WhatOnlyChangesLooksOrAnotherSolverIsSilent) {
  const char* cases[] = {
      "<visual><global fovy='30'/><rgba haze='1 1 1 1'/></visual>",
      "<statistic extent='2' center='0 0 0'/>",
      "<size njmax='100' memory='1M'/>",
      "<option solver='CG' iterations='5' cone='elliptic' impratio='10'/>",
      "<option><flag warmstart='disable' energy='enable' multiccd='enable'/></option>",
      "<asset><material name='m' reflectance='0.3' texture='t'/></asset>",
      "<compiler texturedir='x' usethread='false' fusestatic='false' discardvisual='false'/>",
      "<default><camera fovy='30'/><light castshadow='false'/></default>"};
  for (const char* c : cases) EXPECT_TRUE(warnings(c).empty()) << c << "\n" << warnings(c)[0];
}

TEST(MjcfWarnings, WhatIsNotSimulatedKeepsItsPlace) {
  const World w = parse_mjcf(R"(<mujoco>
    <default><muscle ctrllimited="true"/></default>
    <tendon><spatial name="t"><site site="a"/></spatial></tendon>
    <actuator><muscle name="m" tendon="t"/><motor name="n" tendon="t"/><general name="o" joint="j"/>
    </actuator></mujoco>)");
  EXPECT_FALSE(w.tendons[0].simulated);
  EXPECT_FALSE(w.actuators[0].simulated);
  EXPECT_NE(w.actuators[0].dynamics, Dynamics::none);  // a muscle has an activation
  EXPECT_TRUE(w.actuators[1].simulated);
  EXPECT_FALSE(w.actuators[2].simulated);  // a general of a class of muscles is one
}

}  // namespace
}  // namespace abut
