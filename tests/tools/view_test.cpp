// abut view and abut render as users mistype them; tests/web has what they do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "support/attacks.h"
#include "support/tree.h"
#include "tool.h"

namespace abut::test {
namespace {

using testing::AnyOf;
using testing::HasSubstr;

class ViewTool : public ToolTest {
 protected:
  void SetUp() override {
    ToolTest::SetUp();
    if (abut("view --port -1 pendulum").err.find("without the viewer") != std::string::npos)
      GTEST_SKIP() << "built without npm: there is no viewer";
  }
};

TEST_F(ViewTool, SaysWhatIsWrong) {
  const struct {
    const char *arguments, *says;
  } cases[] = {
      {"view nowhere.xml", "no such file or world"},
      {"view pendulum --port 70000", "--port"},
      {"view pendulum --bind elsewhere", "no address to listen on"},
      {"view pendulum --show everything", "points, normals"},
      {"view pendulum --theme blue", "light or dark"},
      {"view pendulum --camera 1", "--camera"},
      {"view pendulum --contact st,magic", "magic"},
      {"view pendulum --contact st,ap,st,ap,st", "at most four"},
      {"view missing.h5", "missing.h5"},
      {"render pendulum", "--out"},
      {"render pendulum --out film.gif", ".png, .webm or .mp4"},
      {"render pendulum --out missing/x.png", "there is no folder"},
      {"render pendulum --out x.png --size 12", "--size"},
      {"render pendulum --out x.png --size 1x1", "--size"},
      {"render pendulum --out x.webm --at 1", "--at"},
      {"render pendulum --out x.webm --fps 0", "--fps"},
      {"render pendulum --out x.webm --speed 0", "--speed"},
      {"render pendulum --out x.png --time 0.01 --follow nobody", "no such body"},
  };
  for (const auto& c : cases) {
    const Answer a = abut(c.arguments);
    EXPECT_EQ(a.exit_code, 2) << c.arguments;
    // where Chromium is missing that is said first
    EXPECT_THAT(a.err, AnyOf(HasSubstr(c.says), HasSubstr("Chromium"))) << c.arguments;
    EXPECT_EQ(a.out, "") << c.arguments;
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "x.png"));
}

TEST_F(ViewTool, ARecordingNeedsItsWorld) {
  write(
      "w.xml",
      "<mujoco><worldbody><body name='a'><freejoint/><geom size='1'/></body></worldbody></mujoco>");
  write(
      "other.xml",
      "<mujoco><worldbody><body name='b'><freejoint/><geom size='1'/></body></worldbody></mujoco>");
  ASSERT_EQ(abut("run w.xml --time 0.01 --quiet --record r.h5").exit_code, 0);
  EXPECT_THAT(abut("view r.h5 --world other.xml").err, HasSubstr("their bodies differ"));
  std::filesystem::remove(folder_ / "w.xml");
  const Answer a = abut("view r.h5");
  EXPECT_EQ(a.exit_code, 2);
  EXPECT_THAT(a.err, HasSubstr("add --world FILE"));
}

// ffmpeg is not among what the tests install.
TEST_F(ViewTool, FilmsAreMp4WhereThereIsFfmpeg) {
  if (std::system("command -v ffmpeg >/dev/null 2>&1") != 0) GTEST_SKIP() << "no ffmpeg here";
  const Answer a =
      abut("render pendulum --time 0.1 --fps 20 --size 161x101 --quiet --out film.mp4");
  if (a.err.find("Chromium") != std::string::npos) GTEST_SKIP() << a.err;
  ASSERT_EQ(a.exit_code, 0) << a.err;
  std::ifstream film(folder_ / "film.mp4", std::ios::binary);
  char head[12] = {};
  film.read(head, sizeof head);
  EXPECT_EQ(std::string(head + 4, 4), "ftyp");
  EXPECT_FALSE(std::filesystem::exists(folder_ / "film.mp4.webm"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "film.mp4.part"));
}

// What is in the way of a picture is known before it is drawn, and stays.
TEST_F(ViewTool, RenderReplacesNothingButRegularFiles) {
  put_text(folder_ / "precious", "do not touch");
  for (const char* file : {"x.png", "x.webm"})
    for (const Attack& attack : attacks(folder_ / "precious")) {
      if (!attack.plant(folder_ / file)) continue;
      const mode_t before = mode_of(folder_ / file);
      const Answer a = abut(std::string("render pendulum --time 1e6 --out ") + file);
      EXPECT_EQ(a.exit_code, 2) << attack.name;
      EXPECT_THAT(a.err, AnyOf(HasSubstr(attack.word), HasSubstr("Chromium"))) << attack.name;
      EXPECT_EQ(mode_of(folder_ / file), before) << attack.name;
      fs::remove(folder_ / file);
    }
  EXPECT_EQ(text_of(folder_ / "precious"), "do not touch");
  fs::create_symlink(folder_ / "precious", folder_ / "x.png.part");
  put_text(folder_ / "x.png", "old");
  chmod((folder_ / "x.png").c_str(), 0600);
  const Answer a = abut("render pendulum --time 0.01 --size 160x120 --quiet --out x.png");
  if (a.err.find("Chromium") != std::string::npos) GTEST_SKIP() << a.err;
  EXPECT_EQ(a.exit_code, 0) << a.err;
  EXPECT_THAT(text_of(folder_ / "x.png"), HasSubstr("PNG"));
  EXPECT_EQ(mode_of(folder_ / "x.png") & 07777u, 0600u);
  EXPECT_EQ(text_of(folder_ / "precious"), "do not touch");
}

// An abut without a browser says so before it simulates.
TEST_F(ViewTool, RenderNamesTheBrowserItLacks) {
  const std::string bare = "cd '" + folder_.string() + "' && PATH= ABUT_CHROMIUM= '" +
                           test::tool() + "' render pendulum --time 1e6 --out x.png 2>&1";
  std::FILE* pipe = popen(bare.c_str(), "r");
  char text[500] = {};
  const std::size_t n = std::fread(text, 1, sizeof text - 1, pipe);
  EXPECT_EQ(WEXITSTATUS(pclose(pipe)), 2);
  EXPECT_THAT(std::string(text, n), HasSubstr("install it"));
}

}  // namespace
}  // namespace abut::test
