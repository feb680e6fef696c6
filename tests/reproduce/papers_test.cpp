// The map of the papers: every figure has a row, every row and file that it names is there, and
// docs/papers.md is what is printed from it.
#include "abut/reproduce/papers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>

#include "abut/reproduce/flags.h"
#include "abut/reproduce/registry.h"
#include "abut/reproduce/williams_lu_trinkle/p_run.h"
#include "support/tree.h"
#include "tests/reproduce/papers_page.h"
#include "tests/reproduce/settings_text.h"

namespace abut::reproduce {
namespace {

using testing::HasSubstr;

// Figures that each paper numbers, as it prints them.
const std::map<std::string, int> kFigures{
    {"000", 15}, {"001", 12}, {"002", 8}, {"003", 10}, {"004", 12}};

TEST(Papers, EveryFigureHasARow) {
  for (const auto& [seed, count] : kFigures)
    for (int i = 1; i <= count; ++i) {
      const std::string figure = "Fig. " + std::to_string(i);
      bool shown = false;
      for (const PaperItem& item : paper_items())
        shown = shown || (item.seed == seed && item.item == figure && *item.rows != 0);
      EXPECT_TRUE(shown) << seed << ' ' << figure;
    }
}

TEST(Papers, RowsAndFilesAreThere) {
  std::set<std::string> checks;
  for (const Experiment& e : experiments()) checks.insert(e.checks.begin(), e.checks.end());
  const std::filesystem::path root(test::in_tree());
  for (const PaperItem& item : paper_items()) {
    for (const std::string& id : row_ids(item)) {
      EXPECT_TRUE(checks.contains(id)) << item.item << ' ' << id;
      const Paper* paper = nullptr;
      for (const Paper& p : papers())
        if (std::string(p.seed) == item.seed) paper = &p;
      ASSERT_NE(paper, nullptr);
      EXPECT_EQ(id.substr(0, 1), paper->letter) << item.item;
    }
    EXPECT_TRUE(std::filesystem::exists(root / item.file)) << item.file;
    EXPECT_EQ(*item.rows == 0, *item.test != 0) << item.item;
    EXPECT_TRUE(*item.test == 0 || std::filesystem::exists(root / item.test)) << item.test;
  }
}

TEST(Papers, PageIsWhatIsPrinted) { EXPECT_THAT(papers_page(), HasSubstr(papers_tables())); }

TEST(Papers, FiguresOfACheck) {
  EXPECT_EQ(figures_of("K-T2"), "Fig. 2");
  EXPECT_EQ(figures_of("D-T2"), "Figs 7, 9");
  EXPECT_EQ(figures_of("P-T9"), "Table 1");
  EXPECT_EQ(figures_of("P-T12"), "");
}

// Typed again, they are the settings that ran.
TEST(Papers, FlagsSayAllThatDiffers) {
  ContactSettings ap;
  ap.model = "ap";
  ap.tolerance = 0.2;
  ap.data = ContactSource::features;
  ap.stabilize = Stabilize::none;
  EXPECT_EQ(flags_of(ap),
            "--contact ap --data features --stabilize none --set contact.tolerance=0.2");
  EXPECT_THAT(flags_of(printed_st()), HasSubstr("--set st.contacts=start"));
  for (const NamedModel& m : five_models())
    EXPECT_EQ(why_settings_are_wrong(flags_of(m.settings)), "") << m.name;
  EXPECT_NE(why_settings_are_wrong("--contact st --set st.contact=start"), "");
  EXPECT_NE(why_settings_are_wrong("--contacts st"), "");
}

TEST(Papers, VerdictsAreTold) {
  EXPECT_EQ(as_printed(1.0, true, "because").why, "");
  EXPECT_EQ(as_printed(1.0, false, "because").claim, Claim::no);
  EXPECT_EQ(if_changed(1.0, true, "fitted").claim, Claim::not_as_printed);
  EXPECT_EQ(if_changed(1.0, false, "fitted").claim, Claim::no);
  EXPECT_TRUE(near(1.19, 1) && !near(1.21, 1) && near(-0.9, -1));
}

}  // namespace
}  // namespace abut::reproduce
