// Broken files: each ends with exit code 2 in under a second, and a message that names file,
// line and what to do.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <set>

#include "broken_files.h"
#include "tool.h"

namespace abut::test {
namespace {

using testing::HasSubstr;

class Broken : public ToolTest, public testing::WithParamInterface<BrokenFile> {};

TEST_P(Broken, ExitsWithTwoAndSaysWhereAndWhat) {
  const BrokenFile& broken = GetParam();
  // what some of them name
  write("empty.stl", "");
  write("text.obj", "this is no mesh\n");
  write("ring_b.xml", "<mujoco>\n<include file='ring.xml'/>\n</mujoco>");
  std::filesystem::create_directory(folder_ / "folder.stl");
  write(broken.name, broken.content);

  const auto start = std::chrono::steady_clock::now();
  const Answer answer = abut(std::string("run ") + broken.name);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_LT(took.count(), 1.0);
  EXPECT_EQ(answer.out, "");
  if (broken.line > 0) {
    EXPECT_THAT(answer.err, HasSubstr(".xml:" + std::to_string(broken.line) + ":"));
  } else {
    EXPECT_THAT(answer.err, HasSubstr(broken.name));
  }
  EXPECT_THAT(answer.err, HasSubstr(broken.advice));
  EXPECT_FALSE(std::filesystem::exists(
      folder_ / (std::filesystem::path(broken.name).stem().string() + ".last.state")));
}

INSTANTIATE_TEST_SUITE_P(Files, Broken, testing::ValuesIn(broken_files()), [](const auto& info) {
  return std::filesystem::path(info.param.name).stem().string();
});

TEST(BrokenFiles, AreManyAndOfManyKinds) {
  std::set<std::string> kinds, names;
  for (const BrokenFile& broken : broken_files()) {
    kinds.insert(broken.kind);
    names.insert(broken.name);
  }
  EXPECT_GE(names.size(), 60u);
  EXPECT_GE(kinds.size(), 20u);
}

TEST_F(ToolTest, ADirectoryIsNoWorld) {
  std::filesystem::create_directory(folder_ / "folder.xml");
  const Answer answer = abut("run folder.xml");
  EXPECT_EQ(answer.exit_code, 2);
  EXPECT_THAT(answer.err, HasSubstr("folder.xml"));
}

}  // namespace
}  // namespace abut::test
