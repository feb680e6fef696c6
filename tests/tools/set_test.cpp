// --set KEY=VALUE: every abut.* key of a world from the command line.
#include <gmock/gmock.h>

#include "tool.h"

namespace abut::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class SetTest : public ToolTest {
 protected:
  // Of a box that starts on the ground.
  std::string write_box(const std::string& custom) const {
    write("box.xml", R"(<mujoco><custom>)" + custom + R"(</custom><worldbody>
      <geom name="ground" type="plane" size="5 5 1"/>
      <body name="box" pos="0 0 0.5"><freejoint/>
        <geom name="box" type="box" size="0.5 0.5 0.5" mass="10"/></body>
    </worldbody></mujoco>)");
    return "run box.xml --time 0.2 --step 0.001 --contact multipoint --json ";
  }
};

TEST_F(SetTest, GivesWhatTheSameKeyOfTheWorldGives) {
  const std::string of_file = write_box(R"(<text name="abut.multipoint.gains" data="paper"/>
      <numeric name="abut.multipoint.ki" data="30"/>
      <numeric name="abut.contact.tolerance" data="0.01"/>
      <tuple name="abut.restitution"><element objtype="geom" objname="box" prm="0.5"/></tuple>)");
  const auto file = abut(of_file).json();
  const std::string plain = write_box("");
  const std::string set =
      "--set multipoint.gains=paper --set abut.multipoint.ki=30 "
      "--set contact.tolerance=0.01 --set restitution=0.5";
  const Answer a = abut(plain + set);
  ASSERT_EQ(a.exit_code, 0) << a.err;
  EXPECT_EQ(a.json()["hash"], file["hash"]);
  EXPECT_NE(abut(plain).json()["hash"], file["hash"]);
}

TEST_F(SetTest, ReplacesWhatTheWorldSays) {
  const std::string run = write_box(R"(<text name="abut.multipoint.gains" data="paper"/>)");
  const auto with = abut(run + "--set multipoint.gains=auto").json();
  const auto without = abut(write_box("")).json();
  EXPECT_EQ(with["hash"], without["hash"]);
}

TEST_F(SetTest, ModelsAndFrictionsToo) {
  write_box("");
  const auto run =
      abut("run box.xml --time 0.01 --set contact=ap --set friction=none --json").json();
  EXPECT_EQ(run["contact"], "ap");
  EXPECT_EQ(run["friction"], "none");
  // a flag of its own is stronger
  EXPECT_EQ(abut("run box.xml --time 0.01 --set contact=ap --contact st --json").json()["contact"],
            "st");
}

TEST_F(SetTest, UnknownKeysNameTheNearest) {
  const std::string run = write_box("");
  struct Case {
    const char* set;
    const char* nearest;
  };
  for (const Case& c : {Case{"multipoint.gain=paper", "multipoint.gains"},
                        {"abut.multipoint.gain=paper", "abut.multipoint.gains"},
                        {"gravty=0,0,0", "gravity"},
                        {"frictoin.static=1.2", "friction.static"}}) {
    const Answer a = abut(run + "--set " + c.set);
    EXPECT_EQ(a.exit_code, 2) << c.set;
    EXPECT_THAT(a.err, HasSubstr(std::string("did you mean '") + c.nearest + "'")) << c.set;
    EXPECT_LT(a.err.size(), 200u) << c.set << ": not the whole list too";
  }
  for (const char* command : {"run box.xml ", "inspect box.xml "}) {
    const Answer a = abut(std::string(command) + "--set multipoint.nonsense=1");
    EXPECT_EQ(a.exit_code, 2) << command;
  }
}

TEST_F(SetTest, BadValuesSayWhatToWrite) {
  const std::string run = write_box("");
  struct Case {
    const char* set;
    const char* says;
  };
  for (const Case& c : {Case{"multipoint.gains=papr", "auto, paper"},
                        {"multipoint.kp=stiff", "is no number"},
                        {"multipoint.kp=", "number"},
                        {"multipoint.kp=-5", "--set multipoint.kp"},
                        {"contact.tolerance=7", "from 0 to 1"},
                        {"coordinates=maximal", "--coordinates"},
                        {"joint.a=ball", "into the world"},
                        {"plane=xy", "plane"}}) {
    const Answer a = abut(run + "--set '" + c.set + "'");
    EXPECT_EQ(a.exit_code, 2) << c.set;
    EXPECT_THAT(a.err, AllOf(HasSubstr("--set"), HasSubstr(c.says))) << c.set;
  }
}

}  // namespace
}  // namespace abut::test
