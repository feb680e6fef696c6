// abut solve as a user types it, over the problems of tests/data/lcp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "support/tree.h"
#include "tool.h"

namespace abut::test {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;
using Numbers = std::vector<double>;

const std::string kData = test::in_tree("/tests/data/lcp/");

class SolveTool : public ToolTest {
 protected:
  Json solve(const std::string& arguments, int exit_code = 0) const {
    const Answer a = abut("solve --json " + arguments);
    EXPECT_EQ(a.exit_code, exit_code) << arguments << a.err;
    return a.json();
  }
};

Json problem(const std::string& file) {
  std::ifstream in(file);
  return Json::parse(in);
}

double bound(const Json& p, const char* field, int i, double otherwise, double if_null) {
  if (!p.contains(field)) return otherwise;
  const Json& x = p[field][i];
  if (x.is_null()) return if_null;
  if (x.is_string()) return x == "inf" ? HUGE_VAL : -HUGE_VAL;
  return x;
}

double hypot_of(const Numbers& x) {
  double sum = 0;
  for (std::size_t k = 1; k < x.size(); ++k) sum += x[k] * x[k];
  return std::sqrt(sum);
}

// The largest violation of what the file says, worked out from its JSON alone, row by row and
// without abut's own code: cones by their definition, not by a projection.
double violation(const Json& p, const Numbers& z) {
  const int n = static_cast<int>(p["b"].size());
  Numbers w = p["b"].get<Numbers>();
  if (p["A"].is_object()) {
    for (const Json& t : p["A"]["triplets"])
      w[t[0].get<int>()] += t[2].get<double>() * z[t[1].get<int>()];
  } else {
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) w[i] += p["A"][i][j].get<double>() * z[j];
  }
  double worst = 0;
  std::vector<bool> done(n, false);
  for (const Json& c : p.value("cones", Json::array())) {
    const double mu = c["mu"];
    Numbers zc, wc;
    for (const int i : c["rows"]) zc.push_back(z[i]), wc.push_back(w[i]), done[i] = true;
    worst = std::max({worst, -zc[0], -wc[0], hypot_of(zc) - mu * zc[0]});
    // zn wn = 0; zt . wt = -mu zn |wt|: friction at its bound, against the sliding
    double dot = mu * zc[0] * hypot_of(wc);
    for (std::size_t k = 1; k < zc.size(); ++k) dot += zc[k] * wc[k];
    worst = std::max({worst, std::abs(zc[0] * wc[0]), std::abs(dot)});
  }
  for (int i = 0; i < n; ++i) {
    if (done[i]) continue;
    double lo = bound(p, "lo", i, 0, -HUGE_VAL), hi = bound(p, "hi", i, HUGE_VAL, HUGE_VAL);
    for (const Json& f : p.value("free", Json::array()))
      if (f == i) lo = -HUGE_VAL, hi = HUGE_VAL;
    for (const Json& h : p.value("hi_of", Json::array()))
      if (h[0] == i) hi = h[2].get<double>() * z[h[1].get<int>()], lo = -hi;
    worst = std::max({worst, lo - z[i], z[i] - hi});
    if (z[i] - lo > 1e-6) worst = std::max(worst, w[i]);   // above its lower bound: w <= 0
    if (hi - z[i] > 1e-6) worst = std::max(worst, -w[i]);  // below its upper one: w >= 0
  }
  return worst;
}

TEST_F(SolveTool, SolvesEveryProblemOfTheTree) {
  const Json rows = solve(kData + "*.json", 1);
  ASSERT_GE(rows.size(), 20u);
  int without = 0;
  std::map<std::string, int> kinds;
  for (const Json& row : rows) {
    const std::string file = row["file"];
    const Json p = problem(file);
    ++kinds[row["kind"]];
    EXPECT_EQ(row["kind"], p["kind"]) << file;
    if (p["note"].get<std::string>().find("No solution") != std::string::npos) {
      ++without;
      EXPECT_NE(row["status"], "solved") << file;
      EXPECT_FALSE(row["reason"].get<std::string>().empty()) << file;
      continue;
    }
    EXPECT_EQ(row["status"], "solved") << file;
    EXPECT_LE(row["residual"].get<double>(), 1e-10) << file;
    EXPECT_LE(violation(p, row["z"].get<Numbers>()), 1e-8) << file;
    ASSERT_EQ(row["w"].size(), p["b"].size());
  }
  EXPECT_EQ(without, 4);
  for (const char* kind : {"lcp", "mlcp", "boxed", "cone"}) EXPECT_GE(kinds[kind], 2) << kind;
}

// Where the solution is known and the only one.
TEST_F(SolveTool, FindsTheSolutionThatIsKnown) {
  const std::pair<const char*, Numbers> known[] = {{"two_rows", {0.5, 0}},
                                                   {"cottle_dantzig", {0, 1, 2}},
                                                   {"kostreva_cycle", {1.0 / 3, 1.0 / 3, 1.0 / 3}},
                                                   {"murty_exponential", {0, 0, 0, 0, 0, 64}},
                                                   {"friction_slide", {1, 0, 0.5, 1.5}},
                                                   {"joint_and_contact", {0, 0, -1, 2}},
                                                   {"equations_only", {1, -2}},
                                                   {"box_both_sides", {3, -3, 1}},
                                                   {"box_one_side", {-1, 2, 0.5, 0}},
                                                   {"box_friction", {1, -0.5, -0.1}},
                                                   {"cone_slide", {2, -0.6, -0.8}}};
  for (const auto& [file, z] : known) {
    const Json row = solve(kData + file + ".json")[0];
    for (std::size_t i = 0; i < z.size(); ++i)
      EXPECT_NEAR(row["z"][i].get<double>(), z[i], 1e-8) << file << " " << i;
  }
}

// With |b| = 1e8 the relative residual of z = 0 is 1e-16: only the row-scaled one tells.
TEST_F(SolveTool, TheRowScaledResidualTellsWhereUnitsDiffer) {
  const std::string file = kData + "badly_scaled.json";
  const Json exact = solve(file + " --solver lemke")[0];
  EXPECT_NEAR(exact["z"][0].get<double>(), 0.5e-4, 1e-16);
  EXPECT_LE(exact["residuals"]["row_scaled"].get<double>(), 1e-10);
}

// Whatever a solver takes for its answer: one with a wrong row is not called solved, and says why.
TEST_F(SolveTool, AnAnswerWithAWrongRowIsNotSolved) {
  int wrong = 0;
  for (const char* file : {"badly_scaled", "small_units"})
    for (const char* solver : {"auto", "lemke", "murty", "pivot", "pgs", "nncg", "fb", "lmmcp",
                               "enum", "nsgs", "cone"}) {
      const Answer a = abut("solve --json " + kData + file + ".json --solver " + solver);
      const Json row = a.json()[0];
      const bool rows_hold = row["residuals"]["row_scaled"].get<double>() <= 0.1;
      EXPECT_EQ(row["status"] == "solved", rows_hold) << file << " " << solver;
      EXPECT_EQ(a.exit_code, rows_hold ? 0 : 1) << file << " " << solver;
      if (!rows_hold) {
        EXPECT_THAT(row["reason"].get<std::string>(), HasSubstr("row_scaled"));
      }
      wrong += !rows_hold;
    }
  EXPECT_GT(wrong, 0) << "no solver shows it";
  for (const char* file : {"badly_scaled", "small_units"})
    EXPECT_EQ(solve(kData + file + ".json")[0]["status"], "solved") << "auto finds the answer";
}

TEST_F(SolveTool, SaysWhichLinkOfAChainAnswered) {
  const Json row = solve(kData + "cone_slide.json --solver enum,nsgs")[0];
  EXPECT_EQ(row["solver"], "nsgs");
  EXPECT_EQ(row["asked"], "enum,nsgs");
  const Json both = solve(kData + "two_rows.json --solver enum --solver pgs");
  ASSERT_EQ(both.size(), 2u);
  EXPECT_EQ(both[0]["solver"], "enum");
  EXPECT_EQ(both[1]["solver"], "pgs");
}

// A solver says so when it fails, and no NaN gets out.
TEST_F(SolveTool, FailsHonestly) {
  const Json row = solve(kData + "cone_slide.json --solver enum", 1)[0];
  EXPECT_EQ(row["status"], "failed");
  EXPECT_NE(row["reason"], "");
  const Json stopped =
      solve(kData + "cone_heavy_on_light.json --solver nsgs --max-iterations 1", 1)[0];
  EXPECT_EQ(stopped["status"], "failed");
  EXPECT_GT(stopped["residual"].get<double>(), 1e-10);
  write("huge.json", R"({"A": [[-1e300, 1e300], [1e300, -1e300]], "b": [-1e300, -1e300]})");
  for (const char* solver : {"enum", "pgs", "nncg", "nsgs"}) {
    const Answer a = abut(std::string("solve --json huge.json --solver ") + solver);
    EXPECT_EQ(a.exit_code, 1) << solver;
    EXPECT_EQ(a.out.find("nan"), std::string::npos) << solver;
    EXPECT_EQ(a.json()[0]["z"].size(), 2u);
  }
}

TEST_F(SolveTool, ToleranceDecides) {
  EXPECT_EQ(solve(kData + "cone_heavy_on_light.json --solver nsgs --tolerance 1e-2")[0]["status"],
            "solved");
  const Json loose = solve(kData + "cone_heavy_on_light.json --solver nsgs --tolerance 1e-2")[0];
  const Json tight = solve(kData + "cone_heavy_on_light.json --solver nsgs")[0];
  EXPECT_LT(loose["iterations"].get<int>(), tight["iterations"].get<int>());
}

TEST_F(SolveTool, StartsWhereItIsTold) {
  const std::string file = kData + "cone_heavy_on_light.json --solver nsgs";
  const Json cold = solve(file)[0];
  std::string z;
  for (const Json& x : cold["z"]) z += x.dump() + " ";
  const Json warm = solve(file + " --start '" + z + "'")[0];
  EXPECT_LT(warm["iterations"].get<int>(), cold["iterations"].get<int>() / 10);
  EXPECT_EQ(abut("solve " + file + " --start 1,2").exit_code, 2);
  EXPECT_EQ(abut("solve " + file + " --start file").exit_code, 2);
}

// JSON to HDF5 and back: the same problem, and its solution as a start.
TEST_F(SolveTool, Converts) {
  solve(kData + "cone_heavy_on_light.json --solver nsgs --write a.hdf5");
  const Json row = solve("a.hdf5 --solver nsgs --start file --write b.json")[0];
  EXPECT_LE(row["iterations"].get<int>(), 20);
  const Json before = problem(kData + "cone_heavy_on_light.json"),
             after = problem(folder_ / "b.json");
  EXPECT_EQ(after["b"], before["b"]);
  EXPECT_EQ(after["cones"], before["cones"]);
  EXPECT_LE(
      violation(after,
                solve(kData + "cone_heavy_on_light.json --solver nsgs")[0]["z"].get<Numbers>()),
      1e-8);
  EXPECT_EQ(abut("solve " + kData + "two_rows.json --solver enum --write a.hdf5").exit_code, 2);
}

TEST_F(SolveTool, GeneratesAndCounts) {
  const Json rows = solve(
      "--generate definite:8 --generate infeasible:8 --count 20 --seed 5 "
      "--solver enum --solver pgs",
      0);
  ASSERT_EQ(rows.size(), 4u);
  EXPECT_EQ(rows[0]["family"], "definite");
  EXPECT_EQ(rows[0]["solved"], 20);
  EXPECT_EQ(rows[0]["sizes"], Json::parse("[8, 8]"));
  EXPECT_LE(rows[0]["worst_residual"].get<double>(), 1e-10);
  EXPECT_LE(rows[0]["worst_row_scaled"].get<double>(), 1e-10);
  EXPECT_EQ(rows[2]["infeasible"], 20);
  EXPECT_EQ(rows[3]["solved"], 0);
  EXPECT_TRUE(rows[3]["worst_residual"].is_null());
  // what was not solved can be made again, by its seed
  const Json bad = solve("--generate cycling:5 --count 3 --seed 7 --solver pgs", 1)[0];
  EXPECT_EQ(bad["failed"], 3);
  EXPECT_EQ(bad["seeds_not_solved"], Json::parse("[7, 8, 9]"));
  EXPECT_EQ(solve("--generate cycling:5 --seed 8 --solver enum --write c.json")[0]["count"], 1);
  EXPECT_EQ(problem(folder_ / "c.json")["n"], 5);
  EXPECT_EQ(solve("c.json --solver enum")[0]["status"], "solved");
  // the same seed, the same numbers
  abut("solve --generate stack:24 --seed 8 --solver nsgs --write d.json");
  abut("solve --generate stack:24 --seed 8 --solver nsgs --write e.json");
  EXPECT_EQ(problem(folder_ / "d.json"), problem(folder_ / "e.json"));
}

TEST_F(SolveTool, PrintsTables) {
  const Answer files =
      abut("solve " + kData + "two_rows.json " + kData + "infeasible_vice.json --solver enum");
  EXPECT_EQ(files.exit_code, 1);
  for (const char* text : {"residual", "two_rows.json", "solved", "infeasible", "1 of 2 solved"})
    EXPECT_THAT(files.out, HasSubstr(text));
  const Answer rates = abut("solve --generate cones --count 5 --solver nsgs --solver enum");
  EXPECT_EQ(rates.exit_code, 1);
  for (const char* text : {"5 of 5", "takes no cone", "median time"})
    EXPECT_THAT(rates.out, HasSubstr(text));
  const Answer list = abut("solve --list");
  EXPECT_EQ(list.exit_code, 0);
  for (const char* text : {"nsgs", "enum", "friction", "takes lcp mlcp boxed"})
    EXPECT_THAT(list.out, HasSubstr(text));
  EXPECT_GE(abut("solve --list --json").json()["families"].size(), 15u);
}

TEST_F(SolveTool, BadUsageExitsWithTwoAndSaysWhat) {
  write("bad.json", "{\"A\": [[1]],\n\"b\": [1, 2]}");
  write("bad.hdf5", "not HDF5");
  const std::string good = kData + "two_rows.json";
  const std::pair<std::string, const char*> cases[] = {
      {"", "name a file"},
      {"missing.json", "missing.json: there is no such file"},
      {".", "is a folder"},
      {"bad.json", "bad.json:1: A: has 1 rows"},
      {"bad.hdf5", "bad.hdf5: cannot be read as HDF5"},
      {good + " bad.json", "bad.json"},
      {good + " --solver magic", "there is no solver 'magic'; there are"},
      {good + " --solver lemk", "there is no solver 'lemk'; did you mean 'lemke'?"},
      {good + " --solver ''", "there is no solver"},
      {good + " --tolerance 0", "--tolerance 0: write a number above 0"},
      {good + " --tolerance x", "'x' is no number"},
      {good + " --max-iterations 0", "--max-iterations 0: write a whole number, 1 or more"},
      {good + " --max-iterations -3", "--max-iterations"},
      {good + " --seed 99999999999999999999999", "is too large"},
      {good + " --count 3", "--count: goes with --generate"},
      {good + " --generate cones", "name no file"},
      {good + " " + good + " --write x.json", "--write: takes one file"},
      {good + " --solver enum --write /no/such/x.json", "there is no folder"},
      {"--generate nonsense", "--generate nonsense: there are p-matrix, definite"},
      {"--generate cones:0", "write a whole number, 1 or more"},
      {"--generate cones:1e9", "write a whole number"},
      {"--generate cones:999999", "at most 20000"},
      {"--generate cones --count 0", "--count 0"},
      {"--generate cones --count 2 --write x.json", "--write: takes one problem"}};
  for (const auto& [arguments, message] : cases) {
    const std::string solver =
        arguments.find("--solver") == std::string::npos ? " --solver nsgs" : "";
    const Answer a = abut("solve " + arguments + solver);
    EXPECT_EQ(a.exit_code, 2) << arguments;
    EXPECT_THAT(a.err, HasSubstr(message)) << arguments;
    EXPECT_EQ(a.out, "") << arguments;
  }
}

}  // namespace
}  // namespace abut::test
