// abut tune, as a user types it.
#include <gmock/gmock.h>

#include "tool.h"

namespace abut::test {
namespace {

using testing::HasSubstr;

class TuneCommand : public ToolTest {
 protected:
  void SetUp() override {
    ToolTest::SetUp();
    std::ofstream(folder_ / "ball.xml")
        << "<mujoco model='ball'><worldbody><geom type='plane' size='1 1 1'/><body pos='0 0 0.1'>"
           "<freejoint/><geom type='sphere' size='0.1' mass='1'/></body></worldbody></mujoco>";
  }
};

TEST_F(TuneCommand, FindsGainsThatCanBePasted) {
  const Answer a = abut("tune ball.xml --contact deepest --time 0.3 --runs 16 --out gains --json");
  ASSERT_EQ(a.exit_code, 0) << a.err;
  const auto j = a.json();
  EXPECT_EQ(j["runs"], 16);
  EXPECT_EQ(j["trials"].size(), 16u);
  EXPECT_EQ(j["trials"][0]["origin"], "own");
  EXPECT_LE(j["best"]["cost"].get<double>(), 2);
  EXPECT_EQ(j["ranges"].size(), 2u);
  for (const char* file : {"trials.csv", "tune.svg", "summary.json", "gains.xml"})
    EXPECT_TRUE(std::filesystem::exists(folder_ / "gains" / file)) << file;
  if (j["best"]["run"] != 0) {
    EXPECT_THAT(j["custom"].get<std::string>(), HasSubstr("abut.deepest.kp"));
  }
}

TEST_F(TuneCommand, PrintsATable) {
  const Answer a = abut(
      "tune ball.xml --contact multipoint --vary kp=1e3:1e5 --measure "
      "penetration=2,energy --time 0.2 --runs 8 --threads 1");
  ASSERT_EQ(a.exit_code, 0) << a.err;
  EXPECT_THAT(a.out, HasSubstr("8 runs of ball.xml under multipoint"));
  EXPECT_THAT(a.out, HasSubstr("weights     penetration 2, energy 1"));
  EXPECT_THAT(a.out, HasSubstr("multipoint.kp"));
}

TEST_F(TuneCommand, RefusesWhatItCannotDo) {
  for (const char* words :
       {"tune", "tune nothing.xml", "tune ball.xml", "tune ball.xml --contact deepest --vary kp",
        "tune ball.xml --contact deepest --vary kp=2:1",
        "tune ball.xml --contact deepest --vary kq=1:2", "tune ball.xml --contact st",
        "tune ball.xml --contact deepest --measure fun",
        "tune ball.xml --contact deepest --measure energy=0",
        "tune ball.xml --contact deepest --runs 2", "tune ball.xml --contact deepest --threads -1",
        "tune ball.xml --contact deepest --set nonsense",
        "tune ball.xml --contact deepest --set no.such=1",
        "tune ball.xml --contact deepest --time -1"}) {
    const Answer answer = abut(words);
    EXPECT_NE(answer.exit_code, 0) << words;
    EXPECT_FALSE(answer.err.empty()) << words;
  }
}

}  // namespace
}  // namespace abut::test
