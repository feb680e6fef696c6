// Runs the abut tool as a user types it.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "support/tree.h"

namespace abut::test {

struct Answer {
  int exit_code = -1;
  std::string out, err;
  nlohmann::json json() const { return nlohmann::json::parse(out); }
};

class ToolTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::path(testing::TempDir()) / ("abut_tool_" + std::to_string(getpid()));
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  // Runs `abut ARGUMENTS` in a folder of its own; the tree's worlds are found by name.
  Answer abut(const std::string& arguments) const {
    const std::string errors = (folder_ / "stderr").string();
    const std::string command = "cd '" + folder_.string() + "' && '" + test::tool() + "' " +
                                arguments + " 2>'" + errors + "'";
    Answer answer;
    std::FILE* pipe = popen(command.c_str(), "r");
    std::array<char, 4096> buffer;
    while (const std::size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe))
      answer.out.append(buffer.data(), n);
    answer.exit_code = WEXITSTATUS(pclose(pipe));
    std::ifstream in(errors);
    answer.err.assign(std::istreambuf_iterator<char>(in), {});
    return answer;
  }
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }

  std::filesystem::path folder_;
};

}  // namespace abut::test
