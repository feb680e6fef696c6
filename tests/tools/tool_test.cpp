// The command line as a user types it: output, exit codes, nothing half written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>

#include "tool.h"

namespace abut::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::json;

TEST_F(ToolTest, SaysWhatItCanDo) {
  const Answer help = abut("--help");
  EXPECT_EQ(help.exit_code, 0);
  for (const char* command : {"run", "compare", "inspect", "contact", "solve", "reproduce",
                              "models", "worlds", "Examples"})
    EXPECT_THAT(help.out, HasSubstr(command));
  for (const char* command :
       {"run", "compare", "inspect", "contact", "solve", "reproduce", "models", "worlds"}) {
    const Answer a = abut(std::string(command) + " --help");
    EXPECT_EQ(a.exit_code, 0);
    EXPECT_THAT(a.out, HasSubstr("Example"));
  }
}

TEST_F(ToolTest, BadUsageExitsWithTwo) {
  for (const char* arguments : {"",
                                "fly",
                                "run",
                                "run no-such.xml",
                                "run pendulum --wings",
                                "run pendulum --time -1",
                                "run pendulum --step 0",
                                "run pendulum --step 1/0",
                                "run pendulum --step abc",
                                "run pendulum --contact nonsense",
                                "run pendulum --contact multipint",
                                "run diff_drive --solver lemke",
                                "run pendulum --solver nonsense",
                                "run diff_drive --friction springs",
                                "run pendulum --friction stribek",
                                "run pendulum --friction pyramid:3",
                                "run pendulum --friction cone:3",
                                "run pendulum --contact none --friction cone",
                                "run pendulum --data volumes",
                                "run pendulum --stabilize nonsense",
                                "run pendulum --stabilize post:x",
                                "run diff_drive --integrator rk4",
                                "run pendulum --integrator magic",
                                "run pendulum --keyframe none-such",
                                "run pendulum --set x=1",
                                "run pendulum --set gravity=1,2",
                                "run pendulum --measure sometimes",
                                "run pendulum --from missing.state",
                                "run pendulum --push 1,2",
                                "run pendulum --control missing.csv",
                                "run pendulum --drive a=b.csv",
                                "run four_bar --integrator rk4",
                                "inspect pendulum --q 1,2,3,4,5",
                                "inspect pendulum --q x",
                                "run ."}) {
    const Answer a = abut(arguments);
    EXPECT_EQ(a.exit_code, 2) << arguments;
    EXPECT_FALSE(a.err.empty()) << arguments;
    EXPECT_TRUE(a.out.empty()) << arguments << a.out;
  }
}

TEST_F(ToolTest, MessagesSayWhatToTypeInstead) {
  EXPECT_THAT(abut("run no-such.xml").err, HasSubstr("pendulum"));
  EXPECT_THAT(abut("run pendulum --contact quick").err,
              HasSubstr("there are fast, st, ap, peg, peg-paper, lnc, baraff, deepest"));
  EXPECT_THAT(abut("run diff_drive --solver lemke").err, HasSubstr("--friction pyramid"));
  EXPECT_THAT(abut("run pendulum --data mesh").err,
              HasSubstr("there are manifold, patch, features, kissing, deepest"));
  EXPECT_THAT(abut("run diff_drive --integrator rk4").err, HasSubstr("--contact none"));
  EXPECT_THAT(abut("run t_handle --keyframe spun").err, HasSubstr("spin"));
  EXPECT_EQ(abut("run four_bar --integrator rk4 --contact none --time 0.1").exit_code, 0);
  EXPECT_THAT(abut("run gripper --integrator rk4 --contact none").err, HasSubstr("constraint=off"));
  const auto broken =
      write("broken.xml", "<mujoco>\n<worldbody>\n<body nam='x'/>\n</worldbody></mujoco>");
  const Answer a = abut("run broken.xml");
  EXPECT_EQ(a.exit_code, 2);
  EXPECT_THAT(a.err, HasSubstr("broken.xml:3"));
  EXPECT_THAT(a.err, HasSubstr("name"));
}

TEST_F(ToolTest, SlipsOfTheFingersAreAnsweredByTheNearestName) {
  const std::pair<const char*, const char*> cases[] = {
      {"rnu pendulum", "'run'"},
      {"compair diff_drive", "'compare'"},
      {"run pendulum --tiem 5", "'--time'"},
      {"run pendulum --contct=st", "'--contact'"},
      {"view pendulum --pausd", "'--paused'"},
      {"inspect pendulum --jsn", "'--json'"},
      {"run wreking_ball", "'wrecking_ball'"},
      {"run worlds/dif_drive.xml", "'diff_drive'"},
      {"run contact/ee_crosing", "'contact/ee_crossing'"},
      {"run ee_crossing", "'contact/ee_crossing'"},
      {"run t_handle --keyframe spun", "'spin'"},
      {"run pendulum --integrator eular", "'euler'"},
      {"view pendulum --show point", "'points'"},
      {"run pendulum --contact baraf", "'baraff'"}};
  for (const auto& [arguments, meant] : cases) {
    const Answer a = abut(arguments);
    EXPECT_EQ(a.exit_code, 2) << arguments;
    EXPECT_THAT(a.err, HasSubstr(std::string("did you mean ") + meant)) << arguments;
  }
  // one's own files come first
  write("domino.xml", "<mujoco/>");
  EXPECT_THAT(abut("run domno.xml").err, HasSubstr("did you mean 'domino.xml'?"));
  EXPECT_THAT(abut("inspect ./dominoo.xml").err, HasSubstr("did you mean './domino.xml'?"));
  // what resembles nothing gets no guess
  EXPECT_THAT(abut("fly").err, Not(HasSubstr("did you mean")));
  EXPECT_THAT(abut("run pendulum --wings").err, Not(HasSubstr("did you mean")));
}

TEST_F(ToolTest, RunPrintsOneJsonDocument) {
  const Answer a = abut("run double_pendulum --time 0.5 --json");
  ASSERT_EQ(a.exit_code, 0) << a.err;
  const Json j = a.json();
  for (const char* key : {"world",
                          "contact",
                          "data",
                          "friction",
                          "stabilize",
                          "solver",
                          "step",
                          "steps",
                          "time",
                          "wall_s",
                          "steps_per_s",
                          "measure_s",
                          "contacts",
                          "energy",
                          "energy_drift",
                          "momentum",
                          "momentum_drift",
                          "penetration",
                          "penetration_end",
                          "joint_error_max",
                          "residual_max",
                          "fallbacks",
                          "contact_force_total",
                          "contact_force_net",
                          "q",
                          "v",
                          "contact_pairs",
                          "used",
                          "hash",
                          "warnings",
                          "bodies"})
    EXPECT_TRUE(j.contains(key)) << key;
  EXPECT_EQ(j["contact"], "fast");
  EXPECT_EQ(j["friction"], "cone");
  EXPECT_EQ(j["stabilize"], "post");
  EXPECT_THAT(a.out, Not(HasSubstr("nan")));
  EXPECT_EQ(a.err, "");
  for (const auto& [name, body] : j["bodies"].items()) {
    EXPECT_EQ(body["position"].size(), 3u);
    EXPECT_EQ(body["quaternion"].size(), 4u);
    EXPECT_EQ(body["linear_velocity"].size(), 3u);
    EXPECT_EQ(body["angular_velocity"].size(), 3u);
  }
}

TEST_F(ToolTest, TimeZeroReportsTheInitialState) {
  const Json j = abut("run pendulum --time 0 --json").json();
  EXPECT_EQ(j["steps"], 0);
  EXPECT_EQ(j["time"], 0.0);
  EXPECT_EQ(j["energy_drift"], 0.0);
}

TEST_F(ToolTest, ResumedRunHasTheHashOfTheRunInOneGo) {
  for (const std::string world : {"demo", "double_pendulum", "gripper"}) {
    const Json whole = abut("run " + world + " --time 0.6 --json").json();
    ASSERT_EQ(abut("run " + world + " --time 0.2 --save a.state --quiet").exit_code, 0);
    const Json rest = abut("run " + world + " --from a.state --time 0.4 --json").json();
    EXPECT_EQ(whole["hash"], rest["hash"]) << world;
    EXPECT_EQ(whole["time"], rest["time"]);
  }
  EXPECT_EQ(abut("run pendulum --from a.state").exit_code, 2);  // another world's
}

TEST_F(ToolTest, InspectGivesMassMatrixBiasAndPoses) {
  const Json j = abut("inspect double_pendulum --q 0.3,-0.5 --v 1,2 --json").json();
  EXPECT_EQ(j["nv"], 2);
  EXPECT_EQ(j["M"].size(), 4u);
  EXPECT_EQ(j["M"][1], j["M"][2]);
  EXPECT_EQ(j["bias"].size(), 2u);
  EXPECT_EQ(j["qacc"].size(), 2u);
  EXPECT_TRUE(j["body_pose"].contains("world"));
  write("q.txt", "0.3,\n-0.5\n");
  EXPECT_EQ(abut("inspect double_pendulum --q q.txt --v 1,2 --json").json(), j);
  EXPECT_THAT(abut("inspect humanoid").out, HasSubstr("26 dofs"));
}

TEST_F(ToolTest, OutFolderHasSummaryAndMeasures) {
  const Answer a = abut("run pendulum --time 0.1 --out results");
  ASSERT_EQ(a.exit_code, 0) << a.err;
  std::ifstream measures(folder_ / "results/measures.csv");
  std::string header, line;
  std::getline(measures, header);
  EXPECT_THAT(header, HasSubstr("kinetic_J"));
  int rows = 0;
  while (std::getline(measures, line)) ++rows;
  std::ifstream summary(folder_ / "results/summary.json");
  EXPECT_EQ(rows, Json::parse(summary)["steps"].get<int>() + 1);
}

TEST_F(ToolTest, DivergedRunsExitWithThreeAndKeepTheLastGoodState) {
  write("unstable.xml", R"(<mujoco><option timestep="0.01"><flag eulerdamp="disable"/></option>
    <worldbody><body name="wheel"><joint name="axle" damping="1000"/><geom size="0.1"/></body></worldbody>
    <keyframe><key name="go" qvel="1"/></keyframe></mujoco>)");
  const Answer a = abut("run unstable.xml --keyframe go --json");
  EXPECT_EQ(a.exit_code, 3);
  EXPECT_THAT(a.err, HasSubstr("wheel"));
  EXPECT_THAT(a.err, HasSubstr("unstable.last.state"));
  EXPECT_LT(a.json()["steps"].get<int>(), 1000);
  EXPECT_EQ(abut("run unstable.xml --from unstable.last.state --time 0 --quiet").exit_code, 0);
}

TEST_F(ToolTest, PushControlAndDriveReachTheWorld) {
  write("c.csv", "t,motor\n0,1\n0.5,0\n");
  write("d.csv", "t,x,y,z,qw,qx,qy,qz\n0,0,0,0,1,0,0,0\n1,1,0,0,1,0,0,0\n");
  write("w.xml", R"(<mujoco><option gravity="0 0 0"/><worldbody>
    <body name="ball"><freejoint/><geom size="0.1" mass="1"/></body>
    <body name="hand" mocap="true"><geom size="0.1"/></body>
    <body name="arm"><joint name="j"/><geom size="0.1" mass="1"/></body></worldbody>
    <actuator><motor name="motor" joint="j"/></actuator></mujoco>)");
  const Json j =
      abut(
          "run w.xml --time 1 --json --push 0.2,0.1,ball,0,20,0 --control c.csv --drive hand=d.csv")
          .json();
  EXPECT_NEAR(j["bodies"]["ball"]["linear_velocity"][1].get<double>(), 2, 1e-9);
  EXPECT_NEAR(j["bodies"]["arm"]["angular_velocity"][2].get<double>(), 0.5 / 0.004, 1e-6);
  EXPECT_NEAR(j["bodies"]["hand"]["position"][0].get<double>(), 1, 0.01);
  // the controls of a recording
  const Json first = abut("run w.xml --time 1 --json --control c.csv --record c.h5").json();
  EXPECT_EQ(abut("run w.xml --time 1 --json --control c.h5").json()["hash"], first["hash"]);
  const Json pulled = abut("run w.xml --time 1 --json --pd j,0.5,1,0.1").json();
  EXPECT_NEAR(pulled["q"].back().get<double>(), 0.5, 1e-3);
  const auto wrong = abut("run w.xml --time 1 --pd k,0.5,1,0.1");
  EXPECT_NE(wrong.exit_code, 0);
  EXPECT_THAT(wrong.err, HasSubstr("no such joint"));
}

TEST_F(ToolTest, SettingsChangeTheRun) {
  const std::string fall = "run diff_drive --contact none --time 0.5 --json --set gravity=";
  const Json down = abut(fall + "0,0,-2").json(), up = abut(fall + "0,0,2").json();
  EXPECT_LT(down["momentum"]["linear"][2].get<double>(), 0);
  EXPECT_GT(up["momentum"]["linear"][2].get<double>(), 0);
  EXPECT_NEAR(abut("run pendulum --time 0 --step 1/240 --json").json()["step"].get<double>(),
              1.0 / 240, 1e-18);
  EXPECT_EQ(abut("run pendulum --time 0 --integrator explicit --json").json()["integrator"],
            "explicit");
  EXPECT_TRUE(abut("run pendulum --time 0.1 --profile --json").json().contains("profile"));
  EXPECT_TRUE(
      abut("run pendulum --time 0.1 --measure off --json").json()["energy_drift"].is_null());
}

TEST_F(ToolTest, ReportIsAPageOfItsOwn) {
  const Answer a = abut("run demo --time 0.2 --profile --report page.html");
  ASSERT_EQ(a.exit_code, 0) << a.err;
  EXPECT_THAT(a.out, HasSubstr("open page.html"));
  std::ifstream in(folder_ / "page.html");
  const std::string page(std::istreambuf_iterator<char>(in), {});
  EXPECT_THAT(page, HasSubstr("<!DOCTYPE html>"));
  EXPECT_THAT(page, HasSubstr("Stages of the step"));
  EXPECT_FALSE(std::filesystem::exists(folder_ / "page.html.part"));

  const Answer json = abut("run pendulum --time 0 --json --report page.html");
  EXPECT_EQ(json.exit_code, 0) << json.err;
  EXPECT_EQ(json.json()["steps"], 0);
  EXPECT_EQ(abut("run pendulum --time 0.1 --measure off --quiet --report page.html").out, "");
  EXPECT_EQ(abut("run demo --time 0.1 --out results --report results/page.html").exit_code, 0);
}

TEST_F(ToolTest, ReportThatCannotBeWrittenStopsTheRunBeforeItBegins) {
  for (const char* path : {"missing/page.html", ".", "/dev/null", "/proc/page.html"}) {
    const Answer a = abut(std::string("run demo --time 1e6 --save end.state --report ") + path);
    EXPECT_EQ(a.exit_code, 2) << path;
    EXPECT_THAT(a.err, HasSubstr(path));
    EXPECT_EQ(a.out, "");
  }
}

TEST_F(ToolTest, ListsWorldsAndModels) {
  const Json worlds = abut("worlds --json").json();
  EXPECT_GE(worlds.size(), 10u);
  for (const auto& w : worlds) EXPECT_FALSE(w["about"].get<std::string>().empty()) << w["name"];
  const Json models = abut("models --json").json();
  EXPECT_EQ(models["contact"][0]["name"], "fast");
  EXPECT_EQ(models["integrator"].size(), 4u);
  EXPECT_EQ(models["coordinates"][1]["name"], "maximal");
}

// The names that `--help` lists beside a flag: "--data NAME  text: a, b[:N], c (default ..)".
std::vector<std::string> names_of_flag(const std::string& help, const std::string& flag) {
  const std::size_t at = help.find("--" + flag + " NAME");
  if (at == std::string::npos) return {};
  std::string list = help.substr(at, help.find('\n', at) - at);
  list = list.substr(0, list.find(" (default"));
  list = std::regex_replace(list, std::regex("^--[a-z]+ NAME +([^,]*: )?"), "");
  std::vector<std::string> names;
  const std::regex first_word("(?:^|, )([a-z0-9-]+)");
  for (auto it = std::sregex_iterator(list.begin(), list.end(), first_word);
       it != std::sregex_iterator(); ++it)
    if ((*it)[1] != "or") names.push_back((*it)[1]);
  return names;
}

TEST_F(ToolTest, HelpListsTheNamesOfModels) {
  const Json models = abut("models --json").json();
  for (const std::string command : {"run", "compare", "view", "render"}) {
    const std::string help = abut(command + " --help").out;
    for (const std::string axis :
         {"contact", "data", "friction", "stabilize", "solver", "integrator"}) {
      std::vector<std::string> names;
      for (const auto& m : models[axis]) {
        names.push_back(m["name"]);
        EXPECT_NE(m["about"], "") << axis << " " << m["name"];
      }
      EXPECT_EQ(names_of_flag(help, axis), names) << command << " --" << axis;
    }
  }
}

// What `abut models` says a world may set of a model is what the model takes.
TEST_F(ToolTest, ListsTheSettingsThatModelsTake) {
  const Json models = abut("models --json").json();
  int with_settings = 0;
  for (const auto& m : models["contact"]) {
    if (m["settings"].empty()) continue;
    ++with_settings;
    const auto name = m["name"].get<std::string>();
    write("w.xml",
          "<mujoco><custom><numeric name='abut." + name +
              ".bogus' data='1'/></custom><worldbody><geom type='plane' size='1 1 1'/>"
              "<body pos='0 0 1'><freejoint/><geom size='.1'/></body></worldbody></mujoco>");
    const Answer a = abut("run w.xml --time 0 --contact " + name);
    EXPECT_EQ(a.exit_code, 2);
    std::string told = a.err.substr(a.err.find("there are") + 9);
    for (const auto& [setting, what] : m["settings"].items()) {
      const std::string full = "abut." + name + "." + setting;
      const std::size_t at = told.find(full);
      EXPECT_NE(at, std::string::npos) << full << ": " << a.err;
      if (at != std::string::npos) told.erase(at, full.size());
    }
    EXPECT_EQ(told.find("abut."), std::string::npos) << "not listed:" << told;
  }
  EXPECT_EQ(with_settings, 10);
}

TEST_F(ToolTest, RefusesPartsOfAStepThatCannotBe) {
  for (const std::string model : {"volumetric", "multipoint"})
    for (const std::string parts : {"0", "2.5", "-1", "1001", "2 3"}) {
      write("w.xml",
            "<mujoco>\n<custom><numeric name='abut." + model + ".parts' data='" + parts +
                "'/></custom>\n<worldbody><geom type='plane' size='1 1 1'/>"
                "<body pos='0 0 1'><freejoint/><geom size='.1'/></body></worldbody></mujoco>");
      const Answer a = abut("run w.xml --time 0 --contact " + model);
      EXPECT_EQ(a.exit_code, 2) << parts;
      EXPECT_THAT(a.err, HasSubstr("w.xml:2")) << parts;
      EXPECT_THAT(a.err, HasSubstr("in how many parts a step is taken, 1 to 1000")) << parts;
    }
}

}  // namespace
}  // namespace abut::test
