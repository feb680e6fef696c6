// docs/papers.md: its tables are those of `abut reproduce --papers`, and its table of what did not
// come out has the rows that a run has.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "abut/reproduce/papers.h"
#include "support/tree.h"

namespace abut::reproduce {

inline const std::string& papers_page() {
  static const std::string text = [] {
    std::ifstream file(test::in_tree("/docs/papers.md"));
    return std::string(std::istreambuf_iterator<char>(file), {});
  }();
  return text;
}

// A row that did not come out is in the table with its verdict; one that did is not.
inline void expect_documented(const Check& c) {
  const std::string row = "| " + c.id + " | " + c.statement + " | ";
  const std::size_t at = papers_page().find(row);
  if (c.paper.claim == Claim::yes) {
    EXPECT_EQ(at, std::string::npos)
        << row << "comes out, and docs/papers.md says that it does not";
    return;
  }
  ASSERT_NE(at, std::string::npos) << row << ": not in docs/papers.md; see abut reproduce --claims";
  const std::string line = papers_page().substr(at, papers_page().find('\n', at) - at);
  EXPECT_NE(line.find(" | " + std::string(name(c.paper.claim)) + " | "), std::string::npos) << line;
}

}  // namespace abut::reproduce
