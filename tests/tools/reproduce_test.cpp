// abut reproduce as a user types it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <pugixml.hpp>

#include "tool.h"

namespace abut::test {
namespace {

using testing::HasSubstr;

class ReproduceTool : public ToolTest {};

TEST_F(ReproduceTool, RowsHaveTheAgreedFields) {
  const Answer a = abut("reproduce K-X7 --json");
  EXPECT_EQ(a.exit_code, 0) << a.err;
  const auto rows = a.json();
  ASSERT_EQ(rows.size(), 3u);
  for (const auto& row : rows)
    for (const char* field :
         {"id", "experiment", "seed", "paper", "figure", "statement", "claim", "why", "printed",
          "expected", "bound", "measured", "pass", "settings", "world"})
      EXPECT_TRUE(row.contains(field)) << field;
  EXPECT_EQ(rows[0]["id"], "K-T7");
  EXPECT_EQ(rows[0]["experiment"], "K-X7");
  EXPECT_EQ(rows[0]["seed"], "002");
  EXPECT_EQ(rows[0]["paper"], "Cheng Yi and Drumwright, undated");
  EXPECT_EQ(rows[0]["figure"], "Fig. 8");
  EXPECT_EQ(rows[0]["pass"], true);
  EXPECT_EQ(rows[0]["claim"], "yes");
  EXPECT_TRUE(rows[0]["world"].is_null());
  // the torque is not what the paper says, and abut holds its own bound
  EXPECT_EQ(rows[1]["claim"], "no");
  EXPECT_EQ(rows[1]["pass"], true);
  EXPECT_NE(rows[1]["why"].get<std::string>(), "");
}

TEST_F(ReproduceTool, ACheckCanBeAskedForAlone) {
  const auto rows = abut("reproduce k-t2 --json").json();
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0]["id"], "K-T2");
}

TEST_F(ReproduceTool, ListsAndReadsWell) {
  const Answer list = abut("reproduce --list");
  EXPECT_EQ(list.exit_code, 0);
  EXPECT_THAT(list.out, HasSubstr("K-X4"));
  EXPECT_GE(abut("reproduce 002 --list --json").json().size(), 5u);
  const Answer text = abut("reproduce K-X2");
  EXPECT_THAT(text.out, HasSubstr("passed"));
  EXPECT_THAT(text.out, HasSubstr("measured"));
  EXPECT_THAT(text.out, HasSubstr("1 statements come out"));
  EXPECT_THAT(abut("reproduce --papers").out, HasSubstr("`abut reproduce K-T2` |\n"));
}

TEST_F(ReproduceTool, UnknownIdsExitWithTwoAndTheList) {
  const Answer a = abut("reproduce K-X99");
  EXPECT_EQ(a.exit_code, 2);
  EXPECT_THAT(a.err, HasSubstr("K-X99"));
  EXPECT_THAT(a.err, HasSubstr("K-X4"));
}

TEST_F(ReproduceTool, WritesAPageAndItsPictures) {
  const Answer a = abut("reproduce K-X2 --out deep/er --quiet");
  EXPECT_EQ(a.exit_code, 0) << a.err;
  EXPECT_EQ(a.out, "");
  for (const char* name : {"index.html", "K-X2-1.svg", "K-X2-2.svg"}) {
    pugi::xml_document document;
    EXPECT_TRUE(document.load_file((folder_ / "deep/er" / name).c_str())) << name;
  }
  EXPECT_TRUE(std::filesystem::exists(folder_ / "deep/er/reproduce.json"));
  write("file", "");
  EXPECT_EQ(abut("reproduce K-X2 --out file").exit_code, 2);
}

}  // namespace
}  // namespace abut::test
