// abut run --record: finished, interrupted, diverged, refused, and killed in the middle.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <memory>
#include <thread>

#include "abut/load/load.h"
#include "abut/simulate/record/recording.h"
#include "abut/simulate/simulator.h"
#include "support/tree.h"
#include "tool.h"

namespace abut {
namespace {

using test::Answer;
using Json = nlohmann::json;
using testing::HasSubstr;

class RecordTool : public test::ToolTest {
 protected:
  // `abut run WORLD` in the background, recording to a.h5 for as long as it is let.
  pid_t start(const std::string& world) const {
    const std::string tool = test::tool(), file = (folder_ / "a.h5").string();
    const pid_t child = fork();
    if (child == 0) {
      execl(tool.c_str(), tool.c_str(), "run", world.c_str(), "--time", "1e6", "--quiet",
            "--record", file.c_str(), nullptr);
      _exit(127);
    }
    return child;
  }
  static int wait_for(pid_t child) {
    int status = 0;
    waitpid(child, &status, 0);
    return status;
  }
  // Reads along until that many flushes were seen; the rows of the last.
  std::int64_t watch(int flushes) const {
    std::int64_t rows = 0;
    std::unique_ptr<Recording> live;
    for (int tenths = 0; tenths < 600 && flushes > 0; ++tenths) {
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      try {
        if (!live)
          live = std::make_unique<Recording>(folder_ / "a.h5");
        else
          live->refresh();
      } catch (const RecordError&) {
        continue;  // not there yet
      }
      if (live->rows() > rows) --flushes;
      rows = live->rows();
    }
    EXPECT_EQ(flushes, 0) << "nothing was flushed in a minute";
    return rows;
  }
  std::string world_file(const std::string& name) const {
    return test::in_tree("/worlds/") + name + ".xml";
  }

  // Every row is of the state that the world has at that step.
  void expect_true(const Recording& recording, const std::string& world) const {
    const Model model = load_model(world);
    State state(model);
    Input input(model);
    if (const auto it = model.custom.find("abut.keyframe"); it != model.custom.end())
      set_keyframe(model, model.find_keyframe(it->second.text), state, &input);
    Simulator simulator(model);
    const auto hashes = recording.hashes();
    const auto q = recording.read("q"), steps = recording.read("step"),
               time = recording.read("time");
    const auto v = recording.read("v"), quaternions = recording.read("body_quaternion");
    for (std::size_t i = 0; i < hashes.size(); ++i) {
      if (i > 0) simulator.step(state, input);
      ASSERT_EQ(hashes[i], state.hash()) << "row " << i;
      ASSERT_EQ(steps[i], static_cast<double>(i));
      ASSERT_EQ(time[i], state.time);
      for (std::size_t k = 0; k < state.q.size(); ++k)
        ASSERT_EQ(q[i * state.q.size() + k], state.q[k]);
      for (std::size_t k = 0; k < state.v.size(); ++k)
        ASSERT_EQ(v[i * state.v.size() + k], state.v[k]);
    }
    for (const double x : quaternions) ASSERT_TRUE(x >= -1 - 1e-9 && x <= 1 + 1e-9);
    ASSERT_EQ(quaternions.size(), hashes.size() * 4 * static_cast<std::size_t>(model.nbody()));
  }
};

TEST_F(RecordTool, KilledRunLeavesAllUpToTheLastFlush) {
  const std::string world = world_file("double_pendulum");
  const pid_t child = start(world);
  const std::int64_t seen = watch(2);
  kill(child, SIGKILL);
  EXPECT_TRUE(WIFSIGNALED(wait_for(child)));
  {
    const Recording left(folder_ / "a.h5");
    EXPECT_GE(left.rows(), seen);
    EXPECT_EQ(left.ended(), "running");
    expect_true(left, world);
    EXPECT_THAT(abut("run pendulum --record a.h5").err, HasSubstr("open in another program"));
  }
  EXPECT_EQ(abut("run pendulum --time 0 --quiet --record a.h5").exit_code, 0);  // nobody holds it
}

// Rows have all that contacts remember: a killed run goes on from any of them as it would have.
TEST_F(RecordTool, KilledRunWithContactsGoesOnFromItsRecording) {
  const std::string world = write("boxes.xml", R"(<mujoco><option timestep="0.004"/><worldbody>
        <geom name="floor" type="plane" size="5 5 1"/>
        <body name="low" pos="0 0 0.12" euler="10 20 0"><freejoint/>
          <geom name="low" type="box" size="0.1 0.1 0.1"/></body>
        <body name="high" pos="0.05 0 0.42"><freejoint/>
          <geom name="high" type="box" size="0.1 0.1 0.1"/></body></worldbody></mujoco>)")
                                .string();
  const pid_t child = start(world);
  watch(1);
  kill(child, SIGKILL);
  wait_for(child);
  std::vector<std::uint64_t> hashes;
  {
    const Recording left(folder_ / "a.h5");
    ASSERT_GT(left.rows(), 200);
    expect_true(left, world);
    EXPECT_FALSE(left.contact_forces(100).pairs.empty());
    EXPECT_FALSE(left.contact_forces(left.rows() - 1).points.empty());
    hashes = left.hashes();
  }
  const Answer on = abut("run boxes.xml --from a.h5:100 --time 0.4 --json");
  ASSERT_EQ(on.exit_code, 0) << on.err;
  EXPECT_EQ(std::stoull(on.json()["hash"].get<std::string>(), nullptr, 16), hashes[200]);
  EXPECT_EQ(abut("run boxes.xml --from a.h5 --time 0.1 --quiet").exit_code, 0);
  EXPECT_THAT(abut("run boxes.xml --from a.h5:1000000000").err, HasSubstr("has no row"));
  EXPECT_THAT(abut("run boxes.xml --from a.h5:-1").err, HasSubstr("whole number"));
  EXPECT_EQ(abut("run pendulum --from a.h5").exit_code, 2);
}

// A large world writes much, so that the kill falls into a write more often than not.
TEST_F(RecordTool, KilledWhileItWrites) {
  const std::string world = world_file("bodies1000");
  const pid_t child = start(world);
  const std::int64_t seen = watch(1);
  std::this_thread::sleep_for(std::chrono::milliseconds(337));
  kill(child, SIGKILL);
  wait_for(child);
  const Recording left(folder_ / "a.h5");
  EXPECT_GE(left.rows(), seen);
  expect_true(left, world);
}

TEST_F(RecordTool, InterruptedRunClosesItsFile) {
  for (const auto& [signal, code] : {std::pair{SIGINT, 130}, {SIGTERM, 143}}) {
    std::filesystem::remove(folder_ / "a.h5");  // what is watched is this run's
    const pid_t child = start(world_file("pendulum"));
    const std::int64_t seen = watch(1);
    EXPECT_THAT(abut("run pendulum --record a.h5").err, HasSubstr("another run"));
    kill(child, signal);
    const int status = wait_for(child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == code);
    const Recording left(folder_ / "a.h5");
    EXPECT_GT(left.rows(), seen);
    EXPECT_EQ(left.ended(), "stopped");
    EXPECT_THAT(left.warnings().back(), HasSubstr("stopped by the user"));
  }
}

TEST_F(RecordTool, DivergedRunKeepsItsLastGoodState) {
  write("unstable.xml", R"(<mujoco><option timestep="0.01"><flag eulerdamp="disable"/></option>
    <worldbody><body name="wheel"><joint name="axle" damping="1000"/><geom size="0.1"/></body></worldbody>
    <keyframe><key name="go" qvel="1"/></keyframe></mujoco>)");
  const Answer a = abut("run unstable.xml --keyframe go --json --record a.h5 --record-every 1000");
  EXPECT_EQ(a.exit_code, 3);
  const Recording left(folder_ / "a.h5");
  EXPECT_EQ(left.ended(), "diverged");
  EXPECT_EQ(left.rows(), 2);
  EXPECT_EQ(left.read("step")[1], a.json()["steps"].get<double>());
}

TEST_F(RecordTool, RecordingAndTableAgreeWithTheSummary) {
  const Answer a =
      abut("run demo --time 0.3 --json --record a.h5 --record-every 7 --csv m.csv --measure 5");
  ASSERT_EQ(a.exit_code, 0) << a.err;
  const Json j = a.json();
  const Recording back(folder_ / "a.h5");
  EXPECT_EQ(back.read("time").back(), j["time"].get<double>());
  EXPECT_EQ(back.hashes().back(), std::stoull(j["hash"].get<std::string>(), nullptr, 16));
  EXPECT_EQ(back.read("measures/kinetic").back(), j["energy"]["kinetic"].get<double>());
  EXPECT_EQ(back.number_setting("record_every"), 7);
  EXPECT_TRUE(j.contains("record_s"));
  std::ifstream table(folder_ / "m.csv");
  const std::string text(std::istreambuf_iterator<char>(table), {});
  EXPECT_THAT(text, HasSubstr(j["hash"].get<std::string>()));
}

TEST_F(RecordTool, RefusalsSayWhatToDo) {
  for (const auto& [arguments, words] : {std::pair{"--record a.csv", "--csv FILE"},
                                         {"--record a", ".h5"},
                                         {"--record none/a.h5", "there is no folder none"},
                                         {"--record a.h5 --record-every 0", "1 or more"},
                                         {"--csv none/a.csv", "none/a.csv"},
                                         {"--csv a.csv --measure off", "--measure off"}}) {
    const Answer a = abut(std::string("run pendulum ") + arguments);
    EXPECT_EQ(a.exit_code, 2) << arguments;
    EXPECT_THAT(a.err, HasSubstr(words));
    EXPECT_EQ(a.out, "") << arguments;
  }
}

// A limit on the length of files stands for a full disk: one that has room for several of the
// blocks that rows are written in, since of a block that does not fit nothing is kept.
TEST_F(RecordTool, FullDiskStopsTheRunAndSaysWhatIsLost) {
  write("limited.sh", "ulimit -f 32768\nexec '" + test::tool() +
                          "' run double_pendulum --time 1e6 --quiet --record a.h5\n");
  const Answer a = abut("--version && sh limited.sh");
  EXPECT_EQ(a.exit_code, 2) << a.err;
  EXPECT_THAT(a.err, HasSubstr("File too large"));
  EXPECT_THAT(a.err, HasSubstr("--from double_pendulum.last.state"));
  EXPECT_THAT(a.err, testing::Not(HasSubstr("HDF5")));
  const Recording left(folder_ / "a.h5");
  EXPECT_EQ(left.ended(), "disk full");
  EXPECT_GT(left.rows(), 0);
  EXPECT_EQ(
      abut("run double_pendulum --from double_pendulum.last.state --time 0 --quiet").exit_code, 0);
}

}  // namespace
}  // namespace abut
