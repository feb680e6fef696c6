// abut run with contacts: what it says of them, and the problems it writes.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "tool.h"

namespace abut::test {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;

const char* const kBox = R"(<mujoco model="box"><option timestep="0.004"/>
  <worldbody><geom name="floor" type="plane" size="5 5 1"/>
  <body name="box" pos="0 0 0.12"><freejoint/>
  <geom name="side" type="box" size="0.1 0.1 0.1" mass="2" friction="0.5"/></body>
  </worldbody></mujoco>)";

TEST_F(ToolTest, ABoxComesToRestUnderEachModel) {
  write("box.xml", kBox);
  for (const std::string flags :
       {"", "--contact st", "--contact ap", "--friction pyramid:6", "--friction none",
        "--contact ap --stabilize baumgarte:20", "--contact ap --stabilize gamma:0.5",
        "--solver nsgs,cone", "--friction pyramid --solver lemke", "--stabilize post:2"}) {
    const Answer a = abut("run box.xml --time 1 --json " + flags);
    ASSERT_EQ(a.exit_code, 0) << a.err;
    const Json j = a.json();
    EXPECT_NEAR(j["bodies"]["box"]["position"][2].get<double>(), 0.1, 2e-4) << flags;
    EXPECT_LT(j["energy"]["kinetic"].get<double>(), 1e-12) << flags;
    EXPECT_LT(j["penetration_end"]["max"].get<double>(), 1e-4) << flags;
    EXPECT_EQ(j["contacts"], 4) << flags;
    ASSERT_EQ(j["contact_pairs"].size(), 1u);
    const Json& pair = j["contact_pairs"][0];
    EXPECT_EQ(pair["a"], "floor");
    EXPECT_EQ(pair["b"], "side");
    EXPECT_NEAR(pair["force"][2].get<double>(), 2 * 9.81, 1e-6) << flags;
    EXPECT_NEAR(pair["normal"][2].get<double>(), 1, 1e-12) << flags;
    ASSERT_EQ(pair["points"].size(), 4u) << flags;
    double sum = 0;
    for (const Json& point : pair["points"]) sum += point["normal_force"].get<double>();
    EXPECT_NEAR(sum, pair["normal_force"].get<double>(), 1e-9) << flags;
    const Json& on_box = j["bodies"]["box"]["contact"];
    EXPECT_EQ(on_box["force"], pair["force"]) << flags;
    EXPECT_EQ(on_box["point"], pair["point"]) << flags;
    EXPECT_LT(std::abs(on_box["friction"][0].get<double>()), 1e-6) << flags;
    EXPECT_NEAR(j["contact_force_total"].get<double>(), 2 * 9.81, 1e-6) << flags;
    EXPECT_NEAR(j["contact_force_net"][2].get<double>(), 2 * 9.81, 1e-6) << flags;
    ASSERT_EQ(j["q"].size(), 7u);
    EXPECT_EQ(j["q"][2], j["bodies"]["box"]["position"][2]) << flags;
    EXPECT_EQ(j["v"].size(), 6u);
    EXPECT_LT(j["residual_max"].get<double>(), 1e-8) << flags;
    // it lost what it had fallen
    EXPECT_NEAR(j["energy"]["work"].get<double>() + j["energy"]["stabilization"].get<double>(),
                -2 * 9.81 * 0.02, 2e-3)
        << flags;
    EXPECT_GT(j["used"]["problems"], 0);
    EXPECT_EQ(j["used"]["unsolved"], 0);
  }
}

// The force between two boxes of a stack is in the sum of magnitudes, and not in the net force.
TEST_F(ToolTest, TheNetContactForceLeavesOutWhatCancels) {
  write("stack.xml", R"(<mujoco model="stack"><worldbody>
    <geom name="floor" type="plane" size="5 5 1"/>
    <body name="low" pos="0 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1" mass="2"/></body>
    <body name="high" pos="0 0 0.3"><freejoint/><geom type="box" size="0.1 0.1 0.1" mass="3"/></body>
    </worldbody></mujoco>)");
  const Answer a = abut("run stack.xml --time 0.5 --json");
  ASSERT_EQ(a.exit_code, 0) << a.err;
  EXPECT_NEAR(a.json()["contact_force_total"].get<double>(), 8 * 9.81, 1e-6);
  EXPECT_NEAR(a.json()["contact_force_net"][2].get<double>(), 5 * 9.81, 1e-6);
}

// 0.003 m times the weight, against the spin; nothing is said of condim.
TEST_F(ToolTest, TorsionalFrictionIsACoupleOfItsPair) {
  write("spin.xml", R"(<mujoco model="spin"><worldbody>
    <geom name="floor" type="plane" size="5 5 1" friction="1 0.003 0"/>
    <body pos="0 0 0.1"><freejoint name="free"/><geom type="sphere" size="0.1" mass="2" condim="4"
      friction="1 0.003 0"/></body></worldbody>
    <keyframe><key name="spun" qpos="0 0 0.1 1 0 0 0" qvel="0 0 0 0 0 30"/></keyframe></mujoco>)");
  for (const std::string model : {"st", "fast"}) {
    const Answer a =
        abut("run spin.xml --keyframe spun --time 0.1 --quiet --json --contact " + model);
    ASSERT_EQ(a.exit_code, 0) << a.err;
    EXPECT_NEAR(a.json()["contact_pairs"][0]["torque"][2].get<double>(), -0.003 * 2 * 9.81, 1e-9);
    EXPECT_TRUE(a.json()["warnings"].empty()) << a.json()["warnings"].dump();
  }
}

TEST_F(ToolTest, ABoxComesToRestByItsAccelerations) {
  write("box.xml", kBox);
  for (const std::string flags : {"", "--integrator rk4", "--stabilize none --solver murty",
                                  "--stabilize baumgarte-acc:20,100 --integrator rk4"}) {
    const Answer a = abut("run box.xml --time 2 --step 0.001 --contact baraff --json " + flags);
    ASSERT_EQ(a.exit_code, 0) << a.err;
    const Json j = a.json();
    EXPECT_EQ(j["contact"], "baraff");
    EXPECT_EQ(j["friction"], "none");
    EXPECT_NEAR(j["bodies"]["box"]["position"][2].get<double>(), 0.1, 5e-5) << flags;
    EXPECT_LT(j["energy"]["kinetic"].get<double>(), 1e-10) << flags;
    EXPECT_NEAR(j["contact_pairs"][0]["force"][2].get<double>(), 2 * 9.81, 1e-2) << flags;
    EXPECT_NEAR(j["energy"]["work"].get<double>() + j["energy"]["stabilization"].get<double>(),
                -2 * 9.81 * 0.02, 1e-2)
        << flags << ": euler falls with m g h v / 2 less than it should";
    EXPECT_EQ(j["used"]["unsolved"], 0) << flags;
  }
  EXPECT_EQ(abut("run box.xml --contact baraff --friction anchor").exit_code, 2);
  EXPECT_EQ(abut("run box.xml --contact baraff --stabilize gamma").exit_code, 2);
}

TEST_F(ToolTest, ABallComesToRestOnSprings) {
  std::string ball = kBox;
  const std::string box = "type=\"box\" size=\"0.1 0.1 0.1\"";
  ball.replace(ball.find(box), box.size(), "type=\"sphere\" size=\"0.1\"");
  write("ball.xml", ball);
  const double sag = 9.81 * 64 * 1e-6 / (M_PI * M_PI) / (1 + 0.02 / 0.15);
  for (const std::string flags : {"--contact deepest", "--contact pm --friction slip",
                                  "--contact pm --friction none --integrator rk4",
                                  "--contact pm --friction springs --integrator explicit"}) {
    const Answer a = abut("run ball.xml --time 2 --step 0.001 --json " + flags);
    ASSERT_EQ(a.exit_code, 0) << a.err;
    const Json j = a.json();
    EXPECT_EQ(j["contact"], "deepest");
    EXPECT_EQ(j["data"], "deepest");
    EXPECT_NEAR(j["penetration_end"]["max"].get<double>(), sag, 1e-9) << flags;
    EXPECT_EQ(j["contacts"], 1) << flags;
    EXPECT_NEAR(j["contact_pairs"][0]["force"][2].get<double>(), 2 * 9.81, 1e-6) << flags;
    EXPECT_NEAR(j["energy"]["work"].get<double>(), -2 * 9.81 * (0.02 + sag), 1e-3) << flags;
    // the spring, and the sum's force as if it were constant
    EXPECT_NEAR(j["energy"]["contact"].get<double>(),
                (0.5 + 0.02 / 0.15) * 2 * 9.81 * sag / (1 + 0.02 / 0.15), 1e-9)
        << flags;
    EXPECT_TRUE(j["warnings"].empty()) << j["warnings"];
  }
  EXPECT_EQ(abut("run ball.xml --time 0.1 --contact pm --json").json()["friction"], "anchor");
  const Answer refused = abut("run ball.xml --contact pm --friction cone");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("use anchor"));
  EXPECT_EQ(abut("run ball.xml --contact st --friction anchor").exit_code, 2);
}

TEST_F(ToolTest, ABoxComesToRestOnManyPoints) {
  write("box.xml", kBox);
  for (const std::string flags :
       {"", "--friction linear", "--friction stribeck --integrator rk4", "--data manifold"}) {
    const Answer a = abut("run box.xml --contact multipoint --time 2 --step 0.001 --json " + flags);
    ASSERT_EQ(a.exit_code, 0) << a.err;
    const Json j = a.json();
    EXPECT_EQ(j["contact"], "multipoint");
    EXPECT_EQ(j["data"], flags.starts_with("--data") ? "manifold" : "vertices");
    EXPECT_EQ(j["contacts"].get<int>(), flags == "--friction linear" ? 5 : 4) << flags;
    EXPECT_LT(j["penetration_end"]["max"].get<double>(), 2e-3 * 0.2) << flags;
    EXPECT_NEAR(j["contact_pairs"][0]["force"][2].get<double>(), 2 * 9.81, 1e-6) << flags;
    EXPECT_LT(j["energy"]["kinetic"].get<double>(), 1e-12) << flags;
    EXPECT_TRUE(j["warnings"].empty()) << j["warnings"];
  }
  for (const char* flags : {"--data deepest", "--friction cone", "--data volume"})
    EXPECT_EQ(abut(std::string("run box.xml --contact multipoint ") + flags).exit_code, 2) << flags;
  EXPECT_THAT(abut("run box.xml --friction linear").err, HasSubstr("use cone"));
  EXPECT_THAT(abut("run box.xml --contact pm --friction linear").err,
              HasSubstr("--contact multipoint"));
}

TEST_F(ToolTest, ABoxComesToRestOnSpreadSprings) {
  write("box.xml", kBox);
  const double sag = 9.81 * 64 * 1e-6 / (M_PI * M_PI);  // Hasegawa and Fujii, eq. 8
  for (const std::string flags : {"", "--friction none", "--friction slip --integrator rk4"}) {
    const Answer a = abut("run box.xml --contact volumetric --time 2 --step 0.001 --json " + flags);
    ASSERT_EQ(a.exit_code, 0) << a.err;
    const Json j = a.json();
    EXPECT_EQ(j["contact"], "volumetric");
    EXPECT_EQ(j["data"], "volume");
    EXPECT_NEAR(j["penetration_end"]["max"].get<double>(), sag, 1e-9) << flags;
    EXPECT_NEAR(j["contact_pairs"][0]["force"][2].get<double>(), 2 * 9.81, 1e-6) << flags;
    EXPECT_NEAR(j["energy"]["contact"].get<double>(), 0.5 * 2 * 9.81 * sag, 1e-9) << flags;
    EXPECT_TRUE(j["warnings"].empty()) << j["warnings"];
  }
  for (const char* flags : {"--data manifold", "--friction cone", "--data deepest"})
    EXPECT_EQ(abut(std::string("run box.xml --contact volumetric ") + flags).exit_code, 2) << flags;
  EXPECT_THAT(abut("run box.xml --data volume").err, HasSubstr("--contact volumetric"));
  EXPECT_THAT(abut("models").out, HasSubstr("volumetric"));
}

TEST_F(ToolTest, ABoxComesToRestOnACompliantLayer) {
  // of 1e7 N/m^3: a box of 2 kg sinks by m g / (K A)
  std::string world = kBox;
  world.insert(world.find("<worldbody>"),
               "<custom><numeric name='abut.layer' data='0.005 1e7 1e4'/></custom>");
  write("box.xml", world);
  for (const std::string flags :
       {"", "--friction pyramid:4", "--data vertices", "--friction anchor", "--friction slip"}) {
    const Answer a = abut("run box.xml --contact quasirigid --time 2 --step 0.001 --json " + flags);
    ASSERT_EQ(a.exit_code, 0) << a.err;
    const Json j = a.json();
    EXPECT_EQ(j["contact"], "quasirigid");
    EXPECT_EQ(j["data"], flags.starts_with("--data") ? "vertices" : "volume");
    EXPECT_NEAR(j["contact_pairs"][0]["force"][2].get<double>(), 2 * 9.81, 1e-5) << flags;
    EXPECT_LT(j["energy"]["kinetic"].get<double>(), 1e-12) << flags;
    EXPECT_LT(j["penetration_end"]["max"].get<double>(), 2e-3 * 0.2) << flags;
  }
  for (const char* flags : {"--data manifold", "--friction linear", "--integrator rk4"})
    EXPECT_EQ(abut(std::string("run box.xml --contact quasirigid ") + flags).exit_code, 2) << flags;
  EXPECT_THAT(abut("models").out, HasSubstr("quasirigid"));
}

TEST_F(ToolTest, RunNamesWhatRan) {
  write("box.xml", kBox);
  const Json j =
      abut(
          "run box.xml --time 0.1 --json --contact ap --friction pyramid:6 --stabilize post:3 "
          "--solver lemke,lmmcp")
          .json();
  EXPECT_EQ(j["contact"], "ap");
  EXPECT_EQ(j["data"], "manifold");
  EXPECT_EQ(j["friction"], "pyramid:6");
  EXPECT_EQ(j["stabilize"], "post:3");
  EXPECT_EQ(j["solver"], "lemke,lmmcp");
  const Json none = abut("run box.xml --time 0.5 --json --contact none").json();
  EXPECT_EQ(none["contact"], "none");
  EXPECT_TRUE(none["friction"].is_null());
  EXPECT_LT(none["bodies"]["box"]["position"][2].get<double>(), -1);
  EXPECT_GT(none["penetration"]["max"].get<double>(), 1);  // measured, whatever the model
  EXPECT_TRUE(
      abut("run box.xml --time 0.1 --json --measure off").json()["penetration"]["max"].is_null());
  EXPECT_THAT(abut("run box.xml --time 0.5").out, HasSubstr("contact fast, friction cone"));
}

TEST_F(ToolTest, TheWorldsOwnSettingsHoldUnlessFlagsSayOtherwise) {
  std::string text = kBox;
  text.insert(text.find("<worldbody>"),
              "<custom><text name='abut.contact' data='ap'/>"
              "<text name='abut.friction' data='pyramid:10'/></custom>");
  write("box.xml", text);
  const Json world = abut("run box.xml --time 0.1 --json").json();
  EXPECT_EQ(world["contact"], "ap");
  EXPECT_EQ(world["friction"], "pyramid:10");
  const Json flag = abut("run box.xml --time 0.1 --json --contact st").json();
  EXPECT_EQ(flag["contact"], "st");
  EXPECT_EQ(flag["friction"], "pyramid:10");
  text.replace(text.find("'ap'"), 4, "'up'");
  write("box.xml", text);
  const Answer bad = abut("run box.xml --time 0.1");
  EXPECT_EQ(bad.exit_code, 2);
  EXPECT_THAT(bad.err, HasSubstr("box.xml:"));
}

TEST_F(ToolTest, StabilisingContactsThatMakesNoSenseIsRefused) {
  std::string text = kBox;
  text.insert(text.find("<worldbody>"),
              "<custom><text name='abut.stabilize.contacts' data='on'/></custom>");
  write("box.xml", text);
  EXPECT_EQ(abut("run box.xml --time 0.1 --quiet").exit_code, 0);
  for (const auto& [flags, words] :
       {std::pair{"--contact st --stabilize baumgarte:20", "count twice"},
        {"--stabilize gamma:1", "use stabilize post"},
        {"--stabilize none", "no stabiliser"},
        {"--contact none", "no contacts"}}) {
    const Answer a = abut(std::string("run box.xml --time 0.1 ") + flags);
    EXPECT_EQ(a.exit_code, 2) << flags;
    EXPECT_THAT(a.err, HasSubstr(words)) << flags;
  }
}

TEST_F(ToolTest, ModelsSayWhichStabilisersActOnContacts) {
  EXPECT_THAT(abut("models").out, HasSubstr("abut.stabilize.contacts"));
  const Json models = abut("models --json").json()["contact"];
  for (const Json& m : models) {
    const std::size_t count = m["name"] == "st"       ? 3
                              : m["name"] == "ap"     ? 5
                              : m["name"] == "baraff" ? 4
                              : m["name"] == "fast"   ? 2
                                                      : 0;
    EXPECT_EQ(m["stabilizes_contacts"].size(), count) << m["name"];
  }
}

TEST_F(ToolTest, DumpedProblemsAreSolvedAgain) {
  write("box.xml", kBox);
  for (const std::string flags : {"--friction cone", "--friction pyramid:4", "--friction none"}) {
    const Answer run =
        abut("run box.xml --time 0.2 --json --contact st --dump-problems problems " + flags);
    ASSERT_EQ(run.exit_code, 0) << run.err;
    const Answer solve = abut("solve problems/*.json --json");
    ASSERT_EQ(solve.exit_code, 0) << solve.err;
    const Json all = solve.json();
    // those of the step, and at most as many of post-steps
    const int problems = run.json()["used"]["problems"].get<int>();
    EXPECT_GE(static_cast<int>(all.size()), problems);
    EXPECT_GT(problems, 10);
    for (const Json& answer : all) EXPECT_LT(answer["residual"].get<double>(), 1e-8);
    std::filesystem::remove_all(folder_ / "problems");
  }
  EXPECT_EQ(abut("run box.xml --dump-problems box.xml/x").exit_code, 2);
}

// A ball that spins and bounces, under each law of restitution, at its time or a step's.
TEST_F(ToolTest, ImpactsByThreeLaws) {
  const auto world = [&](const char* file, const std::string& more) {
    write(file,
          "<mujoco><option timestep='0.01'/><custom>"
          "<numeric name='abut.restitution' data='0.7'/>" +
              more +
              "</custom><worldbody><geom type='plane' size='9 9 1'/><body name='b' pos='0 0 1'>"
              "<freejoint/><geom type='box' size='.1 .05 .08' euler='20 30 10' mass='2'/></body>"
              "</worldbody></mujoco>");
  };
  std::set<std::string> ends;
  for (const char* law : {"newton", "poisson", "stronge"})
    for (const char* time : {"step", "regress"}) {
      world("w.xml", fmt::format("<text name='abut.restitution.law' data='{}'/>"
                                 "<text name='abut.impact.time' data='{}'/>",
                                 law, time));
      const Answer a = abut("run w.xml --contact multipoint --time 1 --json --quiet");
      ASSERT_EQ(a.exit_code, 0) << a.err;
      ends.insert(a.json()["hash"].dump());
    }
  EXPECT_EQ(ends.size(), 6u);

  world("law.xml", "<text name='abut.restitution.law' data='stronge'/>");
  Answer a = abut("run law.xml --contact st --time 0.1");
  EXPECT_EQ(a.exit_code, 2);
  EXPECT_THAT(a.err, HasSubstr("one impact at a time"));
  world("bad.xml", "<text name='abut.restitution.law' data='stronger'/>");
  a = abut("run bad.xml --time 0.1");
  EXPECT_EQ(a.exit_code, 2);
  EXPECT_THAT(a.err, HasSubstr("newton, poisson, stronge"));
  world("time.xml", "<text name='abut.impact.time' data='regress'/>");
  a = abut("run time.xml --contact volumetric --time 0.1");
  EXPECT_EQ(a.exit_code, 0);
  EXPECT_THAT(a.err, HasSubstr("abut.impact.time is not used"));
  EXPECT_THAT(a.err, HasSubstr("bounces as its damping says"));
}

}  // namespace
}  // namespace abut::test
