// docs/laws.md has the table that `abut reproduce laws --table` prints: the same laws, and the same
// models that miss them.
#pragma once

#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "support/tree.h"

namespace abut::reproduce {

using LawCell = std::pair<std::string, std::string>;  // law as in the table, contact model

// Cells of the table: whether each is bold.
inline std::map<LawCell, bool> documented_laws() {
  std::ifstream file(test::in_tree("/docs/laws.md"));
  std::map<LawCell, bool> cells;
  std::vector<std::string> models;
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("| law |", 0) != 0 && line.rfind("| L-T", 0) != 0) continue;
    std::vector<std::string> words;
    std::istringstream row(line.substr(1));
    for (std::string word; std::getline(row, word, '|');) {
      const auto begin = word.find_first_not_of(' ');
      words.push_back(begin == std::string::npos
                          ? ""
                          : word.substr(begin, word.find_last_not_of(' ') - begin + 1));
    }
    if (words[0] == "law") {
      models.assign(words.begin() + 1, words.end());
      continue;
    }
    for (std::size_t i = 1; i < words.size(); ++i)
      if (!words[i].empty()) cells[{words[0], models.at(i - 1)}] = words[i][0] == '*';
  }
  return cells;
}

}  // namespace abut::reproduce
