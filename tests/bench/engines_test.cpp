// The race of engines: its scenes, its judge, its table, and the engines under node.
#include <gmock/gmock.h>

#include <fmt/format.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "abut/load/mjcf/mjcf.h"
#include "abut/model/kinematics.h"
#include "abut/simulate/measure.h"
#include "bench/engines/judge.h"
#include "bench/engines/table.h"
#include "bench/support/engine.h"
#include "support/tree.h"

namespace {

using nlohmann::json;
using ::testing::HasSubstr;

constexpr const char* kScenes[] = {"pile",     "messy",  "hulls",   "mixed", "shaken",
                                   "stack",    "heavy",  "kapla",   "arch",  "chain",
                                   "ragdolls", "hinges", "pyramid", "net",   "incline"};

EngineScene small(const std::string& name) { return make_engine_scene(name, 5, 3); }

// The scene at rest where it starts.
json at_start(const EngineScene& scene) {
  json rows = json::array();
  for (const Solid& s : scene.solids) {
    if (s.mass == 0) continue;
    json row = s.position;
    for (const double x : s.turn) row.push_back(x);
    for (int k = 0; k < 6; ++k) row.push_back(0.0);
    rows.push_back(row);
  }
  return rows;
}

TEST(EngineScenes, AllLoadAndNothingOverlapsAtTheStart) {
  for (const std::string name : kScenes) {
    const EngineScene scene = small(name);
    for (const bool joined : {true, false}) {
      const abut::Model model = abut::compile(abut::parse_mjcf(as_mjcf(scene, joined)));
      const abut::State state(model);
      const abut::Overlap overlap = abut::Measure(model).sample(state, abut::Input(model)).overlap;
      EXPECT_LT(overlap.deepest, 1e-9) << name;  // stacked solids touch, up to rounding
    }
  }
}

// A tree of bodies has its solids where the scene has them.
TEST(EngineScenes, JointsLeaveSolidsWhereTheyAre) {
  for (const std::string name : {"ragdolls", "hinges"}) {
    const EngineScene scene = small(name);
    const abut::Model model = abut::compile(abut::parse_mjcf(as_mjcf(scene)));
    abut::Derived d(model);
    abut::positions(model, abut::State(model), abut::Input(model), d);
    for (std::size_t i = 0; i < scene.solids.size(); ++i) {
      if (scene.solids[i].mass == 0) continue;
      const auto body = static_cast<std::size_t>(model.find_body(fmt::format("s{}", i)));
      const Three& p = scene.solids[i].position;
      const Turn& q = scene.solids[i].turn;
      EXPECT_LT((d.body_pose[body].p - abut::Vec3(p[0], p[1], p[2])).norm(), 1e-12) << name << i;
      EXPECT_LT(d.body_pose[body].q.angularDistance(abut::Quat(q[0], q[1], q[2], q[3])), 1e-7);
    }
  }
}

TEST(EngineScenes, ASeedGivesTheSameSceneAgain) {
  EXPECT_EQ(as_json(make_engine_scene("hulls", 7, 2)), as_json(make_engine_scene("hulls", 7, 2)));
  EXPECT_NE(as_json(make_engine_scene("hulls", 7, 2)), as_json(make_engine_scene("hulls", 7, 3)));
}

TEST(EngineScenes, RefuseWhatThereIsNot) {
  EXPECT_THROW(make_engine_scene("castle", 3, 1), std::invalid_argument);
  EXPECT_THROW(make_engine_scene("stack", 0, 1), std::invalid_argument);
}

// The upper of two boxes sinks by a millimetre and has 2 m/s; the lower turns at 3 rad/s.
TEST(EngineJudge, FindsOverlapDriftAndEnergyOfKnownPoses) {
  const EngineScene scene = make_engine_scene("stack", 2, 1);
  json after = at_start(scene);
  after[1][2] = after[1][2].get<double>() - 1e-3;
  after[1][7] = 2.0;
  after[0][12] = 3.0;
  const Verdict v = judge(scene, {{"before", after}, {"after", after}});
  EXPECT_NEAR(v.most, 1e-3, 1e-12);
  EXPECT_NEAR(v.mean, 0.5e-3, 1e-12);  // of two pairs
  EXPECT_NEAR(v.drift, 1e-3, 1e-12);   // a scene that stands: from the start
  EXPECT_NEAR(v.kinetic, 0.5 * 4 + 0.5 * 9 / 6, 1e-12);
}

TEST(EngineJudge, MeasuresDriftOfWhatFellInTheWindow) {
  const EngineScene scene = small("pile");
  json before = at_start(scene), after = before;
  before[4][0] = before[4][0].get<double>() + 2e-3;
  EXPECT_NEAR(judge(scene, {{"before", before}, {"after", after}}).drift, 2e-3, 1e-12);
}

// The second of two boxes on hinges is moved off its joint at one of the samples, and lifted.
TEST(EngineJudge, FindsGapsOfJointsAndChangesOfEnergy) {
  const EngineScene scene = make_engine_scene("hinges", 2, 1);
  const json start = at_start(scene);
  json sample = start;
  sample[1][1] = 3e-3;
  sample[1][2] = 4e-3;
  const Verdict v =
      judge(scene, {{"before", start}, {"after", start}, {"samples", json::array({sample})}});
  EXPECT_NEAR(v.joint, 5e-3, 1e-12);
  EXPECT_NEAR(v.energy, 9.81 * 4e-3, 1e-12);
}

// Turned about its hinge at the world by any angle, the chain is still in one piece.
TEST(EngineJudge, TurnsAnchorsWithTheirSolids) {
  const EngineScene scene = make_engine_scene("hinges", 1, 1);
  json turned = at_start(scene);
  const double a = 0.8;
  turned[0] = {0.5 * std::cos(a),
               0,
               -0.5 * std::sin(a),
               std::cos(a / 2),
               0,
               std::sin(a / 2),
               0,
               0,
               0,
               0,
               0,
               0,
               0};
  EXPECT_LT(judge(scene, {{"before", turned}, {"after", turned}}).joint, 1e-12);
}

TEST(EngineJudge, RefusesAnswersThatDoNotFit) {
  const EngineScene scene = make_engine_scene("stack", 2, 1);
  json start = at_start(scene), few = start;
  few.erase(1);
  EXPECT_ANY_THROW(judge(scene, {{"before", start}, {"after", few}}));
  json more = start;
  more.push_back(start[0]);
  EXPECT_ANY_THROW(judge(scene, {{"before", start}, {"after", more}}));
  EXPECT_ANY_THROW(judge(scene, {{"before", start}}));
  start[0][8] = std::nan("");
  EXPECT_ANY_THROW(judge(scene, {{"before", start}, {"after", start}}));
}

TEST(EngineJudge, HashTellsEveryBit) {
  json rows = at_start(make_engine_scene("stack", 2, 1));
  const std::string hash = hash_of(rows);
  EXPECT_EQ(hash, hash_of(json::parse(rows.dump())));
  rows[1][2] = std::nextafter(rows[1][2].get<double>(), 2);
  EXPECT_NE(hash, hash_of(rows));
}

class EngineTable : public ::testing::Test {
 protected:
  EngineTable()
      : file_(std::filesystem::temp_directory_path() /
              fmt::format("abut_engines_{}.csv", getpid())) {}
  ~EngineTable() override { std::filesystem::remove(file_); }
  std::filesystem::path file_;
};

TEST_F(EngineTable, ReadsWhatItWrote) {
  {
    ResultTable table(file_);
    table.set_heading("a machine");
    table.add({.scene = "pile 500",
               .engine = "A 1",
               .method = "x",
               .threads = 2,
               .steps = 7,
               .asked = 9,
               .falling_ms = "1.5",
               .note = "out of time, alas"});
    table.add({.scene = "stack 10", .engine = "A 1", .method = "x", .settled_ms = "2"});
  }
  ResultTable again(file_);
  ASSERT_EQ(again.rows().size(), 2u);
  EXPECT_EQ(again.rows()[0].name(), "A 1 x 2 threads");
  EXPECT_EQ(again.rows()[0].steps, 7);
  EXPECT_EQ(again.rows()[0].falling_ms, "1.5");
  EXPECT_EQ(again.rows()[0].settled_ms, "");
  EXPECT_EQ(again.rows()[0].note, "out of time; alas");
  EXPECT_EQ(again.rows()[1].settled_ms, "2");
  again.drop_scene("pile 500");
  EXPECT_EQ(again.rows().size(), 1u);
}

TEST(EngineGrowth, IsThePowerOfN) {
  std::vector<ResultRow> rows;
  for (const int n : {500, 2000, 8000})
    rows.push_back({.scene = fmt::format("pile {}", n),
                    .engine = "A",
                    .method = "x",
                    .settled_ms = fmt::format("{:.12g}", 3e-3 * std::pow(n, 1.25))});
  rows.push_back({.scene = "pile 100", .engine = "B", .method = "x", .settled_ms = "7"});
  rows.push_back({.scene = "stack 10", .engine = "A", .method = "x", .settled_ms = "7"});
  EXPECT_NEAR(growth(rows, "pile", "A x"), 1.25, 1e-6);
  EXPECT_TRUE(std::isnan(growth(rows, "pile", "B x")));
}

TEST(EnginesWithoutNode, AreAbsentWithoutTheirPackage) {
  const Engine none = start_node("Jolt", abut::test::in_tree("/bench/engines/jolt.mjs"),
                                 "/nowhere/jolt-physics", "");
  EXPECT_FALSE(none.process);
  EXPECT_THAT(none.absent, HasSubstr("/nowhere/jolt-physics"));
}

struct NodeEngine {
  const char *script, *package;
};

class EnginesUnderNode : public ::testing::TestWithParam<NodeEngine> {};

// They speak the protocol, and two boxes stand on each other under them: within the slop that they
// say they have (20 mm).
TEST_P(EnginesUnderNode, HoldTwoBoxes) {
  const char* given = std::getenv("ABUT_BENCH_NPM");
  const std::filesystem::path npm =
      given != nullptr ? given : abut::test::in_tree("/build/bench/npm/node_modules");
  Engine engine =
      start_node(GetParam().script, abut::test::in_tree("/bench/engines/") + GetParam().script,
                 npm / GetParam().package, "");
  if (!engine.process) GTEST_SKIP() << engine.absent;

  const EngineScene scene = make_engine_scene("stack", 2, 1);
  const std::filesystem::path stem =
      std::filesystem::temp_directory_path() / fmt::format("abut_node_{}", getpid());
  std::ofstream(stem.string() + ".json") << as_json(scene);
  std::ofstream(stem.string() + ".xml") << as_mjcf(scene);
  EXPECT_GE(ask(engine, "methods").at("methods").size(), 1u);
  const json a = ask(engine, fmt::format("run 0 1 240 24 24 4 20 1 2 stack {}", stem.string()));
  ASSERT_FALSE(a.contains("refused")) << a.dump();
  EXPECT_EQ(a.at("steps"), 240);
  EXPECT_EQ(a.at("samples").size(), 4u);
  EXPECT_GT(a.at("falling_ms"), 0);
  const Verdict v = judge(scene, a);
  EXPECT_LT(v.most, 0.02);
  EXPECT_LT(v.drift, 0.02);
  EXPECT_LT(v.kinetic, 1e-3);

  // what can't be done is refused, and the next question is still answered
  EXPECT_TRUE(ask(engine, "run 0 1 240 24 24 4 20 1 2 stack /nowhere/scene").contains("refused"));
  EXPECT_GE(ask(engine, "methods").at("methods").size(), 1u);
  for (const char* end : {".json", ".xml"}) std::filesystem::remove(stem.string() + end);
}

INSTANTIATE_TEST_SUITE_P(All, EnginesUnderNode,
                         ::testing::Values(NodeEngine{"jolt.mjs", "jolt-physics"},
                                           NodeEngine{"rapier.mjs", "@dimforge/rapier3d-compat"},
                                           NodeEngine{"mujoco.mjs", "@mujoco/mujoco"}),
                         [](const auto& info) {
                           return std::string(info.param.script).substr(0, 4);
                         });

}  // namespace
