// The five papers, and where each of their figures, tables and equations is in the tree and in the
// rows of `abut reproduce`. docs/papers.md is printed from this (`abut reproduce --papers`).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "abut/reproduce/experiment.h"

namespace abut::reproduce {

struct Paper {
  const char* seed;    // "002"
  const char* letter;  // that its ids begin with: "K"
  const char* name;    // authors and year, as rows have it
  const char* title;
};
std::span<const Paper> papers();
const Paper* paper_of(const Experiment& experiment);  // null: the laws are no paper's

// Something that a paper numbers.
struct PaperItem {
  const char* seed;
  const char* item;       // "Fig. 3", "Table 1", "(4)"
  const char* what;       // in a few words
  const char* rows;       // checks that show it, "D-T0 D-T1"; "": a test does
  const char* file;       // of the tree: where it is built
  const char* test = "";  // of the tree, where there is no row
};
std::span<const PaperItem> paper_items();

// "D-T0 D-T1" as its parts.
std::vector<std::string> row_ids(const PaperItem& item);
// Figures and tables that a check shows, "Figs 7, 9"; "" if it shows none.
std::string figures_of(std::string_view check);

// The tables of docs/papers.md: item, what it shows, rows, file, command; one table a paper.
std::string papers_tables();

}  // namespace abut::reproduce
