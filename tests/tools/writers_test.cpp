// Every flag that writes, against everything that may be in its way.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mount.h>

#include "support/attacks.h"
#include "support/tree.h"
#include "tool.h"

namespace abut {
namespace {

namespace fs = std::filesystem;
using test::Answer;
using test::mode_of;
using test::put_text;
using test::text_of;
using testing::HasSubstr;

struct Writer {
  const char *arguments, *file;
  int refused = 2, done = 0;  // exit codes
  const char* before = "";    // a file that is read: what it is called
};

// Everything that the tool writes. render has a test of its own, as it needs a browser.
const std::vector<Writer>& writers() {
  static const std::vector<Writer> all = {
      {"run swing.xml --time 0.1 --save a.state", "a.state"},
      {"run swing.xml --time 0.1 --csv a.csv", "a.csv"},
      {"run swing.xml --time 0.1 --report a.html", "a.html"},
      {"run swing.xml --time 0.1 --record a.h5", "a.h5"},
      {"run swing.xml --time 0.1 --out results", "results/summary.json"},
      {"run swing.xml --time 0.1 --out results", "results/measures.csv"},
      {"run drop.xml --contact st --time 0.2 --dump-problems results",
       "results/problem_0000001.json"},
      {"run drop.xml --contact st --time 0.2 --dump-problems results",
       "results/problem_0000002.json"},
      {"run wild.xml --keyframe go", "wild.last.state", 3, 3},
      {"compare swing.xml --time 0.1 --contact st,ap --report a.html", "a.html"},
      {"contact drop.xml --picture a.svg", "a.svg"},
      {"solve cone.json --write b.json", "b.json"},
      {"solve cone.json --write b.hdf5", "b.hdf5"},
      {"reproduce K-X4 --quiet --out results", "results/index.html"},
      {"reproduce K-X4 --quiet --out results", "results/reproduce.json"},
      {"reproduce K-X4 --quiet --out results", "results/K-X4-1.svg"},
  };
  return all;
}

class Writers : public test::ToolTest {
 protected:
  void SetUp() override {
    ToolTest::SetUp();
    write("swing.xml", R"(<mujoco><worldbody><body name="rod"><joint name="pivot" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.02"/></body></worldbody></mujoco>)");
    write("drop.xml", R"(<mujoco><worldbody><geom name="floor" type="plane" size="2 2 1"/>
      <body name="box" pos="0 0 0.1"><freejoint/><geom name="box" type="box" size=".1 .1 .1"/></body>
      </worldbody></mujoco>)");
    write("wild.xml", R"(<mujoco><option timestep="0.01"><flag eulerdamp="disable"/></option>
      <worldbody><body name="wheel"><joint damping="1000"/><geom size="0.1"/></body></worldbody>
      <keyframe><key name="go" qvel="1"/></keyframe></mujoco>)");
    write("cone.json", R"({"kind": "cone", "n": 3, "A": [[2, 0, 0], [0, 1, 0], [0, 0, 1]],
      "b": [-1, 0.1, 0], "cones": [{"rows": [0, 1, 2], "mu": 0.5}]})");
    put_text(precious_ = folder_ / "precious", "do not touch");
  }
  void make_way(const Writer& w) const {
    if (const fs::path folder = fs::path(w.file).parent_path(); !folder.empty())
      fs::create_directories(folder_ / folder);
  }
  void clear(const Writer& w) const {
    fs::remove_all(folder_ / w.file);
    fs::remove_all(folder_ / "results");
  }
  // Names of temporary files that were left anywhere.
  std::vector<std::string> leftovers() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::recursive_directory_iterator(folder_))
      if (entry.path().extension() == ".part" && !entry.is_symlink())
        found.push_back(entry.path().string());
    return found;
  }

  fs::path precious_;
};

TEST_F(Writers, ReplaceNothingButRegularFiles) {
  for (const Writer& w : writers())
    for (const test::Attack& attack : test::attacks(precious_)) {
      SCOPED_TRACE(std::string(w.arguments) + " -> " + w.file + ": " + attack.name);
      make_way(w);
      if (!attack.plant(folder_ / w.file)) continue;
      const mode_t before = mode_of(folder_ / w.file);
      const Answer a = abut(w.arguments);
      EXPECT_EQ(a.exit_code, w.refused) << a.err;
      EXPECT_THAT(a.err, HasSubstr(attack.word));
      EXPECT_THAT(a.err, HasSubstr(w.file));
      EXPECT_EQ(mode_of(folder_ / w.file), before);
      EXPECT_EQ(text_of(precious_), "do not touch");
      EXPECT_FALSE(fs::exists(folder_ / "precious.none"));
      EXPECT_THAT(leftovers(), testing::IsEmpty());
      clear(w);
    }
}

// What older versions wrote to first: a link there was followed.
TEST_F(Writers, FollowNoLinkThatWasPlantedBesideTheTarget) {
  for (const Writer& w : writers()) {
    SCOPED_TRACE(std::string(w.arguments) + " -> " + w.file);
    make_way(w);
    fs::create_symlink(precious_, folder_ / (std::string(w.file) + ".part"));
    const Answer a = abut(w.arguments);
    EXPECT_EQ(a.exit_code, w.done) << a.err;
    EXPECT_GT(fs::file_size(folder_ / w.file), 0u);
    EXPECT_EQ(text_of(precious_), "do not touch");
    EXPECT_THAT(leftovers(), testing::IsEmpty());
    clear(w);
    fs::remove(folder_ / (std::string(w.file) + ".part"));
  }
}

TEST_F(Writers, KeepTheModeOfWhatTheyReplace) {
  for (const Writer& w : writers()) {
    SCOPED_TRACE(std::string(w.arguments) + " -> " + w.file);
    make_way(w);
    put_text(folder_ / w.file, "old");
    chmod((folder_ / w.file).c_str(), 0600);
    const Answer a = abut(w.arguments);
    EXPECT_EQ(a.exit_code, w.done) << a.err;
    EXPECT_NE(text_of(folder_ / w.file), "old");
    EXPECT_EQ(mode_of(folder_ / w.file) & 07777u, 0600u);
    clear(w);
  }
}

// A limit on the length of files, which no output can keep to, stands for a disk without room.
TEST_F(Writers, SayThatTheDiskIsFullAndLeaveTheOldFile) {
  for (const Writer& w : writers()) {
    SCOPED_TRACE(std::string(w.arguments) + " -> " + w.file);
    make_way(w);
    write("limited.sh", "ulimit -f 0\nexec '" + test::tool() + "' " + w.arguments + " 2>&1\n");
    put_text(folder_ / w.file, "old");
    const Answer a = abut("--version >/dev/null && sh limited.sh");
    EXPECT_EQ(a.exit_code, w.refused) << a.out;
    EXPECT_THAT(a.out, HasSubstr("File too large"));
    // a table keeps the rows that are whole, and that is none; of the others the old file stays
    if (!std::string(w.file).ends_with(".csv")) {
      EXPECT_EQ(text_of(folder_ / w.file), "old");
    }
    EXPECT_THAT(leftovers(), testing::IsEmpty());
    clear(w);
  }
}

TEST_F(Writers, RefuseStdoutByName) {
  const Answer a = abut("run swing.xml --time 0.1 --csv /dev/stdout");
  EXPECT_EQ(a.exit_code, 2);
  EXPECT_THAT(a.err, HasSubstr("symbolic link"));
  EXPECT_EQ(abut("run swing.xml --time 0.1 --json > /dev/null").exit_code, 0);
}

// Bad names are known before the first step, also those that are written after the last.
TEST_F(Writers, RefuseBeforeTheRunBegins) {
  for (const char* flag : {"--save missing/a", "--csv missing/a", "--report missing/a",
                           "--record missing/a.h5", "--out precious", "--dump-problems precious"}) {
    const Answer a = abut(std::string("run swing.xml --time 1e6 ") + flag);
    EXPECT_EQ(a.exit_code, 2) << flag;
    EXPECT_EQ(a.out, "") << flag;
  }
  EXPECT_EQ(abut("solve cone.json --write missing/a.json").exit_code, 2);
}

// --- a disk that fills up ------------------------------------------------------------

// Long enough for the state, too short for what the run writes.
TEST_F(Writers, AStateIsLeftToGoOnFrom) {
  for (const char* flag : {"--csv a.csv", "--out results", "--report a.html",
                           "--dump-problems results", "--record a.h5"}) {
    SCOPED_TRACE(flag);
    const bool problems = std::string(flag).starts_with("--dump");
    const std::string world = problems ? "drop" : "swing";
    write("limited.sh", std::string("ulimit -f ") + "4" + "\nexec '" + test::tool() + "' run " +
                            world + ".xml --time 1 --json " + flag + " 2>&1 >/dev/null\n");
    const Answer a = abut("--version >/dev/null && sh limited.sh");
    EXPECT_EQ(a.exit_code, 2) << a.out;
    EXPECT_THAT(a.out, HasSubstr("File too large"));
    if (std::string(flag).starts_with("--record")) continue;  // does not even begin
    EXPECT_THAT(a.out, HasSubstr("--from " + world + ".last.state"));
    EXPECT_EQ(
        abut("run " + world + ".xml --time 0 --quiet --from " + world + ".last.state").exit_code,
        0);
    fs::remove(folder_ / (world + ".last.state"));
    fs::remove_all(folder_ / "results");
  }
}

// A disk that is full to the last byte, the folder of the state included.
TEST_F(Writers, RoomForTheStateIsKept) {
  const fs::path disk = folder_ / "disk";
  fs::create_directory(disk);
  if (mount("none", disk.c_str(), "tmpfs", 0, "size=24m") != 0)
    GTEST_SKIP() << "no right to mount a small disk";
  for (const char* flag : {"--csv a.csv", "--record a.h5", "--report a.html", "--out results",
                           "--csv a.csv --record a.h5"}) {
    SCOPED_TRACE(flag);
    // little is left, and the run fills it; of a report, which is written at the end, a page of
    // text
    const bool page = std::string(flag).starts_with("--report");
    put_text(disk / "filler", std::string((24 << 20) - (page ? 128 << 10 : 3 << 20), 'x'));
    write("full.sh", "cd disk && exec '" + test::tool() + "' run ../swing.xml --json --time " +
                         (page ? "4 " : "200 ") + flag + " > /dev/null\n");
    const Answer a = abut("--version > /dev/null && sh full.sh");
    EXPECT_EQ(a.exit_code, 2) << a.err;
    EXPECT_THAT(a.err, HasSubstr("No space left on device"));
    EXPECT_THAT(a.err, HasSubstr("--from swing.last.state"));
    std::error_code ignored;
    for (const char* name : {"filler", "a.csv", "a.h5", "a.html"}) fs::remove(disk / name, ignored);
    fs::remove_all(disk / "results");
    EXPECT_EQ(abut("run swing.xml --time 0 --quiet --from disk/swing.last.state").exit_code, 0);
    fs::remove(disk / "swing.last.state");
  }
  umount(disk.c_str());
}

// --- stdout ---------------------------------------------------------------------------

TEST_F(Writers, StdoutThatCannotBeWrittenIsAnError) {
  for (const char* to : {">&-", ">/dev/full"})
    for (const char* flags : {"--json", "--json --record a.h5", "--csv a.csv", "--report a.html"}) {
      const Answer a = abut(std::string("run swing.xml --time 0.1 ") + flags + " " + to);
      EXPECT_EQ(a.exit_code, 2) << flags << to;
      EXPECT_THAT(a.err, HasSubstr("stdout: cannot be written"));
      EXPECT_THAT(a.err, HasSubstr("--from swing.last.state"));
      EXPECT_EQ(abut("run swing.xml --from swing.last.state --time 0 --quiet").exit_code, 0);
      fs::remove(folder_ / "swing.last.state");
      // a file that was opened as number 1 would have got the document
      if (std::string(flags).ends_with(".h5")) {
        EXPECT_EQ(abut("run swing.xml --from a.h5 --time 0 --quiet").exit_code, 0);
      }
    }
  for (const char* command :
       {"--help", "worlds", "models --json", "inspect swing.xml", "contact drop.xml --json",
        "compare swing.xml --time 0.1 --json", "solve cone.json", "reproduce --list"}) {
    EXPECT_EQ(abut(std::string(command) + " >&-").exit_code, 2) << command;
    EXPECT_EQ(abut(std::string(command) + " >/dev/full").exit_code, 2) << command;
  }
  EXPECT_EQ(abut("run swing.xml --time 0.1 --quiet >&-").exit_code, 0);
  EXPECT_EQ(abut("run swing.xml --time 0.1 --quiet --save a.state <&- >&- 2>&-").exit_code, 0);
}

}  // namespace
}  // namespace abut
