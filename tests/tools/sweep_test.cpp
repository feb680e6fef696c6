// abut sweep, as a user types it.
#include "tool.h"

#include <signal.h>

#include <chrono>
#include <thread>

namespace abut::test {
namespace {

class SweepCommand : public ToolTest {
 protected:
  void SetUp() override {
    ToolTest::SetUp();
    write("swing.toml",
          "world = 'pendulum'\nruns = 40\nset.time = 0.5\n[random]\n"
          "v = {uniform = [-1, 1]}\n");
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
};

TEST_F(SweepCommand, MakesATable) {
  const Answer first = abut("sweep swing.toml --json");
  ASSERT_EQ(first.exit_code, 0) << first.err;
  EXPECT_EQ(first.json()["runs"], 40);
  EXPECT_EQ(first.json()["failed"], 0);
  EXPECT_TRUE(std::filesystem::exists(folder_ / first.json()["table"].get<std::string>()));
  EXPECT_TRUE(std::filesystem::exists(folder_ / "swing/table.h5"));
  EXPECT_EQ(abut("sweep swing.toml").exit_code, 2) << "without --resume";
  const Answer again = abut("sweep swing.toml --resume --threads 1 --json");
  EXPECT_EQ(again.json()["hash"], first.json()["hash"]);
}

TEST_F(SweepCommand, PartsMeet) {
  const std::string whole = abut("sweep swing.toml --json").json()["hash"];
  EXPECT_EQ(abut("sweep swing.toml --out parts --part 1/2").exit_code, 0);
  const Answer missing = abut("sweep swing.toml --out parts --part 0/4");
  EXPECT_EQ(missing.exit_code, 0) << missing.err;
  const Answer rest = abut("sweep swing.toml --out parts --resume --json");
  EXPECT_EQ(rest.json()["hash"], whole);
}

TEST_F(SweepCommand, RefusesWhatItCannotDo) {
  for (const char* words :
       {"sweep nothing.toml", "sweep swing.toml --on cloud", "sweep swing.toml --threads -1",
        "sweep swing.toml --part 2/2", "sweep swing.toml --part x", "sweep swing.toml --workers -2",
        "sweep swing.toml --budget-ms 5"}) {
    const Answer answer = abut(words);
    EXPECT_EQ(answer.exit_code, 2) << words;
    EXPECT_FALSE(answer.err.empty()) << words;
  }
}

// kill -9 in the middle, several times; what is done stays done.
TEST_F(SweepCommand, GoesOnAfterAKill) {
  write("long.toml",
        "world = 'pendulum'\nruns = 400\nset.time = 3\n[random]\nv = {uniform = [-1, 1]}\n");
  const std::string command = "cd '" + folder_.string() + "' && exec '" + test::tool() +
                              "' sweep long.toml --out cut --resume --quiet --threads 2";
  for (int i = 0; i < 3; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      execl("/bin/sh", "sh", "-c", command.c_str(), static_cast<char*>(nullptr));
      _exit(127);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(150 + 100 * i));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
  }
  const Answer cut = abut("sweep long.toml --out cut --resume --json");
  ASSERT_EQ(cut.exit_code, 0) << cut.err;
  const Answer whole = abut("sweep long.toml --out whole --json");
  EXPECT_EQ(cut.json()["hash"], whole.json()["hash"]);
  // each row stands in one file
  std::size_t rows = 0;
  for (const auto& file : std::filesystem::directory_iterator(folder_ / "cut/parts")) {
    std::ifstream in(file.path());
    std::string line;
    std::getline(in, line);
    while (std::getline(in, line)) ++rows;
  }
  EXPECT_GE(rows, 400u);
  EXPECT_LE(rows, 403u) << "lines that were cut short";
}

TEST_F(SweepCommand, SlurmWithoutSlurmLeavesAScript) {
  if (std::system("command -v sbatch > /dev/null 2>&1") == 0) GTEST_SKIP() << "sbatch is here";
  const Answer answer = abut("sweep swing.toml --on slurm --workers 4");
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_NE(answer.err.find("job.sh"), std::string::npos) << answer.err;
  std::ifstream in(folder_ / "swing/job.sh");
  const std::string script{std::istreambuf_iterator<char>(in), {}};
  EXPECT_NE(script.find("#SBATCH --array=0-3"), std::string::npos) << script;
}

}  // namespace
}  // namespace abut::test
