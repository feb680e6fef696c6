// For each attribute that the schema calls `read`: a number of the world that changes
// with it.
#include <gtest/gtest.h>

#include <set>

#include "abut/load/mjcf/mjcf_schema.h"
#include "load/attribute_cases.h"
#include "load/world_dump.h"
#include "support/tree.h"

namespace abut {
namespace {

using test::AttributeCase;

// "[[a|b]]" with the attribute is a, without it b; "[[a]]" is nothing without it.
std::string variant(std::string text, bool with) {
  for (std::size_t open = text.find("[["); open != text.npos; open = text.find("[[", open)) {
    const std::size_t close = text.find("]]", open);
    const std::string inside = text.substr(open + 2, close - open - 2);
    const std::size_t bar = inside.find('|');
    const std::string kept = with                 ? inside.substr(0, bar)
                             : bar == inside.npos ? ""
                                                  : inside.substr(bar + 1);
    text.replace(open, close + 2 - open, kept);
    open += kept.size();
  }
  return "<mujoco>" + text + "</mujoco>";
}

class MjcfAttribute : public testing::TestWithParam<AttributeCase> {};

TEST_P(MjcfAttribute, ChangesANumber) {
  const AttributeCase& c = GetParam();
  const std::filesystem::path data = std::filesystem::path(test::in_tree()) / "tests/data/load";
  const World with = parse_mjcf(variant(c.xml, true), "with", data);
  const World without = parse_mjcf(variant(c.xml, false), "without", data);
  const std::string shown(c.shows);
  EXPECT_NE(test::dump(with).find(shown), std::string::npos) << test::dump(with);
  EXPECT_EQ(test::dump(without).find(shown), std::string::npos) << shown << " is there without it";
  EXPECT_TRUE(with.warnings.empty()) << with.warnings.front().text;
}

INSTANTIATE_TEST_SUITE_P(All, MjcfAttribute, testing::ValuesIn(test::kAttributeCases),
                         [](const auto& info) {
                           return std::string(info.param.element) + "_" + info.param.attribute +
                                  "_" + std::to_string(info.index);
                         });

TEST(MjcfSchema, EveryAttributeThatIsReadHasACase) {
  // told by an error, by a warning or by a file's place: tests of their own
  const std::set<std::string> elsewhere = {
      "compiler coordinate", "compiler discardvisual", "compiler fusestatic", "compiler eulerseq",
      "compiler strippath",  "compiler assetdir",      "mesh builtin",        "mesh params",
      "mesh content_type",   "hfield content_type",    "attach model",        "attach body",
      "attach frame",        "attach prefix",          "model name",          "model file",
      "mujoco model",        "default class"};
  std::set<std::string> covered;
  for (const AttributeCase& c : test::kAttributeCases)
    covered.insert(std::string(c.element) + " " + c.attribute);
  // the shortcuts of a general actuator share its attributes; so do the frame's orientations
  const std::set<std::string_view> shared = {
      "name",          "class",      "group",     "ctrlrange", "ctrllimited", "forcelimited",
      "forcerange",    "actlimited", "actrange",  "gear",      "joint",       "tendon",
      "jointinparent", "site",       "refsite",   "cranksite", "slidersite",  "cranklength",
      "body",          "quat",       "axisangle", "xyaxes",    "zaxis",       "euler",
      "cutoff",        "noise",      "active",    "dyntype",   "dynprm",      "actearly",
      "childclass",    "pos",        "polycoef",  "body1",     "body2",       "site1",
      "site2",         "objtype",    "objname",   "reftype",   "refname",     "camera"};
  for (const KnownAttribute& a : known_attributes()) {
    if (a.fate != Fate::read || shared.contains(a.name)) continue;
    const std::string key = std::string(a.element) + " " + std::string(a.name);
    const bool spatial = a.element == "spatial" || a.element == "default_tendon";
    if (elsewhere.contains(key) || spatial) continue;
    EXPECT_TRUE(covered.contains(key)) << "no test of " << key;
  }
}

}  // namespace
}  // namespace abut
