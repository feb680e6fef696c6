// Names are written by others: a terminal must not obey them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tool.h"

namespace abut {
namespace {

using test::Answer;
using testing::HasSubstr;

class Print : public test::ToolTest {
 protected:
  // Turns red, sets the title, goes up a line; C1 controls; a line of its own; text from right to
  // left; delete.
  static constexpr const char* kName =
      "a&#27;[31m&#27;]0;t&#7;&#155;2J&#10;abut: done&#13;&#x202e;&#127;z";
  static std::string raw() {
    return "a\x1b[31m\x1b]0;t\x07\xc2\x9b"
           "2J\nabut: done\r\xe2\x80\xae\x7f"
           "z";
  }
  void SetUp() override {
    ToolTest::SetUp();
    const std::string n = kName;
    write("evil.xml", "<mujoco model='" + n + "'><worldbody><geom name='f" + n +
                          "' type='plane' size='2 2 1'/><body name='" + n +
                          "' pos='0 0 .1'><joint name='j" + n + "' damping='0'/><geom name='g" + n +
                          "' type='box' size='.1 .1 .1' solref='1 2'/></body></worldbody><keyframe>"
                          "<key name='k" +
                          n + "'/></keyframe></mujoco>");
  }
  static void expect_harmless(const std::string& text) {
    for (const char* bad : {"\x1b", "\x07", "\x7f", "\r", "\xc2\x9b", "\xe2\x80\xae"})
      EXPECT_THAT(text, testing::Not(HasSubstr(bad)));
    EXPECT_THAT(text, testing::Not(HasSubstr("\nabut: done")));
  }
};

TEST_F(Print, NamesAreShownAndNotObeyed) {
  for (const char* command :
       {"run evil.xml --time 0.01", "run evil.xml --time 0.01 --json", "inspect evil.xml",
        "inspect evil.xml --json", "contact evil.xml", "contact evil.xml --json",
        "compare evil.xml --time 0.01", "run evil.xml --keyframe no --time 0",
        "run evil.xml --push 0,1,no,0,0,1", "run evil.xml --drive no=x"}) {
    const Answer a = abut(command);
    SCOPED_TRACE(command);
    EXPECT_NE(a.exit_code, 3);
    expect_harmless(a.out);
    expect_harmless(a.err);
  }
  EXPECT_THAT(abut("inspect evil.xml").out, HasSubstr("a\\x1b[31m"));
  // what a program reads is the name itself
  const auto bodies = abut("run evil.xml --time 0 --json").json()["bodies"];
  EXPECT_TRUE(bodies.contains(raw())) << bodies.dump();
}

TEST_F(Print, SoAreErrorsAndWhatWasTyped) {
  const std::string typed = "\"$(printf 'x\\033[31m\\rabut: done\\n\\302\\233y')\"";
  for (const std::string& command :
       {"run " + typed, "run evil.xml --contact " + typed, "inspect " + typed, "solve " + typed,
        "reproduce " + typed, "run evil.xml --set " + typed + "=1", typed, "view " + typed,
        "run evil.xml --time 0 --save /none/" + typed, "run evil.xml --time 0 --from " + typed}) {
    const Answer a = abut(command);
    SCOPED_TRACE(command);
    EXPECT_EQ(a.exit_code, 2);
    expect_harmless(a.err);
    expect_harmless(a.out);
  }
  // names in messages of the loader
  const std::string n = kName;
  for (const std::string& world :
       {"<mujoco><worldbody><body name='" + n + "'/><body name='" + n + "'/></worldbody></mujoco>",
        "<mujoco><worldbody><body name='" + n + "'><joint/></body></worldbody></mujoco>",
        "<mujoco><worldbody><geom mesh='" + n + "' type='mesh'/></worldbody></mujoco>",
        "<mujoco><worldbody><geom type='" + n + "'/></worldbody></mujoco>",
        "<mujoco><asset><mesh file='" + n + ".stl'/></asset></mujoco>"}) {
    write("broken.xml", world);
    const Answer a = abut("run broken.xml --time 0");
    expect_harmless(a.err);
  }
}

// A world of somebody else's folder, and what it says of itself.
TEST_F(Print, SoAreListsOfWorlds) {
  std::filesystem::create_directories(folder_ / "worlds");
  write("worlds/a\x1b[31mb.xml", "<!-- red \x1b[31m\x07 -->\n<mujoco/>");
  const Answer a = abut("worlds");
  EXPECT_EQ(a.exit_code, 0);
  expect_harmless(a.out);
  EXPECT_THAT(a.out, HasSubstr("a\\x1b[31mb"));
  expect_harmless(abut("run nothing").err);
  expect_harmless(abut("worlds --json").out);
}

// Bytes that are no UTF-8 are neither sent to a terminal nor an end of the document.
TEST_F(Print, BytesThatAreNoText) {
  write("latin.xml",
        "<mujoco><worldbody><body name='caf\xe9\x9b'><freejoint/><geom size='.1'/>"
        "</body></worldbody></mujoco>");
  const Answer a = abut("run latin.xml --time 0.01");
  EXPECT_EQ(a.exit_code, 0) << a.err;
  EXPECT_THAT(a.out, HasSubstr("caf\\xe9\\x9b"));
  const Answer j = abut("run latin.xml --time 0.01 --json");
  EXPECT_EQ(j.exit_code, 0) << j.err;
  EXPECT_NO_THROW(j.json());
  EXPECT_EQ(abut("inspect latin.xml --json").exit_code, a.exit_code);
}

}  // namespace
}  // namespace abut
