// Rooms depend downwards only: no file of abut/ includes one of a room above its own.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>

#include "support/tree.h"

namespace abut::test {
namespace {

namespace fs = std::filesystem;

// The rooms from the ground up, as docs/architecture.md has them.
constexpr std::array<std::string_view, 14> kRooms = {
    "math",      "shape",   "model",    "load",   "dynamics", "collide",   "solve",
    "constrain", "contact", "simulate", "haptic", "sweep",    "reproduce", "view"};

int floor_of(std::string_view room) {
  const auto found = std::find(kRooms.begin(), kRooms.end(), room);
  return found == kRooms.end() ? -1 : static_cast<int>(found - kRooms.begin());
}

// Why a file of `room` must not include "path"; empty when it may.
// A file of no room (abut/abut.h) stands above them all.
std::string objection(std::string_view room, const std::string& path) {
  static const std::regex in_abut(R"(abut/(?:([^/]+)/)?[^/].*)");
  std::smatch match;
  if (!std::regex_match(path, match, in_abut)) return "is not written as abut/<room>/<file>";
  const std::string included = match[1];
  if (path == "abut/version.h") return "";  // needs nothing, so it lies below them all
  if (included.empty()) return room.empty() ? "" : "belongs to no room";
  if (floor_of(included) < 0) return "is in an unknown room";
  if (room.empty() || included == room) return "";
  if (floor_of(room) < 0) return "is included from an unknown room";
  // solvers know numbers alone
  if (room == "solve" && included != "math") return "is not math, all that solve may know";
  if (floor_of(included) > floor_of(room)) return "is in a room above " + std::string(room);
  return "";
}

// One line for each include of `text` that goes where it must not.
std::string objections(std::string_view room, const std::string& name, const std::string& text) {
  static const std::regex include(R"re(^[ \t]*#[ \t]*include[ \t]*"([^"]+)")re");
  std::ostringstream report;
  std::istringstream lines(text);
  std::string line;
  for (int number = 1; std::getline(lines, line); ++number) {
    std::smatch match;
    if (!std::regex_search(line, match, include)) continue;
    const std::string why = objection(room, match[1]);
    if (!why.empty()) report << name << ":" << number << ": \"" << match[1] << "\" " << why << "\n";
  }
  return report.str();
}

TEST(Includes, GoDownTheRooms) {
  const fs::path library = fs::path(test::in_tree()) / "abut";
  std::string report;
  int files = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(library)) {
    const fs::path extension = entry.path().extension();
    if (extension != ".h" && extension != ".cpp" && extension != ".inl") continue;
    const fs::path relative = entry.path().lexically_relative(library);
    const std::string room = relative.has_parent_path() ? relative.begin()->string() : "";
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    report += objections(room, "abut/" + relative.string(), text.str());
    ++files;
  }
  EXPECT_EQ(report, "");
  EXPECT_GT(files, 0);
}

TEST(Includes, EveryFolderIsARoom) {
  for (const fs::directory_entry& entry :
       fs::directory_iterator(fs::path(test::in_tree()) / "abut")) {
    if (!entry.is_directory()) continue;
    EXPECT_GE(floor_of(entry.path().filename().string()), 0) << entry.path();
  }
}

// The walk above would pass if it saw nothing; so it is shown what it must see.
TEST(Includes, UpwardOnesAreSeen) {
  EXPECT_EQ(objections("model", "m.h",
                       "#pragma once\n#include <vector>\n  # include \"abut/load/mjcf/mjcf.h\"\n"),
            "m.h:3: \"abut/load/mjcf/mjcf.h\" is in a room above model\n");
  EXPECT_NE(objections("math", "m.h", "#include \"abut/view/live/server.h\""), "");
  EXPECT_NE(objections("solve", "s.h", "#include \"abut/shape/polyhedron.h\""), "");
  EXPECT_NE(objections("shape", "s.h", "#include \"polyhedron.h\""), "");
  EXPECT_NE(objections("shape", "s.h", "#include \"abut/kitchen/sink.h\""), "");
  EXPECT_NE(objections("shape", "s.h", "#include \"abut/abut.h\""), "");
}

TEST(Includes, OthersAreLeftAlone) {
  EXPECT_EQ(objections("view", "v.h", "#include \"abut/math/types.h\""), "");
  EXPECT_EQ(objections("contact", "c.h", "#include \"abut/contact/fast/rows.h\""), "");
  EXPECT_EQ(objections("solve", "s.h",
                       "#include \"abut/math/types.h\"\n#include \"abut/solve/pivoting/lemke.h\""),
            "");
  EXPECT_EQ(objections("", "abut.h", "#include \"abut/simulate/simulator.h\""), "");
  EXPECT_EQ(objections("math", "m.h", "// see \"abut/view/live/server.h\""), "");
}

}  // namespace
}  // namespace abut::test
