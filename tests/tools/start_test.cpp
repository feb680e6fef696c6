// What is said of a world before it runs: solids that begin in each other, meshes that collide as
// something larger than they look.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tool.h"

namespace abut::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class StartTest : public ToolTest {
 protected:
  // Cubes of 20 cm on the ground, `gaps` apart along z; a negative gap is an overlap.
  void write_tower(const std::string& name, const std::vector<double>& gaps,
                   const std::string& more = "") const {
    std::string bodies;
    double z = 0;
    for (std::size_t i = 0; i < gaps.size(); ++i) {
      z += gaps[i] + 0.1;
      bodies += fmt::format(
          "<body name='b{0}' pos='0 0 {1}'><freejoint/><geom name='g{0}' type='box' "
          "size='0.1 0.1 0.1'/></body>",
          i, z);
      z += 0.1;
    }
    write(name, "<mujoco><worldbody><geom name='floor' type='plane' size='5 5 1'/>" + bodies +
                    "</worldbody>" + more + "</mujoco>");
  }
  std::vector<std::string> warnings(const std::string& arguments) const {
    const Answer a = abut(arguments + " --json");
    EXPECT_EQ(a.exit_code, 0) << a.err;
    EXPECT_EQ(a.err, "");
    return a.json()["warnings"].get<std::vector<std::string>>();
  }

  // A ring of 48 x 16 points, radius 1 m and 0.2 m.
  void write_ring(const std::string& name, bool open) const {
    std::string text;
    const int n = 48, m = 16;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < m; ++j) {
        const double a = 2 * M_PI * i / n, b = 2 * M_PI * j / m, r = 1 + 0.2 * std::cos(b);
        text += fmt::format("v {} {} {}\n", r * std::cos(a), r * std::sin(a), 0.2 * std::sin(b));
      }
    const auto id = [&](int i, int j) { return (i % n) * m + j % m + 1; };
    for (int i = 0; i < n - (open ? 1 : 0); ++i)
      for (int j = 0; j < m; ++j) {
        text += fmt::format("f {} {} {}\n", id(i, j), id(i + 1, j), id(i + 1, j + 1));
        text += fmt::format("f {} {} {}\n", id(i, j), id(i + 1, j + 1), id(i, j + 1));
      }
    write(name, text);
  }
  void write_link(const std::string& name, const std::string& mesh, const std::string& geom,
                  int links = 1) const {
    std::string bodies;
    for (int i = 0; i < links; ++i)
      bodies += fmt::format(
          "<body name='link{0}' pos='{1} 0 2'><freejoint/>"
          "<geom name='link{0}' type='mesh' mesh='ring' mass='1' {2}/></body>",
          i, 3 * i, geom);
    write(name, "<mujoco><asset><mesh name='ring' file='" + mesh + "' inertia='shell'/></asset>" +
                    "<worldbody><geom name='floor' type='plane' size='5 5 1'/>" + bodies +
                    "</worldbody></mujoco>");
  }
};

TEST_F(StartTest, OverlapAtTheStartIsSaidWithNamesAndDepth) {
  write_tower("deep.xml", {0, -0.03, -0.01});
  const Answer a = abut("run deep.xml --time 0.01");
  EXPECT_EQ(a.exit_code, 0);
  EXPECT_THAT(a.err, HasSubstr("begins in overlap"));
  EXPECT_THAT(a.err, HasSubstr("geom 'g0' of body 'b0'"));
  EXPECT_THAT(a.err, HasSubstr("geom 'g1' of body 'b1'"));
  EXPECT_THAT(a.err, HasSubstr("0.03 m"));
  EXPECT_THAT(a.err, HasSubstr("one more pair"));
  for (const char* command : {"run deep.xml --time 0.01", "inspect deep.xml"}) {
    const auto lines = warnings(command);
    ASSERT_EQ(lines.size(), 1u) << command;
    EXPECT_THAT(lines[0], HasSubstr("0.03 m"));
  }
  // every model of a comparison begins there, and one line says so
  const Answer both = abut("compare deep.xml --contact st,ap --time 0.01");
  EXPECT_EQ(both.err.find("begins in overlap"), both.err.rfind("begins in overlap"));
  EXPECT_THAT(both.err, HasSubstr("begins in overlap"));
}

TEST_F(StartTest, TouchIsNoOverlap) {
  // 1e-4 of the pair's size, 0.69 m, is what contact models let be
  write_tower("touch.xml", {0, 0, -6e-5});
  EXPECT_TRUE(warnings("run touch.xml --time 0.01").empty());
  write_tower("deeper.xml", {0, 0, -8e-5});
  EXPECT_EQ(warnings("run deeper.xml --time 0.01").size(), 1u);
}

TEST_F(StartTest, OverlapOfPairsThatNeverTouchIsNotSaid) {
  write_tower("excluded.xml", {0, -0.03}, "<contact><exclude body1='b0' body2='b1'/></contact>");
  EXPECT_TRUE(warnings("run excluded.xml --time 0.01").empty());
  write_tower("deep.xml", {0, -0.03});
  EXPECT_TRUE(warnings("run deep.xml --time 0.01 --contact none").empty());
}

TEST_F(StartTest, OverlapIsThatOfTheKeyframe) {
  write_tower("key.xml", {0, 0},
              "<keyframe><key name='sunk' qpos='0 0 0.08 1 0 0 0  0 0 0.3 1 0 0 0'/></keyframe>");
  EXPECT_TRUE(warnings("run key.xml --time 0.01").empty());
  const auto lines = warnings("run key.xml --time 0.01 --keyframe sunk");
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_THAT(lines[0], HasSubstr("geom 'floor' of the world"));
  // a saved state goes on without being told again
  ASSERT_EQ(abut("run key.xml --time 0 --keyframe sunk --save a.state --quiet").exit_code, 0);
  EXPECT_TRUE(warnings("run key.xml --time 0 --from a.state").empty());
}

TEST_F(StartTest, AHullThatFillsItsMeshIsSaidWithBothVolumes) {
  write_ring("ring.obj", false);
  write_link("links.xml", "ring.obj", "", 3);
  for (const char* command :
       {"run links.xml --time 0.01", "inspect links.xml", "compare links.xml --time 0.01"}) {
    const Answer a = abut(std::string(command) + " --json");
    ASSERT_EQ(a.exit_code, 0) << a.err;
    const nlohmann::json j = a.json();
    const auto lines = (j.is_array() ? j[0] : j)["warnings"].get<std::vector<std::string>>();
    ASSERT_EQ(lines.size(), 1u) << command;
    // 2 pi^2 R r^2 = 0.79 m^3 but for the tessellation, in a hull of 1.8 m^3
    EXPECT_THAT(lines[0], HasSubstr("mesh 'ring'"));
    EXPECT_THAT(lines[0], HasSubstr("geom 'link0' (and 2 more)"));
    EXPECT_THAT(lines[0], HasSubstr("m^3 instead of 0.7"));
    EXPECT_THAT(lines[0], HasSubstr("% more"));
  }
  EXPECT_THAT(abut("contact links.xml").err, HasSubstr("mesh 'ring'"));
  EXPECT_THAT(abut("run links.xml --time 0.01 --contact none").err, Not(HasSubstr("hull")));
}

TEST_F(StartTest, AMeshThatIsNotClosedIsComparedWithCare) {
  write_ring("open.obj", true);
  write_link("open.xml", "open.obj", "");
  const auto lines = warnings("run open.xml --time 0.01");
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_THAT(lines[0], HasSubstr("not closed (32 edges"));
  EXPECT_THAT(lines[0], HasSubstr("not certain"));
  EXPECT_THAT(lines[0], Not(HasSubstr("% more")));
}

TEST_F(StartTest, AMeshThatIsOnlySeenIsNotCompared) {
  write_ring("ring.obj", false);
  write_link("seen.xml", "ring.obj", "contype='0' conaffinity='0'");
  EXPECT_TRUE(warnings("run seen.xml --time 0.01").empty());
}

// Links that overlap by modelling come with the lines that let them, and these lines work.
TEST_F(ToolTest, OverlappingLinksComeWithLinesToPaste) {
  const auto robot = [](const std::string& contact) {
    return R"(<mujoco><worldbody><geom type="plane" size="5 5 1" pos="0 0 -3"/>
      <body name="base"><geom type="sphere" size="0.1"/>
      <body name="upper" pos="0.3 0 0"><joint axis="0 1 0"/><geom type="sphere" size="0.1"/>
      <body name="fore" pos="0.3 0 0"><joint axis="0 1 0"/><geom type="sphere" size="0.1"/>
      <body name="hand" pos="-0.2 0 0"><joint axis="0 1 0"/><geom type="sphere" size="0.15"/>
      </body></body></body></body>
      <body name="free" pos="0.3 0 0.1"><freejoint/><geom type="sphere" size="0.1"/></body>
      </worldbody>)" +
           contact + "</mujoco>";
  };
  write("robot.xml", robot(""));
  const std::string lines = R"(<contact><exclude body1="upper" body2="hand"/></contact>)";
  for (const std::string command : {"inspect robot.xml", "run robot.xml --time 0.002"})
    EXPECT_THAT(abut(command).err, HasSubstr("add " + lines)) << command;
  write("robot.xml", robot(lines));
  const Answer a = abut("inspect robot.xml");
  EXPECT_THAT(a.err, HasSubstr("begins in overlap"));  // the free body still does
  EXPECT_EQ(a.err.find("<exclude"), std::string::npos) << a.err;
}

}  // namespace
}  // namespace abut::test
