// Modules form no cycle: each can be read, tested and understood after those that it includes.
// A module is a header with its source, and includes what either of them includes.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "support/tree.h"

namespace abut::test {
namespace {

namespace fs = std::filesystem;

using Graph = std::map<std::string, std::set<std::string>>;

// "abut/solve/matrix.h" and "abut/solve/matrix.cpp" are one module, "abut/solve/matrix".
std::string module_of(const fs::path& file) { return fs::path(file).replace_extension().string(); }

void add_includes(const std::string& file, const std::string& text, Graph& graph) {
  static const std::regex include(R"re(^[ \t]*#[ \t]*include[ \t]*"(abut/[^"]+)")re");
  const std::string self = module_of(file);
  std::set<std::string>& included = graph[self];
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (!std::regex_search(line, match, include)) continue;
    if (const std::string other = module_of(match[1].str()); other != self) included.insert(other);
  }
}

// All modules that one includes, directly or through others.
std::set<std::string> reach_of(const std::string& module, const Graph& graph) {
  std::set<std::string> seen;
  std::vector<std::string> waiting{module};
  while (!waiting.empty()) {
    const auto found = graph.find(waiting.back());
    waiting.pop_back();
    if (found == graph.end()) continue;
    for (const std::string& next : found->second)
      if (seen.insert(next).second) waiting.push_back(next);
  }
  return seen;
}

// A line for each set of modules that all reach each other.
std::string cycles_of(const Graph& graph) {
  std::map<std::string, std::set<std::string>> reach;
  for (const auto& [module, included] : graph) reach[module] = reach_of(module, graph);
  std::string report;
  std::set<std::string> told;
  for (const auto& [module, reached] : reach) {
    if (!reached.contains(module) || told.contains(module)) continue;
    for (const std::string& other : reached) {
      const auto back = reach.find(other);
      if (back == reach.end() || !back->second.contains(module)) continue;
      told.insert(other);
      report += other + " ";
    }
    report.back() = '\n';
  }
  return report;
}

bool is_source(const fs::path& file) {
  const fs::path extension = file.extension();
  return extension == ".h" || extension == ".cpp" || extension == ".inl";
}

TEST(Cycles, ThereAreNone) {
  const fs::path root(test::in_tree());
  Graph graph;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / "abut")) {
    if (!is_source(entry.path())) continue;
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    add_includes(entry.path().lexically_relative(root).string(), text.str(), graph);
  }
  EXPECT_EQ(cycles_of(graph), "") << "each line has modules that include each other; a type that "
                                     "two of them need belongs in a header of its own";
  EXPECT_GT(graph.size(), 100u) << "it does see them";
}

// The search above would pass if it saw nothing; so it is shown what it must see.
TEST(Cycles, AreSeen) {
  Graph graph;
  add_includes("abut/a.h", "#pragma once\n#include \"abut/b.h\"\n", graph);
  add_includes("abut/b.h", "#include <vector>\n", graph);
  add_includes("abut/b.cpp", "#include \"abut/b.h\"\n  # include \"abut/sub/c.inl\"\n", graph);
  add_includes("abut/sub/c.inl", "// #include \"abut/a.h\"\n", graph);
  add_includes("abut/above.cpp", "#include \"abut/a.h\"\n", graph);
  EXPECT_EQ(cycles_of(graph), "");
  add_includes("abut/sub/c.cpp", "#include \"abut/a.h\"\n", graph);
  EXPECT_EQ(cycles_of(graph), "abut/a abut/b abut/sub/c\n");
  add_includes("abut/d.h", "#include \"abut/e.h\"\n", graph);
  add_includes("abut/e.cpp", "#include \"abut/d.h\"\n", graph);
  EXPECT_EQ(cycles_of(graph), "abut/a abut/b abut/sub/c\nabut/d abut/e\n");
}

// A folder with more files than this hides them: docs/architecture.md has the folders there are.
constexpr int kMostFiles = 40;

TEST(Folders, HoldNoMoreThanOneCanLookThrough) {
  const fs::path root(test::in_tree());
  std::map<std::string, int> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / "abut"))
    if (is_source(entry.path()))
      ++files[entry.path().parent_path().lexically_relative(root).string()];
  for (const auto& [folder, count] : files)
    EXPECT_LE(count, kMostFiles) << folder << ": sort its files into folders by what they do";
  EXPECT_GT(files.size(), 10u) << "it does see them";
}

// A class with more lines of members than this has parts that are classes of their own.
constexpr int kMostMembers = 19;

// A line for each class that has more, in C++ as clang-format leaves it.
std::string large_classes(const std::string& file, const std::string& text) {
  static const std::regex begin(R"(^(?:class|struct) (\w+)[^;]*\{)"),
      member(R"(^\s+[\w:<>,*& ]+\s\w+_(?:\s*=[^;]*)?(?:,[^;()]*)?;)");
  std::ostringstream report;
  std::istringstream lines(text);
  std::string name;
  int count = 0;
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (std::regex_search(line, match, begin)) {
      name = match[1];
      count = 0;
    }
    count += std::regex_search(line, member) ? 1 : 0;
    if (!line.starts_with("};")) continue;
    if (!name.empty() && count > kMostMembers)
      report << file << ": " << name << " has " << count << " lines of members\n";
    name.clear();
  }
  return report.str();
}

TEST(Classes, HaveFewMembers) {
  const fs::path root(test::in_tree());
  std::string report;
  int files = 0;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / "abut")) {
    if (!is_source(entry.path())) continue;
    std::ostringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    report += large_classes(entry.path().lexically_relative(root).string(), text.str());
    ++files;
  }
  EXPECT_EQ(report, "") << "give the members that are used together a class of their own";
  EXPECT_GT(files, 300);
}

TEST(Classes, LargeOnesAreSeen) {
  std::string text = "class Large final : public Base {\n  int f() { return a_; }\n private:\n";
  for (int i = 0; i < kMostMembers; ++i) text += "  std::vector<double> a_, b_;\n";
  EXPECT_EQ(large_classes("l.h", text + "};\n"), "");
  EXPECT_EQ(large_classes("l.h", text + "  bool is_new_ = false;  // yes\n};\n"),
            "l.h: Large has 20 lines of members\n");
}

}  // namespace
}  // namespace abut::test
