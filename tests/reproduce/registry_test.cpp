// The table of experiments, how they are chosen, and that every one holds what it says.
#include "abut/reproduce/registry.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/reproduce/laws_page.h"
#include "tests/reproduce/papers_page.h"
#include "tests/reproduce/settings_text.h"

namespace abut::reproduce {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> chosen(const std::vector<std::string>& ids) {
  std::vector<std::string> names;
  for (const Choice& c : select(ids)) names.push_back(c.experiment->id);
  return names;
}

TEST(Registry, IdsAreUnique) {
  std::set<std::string> ids, checks;
  for (const Experiment& e : experiments()) {
    EXPECT_TRUE(ids.insert(e.id).second) << e.id;
    EXPECT_FALSE(e.checks.empty()) << e.id;
    for (const char* check : e.checks) EXPECT_TRUE(checks.insert(check).second) << check;
  }
}

TEST(Registry, ChoosesBySeedExperimentAndCheck) {
  const std::vector<std::string> all = chosen({});
  EXPECT_EQ(all.size(), experiments().size());
  for (const char* seed : {"002", "K", "k"}) {
    const std::vector<std::string> of_seed = chosen({seed});
    EXPECT_GE(of_seed.size(), 5u);
    for (const std::string& id : of_seed) EXPECT_EQ(id[0], 'K');
  }
  EXPECT_THAT(chosen({"k-x4"}), ElementsAre("K-X4"));
  EXPECT_THAT(chosen({"K-T8", "K-X2", "K-X2"}), ElementsAre("K-X2", "K-X7"));

  const std::vector<std::string> ids{"K-T8"};
  const std::vector<Choice> one = select(ids);
  EXPECT_TRUE(one[0].wants("K-T8"));
  EXPECT_FALSE(one[0].wants("K-T7"));
  const std::vector<std::string> both{"K-T8", "K-X7"};
  EXPECT_TRUE(select(both)[0].wants("K-T7"));
}

TEST(Registry, UnknownIdsListThoseThereAre) {
  try {
    chosen({"K-X2", "Q-X9"});
    FAIL();
  } catch (const UnknownId& e) {
    EXPECT_THAT(e.what(), HasSubstr("Q-X9"));
    for (const char* id : {"002", "K-X2", "K-T8"}) EXPECT_THAT(e.what(), HasSubstr(id));
  }
}

TEST(Registry, ValuesAreWrittenAsTyped) {
  EXPECT_EQ(to_text({}), "");
  EXPECT_EQ(to_text(0.25), "0.25");
  EXPECT_EQ(to_text(std::vector<double>{1, 2.5}), "1, 2.5");
  EXPECT_EQ(to_text(std::string("words")), "words");
}

class EveryExperiment : public testing::TestWithParam<int> {};

TEST_P(EveryExperiment, HoldsWhatItSays) {
  const Experiment& e = experiments()[static_cast<std::size_t>(GetParam())];
  double last = 0;
  const Outcome outcome = e.run([&](double share) {
    EXPECT_GE(share, last);
    EXPECT_LE(share, 1);
    last = share;
  });
  std::vector<std::string> ids;
  for (const Check& c : outcome.checks) {
    if (ids.empty() || ids.back() != c.id) ids.push_back(c.id);  // a check may take several rows
    EXPECT_TRUE(c.pass.value_or(true)) << c.id << ": " << to_text(c.measured);
    EXPECT_FALSE(c.statement.empty()) << c.id;
    EXPECT_EQ(why_settings_are_wrong(c.settings), "") << c.id << ' ' << c.settings;
    // what a paper says of it, and why it does not come out
    const bool judged = c.paper.claim != Claim::none, came_out = c.paper.claim == Claim::yes;
    EXPECT_EQ(judged && to_text(c.paper.value).empty(), false) << c.id << ' ' << c.statement;
    EXPECT_EQ(judged && !came_out, !c.paper.why.empty()) << c.id << ' ' << c.statement;
    if (judged && !c.timed) expect_documented(c);
    EXPECT_FALSE(c.expected.empty()) << c.id;
    EXPECT_NE(to_text(c.measured), "") << c.id;
    if (c.column.empty()) continue;
    // a law under a model: the page says whether it holds
    static const std::map<LawCell, bool> page = documented_laws();
    const auto cell =
        page.find({fmt::format("{} {} ({})", c.id, c.statement, c.expected), c.column});
    ASSERT_NE(cell, page.end()) << c.id << ' ' << c.statement << ", " << c.column
                                << ": not in docs/laws.md; see abut reproduce laws --table";
    EXPECT_EQ(cell->second, !c.pass.value_or(false))
        << c.id << ' ' << c.statement << ", " << c.column;
  }
  EXPECT_EQ(ids, std::vector<std::string>(e.checks.begin(), e.checks.end()));
  // a figure of a paper is shown
  if (*e.figure) {
    EXPECT_FALSE(outcome.drawings.empty() && outcome.graphs.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(Reproduce, EveryExperiment,
                         testing::Range(0, static_cast<int>(experiments().size())),
                         [](const auto& info) {
                           std::string id = experiments()[std::size_t(info.param)].id;
                           id.erase(std::remove(id.begin(), id.end(), '-'), id.end());
                           return id;
                         });

}  // namespace
}  // namespace abut::reproduce
