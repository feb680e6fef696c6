// Tolerances have names: in the rooms below a number such as 1e-9 is written in a tolerances.h only,
// with its unit, its meaning, and what happens if it is too large or too small.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "support/tree.h"

namespace abut::test {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 11> kRooms = {"collide",   "solve",   "math",     "shape",
                                                     "model",     "load",    "dynamics", "simulate",
                                                     "constrain", "contact", "haptic"};

// Files that may contain such numbers, and why. Keep this list short.
constexpr std::array<std::pair<std::string_view, std::string_view>, 0> kExempt = {};

// The code of a line: without a comment, and without the contents of strings.
std::string code_of(std::string_view line) {
  std::string code;
  bool in_string = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (in_string && line[i] == '\\') {
      ++i;
    } else if (line[i] == '"') {
      in_string = !in_string;
    } else if (!in_string) {
      if (line.substr(i, 2) == "//") break;
      code += line[i];
    }
  }
  return code;
}

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

// Whether a line has a floating-point number with a negative exponent, such as 4e-10 or 2.5E-3.
// Hexadecimal numbers are powers of two, which are exact, and count as names.
bool has_bare_number(std::string_view line) {
  const std::string code = code_of(line);
  for (std::size_t i = 1; i + 2 < code.size(); ++i) {
    if ((code[i] != 'e' && code[i] != 'E') || code[i + 1] != '-' || !is_digit(code[i + 2]))
      continue;
    if (is_digit(code[i - 1]) || code[i - 1] == '.') return true;
  }
  return false;
}

std::string read(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

// Calls use(name, text) for every source of the rooms above.
template <class Use>
void for_each_source(const Use& use) {
  const fs::path root(test::in_tree());
  for (const std::string_view room : kRooms)
    for (const fs::directory_entry& entry :
         fs::recursive_directory_iterator(root / "abut" / room)) {
      const fs::path extension = entry.path().extension();
      if (extension != ".h" && extension != ".cpp" && extension != ".inl") continue;
      use(entry.path().lexically_relative(root).generic_string(), read(entry.path()));
    }
}

bool is_tolerances(std::string_view name) { return name.ends_with("/tolerances.h"); }

// A line for each bare number of a source.
std::string bare_numbers(const std::string& name, const std::string& text) {
  std::ostringstream report;
  std::istringstream lines(text);
  int number = 1;
  for (std::string line; std::getline(lines, line); ++number)
    if (has_bare_number(line)) report << name << ":" << number << ": " << line << "\n";
  return report.str();
}

TEST(Tolerances, HaveNames) {
  std::string report;
  int sources = 0;
  std::map<std::string_view, int> exempt;
  for_each_source([&](const std::string& name, const std::string& text) {
    ++sources;
    if (is_tolerances(name)) return;
    const std::string found = bare_numbers(name, text);
    for (const auto& [file, why] : kExempt)
      if (name == file) {
        exempt[file] += found.empty() ? 0 : 1;
        return;
      }
    report += found;
  });
  EXPECT_EQ(report, "") << "give the number a name in the tolerances.h of its folder or room, with "
                           "unit, meaning, and what happens if it is too large or too small";
  EXPECT_GT(sources, 300) << "the test must see the sources";
  for (const auto& [file, why] : kExempt)
    EXPECT_GT(exempt[file], 0) << file << " needs no exemption any more: remove it from the list";
}

// Every constant of a tolerances.h stands below its own comment.
std::string undocumented(const std::string& name, const std::string& text) {
  std::ostringstream report;
  std::istringstream lines(text);
  std::string above;
  for (std::string line; std::getline(lines, line); above = line)
    if (line.starts_with("inline constexpr") && !above.starts_with("// "))
      report << name << ": " << line << "\n";
  return report.str();
}

TEST(Tolerances, HaveComments) {
  std::string report;
  int files = 0;
  for_each_source([&](const std::string& name, const std::string& text) {
    if (!is_tolerances(name)) return;
    ++files;
    report += undocumented(name, text);
    // the kernels include these headers for each vector unit: they must stay free of others
    EXPECT_EQ(text.find("#include"), text.npos) << name;
  });
  EXPECT_EQ(report, "");
  EXPECT_GT(files, 5);
}

// The searches above would pass if they saw nothing; so they are shown what they must see.
TEST(Tolerances, AreSeen) {
  EXPECT_TRUE(has_bare_number("  if (x < 1e-9 * L) return;"));
  EXPECT_TRUE(has_bare_number("constexpr double kTiny = 2.5E-3;"));
  EXPECT_TRUE(has_bare_number("f(\"text\", 4.e-10);"));
  EXPECT_FALSE(has_bare_number("x = 1;  // about 1e-9 of the size"));
  EXPECT_FALSE(has_bare_number("fail(\"rows from 1e-8 to 1e8\");"));
  EXPECT_FALSE(has_bare_number("double large = 1e300, exact = 0x1p-48, one = the-1;"));
  EXPECT_EQ(undocumented("a", "// Meaning.\ninline constexpr double kA = 1;\n"), "");
  EXPECT_NE(undocumented("a", "\ninline constexpr double kA = 1;\n"), "");
}

}  // namespace
}  // namespace abut::test
