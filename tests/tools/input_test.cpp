// What a user gives the tool that cannot be followed to the letter: it says what it does instead.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "support/tree.h"
#include "tool.h"

namespace abut::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::json;

int count(const std::string& text, const std::string& word) {
  int n = 0;
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++n;
  return n;
}

class InputTest : public ToolTest {
 protected:
  // A robot as MuJoCo's users write it: RK4, a hinge, a floor.
  void write_leg(const std::string& name, const std::string& joint) const {
    write(name,
          "<mujoco><option timestep='0.002' integrator='RK4'/><worldbody>"
          "<geom type='plane' size='5 5 1'/>"
          "<body name='torso' pos='0 0 1'><freejoint/><geom type='sphere' size='0.2'/>"
          "<body name='leg' pos='0 0 -0.25'><joint axis='0 1 0' " +
              joint +
              "/><geom type='capsule' fromto='0 0 0 0 0 -0.4' size='0.05'/></body></body>"
              "</worldbody></mujoco>");
  }
};

TEST_F(InputTest, Rk4OfAFileRunsAsEulerWithOneWarning) {
  write_leg("leg.xml", "");
  const Answer a = abut("run leg.xml --time 0.1");
  EXPECT_EQ(a.exit_code, 0) << a.err;
  EXPECT_EQ(count(a.err, "warning:"), 1) << a.err;
  EXPECT_THAT(a.err, HasSubstr("RK4"));
  EXPECT_THAT(a.err, HasSubstr("euler runs instead"));
  const Json j = abut("run leg.xml --time 0.1 --json").json();
  EXPECT_EQ(j["integrator"], "euler");
  ASSERT_EQ(j["warnings"].size(), 1u);
  // the same motion as with euler asked for, which is no reason to warn
  const Json asked = abut("run leg.xml --time 0.1 --json --integrator euler").json();
  EXPECT_EQ(asked["warnings"].size(), 0u);
  EXPECT_EQ(asked["hash"], j["hash"]);
}

TEST_F(InputTest, Rk4OfAFileRunsWhereItCan) {
  write_leg("leg.xml", "");
  for (const char* flags : {"--contact none", "--contact volumetric"}) {
    const Answer a = abut("run leg.xml --time 0.02 --json " + std::string(flags));
    ASSERT_EQ(a.exit_code, 0) << a.err;
    EXPECT_EQ(a.json()["integrator"], "rk4") << flags;
  }
}

TEST_F(InputTest, Rk4OfAFileYieldsToLimitsOfJoints) {
  write_leg("leg.xml", "range='-30 30'");
  const Answer a = abut("run leg.xml --time 0.1 --contact none --json");
  ASSERT_EQ(a.exit_code, 0) << a.err;
  EXPECT_EQ(a.json()["integrator"], "euler");
  ASSERT_EQ(a.json()["warnings"].size(), 1u);
  EXPECT_THAT(a.json()["warnings"][0].get<std::string>(), HasSubstr("limits"));
}

TEST_F(InputTest, Rk4OfAFlagIsRefusedWhereItCannotBe) {
  write_leg("leg.xml", "");
  for (const char* flags : {"--integrator rk4", "--set integrator=rk4"}) {
    const Answer a = abut("run leg.xml --time 0.1 " + std::string(flags));
    EXPECT_EQ(a.exit_code, 2) << flags;
    EXPECT_THAT(a.err, HasSubstr("use euler")) << flags;
  }
}

TEST_F(InputTest, CompareWarnsOncePerModelAndRunsEachAsItCan) {
  write_leg("leg.xml", "");
  const Answer a = abut("compare leg.xml --contact st,volumetric --time 0.02");
  EXPECT_EQ(a.exit_code, 0) << a.err;
  EXPECT_EQ(count(a.err, "RK4"), 1) << a.err;
  const Json j = abut("compare leg.xml --contact st,volumetric --time 0.02 --json").json();
  EXPECT_EQ(j[0]["integrator"], "euler");
  EXPECT_EQ(j[1]["integrator"], "rk4");
}

TEST_F(InputTest, ATimeShorterThanTheStepIsSaid) {
  // round(time / step) steps: none, or one that goes beyond the time
  const Answer none = abut("run pendulum --time 0.01 --step 0.1");
  EXPECT_EQ(none.exit_code, 0);
  EXPECT_THAT(none.err, HasSubstr("0.01 s"));
  EXPECT_THAT(none.err, HasSubstr("no step is taken"));
  const Json j = abut("run pendulum --time 0.01 --step 0.1 --json").json();
  EXPECT_EQ(j["steps"], 0);
  EXPECT_EQ(j["warnings"].size(), 1u);
  EXPECT_THAT(abut("run pendulum --time 0.06 --step 0.1").err, HasSubstr("one step is taken"));
  // what is asked for is no reason to warn
  EXPECT_EQ(abut("run pendulum --time 0 --step 0.1").err, "");
  EXPECT_EQ(abut("run pendulum --time 0.1 --step 0.1").err, "");
}

TEST_F(InputTest, AFolderHidesNoWorld) {
  ASSERT_EQ(abut("run drop --time 0.1 --out drop --quiet").exit_code, 0);
  ASSERT_TRUE(std::filesystem::is_directory(folder_ / "drop"));
  for (const char* command : {"run drop --time 0.1 --json", "inspect drop --json",
                              "contact drop --json", "compare drop --time 0.1 --json"}) {
    const Answer again = abut(command);
    EXPECT_EQ(again.exit_code, 0) << command << again.err;
    EXPECT_FALSE(again.out.empty()) << command;
  }
  // a folder that no world is called after
  std::filesystem::create_directory(folder_ / "results");
  const Answer a = abut("run results");
  EXPECT_EQ(a.exit_code, 2);
  EXPECT_THAT(a.err, HasSubstr("folder"));
}

// On a terminal, after two seconds, also where a single step takes longer; never into a file.
TEST_F(InputTest, WhatTakesLongShowsProgress) {
  const std::string run = "'" + test::tool() + "' run bodies1000 --time 1e6 --measure off";
  const std::string seen = (folder_ / "terminal").string();
  const std::string command = "cd '" + folder_.string() + "' && script -qec \"timeout -s INT 3 " +
                              run + "\" '" + seen + "' > /dev/null 2>&1; true";
  ASSERT_EQ(std::system(command.c_str()), 0);
  std::ifstream in(seen);
  const std::string text(std::istreambuf_iterator<char>(in), {});
  EXPECT_THAT(text, HasSubstr("s left")) << text;
  EXPECT_THAT(abut("run pendulum --time 1").err, Not(HasSubstr("left")));
}

}  // namespace
}  // namespace abut::test
