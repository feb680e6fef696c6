#include <gmock/gmock.h>

#include "abut/model/model.h"

namespace abut {
namespace {

TEST(NameTable, FindsByNameAndByNumber) {
  NameTable names("joint");
  EXPECT_EQ(names.add("knee"), 0);
  EXPECT_EQ(names.add(""), 1);
  EXPECT_EQ(names.add(""), 2);
  EXPECT_EQ(names.find("knee"), 0);
  EXPECT_EQ(names.find("joint#2"), 2);
  EXPECT_EQ(names.find("joint#0"), -1);  // it has a name
  EXPECT_EQ(names.find("joint#3"), -1);
  EXPECT_EQ(names.find("joint#"), -1);
  EXPECT_EQ(names.find("joint#1x"), -1);
  EXPECT_EQ(names.find("body#1"), -1);
  EXPECT_EQ(names.find(""), -1);
  EXPECT_EQ(names[0], "knee");
  EXPECT_EQ(names[1], "joint#1");
}

TEST(NameTable, RefusesASecondOneAndSaysWhereTheFirstIs) {
  NameTable names("geom");
  const auto file = std::make_shared<const std::string>("a.xml");
  names.add("lid", {file, 3});
  try {
    names.add("lid", {file, 9});
    FAIL();
  } catch (const WorldError& error) {
    EXPECT_STREQ(error.what(),
                 "a.xml:9: a geom named 'lid' exists already (a.xml:3); give one of them another "
                 "name");
  }
}

TEST(NameTable, SuggestsTheNearest) {
  NameTable names("joint");
  for (const char* name : {"left_knee", "right_knee", "hip", "x"}) names.add(name);
  EXPECT_EQ(names.nearest("letf_knee"), "left_knee");  // a swap
  EXPECT_EQ(names.nearest("right_kne"), "right_knee");
  EXPECT_EQ(names.nearest("hips"), "hip");
  EXPECT_EQ(names.nearest("elbow_of_the_arm"), "");
}

}  // namespace
}  // namespace abut
