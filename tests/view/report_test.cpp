// The page of a run: complete, self-contained, well-formed, whatever the world and its names.
#include "abut/view/page/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <pugixml.hpp>
#include <sstream>

#include "abut/load/load.h"
#include "abut/view/page/page_file.h"
#include "support/tree.h"

namespace abut::view {
namespace {

using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

std::string page_of(const Model& model, double time, RunFacts facts = {}) {
  State state(model);
  Input input(model);
  if (!model.keyframes.empty()) set_keyframe(model, 0, state, &input);
  Simulator simulator(model);
  Measure measure(model);
  Report report(model);
  RunSettings settings;
  settings.time = time;
  settings.observe = [&](std::int64_t, const State& s, const Sample& sample) {
    report.observe(s, sample, measure.derived());
  };
  facts.outcome = run(simulator, state, input, settings, measure);
  facts.time = state.time;
  facts.hash = state.hash();
  facts.energy_drift = measure.energy_drift();
  return report.page(facts);
}

pugi::xml_document checked(const std::string& page) {
  pugi::xml_document document;
  const auto result = document.load_string(page.c_str(), pugi::parse_full);
  EXPECT_TRUE(result) << result.description() << " at "
                      << page.substr(
                             result.offset > 60 ? static_cast<std::size_t>(result.offset) - 60 : 0,
                             120);
  EXPECT_LT(page.size(), 2'000'000u);
  // nothing from elsewhere: the one address is the name of SVG
  std::string rest = page;
  const std::string_view kNamespace = "http://www.w3.org/2000/svg";
  for (std::size_t at; (at = rest.find(kNamespace)) != std::string::npos;)
    rest.erase(at, kNamespace.size());
  for (const char* word : {"http", "src=", "href", "@import", "url("})
    EXPECT_THAT(rest, Not(HasSubstr(word)));
  for (const char* word : {">nan", ">inf", " nan", "\"nan", ">-nan"})
    EXPECT_THAT(page, Not(HasSubstr(word)));
  return document;
}

std::vector<std::string> titles(const pugi::xml_document& page) {
  std::vector<std::string> out;
  for (const auto& node : page.select_nodes("//text[@class='title']"))
    out.emplace_back(node.node().text().get());
  return out;
}

Model world(const char* name) { return load_model(fs::path(test::in_tree()) / "worlds" / name); }

TEST(Report, ShowsTheDemo) {
  const auto page = checked(page_of(world("demo.xml"), 1));
  EXPECT_THAT(titles(page),
              testing::ElementsAre("Seen from the side", "Seen from above", "Energy",
                                   "Energy drift (total − initial)", "Linear momentum",
                                   "Angular momentum about the world's origin", "Speed of bodies",
                                   "Spin of bodies", "Joint angles", "Joint rates",
                                   "Slide positions", "Slide velocities"));
  EXPECT_EQ(page.select_nodes("//table[@class='wide']/tbody/tr").size(), 12u);
}

TEST(Report, LongRunsStaySmall) {
  EXPECT_THAT(page_of(world("pendulum.xml"), 100), HasSubstr("Energy"));
  checked(page_of(world("humanoid.xml"), 2));
}

TEST(Report, CrowdsAreShownAndStaySmall) { checked(page_of(world("bodies1000.xml"), 0.02)); }

TEST(Report, RunsWithoutStepsHaveAPageToo) {
  const std::string page = page_of(world("double_pendulum.xml"), 0);
  checked(page);
  EXPECT_THAT(page, HasSubstr("took no step"));
  EXPECT_THAT(page, Not(HasSubstr("real time")));
}

TEST(Report, WorldsWithoutMovers) {
  World empty;
  const Model model = compile(empty);
  const auto page = checked(page_of(model, 0.1));
  EXPECT_TRUE(page.select_nodes("//table[@class='wide']").empty());
  for (const std::string& title : titles(page)) EXPECT_THAT(title, Not(HasSubstr("Seen")));
}

TEST(Report, WithoutSamplesThereIsNothingToDraw) {
  const Model model = world("pendulum.xml");
  const Report report(model);
  const auto page = checked(report.page({}));
  EXPECT_TRUE(titles(page).empty());
}

TEST(Report, NamesCannotBreakThePage) {
  World w;
  w.name = "</title><script>alert(1)</script>";
  auto& body = w.body("<b>&\"'|</svg>", {0, 0, 1});
  body.hinge("joint & <svg onload=x>", {0, 1, 0});
  body.capsule({0, 0, 0}, {0.4, 0, 0}, 0.03);
  RunFacts facts;
  facts.warnings = {"a<b>.xml:3: 'x' & \"y\"", "plain"};
  const std::string page = page_of(compile(w), 0.1, facts);
  const auto document = checked(page);
  EXPECT_THAT(page, HasSubstr("a&lt;b&gt;.xml:3"));
  EXPECT_THAT(page, HasSubstr("2 warnings"));
  EXPECT_EQ(document.select_nodes("//script").size(), 1u);
  EXPECT_THAT(page, Not(HasSubstr("<svg onload")));
}

TEST(Report, ProfileIsABar) {
  RunFacts facts;
  facts.stages = {{"kinematics", 0.01, ""}, {"dynamics", 0.03, ""}};
  const std::string page = page_of(world("pendulum.xml"), 0.1, facts);
  checked(page);
  EXPECT_THAT(page, HasSubstr("kinematics  10 ms (25 %)"));
}

TEST(Report, DivergedRunsSaySo) {
  const Model model = world("pendulum.xml");
  RunFacts facts;
  facts.outcome.diverged_body = 1;
  EXPECT_THAT(Report(model).page(facts), HasSubstr("diverged"));
}

class PageFileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / ("abut_page_" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string read(const fs::path& file) const {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
  }
  fs::path folder_;
};

TEST_F(PageFileTest, IsWholeOrNotThere) {
  const fs::path file = folder_ / "page.html";
  { PageFile unwritten(file); }
  EXPECT_TRUE(fs::is_empty(folder_));
  {
    PageFile page(file);
    EXPECT_FALSE(fs::exists(file));
    page.write("first");
  }
  EXPECT_EQ(read(file), "first");
  { PageFile unwritten(file); }
  EXPECT_EQ(read(file), "first");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), {}), 1);
}

TEST_F(PageFileTest, RefusesWhatCannotBeWritten) {
  for (const fs::path& file : {folder_, folder_ / "missing/page.html", fs::path("/dev/null"),
                               fs::path(""), fs::path("/proc/page.html"), folder_ / "x/"})
    EXPECT_THROW(PageFile{file}, PageError) << file;
}

}  // namespace
}  // namespace abut::view
