// Broken input: where it is, what is wrong, what to write instead. Never a crash.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "abut/load/load.h"

namespace abut {
namespace {

using testing::HasSubstr;

std::string error_of(const std::string& xml) {
  try {
    parse_mjcf(xml, "b.xml");
  } catch (const WorldError& e) {
    return e.what();
  }
  return "no error";
}

struct Broken {
  const char* xml;  // inside <mujoco>, from line 2 on
  const char* says;
};

class MjcfBroken : public testing::TestWithParam<Broken> {};

TEST_P(MjcfBroken, IsAnErrorWithPlaceAndAdvice) {
  const std::string error = error_of(std::string("<mujoco>\n") + GetParam().xml + "\n</mujoco>");
  EXPECT_THAT(error, HasSubstr("b.xml:"));
  EXPECT_THAT(error, HasSubstr(GetParam().says)) << GetParam().xml;
}

#define BODY(text) "<worldbody><body>" text "</body></worldbody>"
#define GEOM(text) "<worldbody>\n<geom " text "/></worldbody>"
const Broken kBroken[] = {
    // not XML
    {"<worldbody>", "closed"},
    {"<worldbody><body></worldbody>", "closed"},
    {"<worldbody><geom size=1/></worldbody>", "quoted"},
    {"<geom size='1' size='2'/>", "b.xml:2: attribute 'size' is given twice"},
    // unknown
    {"<wordlbody/>", "did you mean 'worldbody'?"},
    {BODY("<jiont/>"), "did you mean 'joint'?"},
    {"<geom size='1'/>", "unknown element <geom> in <mujoco>"},
    {GEOM("szie='1'"), "b.xml:3: unknown attribute 'szie' in <geom>; did you mean 'size'?"},
    {GEOM("colour='1'"), "write one of name, class"},
    {"<worldbody name='w'/>", "takes no attributes"},
    {"<sensor><gyroscope site='s'/></sensor>", "unknown element <gyroscope>"},
    {"<worldbody><geom size='1'><body/></geom></worldbody>", "unknown element <body> in <geom>"},
    {"<option><flag contact='off'/></option>", "write one of enable, disable"},
    {GEOM("type='cube' size='1'"), "'cube' is unknown"},
    {BODY("<joint type='hing'/>"), "did you mean 'hinge'?"},
    {"<option integrator='euler'/>", "did you mean 'Euler'?"},
    {GEOM("class='none' size='1'"), "there is no default class 'none'"},
    {"<worldbody><body childclass='x'/></worldbody>", "there is no default class 'x'"},
    // numbers
    {GEOM("size='nan'"), "'nan' is not a usable number"},
    {GEOM("size='inf'"), "'inf' is not a usable number"},
    {GEOM("size='1e400'"), "write a finite one"},
    {GEOM("size='1e31'"), "write a finite one"},
    {GEOM("size='1,2,3'"), "by blanks, not commas"},
    {GEOM("size='0.1m'"), "'0.1m' is not a number"},
    {GEOM("size='one'"), "is not a number"},
    {GEOM("size='1 2 3 4'"), "needs 1 to 3 numbers, has 4"},
    {GEOM("size='1' pos='1 2'"), "attribute 'pos' of <geom>: needs 3 numbers, has 2"},
    {GEOM("size='1' condim='3.5'"), "is not a whole number"},
    {GEOM("size='1' condim='99999999999'"), "is not a whole number"},
    {GEOM("size='1' rgba='1 1 1'"), "needs 4 numbers"},
    {"<option timestep='0'/>", "must be above zero"},
    {"<option timestep='-1'/>", "must be above zero"},
    {"<option density='-1'/>", "is negative"},
    {"<option actuatorgroupdisable='31'/>", "from 0 to 30"},
    {"<compiler autolimits='yes'/>", "write one of false, true"},
    {"<compiler eulerseq='xy'/>", "three of x, y, z"},
    {"<compiler eulerseq='abc'/>", "three of x, y, z"},
    {"<compiler coordinate='global'/>", "no global coordinates"},
    {"<compiler boundmass='-1'/>", "is negative"},
    // orientations
    {GEOM("size='1' quat='0 0 0 0'"), "1 0 0 0"},
    {GEOM("size='1' zaxis='0 0 0'"), "no length"},
    {GEOM("size='1' axisangle='0 0 0 1'"), "no length"},
    {GEOM("size='1' xyaxes='1 0 0 2 0 0'"), "no length"},
    {GEOM("size='1' quat='1 0 0 0' euler='0 0 0'"), "keep one of quat"},
    // the tree
    {"<worldbody><joint/></worldbody>", "unknown element <joint> in <worldbody>"},
    {"<worldbody><frame><joint/></frame></worldbody>", "the world has no <joint>"},
    {"<worldbody><frame><freejoint/></frame></worldbody>", "the world has no <freejoint>"},
    {BODY("<inertial mass='1' diaginertia='1 1 1'/>"), "needs the attribute 'pos'"},
    {BODY("<inertial pos='0 0 0'/>"), "needs the attribute 'mass'"},
    {BODY("<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
          "<inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"),
     "second <inertial>"},
    {BODY("<inertial pos='0 0 0' mass='1' diaginertia='1 1 1' fullinertia='1 1 1 0 0 0'/>"),
     "both diaginertia and fullinertia"},
    {BODY("<inertial pos='0 0 0' mass='1' quat='1 0 0 0' fullinertia='1 1 1 0 0 0'/>"),
     "remove the orientation"},
    {"<worldbody><replicate><geom size='1'/></replicate></worldbody>",
     "needs the attribute 'count'"},
    {"<worldbody><replicate count='0'/></worldbody>", "must be 1 or more"},
    {"<worldbody><replicate count='2000000'><geom size='1'/></replicate></worldbody>",
     "more than 1000000 elements"},
    {"<worldbody><attach model='m' prefix='p'/></worldbody>", "there is no model 'm'"},
    // classes
    {"<default class='mine'/>", "is always the class 'main'"},
    {"<default><default><geom/></default></default>", "needs the attribute 'class'"},
    {"<default><default class='a'/><default class='a'/></default>", "defined already"},
    {"<default><geom name='g'/></default>", "cannot be in a <default>"},
    {"<default><motor joint='j'/></default>", "cannot be in a <default>"},
    // assets
    {"<asset><mesh name='m'/></asset>", "has no data"},
    {"<asset><mesh file='no-such.obj'/></asset>", "b.xml:2: no such file"},
    {"<asset><mesh file='x.step'/></asset>", "OBJ, STL or MSH"},
    {"<asset><mesh vertex='0 0 0'/></asset>", "needs the attribute 'name'"},
    {"<asset><mesh name='m' vertex='0 0 0 1'/></asset>", "three for each vertex"},
    {"<asset><mesh name='m' vertex='0 0 0' face='0 1 2'/></asset>", "names vertex 1"},
    {"<asset><mesh name='m' vertex='0 0 0' face='0 0'/></asset>", "three vertices for each face"},
    {"<asset><mesh name='m' vertex='0 0 0' maxhullvert='3'/></asset>", "4 or more"},
    {"<asset><mesh builtin='cone' params='3 1'/></asset>", "needs the attribute 'name'"},
    {"<asset><mesh name='m' builtin='cone'/></asset>", "'cone' needs 2 numbers, has 0"},
    {"<asset><mesh name='m' builtin='cone' params='2 1'/></asset>", "number 1 is 2"},
    {"<asset><mesh name='m' builtin='cone' params='3 1.5'/></asset>", "number 2 is 1.5"},
    {"<asset><mesh name='m' builtin='sphere' params='5'/></asset>", "write 0 to 4"},
    {"<asset><mesh name='m' builtin='supertorus' params='8 0 1 1'/></asset>", "more than 0"},
    {"<asset><mesh name='m' builtin='plate' params='3 3'/></asset>", "no tactile sensors"},
    {"<asset><mesh name='m' builtin='ball' params='3'/></asset>", "write one of sphere"},
    {"<asset><mesh name='m' builtin='sphere' params='1' vertex='0 0 0'/></asset>", "keep one"},
    {"<asset><hfield name='h' nrow='2' ncol='2'/></asset>", "needs the attribute 'size'"},
    {"<asset><hfield name='h' nrow='2' ncol='2' size='1 1 0 1'/></asset>", "above zero"},
    {"<asset><hfield name='h' size='1 1 1 1'/></asset>", "has no data"},
    {"<asset><hfield name='h' nrow='99999' ncol='99999' size='1 1 1 1'/></asset>",
     "write fewer rows"},
    {"<asset><hfield name='h' nrow='2' ncol='2' size='1 1 1 1' elevation='1 2 3'/></asset>",
     "nrow * ncol is 4"},
    {"<asset><hfield name='h' size='1 1 1 1' file='no-such.png'/></asset>", "no such file"},
    // relations
    {"<contact><pair geom1='a'/></contact>", "needs the attribute 'geom2'"},
    {"<contact><exclude body1='a'/></contact>", "needs the attribute 'body2'"},
    {"<equality><connect body1='a'/></equality>", "write anchor"},
    {"<equality><connect anchor='0 0 0'/></equality>", "holds nothing"},
    {"<equality><weld site1='s'/></equality>", "needs the attribute 'site2'"},
    {"<equality><weld site1='s' site2='t' body1='b'/></equality>", "keep one or the other"},
    {"<equality><joint joint2='b'/></equality>", "needs the attribute 'joint1'"},
    {"<tendon><fixed/></tendon>", "pulls on nothing"},
    {"<tendon><fixed><joint joint='j'/></fixed></tendon>", "needs the attribute 'coef'"},
    {"<actuator><motor/></actuator>", "drives nothing"},
    {"<actuator><motor joint='a' tendon='b'/></actuator>", "two targets"},
    {"<actuator><motor joint='a' refsite='b'/></actuator>", "only goes with a site"},
    {"<actuator><position joint='a' kv='-1'/></actuator>", "is negative"},
    {"<actuator><position joint='a' kv='1' dampratio='1'/></actuator>", "keep one"},
    {"<actuator><position joint='a' inheritrange='1' ctrlrange='0 1'/></actuator>", "keep one"},
    {"<actuator><motor joint='a' kp='1'/></actuator>", "unknown attribute 'kp' in <motor>"},
    {"<sensor><gyro/></sensor>", "does not say what it measures"},
    {"<sensor><framepos objname='b'/></sensor>", "needs the attribute 'objtype'"},
    // custom
    {"<custom><numeric name='n'/></custom>", "1 to 500 numbers"},
    {"<custom><numeric name='n' size='2' data='1 2 3'/></custom>", "size says 2"},
    {"<custom><text name='t'/></custom>", "needs the attribute 'data'"},
    {"<keyframe><key qpos='1 x'/></keyframe>", "'x' is not a number"},
    // includes
    {"<include/>", "needs a file"},
    {"<include file='no-such.xml'/>", "b.xml:2: no such file"},
    {"<include file='x.xml'><geom/></include>", "cannot have children"},
};
#undef BODY
#undef GEOM

INSTANTIATE_TEST_SUITE_P(Table, MjcfBroken, testing::ValuesIn(kBroken));

std::string nested(int depth) {
  std::string xml = "<mujoco><worldbody>";
  for (int i = 0; i < depth; ++i) xml += "<body>";
  for (int i = 0; i < depth; ++i) xml += "</body>";
  return xml + "</worldbody></mujoco>";
}

TEST(MjcfHostile, DeepNesting) {
  EXPECT_EQ(error_of(nested(900)), "no error");
  EXPECT_THAT(error_of(nested(20'000)), HasSubstr("nested more than 1000 deep"));
  EXPECT_THAT(error_of(std::string(100'000, '<')), HasSubstr("XML"));
}

TEST(MjcfHostile, EntitiesAreRefused) {
  std::string bomb = "<!DOCTYPE mujoco [<!ENTITY a0 'ha'>";
  for (int i = 1; i < 30; ++i) {
    const std::string last = "&a" + std::to_string(i - 1) + ";";
    bomb += "<!ENTITY a" + std::to_string(i) + " '" + last + last + "'>";
  }
  bomb += "]><mujoco><worldbody><body name='&a29;'/></worldbody></mujoco>";
  EXPECT_THAT(error_of(bomb), HasSubstr("b.xml:1: a DOCTYPE that declares entities"));
}

TEST(MjcfHostile, EveryTruncationIsAnError) {
  const std::string xml =
      "<mujoco model='m'><!-- c --><option gravity='0 0 -1'/><worldbody><body pos='1 2 3'>"
      "<geom size='1 2 3' type='box'/></body></worldbody></mujoco>";
  for (std::size_t n = 0; n + 1 < xml.size(); ++n)
    EXPECT_NE(error_of(xml.substr(0, n)), "no error") << n;
}

TEST(MjcfHostile, JunkNeverCrashes) {
  std::uint32_t seed = 1;
  const auto random = [&] { return seed = seed * 1664525u + 1013904223u, seed >> 8; };
  const std::string xml =
      "<mujoco><default><geom size='1'/></default><worldbody><replicate count='3' sep='_'>"
      "<body name='b' euler='1 2 3'><joint name='j' range='0 1'/><geom type='box' size='1 2 "
      "3'/></body>"
      "</replicate></worldbody><actuator><position joint='j' kp='3'/></actuator></mujoco>";
  int refused = 0;
  for (int i = 0; i < 3000; ++i) {
    std::string damaged = xml;
    for (int k = 0; k < 3; ++k) damaged[random() % damaged.size()] = static_cast<char>(random());
    const std::string error = error_of(damaged);
    if (error == "no error") continue;
    ++refused;
    EXPECT_THAT(error, HasSubstr("b.xml:")) << damaged;
  }
  EXPECT_GT(refused, 2000);  // most damage is seen
}

}  // namespace
}  // namespace abut
