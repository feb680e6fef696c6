// abut contact as a user types it, and the worlds of worlds/contact against what they say
// must come out.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <pugixml.hpp>
#include <sstream>

#include "support/tree.h"
#include "tool.h"

namespace abut::test {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;

class ContactTool : public ToolTest {
 protected:
  // The pairs of one world.
  Json pairs(const std::string& arguments) const {
    const Answer a = abut("contact --json " + arguments);
    EXPECT_EQ(a.exit_code, 0) << a.err;
    return a.json()[0]["pairs"];
  }
};

// "Expected: distance 0.05; normal 0 0 1; .." of a world's comment.
std::vector<std::vector<std::string>> expectations(const std::filesystem::path& file) {
  std::ostringstream all;
  all << std::ifstream(file).rdbuf();
  std::string text = all.str();
  const auto begin = text.find("Expected: "), end = text.find("-->");
  EXPECT_LT(begin, end) << file;
  text = text.substr(begin + 10, end - begin - 10);
  text.erase(text.find_last_of('.'));
  std::vector<std::vector<std::string>> out;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ';');) {
    std::istringstream words(part);
    std::vector<std::string>& list = out.emplace_back();
    for (std::string word; words >> word;) list.push_back(word);
  }
  return out;
}

void expect(const Json& pair, const std::vector<std::string>& what, const std::string& world) {
  const std::string& key = what[0];
  auto wanted = [&](std::size_t i) { return std::stod(what[i]); };
  if (key == "indeterminate") {
    EXPECT_TRUE(pair["indeterminate"].get<bool>()) << world;
    EXPECT_TRUE(pair["normal"].is_null()) << world;
  } else if (key == "normal" || key == "centroid") {
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_NEAR(pair[key][i].get<double>(), wanted(i + 1), 1e-9) << world << " " << key;
  } else if (key == "features") {
    EXPECT_EQ(pair["features"]["a"]["kind"], what[1]) << world;
    EXPECT_EQ(pair["features"]["b"]["kind"], what[2]) << world;
  } else if (key == "manifold" || key == "patch") {
    EXPECT_EQ(static_cast<int>(pair[key].size()), std::stoi(what[1])) << world << " " << key;
  } else if (key == "distance") {
    EXPECT_NEAR(pair[key].get<double>(), wanted(1), 1e-9) << world;
  } else if (key == "volume") {
    EXPECT_NEAR(pair[key].get<double>(), wanted(1), 1e-6 * wanted(1) + 1e-15) << world;
  } else {
    ADD_FAILURE() << world << ": what is '" << key << "'?";
  }
}

TEST_F(ContactTool, WorldsGiveWhatTheySay) {
  int worlds = 0;
  for (const auto& entry : std::filesystem::directory_iterator(test::in_tree("/worlds/contact"))) {
    const std::string world = entry.path().stem().string();
    const Json all = pairs("contact/" + world);
    ASSERT_EQ(all.size(), 1u) << world;
    EXPECT_EQ(all[0]["a"], "a");
    EXPECT_EQ(all[0]["body_a"], "world");
    for (const auto& what : expectations(entry.path())) expect(all[0], what, world);
    ++worlds;
  }
  EXPECT_GT(worlds, 40);
}

TEST_F(ContactTool, ReachTakesInWhatIsNear) {
  EXPECT_EQ(pairs("contact/ff_tilted")[0]["patch"].size(), 2u);
  const Json patch = pairs("contact/ff_tilted --reach 1e-5")[0]["patch"];
  ASSERT_EQ(patch.size(), 4u);
  double largest = 0;
  for (const Json& p : patch) largest = std::max(largest, p["gap"].get<double>());
  EXPECT_NEAR(largest, 2e-6, 1e-10);
}

TEST_F(ContactTool, BothVolumesAgree) {
  for (const char* world : {"contact/ff_deep", "contact/ee_crossing_deep", "contact/hulls_deep"}) {
    const double clip = pairs(world)[0]["volume"];
    const double dual = pairs(std::string(world) + " --volume dual")[0]["volume"];
    EXPECT_NEAR(clip, dual, 1e-9 * clip) << world;
  }
}

TEST_F(ContactTool, NormalsFollowTheRuleAskedFor) {
  const Json centre = pairs("contact/long_box --normal center-to-center")[0]["normal"];
  EXPECT_NEAR(centre[0].get<double>(), 0.4 / std::hypot(0.4, 0.14), 1e-9);
  EXPECT_TRUE(pairs("contact/ff_apart --normal area-weighted")[0]["normal"].is_null());
}

TEST_F(ContactTool, StateComesFromTheCommandLine) {
  const Json moved = pairs("contact/ff_apart --q 0,0,0.5,1,0,0,0");
  EXPECT_NEAR(moved[0]["distance"].get<double>(), 0.3, 1e-12);
  EXPECT_EQ(abut("contact contact/ff_apart --q 1,2").exit_code, 2);
  EXPECT_EQ(abut("contact contact/ff_apart --keyframe none").exit_code, 2);
}

TEST_F(ContactTool, WithinLimitsThePairs) {
  const Json all = pairs("humanoid"), near = pairs("humanoid --within 0.05");
  EXPECT_LT(near.size(), all.size());
  std::size_t expected = 0;
  for (const Json& p : all) expected += p["distance"].get<double>() <= 0.05;
  EXPECT_EQ(near.size(), expected);
  EXPECT_GT(expected, 0u);
}

TEST_F(ContactTool, SeveralWorldsAndATable) {
  EXPECT_EQ(abut("contact --json contact/vf contact/ff_aligned").json().size(), 2u);
  const Answer table = abut("contact contact/ff_rotated contact/vv");
  EXPECT_EQ(table.exit_code, 0);
  for (const char* text : {"distance m", "face 3", "indeterminate", "1 pair, 1 touching"})
    EXPECT_THAT(table.out, HasSubstr(text));
}

TEST_F(ContactTool, DrawsThePair) {
  EXPECT_EQ(abut("contact contact/vf_deep --picture vf.svg").exit_code, 0);
  pugi::xml_document document;
  EXPECT_TRUE(document.load_file((folder_ / "vf.svg").c_str()));
  EXPECT_EQ(abut("contact contact/vf contact/vv --picture x.svg").exit_code, 2);
}

TEST_F(ContactTool, BadUsageExitsWithTwo) {
  for (const char* arguments :
       {"contact", "contact no-such", "contact contact/vf --reach -1",
        "contact contact/vf --reach x", "contact contact/vf --normal up",
        "contact contact/vf --volume guess", "contact contact/vf --picture no/such/folder.svg"}) {
    const Answer a = abut(arguments);
    EXPECT_EQ(a.exit_code, 2) << arguments;
    EXPECT_NE(a.err, "") << arguments;
  }
}

TEST_F(ContactTool, RefusesAWorldThatSaysItIsPlanarAndIsNot) {
  const auto file = write("flat.xml",
                          "<mujoco>\n<custom>\n<text name='abut.plane' data='xy'/>\n</custom>\n"
                          "<worldbody><body><freejoint/><geom type='box' size='1 1 1'/></body>"
                          "</worldbody></mujoco>");
  const Answer a = abut("contact " + file.string());
  EXPECT_EQ(a.exit_code, 2);
  EXPECT_THAT(a.err, HasSubstr("flat.xml:3"));
}

}  // namespace
}  // namespace abut::test
