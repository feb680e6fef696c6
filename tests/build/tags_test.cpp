// The tree explains itself: every tag such as those of docs/derivations/README.md has one entry in
// docs/derivations, and nothing points at a document that is not in the tree.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "support/tree.h"

namespace abut::test {
namespace {

namespace fs = std::filesystem;

// Letters of the five papers, and of rules.md.
constexpr std::string_view kLetters = "CDHKPFLS";
// An id that there is not, which `abut reproduce` must refuse.
constexpr std::string_view kMadeUp = "K-X99";

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// The tag that begins at `at`: a letter, a hyphen, a capital letter or none, digits, a small letter
// or none. Empty: there is none.
std::string_view tag_at(std::string_view line, std::size_t at) {
  if (kLetters.find(line[at]) == kLetters.npos || line.substr(at + 1, 1) != "-") return {};
  if (at > 0 && (is_word(line[at - 1]) || line[at - 1] == '-')) return {};
  std::size_t end = at + 2;
  if (end < line.size() && std::isupper(static_cast<unsigned char>(line[end])) != 0) ++end;
  const std::size_t digits = end;
  while (end < line.size() && is_digit(line[end])) ++end;
  if (end == digits) return {};
  if (end < line.size() && std::islower(static_cast<unsigned char>(line[end])) != 0) ++end;
  if (end < line.size() && is_word(line[end])) return {};
  return line.substr(at, end - at);
}

// The tag that a heading or a row of a table begins with: its entry.
std::string_view entry_of(std::string_view line) {
  const std::size_t text = line.find_first_not_of("#| ");
  if (text == 0 || text == line.npos) return {};
  return tag_at(line, text);
}

struct Place {
  std::string file;
  int line;
  std::string text() const { return file + ":" + std::to_string(line); }
};

using Use = std::function<void(const Place&, const std::string& line)>;

// Calls use for every line of the sources and pages of a folder, or of a file.
void for_each_line(const fs::path& where, const Use& use) {
  static const std::vector<std::string> kinds{".h",  ".cpp", ".inl", ".md", ".xml",
                                              ".sh", ".mjs", ".ts",  ".py"};
  const fs::path root(test::in_tree());
  const auto read = [&](const fs::path& path) {
    if (std::find(kinds.begin(), kinds.end(), path.extension()) == kinds.end()) return;
    const std::string name = fs::relative(path, root).string();
    // data are no text of ours, and this file has the words that it looks for
    if (name.starts_with("tests/data/") || name == "tests/build/tags_test.cpp") return;
    if (name.find("node_modules") != name.npos) return;
    std::ifstream in(path);
    int number = 1;
    for (std::string line; std::getline(in, line); ++number) use({name, number}, line);
  };
  if (fs::is_regular_file(root / where)) return read(root / where);
  if (!fs::is_directory(root / where)) return;
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(root / where))
    if (entry.is_regular_file()) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) read(file);
}

void for_each_line_of_the_tree(const Use& use) {
  for (const char* where : {"abut", "tools", "tests", "docs", "bench", "worlds", "web/src",
                            "README.md", "CONTRIBUTING.md", "CHANGELOG.md"})
    for_each_line(where, use);
}

std::map<std::string, std::vector<Place>> entries() {
  std::map<std::string, std::vector<Place>> all;
  for_each_line("docs/derivations", [&](const Place& place, const std::string& line) {
    if (const std::string_view tag = entry_of(line); !tag.empty())
      all[std::string(tag)].push_back(place);
  });
  return all;
}

TEST(Tags, EveryTagHasAnEntry) {
  const auto known = entries();
  std::string missing;
  int tags = 0;
  for_each_line_of_the_tree([&](const Place& place, const std::string& line) {
    for (std::size_t at = 0; at < line.size(); ++at) {
      const std::string_view tag = tag_at(line, at);
      if (tag.empty() || tag == kMadeUp) continue;
      ++tags;
      if (!known.contains(std::string(tag)))
        missing += place.text() + ": " + std::string(tag) + " has no entry in docs/derivations\n";
    }
  });
  EXPECT_EQ(missing, "");
  EXPECT_GT(tags, 1000) << "it does see them";
}

TEST(Tags, NoTagHasTwoEntries) {
  std::string twice;
  for (const auto& [tag, places] : entries())
    for (std::size_t i = 1; i < places.size(); ++i)
      twice += places[i].text() + ": " + tag + " is at " + places[0].text() + " already\n";
  EXPECT_EQ(twice, "");
}

TEST(Tags, AreRecognised) {
  EXPECT_EQ(tag_at("(K-N2, 3)", 1), "K-N2");
  EXPECT_EQ(tag_at("D-12.", 0), "D-12");
  EXPECT_EQ(tag_at("H-T4b", 0), "H-T4b");
  EXPECT_EQ(tag_at("K-X4-1.svg", 0), "K-X4");
  EXPECT_EQ(tag_at("RT-0444", 1), "");
  EXPECT_EQ(tag_at("IV-D", 3), "");
  EXPECT_EQ(tag_at("C-like", 0), "");
  EXPECT_EQ(entry_of("### K-N2 Edges"), "K-N2");
  EXPECT_EQ(entry_of("| K-T9 | .. |"), "K-T9");
  EXPECT_EQ(entry_of("K-N2 says"), "");
  EXPECT_EQ(entry_of("| the rule K-N2 |"), "");
}

// The place of a word in a line of small letters, by itself.
bool has_word(const std::string& line, const std::string& word) {
  for (std::size_t at = line.find(word); at != line.npos; at = line.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool before = at == 0 || !is_word(line[at - 1]);
    const bool after = end >= line.size() || is_digit(word.back()) || !is_word(line[end]);
    if (before && after) return true;
  }
  return false;
}

// Names of documents that the tree does not have: papers are named by author, rules by tag.
std::string outside(const std::string& text) {
  std::string line = text;
  std::transform(line.begin(), line.end(), line.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const char* word : {"spec", "spec.md", "the specification", "the specification's",
                           "design.md", "style.md", "(design, section", "seed 00", "paper 00",
                           "seeds/", "seed d", "seed p", "seed k", "seed c", "seed h"})
    if (has_word(line, word)) return word;
  return {};
}

// The end of a line and what the next one goes on with, for names that are broken in two.
std::string across(const std::string& line, const std::string& next) {
  const std::size_t last = line.find_last_of(" (");
  const std::size_t first = next.find_first_not_of("/* ");
  if (last == line.npos || first == next.npos) return {};
  return line.substr(last + 1) + " " + next.substr(first, next.find(' ', first) - first);
}

TEST(Tags, NothingPointsOutsideTheTree) {
  std::string found, last;
  for_each_line_of_the_tree([&](const Place& place, const std::string& line) {
    std::string word = outside(line);
    if (word.empty() && place.line > 1 && outside(last).empty()) word = outside(across(last, line));
    if (!word.empty()) found += place.text() + ": \"" + word + "\": " + line + "\n";
    last = line;
  });
  EXPECT_EQ(found, "");
  EXPECT_EQ(outside("(Seed 002, IV-G)"), "seed 00");
  EXPECT_EQ(outside("as spec K-N2 has it"), "spec");
  EXPECT_EQ(outside("--seed 1, special"), "");
  EXPECT_EQ(across("// as it is (seed", "// 004, 4.6)"), "seed 004,");
}

TEST(Tags, PagesThatAreNamedExist) {
  std::string missing;
  int pages = 0;
  for_each_line_of_the_tree([&](const Place& place, const std::string& line) {
    for (std::size_t at = line.find("docs/"); at != line.npos; at = line.find("docs/", at + 1)) {
      std::size_t end = at;
      while (end < line.size() && (is_word(line[end]) || line[end] == '/' || line[end] == '-'))
        ++end;
      if (line.substr(end, 3) != ".md" ||
          (at > 0 && (is_word(line[at - 1]) || line[at - 1] == '/')))
        continue;
      ++pages;
      const std::string page = line.substr(at, end - at) + ".md";
      if (!fs::exists(fs::path(test::in_tree()) / page))
        missing += place.text() + ": " + page + " is not there\n";
    }
  });
  EXPECT_EQ(missing, "");
  EXPECT_GT(pages, 20) << "it does see them";
}

// [text](page.md#part) of a page, from the page's own folder.
TEST(Tags, LinksOfPagesLeadSomewhere) {
  std::string missing;
  const fs::path root(test::in_tree());
  const Use look = [&](const Place& place, const std::string& line) {
    for (std::size_t at = line.find("]("); at != line.npos; at = line.find("](", at + 1)) {
      const std::size_t end = line.find_first_of(")# ", at + 2);
      const std::string target = line.substr(at + 2, end - at - 2);
      if (end == line.npos || target.empty() || target.find(':') != target.npos) continue;
      if (!target.ends_with(".md")) continue;
      if (!fs::exists(root / fs::path(place.file).parent_path() / target))
        missing += place.text() + ": " + target + " is not there\n";
    }
  };
  for_each_line("docs", look);
  for (const char* page : {"README.md", "CONTRIBUTING.md", "CHANGELOG.md"})
    for_each_line(page, look);
  EXPECT_EQ(missing, "");
}

}  // namespace
}  // namespace abut::test
