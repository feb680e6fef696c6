// Sweeps: plans, values, rows that do not depend on who made them, journals that survive anything.
#include "abut/sweep/sweep.h"

#include <gmock/gmock.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "support/tree.h"

namespace abut::test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

class Sweeps : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("abut_sweep_" + std::to_string(getpid()));
    fs::create_directories(folder_);
    write("slide.xml", R"(<mujoco><worldbody>
      <geom name="floor" type="plane" size="5 5 1" friction="0.01"/>
      <body name="box" pos="0 0 0.05"><freejoint name="float"/>
      <geom name="shell" type="box" size="0.1 0.1 0.05" mass="1"/></body></worldbody></mujoco>)");
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
  }
  std::string read(const fs::path& file) const {
    std::ostringstream all;
    all << std::ifstream(file).rdbuf();
    return all.str();
  }
  SweepPlan plan(const std::string& json) const {
    return parse_sweep(json, "plan.json", folder_, file_beside);
  }
  SweepPlan slide() const {
    return plan(R"({"world": "slide.xml", "seed": 5, "runs": 3, "set": {"time": 0.05},
      "grid": {"contact": ["st", "ap"], "step": [0.002, 0.004]},
      "random": {"geom.shell.friction": {"uniform": [0.2, 0.9]}, "v.float": {"uniform":
        [[1,0,0,0,0,0], [2,0,0,0,0,0]]}},
      "measure": ["bodies.box.position", "energy.kinetic"]})");
  }
  std::string refused(const std::string& json) const {
    try {
      const SweepWorker worker(plan(json));
    } catch (const SweepError& e) {
      return e.what();
    }
    return "nothing was refused";
  }
  SweepResult run(const SweepPlan& p, const std::string& out, int threads = 1) const {
    SweepJournal journal(p, folder_ / out, "local", true);
    run_sweep(p, journal, {.threads = threads, .progress = {}});
    return finish_sweep(p, journal, folder_ / out);
  }

  fs::path folder_;
};

TEST_F(Sweeps, GridsRunThroughTheLastKeyFirst) {
  const SweepPlan p = plan(R"({"world": "slide.xml", "grid": {"contact": ["st", "ap"],
    "step": {"from": 0.001, "to": 0.004, "count": 4}, "v.float": [[1,0,0,0,0,0]]}})");
  EXPECT_EQ(p.runs(), 8);
  const auto text = [&](std::int64_t run) {
    std::string line;
    for (const SweepValue& v : values_of(p, run)) line += v.key + "=" + v.text + " ";
    return line;
  };
  EXPECT_EQ(text(0), "contact=st step=0.001 v.float=1,0,0,0,0,0 ");
  EXPECT_EQ(text(3), "contact=st step=0.004 v.float=1,0,0,0,0,0 ");
  EXPECT_EQ(text(4), "contact=ap step=0.001 v.float=1,0,0,0,0,0 ");
  const SweepPlan log = plan(
      R"({"world": "slide.xml", "grid": {"step": {"from": 0.001, "to": 0.1, "count": 3, "log": true}}})");
  EXPECT_NEAR(std::stod(values_of(log, 1)[0].text), 0.01, 1e-12);
}

TEST_F(Sweeps, TomlSaysTheSameAsJson) {
  write("plan.toml",
        "world = 'slide.xml'\nruns = 2\n[set]\ngravity = [0, 0, -1.6]\nmultipoint.ki = 2\n"
        "[grid]\ncontact = ['st', 'ap']\nstep = {from = 0.001, to = 0.002, count = 2}\n"
        "[random]\nq.float = {uniform = [[0,0,1,1,0,0,0], [1,1,2,1,0,0,0]]}\n");
  const SweepPlan p = read_sweep(folder_ / "plan.toml", file_beside);
  EXPECT_EQ(p.runs(), 8);
  ASSERT_EQ(p.set.size(), 2u);
  EXPECT_EQ(p.set[0].key + "=" + p.set[0].text, "gravity=0,0,-1.6");
  EXPECT_EQ(p.set[1].key + "=" + p.set[1].text, "multipoint.ki=2");
  ASSERT_EQ(p.random.size(), 1u);
  EXPECT_EQ(p.random[0].key, "q.float");
}

TEST_F(Sweeps, RandomValuesHaveTheirLaws) {
  const SweepPlan p = plan(R"({"world": "slide.xml", "runs": 4000, "random": {
    "a": {"uniform": [2, 4]}, "b": {"log": [0.01, 100]}, "c": {"normal": [5, 2]},
    "d": {"integer": [1, 6]}, "e": {"choice": ["x", "y"]}, "f": {"rotation": true}}})");
  double sum[4] = {}, squares = 0, quaternion[4] = {};
  std::set<std::string> dice, words;
  for (int run = 0; run < 4000; ++run) {
    const std::vector<SweepValue> v = values_of(p, run);
    const double a = std::stod(v[0].text), b = std::stod(v[1].text), c = std::stod(v[2].text);
    EXPECT_TRUE(2 <= a && a <= 4 && 0.0099 < b && b < 101) << run;
    sum[0] += a, sum[1] += std::log10(b), sum[2] += c, squares += (c - 5) * (c - 5);
    dice.insert(v[3].text), words.insert(v[4].text);
    std::istringstream q(v[5].text);
    double length = 0;
    for (double& total : quaternion) {
      std::string x;
      std::getline(q, x, ',');
      length += std::stod(x) * std::stod(x), total += std::stod(x);
    }
    EXPECT_NEAR(length, 1, 1e-12);
  }
  // five standard errors
  EXPECT_NEAR(sum[0] / 4000, 3, 5 * 0.577 / 63);
  EXPECT_NEAR(sum[1] / 4000, 0, 5 * 1.155 / 63);
  EXPECT_NEAR(sum[2] / 4000, 5, 5 * 2.0 / 63);
  EXPECT_NEAR(std::sqrt(squares / 4000), 2, 5 * 2.0 / 89);
  for (const double total : quaternion) EXPECT_NEAR(total / 4000, 0, 5 * 0.5 / 63);
  EXPECT_EQ(dice.size(), 6u);
  EXPECT_EQ(words.size(), 2u);
}

TEST_F(Sweeps, ARandomValueDependsOnNoOtherKey) {
  const auto first = [&](const std::string& more) {
    return values_of(
               plan(R"({"world": "slide.xml", "runs": 5, "random": {"a": {"uniform": [0, 1]})" +
                    more + "}}"),
               3)[0]
        .text;
  };
  EXPECT_EQ(first(""), first(R"(, "b": {"uniform": [0, 1]})"));
}

TEST_F(Sweeps, RowsDependOnNothingButTheirNumber) {
  const SweepPlan p = slide();
  SweepWorker forward(p), backward(p);
  std::vector<std::string> up, down;
  for (std::int64_t i = 0; i < p.runs(); ++i)
    up.push_back(csv_line(forward.run(i), forward.measures()));
  for (std::int64_t i = p.runs(); i-- > 0;)
    down.insert(down.begin(), csv_line(backward.run(i), backward.measures()));
  EXPECT_EQ(up, down);
  EXPECT_EQ(std::set<std::string>(up.begin(), up.end()).size(), 12u);
}

TEST_F(Sweeps, ThreadsAndPartsMakeOneTable) {
  const SweepPlan p = slide();
  const SweepResult one = run(p, "one", 1), three = run(p, "three", 3);
  EXPECT_EQ(one.hash, three.hash);
  EXPECT_EQ(read(one.table), read(three.table));
  for (std::int64_t part : {2, 0, 1}) {
    SweepJournal journal(p, folder_ / "parts", "part-" + std::to_string(part), true);
    run_sweep(p, journal, {.threads = 1, .part = part, .parts = 3, .progress = {}});
  }
  const SweepJournal all(p, folder_ / "parts", "", true);
  EXPECT_EQ(finish_sweep(p, all, folder_ / "parts").hash, one.hash);
  EXPECT_EQ(one.runs, 12);
  EXPECT_EQ(one.failed, 0);
}

TEST_F(Sweeps, WhatIsCutShortIsMadeAgainAndNothingElse) {
  const SweepPlan p = slide();
  const SweepResult whole = run(p, "whole");
  run(p, "cut");
  const fs::path rows = folder_ / "cut/parts/local-0.rows";
  const std::string text = read(rows);
  // at every byte of the last lines
  for (const std::size_t length :
       {text.size() - 1, text.size() - 20, text.size() / 2, std::size_t{40}}) {
    for (const auto& file : fs::directory_iterator(folder_ / "cut/parts")) fs::remove(file);
    std::ofstream(rows, std::ios::binary) << text.substr(0, length);
    SweepJournal journal(p, folder_ / "cut", "local", true);
    const std::int64_t known = journal.count();
    std::int64_t made = 0;
    run_sweep(p, journal,
              {.threads = 1, .progress = [&](std::int64_t done, std::int64_t) { made = done; }});
    EXPECT_EQ(known + made, p.runs());
    EXPECT_EQ(finish_sweep(p, journal, folder_ / "cut").hash, whole.hash);
  }
}

TEST_F(Sweeps, AFolderOfAnotherSweepIsRefused) {
  run(slide(), "out");
  EXPECT_THROW(SweepJournal(slide(), folder_ / "out", "local", false), SweepError);
  SweepPlan other = slide();
  other.digest += 1;
  EXPECT_THROW(SweepJournal(other, folder_ / "out", "local", true), SweepError);
  const SweepJournal empty(slide(), folder_ / "none", "local", true);
  EXPECT_THROW(finish_sweep(slide(), empty, folder_ / "none"), SweepError);
}

TEST_F(Sweeps, AFailureIsARow) {
  const SweepPlan p = plan(R"({"world": "slide.xml", "set": {"time": 0.02}, "measure": ["q"],
    "grid": {"v.float": ["0,0,0,0,0,0", "1e12,0,0,0,0,0"], "data": ["manifold", "vertices"]}})");
  const SweepResult r = run(p, "out");
  EXPECT_EQ(r.failed, 3);
  SweepWorker worker(p);
  EXPECT_EQ(worker.run(0).status, "done");
  const SweepRow refused = worker.run(1), diverged = worker.run(2);
  EXPECT_EQ(refused.status, "failed");
  EXPECT_THAT(refused.reason, HasSubstr("vertices"));
  EXPECT_EQ(diverged.status, "diverged");
  EXPECT_THAT(diverged.reason, HasSubstr("at body 'box'"));
  EXPECT_TRUE(diverged.measures.empty());
  EXPECT_EQ(worker.run(0).status, "done") << "after a failure";
}

TEST_F(Sweeps, KeysChangeWhatTheyName) {
  const auto value = [&](const std::string& set, const std::string& measure) {
    SweepWorker worker(plan(R"({"world": "slide.xml", "set": {"time": 0, )" + set +
                            R"(}, "measure": [")" + measure + "\"]}"));
    const SweepRow row = worker.run(0);
    EXPECT_EQ(row.status, "done") << row.reason;
    return row.measures.empty() ? std::nan("") : row.measures.back();
  };
  EXPECT_EQ(value(R"("body.box.pos": [0, 0, 3])", "bodies.box.position"), 3);
  EXPECT_EQ(value(R"("geom.shell.mass": 4, "v.float": [0, 0, 2, 0, 0, 0])", "energy.kinetic"), 8);
  EXPECT_EQ(value(R"("q.float": [0, 0, 7, 2, 0, 0, 0])", "q.float"), 0) << "the quaternion's z";
  EXPECT_NEAR(value(R"("geom.*.density": 1000, "v.float": [0, 0, 2, 0, 0, 0])", "energy.kinetic"),
              8, 1e-12);
  EXPECT_NEAR(value(R"("gravity": [0, 0, -2], "body.box.pos": [0, 0, 3])", "energy.potential"), 6,
              1e-12);
}

TEST_F(Sweeps, WhatIsVariedAndMeasuredHasTwoColumns) {
  const SweepPlan p = plan(R"({"world": "slide.xml", "set": {"time": 0.01}, "grid": {"v.float":
    [[1, 0, 0, 0, 0, 0]]}, "measure": ["v.float", "v.float", "time"]})");
  const SweepResult r = run(p, "out");
  EXPECT_EQ(r.failed, 0);
  const std::vector<std::string> columns = SweepWorker(p).columns();
  EXPECT_EQ(std::set<std::string>(columns.begin(), columns.end()).size(), columns.size());
}

TEST_F(Sweeps, BadPlansSayWhere) {
  EXPECT_THAT(refused("{\"world\": \"slide.xml\",\n\"gird\": {}}"),
              HasSubstr("plan.json:2: 'gird': no such field; did you mean 'grid'"));
  EXPECT_THAT(refused("{\"world\": \"slide.xml\",\n}"), HasSubstr("plan.json:2: is no JSON"));
  EXPECT_THAT(refused(R"({"world": "slide.xml", "grid": {"gravty": [1]}})"),
              HasSubstr("'gravity'"));
  EXPECT_THAT(refused(R"({"world": "slide.xml", "grid": {"geom.shel.mass": [1]}})"),
              HasSubstr("no geom 'shel'; did you mean 'shell'"));
  EXPECT_THAT(refused(R"({"world": "slide.xml", "set": {"geom.shell.mas": 1}})"),
              HasSubstr("'mass'"));
  EXPECT_THAT(refused(R"({"world": "slide.xml", "set": {"contact": "sst"}})"),
              HasSubstr("contact sst"));
  EXPECT_THAT(refused(R"({"world": "slide.xml", "measure": ["penetration.maks"]})"),
              HasSubstr("'penetration.max'"));
  EXPECT_THAT(refused(R"({"world": "slide.xml", "measure": ["bodies.bax.position"]})"),
              HasSubstr("no body 'bax'; did you mean 'box'"));
  EXPECT_THAT(refused(R"({"world": "slide.xml", "runs": 5})"), HasSubstr("all would be the same"));
  EXPECT_THAT(refused(R"({"world": "slide.xml", "set": {"step": 1}, "grid": {"step": [1]}})"),
              HasSubstr("step: is given more than once"));
  EXPECT_THAT(refused(R"({"world": "slide.xml", "grid": {"q": [[1, 2]]}})"),
              HasSubstr("2 numbers given, this world wants 7"));
  write("bad.toml", "world = 'slide.xml'\n[grid\n");
  try {
    read_sweep(folder_ / "bad.toml", file_beside);
    FAIL();
  } catch (const SweepError& e) {
    EXPECT_THAT(e.what(), HasSubstr("bad.toml:2"));
  }
}

TEST(SweepTables, CellsComeBackAsTheyWere) {
  SweepRow row;
  row.run = 12, row.seed = 18446744073709551615u;
  row.values = {"a,b", "say \"no\"", ""};
  row.measures = {0.1, std::nan(""), -1e300};
  row.reason = "two\nlines, quoted";
  const std::string line = csv_line(row, 3);
  EXPECT_THAT(csv_cells(line),
              ElementsAre("12", "18446744073709551615", "a,b", "say \"no\"", "", "0.1", "",
                          "-1e+300", "0000000000000000", "done", "two lines, quoted"));
  EXPECT_EQ(run_of_line(line), 12);
  EXPECT_TRUE(is_done(line));
}

}  // namespace
}  // namespace abut::test
