// The tool on a URDF robot.
#include <gtest/gtest.h>

#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>

#include "support/tree.h"

namespace abut {
namespace {

nlohmann::json run_tool(const std::string& arguments) {
  const std::string command = test::tool() + " " + arguments + " --json 2>/dev/null";
  std::string text;
  FILE* pipe = ::popen(command.c_str(), "r");
  for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) text += static_cast<char>(c);
  EXPECT_EQ(::pclose(pipe), 0) << command;
  return nlohmann::json::parse(text, nullptr, false);
}

const std::string kRobot = test::in_tree("/tests/data/urdf/joints.urdf");

TEST(ToolUrdf, Inspect) {
  const auto j = run_tool("inspect " + kRobot);
  EXPECT_EQ(j.at("nv"), 3);
  EXPECT_EQ(j.at("nbody"), 6);
  EXPECT_TRUE(j.at("body_pose").contains("zeta"));
}

TEST(ToolUrdf, Run) {
  const auto j = run_tool("run " + kRobot + " --time 0.1");
  EXPECT_EQ(j.at("steps"), 50);
  EXPECT_FALSE(j.at("warnings").empty());
}

TEST(ToolUrdf, FloatingBase) {
  const std::string trunk = test::in_tree("/tests/data/urdf/trunk.urdf");
  EXPECT_EQ(run_tool("inspect " + trunk).at("nv"), 1);
  EXPECT_EQ(run_tool("inspect --floating-base " + trunk).at("nv"), 7);
}

}  // namespace
}  // namespace abut
