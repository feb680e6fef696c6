// abut compare and abut models: several models side by side, and what goes together.
#include <gmock/gmock.h>

#include "tool.h"

namespace abut::test {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;

const char* const kSlope = R"(<mujoco model="slope"><option timestep="0.004"/><worldbody>
  <geom name="slope" type="plane" size="5 5 1" zaxis="0.2 0 1" friction="0.5"/>
  <body name="box" pos="0 0 0.13"><freejoint/>
  <geom name="box" type="box" size="0.1 0.1 0.1" mass="2" friction="0.5"/></body>
  </worldbody></mujoco>)";

TEST_F(ToolTest, CompareRunsEveryCombinationOnce) {
  write("slope.xml", kSlope);
  const Answer a = abut(
      "compare slope.xml --contact none,st,ap --stabilize none,post --time 0.5 --json --report "
      "page.html");
  ASSERT_EQ(a.exit_code, 0) << a.err;
  const Json all = a.json();
  ASSERT_EQ(all.size(), 6u);
  EXPECT_EQ(all[0]["label"], "none none");
  EXPECT_EQ(all[3]["label"], "st post");
  EXPECT_EQ(all[3]["contact"], "st");
  EXPECT_EQ(all[3]["stabilize"], "post");
  EXPECT_EQ(all[0]["farthest"]["distance"], 0.0);
  // the box falls through, or lands: the models tell the two apart, and each other hardly
  EXPECT_GT(all[3]["farthest"]["distance"].get<double>(), 0.5);
  EXPECT_EQ(all[3]["farthest"]["body"], "box");
  EXPECT_GT(all[0]["penetration"]["max"].get<double>(), 0.5);
  EXPECT_LT(all[3]["penetration"]["max"].get<double>(), 1e-6);
  EXPECT_LT(std::abs(all[3]["bodies"]["box"]["position"][2].get<double>() -
                     all[5]["bodies"]["box"]["position"][2].get<double>()),
            1e-2);
  std::ifstream in(folder_ / "page.html");
  const std::string page(std::istreambuf_iterator<char>(in), {});
  EXPECT_THAT(page, HasSubstr("Deepest overlap"));
  EXPECT_THAT(page, HasSubstr("st post"));
}

// Each of them is the run that `abut run` makes.
TEST_F(ToolTest, ComparedRunsAreRunsOfTheirOwn) {
  write("slope.xml", kSlope);
  const Json all = abut("compare slope.xml --contact ap,st --time 0.3 --json").json();
  for (const Json& one : all)
    EXPECT_EQ(one["hash"],
              abut("run slope.xml --time 0.3 --json --contact " + one["contact"].get<std::string>())
                  .json()["hash"]);
  const Answer table = abut("compare slope.xml --time 0.3");
  EXPECT_THAT(table.out, HasSubstr("overlap max"));
  EXPECT_THAT(table.out, HasSubstr("box"));
}

// Williams, Lu and Trinkle, Fig. 1: a vertex passes a corner, and models with a half-space for each
// edge hold it.
TEST_F(ToolTest, CompareShowsTheTrapAtACorner) {
  const Json all =
      abut("compare peg/corner --contact ap,st,lnc,peg --data features --time 2 --json").json();
  ASSERT_EQ(all.size(), 4u);
  for (const Json& one : all) {
    const double y = one["bodies"]["diamond"]["position"][1].get<double>();
    const bool trapped = one["contact"] == "ap" || one["contact"] == "st";
    EXPECT_EQ(trapped, y > -0.5) << one["contact"] << " " << y;
    if (!trapped) {
      EXPECT_NEAR(y, 0.6 - 2, 1e-12) << one["contact"];
    }
  }
  const Answer refused = abut("compare peg/corner --contact peg,deepest --data features");
  EXPECT_NE(refused.exit_code, 0);
  EXPECT_THAT(refused.err, HasSubstr("data features does not go with contact deepest"));
}

TEST_F(ToolTest, CompareRefusesWhatRunRefuses) {
  write("slope.xml", kSlope);
  for (const std::string flags :
       {"--contact st,multipint", "--integrator rk4", "--solver lemke", "--stabilize post,nonsense",
        "--time -1", "--report missing/page.html"}) {
    const Answer a = abut("compare slope.xml --time 0.1 " + flags);
    EXPECT_EQ(a.exit_code, 2) << flags;
    EXPECT_EQ(a.out, "") << flags;
  }
}

// What the table lists runs, what it refuses does not.
TEST_F(ToolTest, ModelsSayWhatGoesTogether) {
  write("slope.xml", kSlope);
  const Json models = abut("models --json").json();
  ASSERT_EQ(models["contact"][0]["name"], "fast");
  EXPECT_TRUE(models["contact"][0]["default"].get<bool>());
  EXPECT_EQ(models["contact"][0]["defaults"]["friction"], "cone");
  EXPECT_EQ(models["contact"][0]["defaults"]["stabilize"], "post");
  for (const char* axis : {"contact", "friction", "stabilize", "solver", "integrator"})
    for (const Json& entry : models[axis])
      EXPECT_FALSE(entry["about"].get<std::string>().empty()) << axis << entry["name"];
  for (const Json& model : models["contact"])
    for (const Json& stabilize : model["stabilize"])
      EXPECT_EQ(
          abut("run slope.xml --time 0.04 --quiet --contact " + model["name"].get<std::string>() +
               " --stabilize " + stabilize.get<std::string>())
              .exit_code,
          0)
          << model["name"] << stabilize;
  ASSERT_FALSE(models["refused"].empty());
  for (Json refused : models["refused"]) {
    const std::string why = refused["why"];
    refused.erase("why");
    std::string flags;
    for (const auto& [axis, value] : refused.items())
      flags += " --" + axis + " " + value.get<std::string>();
    const Answer a = abut("run slope.xml --time 0.04" + flags);
    EXPECT_EQ(a.exit_code, 2) << flags;
    EXPECT_THAT(a.err, HasSubstr(why)) << flags;
  }
  EXPECT_THAT(abut("models").out, HasSubstr("does not go together"));
}

}  // namespace
}  // namespace abut::test
