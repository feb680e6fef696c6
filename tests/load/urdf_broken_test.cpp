// Broken URDF: where it is, what is wrong, what to write instead. Never a crash, and
// nothing on stderr.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "abut/load/load.h"

namespace abut {
namespace {

using testing::HasSubstr;

std::string error_of(const std::string& xml) {
  try {
    compile(parse_urdf(xml, "r.urdf"));
  } catch (const WorldError& e) {
    return e.what();
  }
  return "no error";
}

struct Broken {
  const char* xml;  // inside <robot>, from line 2 on
  const char* says;
};

class UrdfBroken : public testing::TestWithParam<Broken> {};

TEST_P(UrdfBroken, IsAnErrorWithPlaceAndAdvice) {
  testing::internal::CaptureStderr();
  const std::string error =
      error_of(std::string("<robot name='r'>\n") + GetParam().xml + "\n</robot>");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  EXPECT_THAT(error, HasSubstr("r.urdf:")) << GetParam().xml;
  EXPECT_THAT(error, HasSubstr(GetParam().says)) << GetParam().xml;
}

#define LINKS "<link name='a'/><link name='b'/>\n"
#define ENDS "<parent link='a'/><child link='b'/>"
#define JOINT(type, inside) LINKS "<joint name='j' type='" type "'>" ENDS inside "</joint>"
#define INERTIAL(inside) "<link name='a'>\n<inertial>" inside "</inertial></link>"
#define SHAPE(inside) \
  "<link name='a'><collision>\n<geometry>" inside "</geometry></collision></link>"
#define MASS(m) "<mass value='" m "'/>"
#define MOMENTS(x, y, z) "<inertia ixx='" x "' ixy='0' ixz='0' iyy='" y "' iyz='0' izz='" z "'/>"
const Broken kBroken[] = {
    // links and names
    {"", "r.urdf:1: a robot needs a link"},
    {"<link/>", "r.urdf:2: <link> needs the attribute 'name'"},
    {"<link name=''/>", "needs the attribute 'name'"},
    {"<link name='a'/>\n<link name='a'/>", "r.urdf:3: a second link 'a' (the first is in line 2)"},
    {"<link name='a'/>\n<link name='b'/>", "r.urdf:3: link 'b' hangs on no joint"},
    {LINKS "<joint name='j' type='fixed'>" ENDS "</joint>"
           "<joint name='j' type='fixed'>" ENDS "</joint>",
     "a second joint 'j'"},
    {LINKS "<joint name='j' type='fixed'>" ENDS "</joint>"
           "<joint name='k' type='fixed'>" ENDS "</joint>",
     "URDF robots are trees"},
    {LINKS "<joint name='j' type='fixed'>" ENDS "</joint>"
           "<joint name='k' type='fixed'><parent link='b'/><child link='a'/></joint>",
     "break the circle"},
    {LINKS
     "<link name='c'/><joint name='j' type='fixed'><parent link='b'/><child link='c'/></joint>"
     "<joint name='k' type='fixed'><parent link='c'/><child link='b'/></joint>",
     "is above itself"},
    {JOINT("fixed", "") "<link name='world'/><joint name='k' type='fixed'><parent link='b'/>"
                        "<child link='world'/></joint>",
     "give this link another"},
    // names that urdfdom would pass over
    {"<link name='a'/><lnik name='b'/>", "unknown element <lnik> in <robot>; did you mean 'link'?"},
    {"<link name='a'><colision/></link>", "did you mean 'collision'?"},
    {"<link nmae='a'/>", "unknown attribute 'nmae' in <link>; did you mean 'name'?"},
    {"<link name='a'/><joint name='j' typ='fixed'/>", "did you mean 'type'?"},
    {"<link name='a'><inertial/><inertial/></link>", "a second <inertial>"},
    {"<xacro:macro name='m'/>", "run xacro"},
    // joints
    {LINKS "<joint type='fixed'>" ENDS "</joint>", "needs the attribute 'name'"},
    {LINKS "<joint name='j'>" ENDS "</joint>", "needs the attribute 'type'"},
    {JOINT("revolut", ""), "did you mean 'revolute'?"},
    {JOINT("universal", ""), "type"},
    {LINKS "<joint name='j' type='fixed'><child link='b'/></joint>", "needs a <parent>"},
    {LINKS "<joint name='j' type='fixed'><parent link='a'/></joint>", "needs a <child>"},
    {LINKS "<joint name='j' type='fixed'><parent/><child link='b'/></joint>", "<parent> needs"},
    {LINKS "<joint name='j' type='fixed'><parent link='A'/><child link='b'/></joint>",
     "no such link 'A'; did you mean 'a'?"},
    {JOINT("revolute", ""), "r.urdf:3: joint 'j' is revolute and has no <limit>"},
    {JOINT("prismatic", ""), "has no <limit>"},
    {JOINT("revolute", "<limit lower='1' upper='-1' effort='1' velocity='1'/>"), "swap them"},
    {JOINT("revolute", "<limit lower='1' upper='1' effort='1' velocity='1'/>"), "widen them"},
    {JOINT("revolute", "<limit lower='-1,5' upper='1' effort='1' velocity='1'/>"), "'-1,5'"},
    {JOINT("revolute", "<limit lower='nan' upper='1' effort='1' velocity='1'/>"), "nan"},
    {JOINT("revolute", "<limit lower='0' upper='1' effort='-1' velocity='1'/>"), "is negative"},
    {JOINT("continuous", "<axis xyz='0 0 0'/>"), "no length"},
    {JOINT("continuous", "<axis xyz='0 1'/>"), "xyz"},
    {JOINT("continuous", "<axis/>"), "<axis> needs"},
    {JOINT("continuous", "<origin xyz='0 0 1e400'/>"), "1e400"},
    {JOINT("continuous", "<origin rpy='0 0 x'/>"), "'x'"},
    {JOINT("continuous", "<origin quat_xyzw='0 0 0 1'/>"), "write rpy"},
    {JOINT("continuous", "<dynamics damping='-1'/>"), "is negative"},
    {JOINT("continuous", "<mimic joint='k'/>"), "no such joint 'k'"},
    {JOINT("continuous", "<mimic joint='j'/>"), "cannot mimic itself"},
    {JOINT("continuous", "<mimic/>"), "<mimic> needs"},
    {JOINT("floating", "<mimic joint='j'/>"), "can neither mimic"},
    // inertias
    {INERTIAL(""), "r.urdf:3: <inertial> needs a <mass>"},
    {INERTIAL(MASS("1")), "needs a <inertia>"},
    {INERTIAL(MASS("-1") MOMENTS("1", "1", "1")), "is negative"},
    {INERTIAL(MASS("heavy") MOMENTS("1", "1", "1")), "'heavy'"},
    {INERTIAL(MASS("1") "<inertia ixx='1'/>"), "needs the attribute 'iyy'"},
    {INERTIAL(MASS("1") MOMENTS("1", "-1", "1")), "no body has this inertia"},
    {INERTIAL(MASS("1") MOMENTS("1", "1", "3")), "none may exceed the sum of the others"},
    {JOINT("continuous", ""), "r.urdf:2: link 'b' moves, but neither it"},
    {JOINT("floating", ""), "link 'b' moves"},
    // shapes
    {"<link name='a'><collision/></link>", "<collision> needs a <geometry>"},
    {SHAPE(""), "holds one shape"},
    {SHAPE("<box size='1 1 1'/><sphere radius='1'/>"), "holds one shape"},
    {SHAPE("<torus/>"), "unknown shape <torus>"},
    {SHAPE("<box/>"), "needs the attribute 'size'"},
    {SHAPE("<box size='1 1'/>"), "size"},
    {SHAPE("<box size='1 0 1'/>"), "above zero"},
    {SHAPE("<sphere radius='-1'/>"), "above zero"},
    {SHAPE("<sphere/>"), "needs the attribute 'radius'"},
    {SHAPE("<cylinder radius='1'/>"), "needs the attribute 'length'"},
    {SHAPE("<mesh/>"), "needs the attribute 'filename'"},
    {SHAPE("<mesh filename='no.stl'/>"), "no mesh file 'no.stl'"},
    {SHAPE("<mesh filename='http://a/no.stl'/>"), "does not fetch"},
    {SHAPE("<mesh filename='x.stl' scale='1 0 1'/>"), "flattens"},
    {"<link name='a'/><material/>", "<material> needs"},
    {"<link name='a'/>\n<material name='m'><color rgba='1 0 0 1'/></material>"
     "<material name='m'><color rgba='1 0 0 1'/></material>",
     "r.urdf:3: urdfdom refuses this: material 'm' is not unique"},
    {"<link name='a'/><material name='m'><color rgba='1 0'/></material>", "rgba"},
    // <mujoco>
    {"<mujoco><compiler fusestatik='true'/></mujoco><link name='a'/>",
     "did you mean 'fusestatic'?"},
    {"<mujoco><option timestep='-1'/></mujoco><link name='a'/>", "above zero"},
};
INSTANTIATE_TEST_SUITE_P(All, UrdfBroken, testing::ValuesIn(kBroken));

TEST(UrdfHostile, RootsThatAreNone) {
  EXPECT_THAT(error_of("<robots><link name='a'/></robots>"), HasSubstr("URDF starts with <robot>"));
  EXPECT_THAT(error_of("<robot><link"), HasSubstr("not well-formed"));
}

TEST(UrdfHostile, AChainOfThousands) {
  const auto chain = [](int count) {
    std::string xml = "<robot name='r'><link name='l0'/>";
    for (int i = 1; i <= count; ++i)
      xml += "<link name='l" + std::to_string(i) + "'/><joint name='j" + std::to_string(i) +
             "' type='fixed'><parent link='l" + std::to_string(i - 1) + "'/><child link='l" +
             std::to_string(i) + "'/></joint>\n";
    return xml + "</robot>";
  };
  EXPECT_EQ(error_of(chain(900)), "no error");
  EXPECT_THAT(error_of(chain(20000)), HasSubstr("shorten the chain"));
}

}  // namespace
}  // namespace abut
