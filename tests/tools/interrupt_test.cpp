// ^C and SIGTERM, in every command that may take long.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <thread>

#include "abut/simulate/record/recording.h"
#include "support/tree.h"
#include "tool.h"

namespace abut {
namespace {

using testing::HasSubstr;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

class Interrupt : public test::ToolTest {
 protected:
  // `abut ARGUMENTS` in the background, what it prints to stderr in the file "err".
  pid_t start(const std::string& arguments, const std::string& before = "") const {
    const pid_t child = fork();
    if (child == 0) {
      const std::string command = before + "cd '" + folder_.string() + "' && exec '" +
                                  test::tool() + "' " + arguments + " >out 2>err";
      execl("/bin/sh", "sh", "-c", command.c_str(), nullptr);
      _exit(127);
    }
    return child;
  }
  // The exit code; 1000 and the signal if one killed it.
  static int wait_for(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
  }
  static bool still_runs(pid_t child) { return waitpid(child, nullptr, WNOHANG) == 0; }
  bool appears(const std::string& file) const {
    for (int i = 0; i < 400 && !std::filesystem::exists(folder_ / file); ++i)
      std::this_thread::sleep_for(25ms);
    return std::filesystem::exists(folder_ / file);
  }
  std::string err() const {
    std::ifstream in(folder_ / "err");
    return {std::istreambuf_iterator<char>(in), {}};
  }
  // Boxes that touch each other, in one problem that lemke needs minutes for.
  void write_slow_world() const {
    std::string boxes;
    for (int x = 0; x < 9; ++x)
      for (int y = 0; y < 9; ++y)
        for (int z = 0; z < 2; ++z)
          boxes += "<body pos='" + std::to_string(0.2 * x) + " " + std::to_string(0.2 * y) + " " +
                   std::to_string(0.1 + 0.2 * z) +
                   "'><freejoint/><geom type='box' size='.1 .1 .1'/></body>\n";
    write("slow.xml",
          "<mujoco><custom><text name='abut.st.contacts' data='start'/></custom><worldbody>"
          "<geom type='plane' size='9 9 1'/>" +
              boxes + "</worldbody></mujoco>");
  }
};

TEST_F(Interrupt, ARunThatIsStoppedSaysSoByItsExitCode) {
  for (const auto& [signal, code] : {std::pair{SIGINT, 130}, {SIGTERM, 143}, {SIGHUP, 129}}) {
    const pid_t child = start(
        "run pendulum --time 1e6 --json --csv a.csv --record a.h5 --save a.state --report a.html");
    ASSERT_TRUE(appears("a.h5"));
    std::this_thread::sleep_for(200ms);
    kill(child, signal);
    EXPECT_EQ(wait_for(child), code);
    EXPECT_EQ(Recording(folder_ / "a.h5").ended(), "stopped");
    EXPECT_THAT(Recording(folder_ / "a.h5").warnings().back(), HasSubstr("stopped by the user"));
    // the last row of the table is whole, and is of the state that was saved
    std::ifstream table(folder_ / "a.csv"), out(folder_ / "out");
    const std::string rows(std::istreambuf_iterator<char>(table), {});
    const auto summary = nlohmann::json::parse(out);
    EXPECT_TRUE(rows.ends_with(summary["hash"].get<std::string>() + "\n"));
    EXPECT_EQ(abut("run pendulum --from a.state --time 0 --json").json()["hash"], summary["hash"]);
    for (const char* file : {"a.h5", "a.state", "a.html"})
      EXPECT_TRUE(std::filesystem::remove(folder_ / file)) << file;
  }
}

// The step is not waited for: what came before it is on the disk.
TEST_F(Interrupt, AStepThatTakesLongIsCutShort) {
  write_slow_world();
  for (const auto& [signal, code] : {std::pair{SIGINT, 130}, {SIGTERM, 143}}) {
    const pid_t child = start(
        "run slow.xml --solver lemke --friction pyramid:8 --csv a.csv --record a.h5 --save "
        "a.state");
    ASSERT_TRUE(appears("a.h5"));
    std::this_thread::sleep_for(500ms);
    ASSERT_TRUE(still_runs(child));
    const auto asked = Clock::now();
    kill(child, signal);
    EXPECT_EQ(wait_for(child), code) << err();
    EXPECT_LT(Clock::now() - asked, 10s);
    EXPECT_THAT(err(), HasSubstr("stopped"));
    const Recording left(folder_ / "a.h5");
    EXPECT_EQ(left.ended(), "stopped");
    EXPECT_THAT(left.warnings().back(), HasSubstr("in a step"));
    ASSERT_GE(left.rows(), 1);
    const test::Answer on = abut("run slow.xml --from a.state --time 0 --json");
    EXPECT_EQ(on.exit_code, 0) << on.err;
    EXPECT_EQ(std::stoull(on.json()["hash"].get<std::string>(), nullptr, 16), left.hashes().back());
    std::filesystem::remove(folder_ / "a.h5");
  }
}

// One who asks twice does not wait at all.
TEST_F(Interrupt, ASecondSignalIsObeyedAtOnce) {
  write_slow_world();
  const pid_t child = start("run slow.xml --solver lemke --friction pyramid:8 --record a.h5");
  ASSERT_TRUE(appears("a.h5"));
  std::this_thread::sleep_for(300ms);
  kill(child, SIGTERM);
  std::this_thread::sleep_for(50ms);
  kill(child, SIGINT);
  EXPECT_EQ(wait_for(child), 143);
  EXPECT_EQ(Recording(folder_ / "a.h5").ended(), "stopped");
}

TEST_F(Interrupt, EveryCommandThatTakesLongEnds) {
  write_slow_world();
  for (const char* command :
       {"run slow.xml --solver lemke --friction pyramid:8 --quiet",
        "compare slow.xml --solver lemke --friction pyramid:8 --report a.html",
        "solve --generate friction:400 --count 100000 --solver lemke", "reproduce --out results"}) {
    const pid_t child = start(command);
    std::this_thread::sleep_for(700ms);
    ASSERT_TRUE(still_runs(child)) << command << err();
    const auto asked = Clock::now();
    kill(child, SIGINT);
    EXPECT_EQ(wait_for(child), 130) << command;
    EXPECT_LT(Clock::now() - asked, 10s) << command;
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ / "a.html"));
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_))
    EXPECT_NE(entry.path().extension(), ".part") << entry.path();
}

TEST_F(Interrupt, TheViewerEnds) {
  if (abut("view pendulum --port 99999").err.find("without the viewer") != std::string::npos)
    GTEST_SKIP() << "built without the viewer's page";
  const auto address = [this] {
    std::ifstream in(folder_ / "out");
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  for (const auto& [signal, code] : {std::pair{SIGINT, 130}, {SIGTERM, 143}}) {
    const pid_t child = start("view pendulum --quiet");
    for (int i = 0; i < 400 && address().empty(); ++i) std::this_thread::sleep_for(25ms);
    EXPECT_THAT(address(), HasSubstr("token="));
    kill(child, signal);
    EXPECT_EQ(wait_for(child), code);
    std::filesystem::remove(folder_ / "out");
  }
}

// While it simulates, and while the browser draws, which must not be left behind.
TEST_F(Interrupt, RenderingEnds) {
  const std::string missing = abut("render pendulum --time 0 --out /none/x.png").err;
  if (missing.find("there is no folder") == std::string::npos) GTEST_SKIP() << missing;
  write_slow_world();
  for (const char* command : {"render slow.xml --solver lemke --friction pyramid:8 --out x.png",
                              "render pendulum --time 60 --out x.webm"}) {
    const pid_t child = start(command);
    std::this_thread::sleep_for(2500ms);
    ASSERT_TRUE(still_runs(child)) << command << err();
    kill(child, SIGINT);
    EXPECT_EQ(wait_for(child), 130) << command << err();
    EXPECT_FALSE(std::filesystem::exists(folder_ / "x.png"));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "x.webm"));
  }
}

// nohup: a run goes on when its terminal closes.
TEST_F(Interrupt, ARunThatIgnoresHangupsGoesOn) {
  const pid_t child = start("run pendulum --time 1e6 --quiet --record a.h5", "trap '' HUP; ");
  ASSERT_TRUE(appears("a.h5"));
  kill(child, SIGHUP);
  std::this_thread::sleep_for(300ms);
  EXPECT_TRUE(still_runs(child));
  kill(child, SIGTERM);
  EXPECT_EQ(wait_for(child), 143);
}

}  // namespace
}  // namespace abut
