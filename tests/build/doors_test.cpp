// One writer of files (abut/math/output_file.h), one way to a terminal (tools/print.h).
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "support/tree.h"

namespace abut::test {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

// Lines of the C++ files of a folder that have one of the words in them, but for those of some
// files.
std::string lines_with(const Words& words, const fs::path& folder, const Words& but) {
  std::string found;
  for (const auto& entry : fs::recursive_directory_iterator(fs::path(test::in_tree()) / folder)) {
    const std::string name = fs::relative(entry.path(), test::in_tree()).string();
    if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
    if (std::find(but.begin(), but.end(), name) != but.end()) continue;
    std::ifstream in(entry.path());
    int number = 1;
    for (std::string line; std::getline(in, line); ++number) {
      const std::string code = line.substr(0, line.find("//"));
      const auto has = [&](const std::string& word) { return code.find(word) != code.npos; };
      if (std::any_of(words.begin(), words.end(), has))
        found += name + ":" + std::to_string(number) + ": " + line + "\n";
    }
  }
  return found;
}

TEST(Doors, FilesAreWrittenByOutputFile) {
  const Words writers = {"ofstream", "fopen(",     "H5Fcreate(",          "fs::rename(",
                         "O_CREAT",  "copy_file(", "filesystem::rename(", "creat("};
  // HDF5 gets a file that OutputFile made, or none; Qhull wants somewhere to be silent to
  EXPECT_EQ(
      lines_with(writers, "abut",
                 {"abut/math/output_file.cpp", "abut/simulate/record/record_file.cpp",
                  "abut/solve/fclib/fclib_write.cpp", "abut/haptic/record/haptic_recording.cpp",
                  "abut/shape/qhull_facets.cpp", "abut/sweep/table.cpp"}),
      "");
  EXPECT_EQ(lines_with(writers, "tools", {}), "");
  // it does see them
  EXPECT_NE(lines_with(writers, "abut", {}), "");
}

TEST(Doors, TheToolPrintsByPrintSafe) {
  const Words printers = {"fmt::print(", "std::cout <<", "std::cerr <<", "std::printf(",
                          "fprintf(",    "std::puts(",   "std::fputs("};
  EXPECT_EQ(lines_with(printers, "tools", {"tools/progress.cpp"}), "");
  EXPECT_EQ(lines_with(printers, "abut", {}), "");
  EXPECT_NE(lines_with(printers, "tools", {}), "");
}

}  // namespace
}  // namespace abut::test
