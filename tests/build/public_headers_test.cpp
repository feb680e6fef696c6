// cmake/public_headers.txt, the one list of public headers: what a public header includes is public
// too, and of a part that its own part uses; docs/api.md names each.
#include <gtest/gtest.h>

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

struct PublicHeader {
  std::string part;
  bool detail = false;
};
using HeaderList = std::map<std::string, PublicHeader>;

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(fs::path(test::in_tree()) / file).rdbuf();
  return text.str();
}

HeaderList parsed_list(const std::string& text) {
  HeaderList list;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("abut/")) continue;
    std::istringstream words(line);
    std::string path, part, mark;
    words >> path >> part >> mark;
    EXPECT_TRUE(list.emplace(path, PublicHeader{part, mark == "detail"}).second)
        << path << " is listed twice";
    EXPECT_TRUE(mark.empty() || mark == "detail") << line;
  }
  return list;
}

// The part that a file of the library is compiled into, as abut/CMakeLists.txt says.
std::string part_of(const std::string& path) {
  static const std::regex record("abut/(math/hdf5|solve/fclib|simulate/record)/.*");
  static const std::regex room("abut/([a-z]+)/.*");
  std::smatch match;
  if (std::regex_match(path, record)) return "record";
  if (path.starts_with("abut/math/threads/")) return "core";  // the solvers need no oneTBB
  if (!std::regex_match(path, match, room)) return "solve";   // version.h
  if (match[1] == "math" || match[1] == "solve") return "solve";
  static const std::set<std::string> own{"load", "haptic", "view", "sweep", "reproduce"};
  if (own.contains(match[1])) return match[1];
  return "core";
}

const std::map<std::string, std::set<std::string>> kUses = {
    {"solve", {"solve"}},
    {"core", {"solve", "core"}},
    {"load", {"solve", "core", "load"}},
    {"record", {"solve", "core", "record"}},
    {"haptic", {"solve", "core", "record", "haptic"}},
    {"view", {"solve", "core", "record", "haptic", "view"}},
    {"sweep", {"solve", "core", "load", "record", "sweep"}}};

std::vector<std::string> includes_of(const std::string& text) {
  static const std::regex include(R"re(^[ \t]*#[ \t]*include[ \t]*(["<][^">]+[">]))re");
  std::vector<std::string> found;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    if (std::smatch match; std::regex_search(line, match, include)) found.push_back(match[1]);
  return found;
}

// A line for each include of a listed header that it must not have, and for each detail that
// nobody includes.
std::string trouble(const HeaderList& list, const std::map<std::string, std::string>& texts) {
  static const std::set<std::string> others = {"Eigen", "unsupported"};
  std::string report;
  std::set<std::string> included;
  for (const auto& [path, header] : list) {
    for (const std::string& quoted : includes_of(texts.at(path))) {
      const std::string name = quoted.substr(1, quoted.size() - 2);
      if (quoted[0] == '<') {
        const auto slash = name.find('/');
        // drivers of haptic devices may be written in C
        const bool is_c =
            path == "abut/haptic/device/driver.h" && (name == "stddef.h" || name == "stdint.h");
        if ((name.ends_with(".h") && !is_c) ||
            (slash != name.npos && !others.contains(name.substr(0, slash))))
          report += path + ": " + quoted + " is neither C++ nor Eigen\n";
        continue;
      }
      included.insert(name);
      if (const auto found = list.find(name); found == list.end())
        report += "add  " + name + "  " + part_of(name) + "  detail  (" + path + " includes it)\n";
      else if (!kUses.at(header.part).contains(found->second.part))
        report += path + ": " + name + " is of part " + found->second.part + ", which " +
                  header.part + " does not use\n";
    }
  }
  for (const auto& [path, header] : list)
    if (header.detail && !included.contains(path))
      report += "remove  " + path + "  (no public header includes it)\n";
  return report;
}

HeaderList listed() { return parsed_list(text_of("cmake/public_headers.txt")); }

TEST(PublicHeaders, IncludePublicHeadersAlone) {
  const HeaderList list = listed();
  ASSERT_GT(list.size(), 100u);
  std::map<std::string, std::string> texts;
  for (const auto& [path, header] : list) {
    ASSERT_TRUE(fs::exists(fs::path(test::in_tree()) / path)) << path << " is listed, and is not";
    texts[path] = text_of(path);
    ASSERT_TRUE(kUses.contains(header.part)) << path;
    EXPECT_EQ(header.part, part_of(path)) << path;
  }
  EXPECT_EQ(trouble(list, texts), "") << "lines of cmake/public_headers.txt";
}

// The part that sources are compiled into uses what they include, or a program could not link it.
TEST(PublicHeaders, SourcesUseTheirOwnPartsAlone) {
  const fs::path root(test::in_tree());
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / "abut")) {
    const std::string path = entry.path().lexically_relative(root).string();
    if (!entry.is_regular_file() || part_of(path) == "reproduce" || path.ends_with(".txt"))
      continue;
    for (const std::string& quoted : includes_of(text_of(path)))
      if (quoted.starts_with("\"abut/")) {
        const std::string part = part_of(quoted.substr(1, quoted.size() - 2));
        EXPECT_TRUE(kUses.at(part_of(path)).contains(part))
            << path << " of part " << part_of(path) << " includes " << quoted << " of part "
            << part;
      }
  }
}

TEST(PublicHeaders, BeginWithWhatTheyAreFor) {
  for (const auto& [path, header] : listed()) EXPECT_TRUE(text_of(path).starts_with("// ")) << path;
}

TEST(PublicHeaders, AreOnThePageOfTheInterface) {
  const std::string page = text_of("docs/api.md");
  for (const auto& [path, header] : listed()) {
    if (header.detail) continue;
    EXPECT_NE(page.find("`" + path.substr(5) + "`"), page.npos)
        << path << " has no place in docs/api.md";
  }
}

// The checks above would pass if they saw nothing; so they are shown what they must see.
TEST(PublicHeaders, FaultsAreSeen) {
  const HeaderList list = parsed_list(
      "# a list\nabut/solve/a.h  solve\nabut/model/b.h  core\nabut/model/c.h core detail\n");
  std::map<std::string, std::string> texts = {
      {"abut/solve/a.h", "#include <vector>\n#include <Eigen/Core>\n"},
      {"abut/model/b.h", "#include \"abut/solve/a.h\"\n#include \"abut/model/c.h\"\n"},
      {"abut/model/c.h", ""}};
  EXPECT_EQ(trouble(list, texts), "");
  texts["abut/solve/a.h"] =
      "#include <hdf5.h>\n#include <fmt/format.h>\n#include \"abut/model/b.h\"\n";
  texts["abut/model/b.h"] = "#include \"abut/simulate/record/d.h\"\n";
  EXPECT_EQ(trouble(list, texts),
            "add  abut/simulate/record/d.h  record  detail  (abut/model/b.h includes it)\n"
            "abut/solve/a.h: <hdf5.h> is neither C++ nor Eigen\n"
            "abut/solve/a.h: <fmt/format.h> is neither C++ nor Eigen\n"
            "abut/solve/a.h: abut/model/b.h is of part core, which solve does not use\n"
            "remove  abut/model/c.h  (no public header includes it)\n");
}

}  // namespace
}  // namespace abut::test
