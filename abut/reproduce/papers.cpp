#include "abut/reproduce/papers.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "abut/reproduce/registry.h"

namespace abut::reproduce {

namespace {

constexpr Paper kPapers[] = {
    {"000", "D", "Drumwright, 2008", "A fast and stable penalty method for rigid body simulation"},
    {"001", "P", "Williams, Lu and Trinkle, 2014",
     "A complementarity based contact model for geometrically accurate treatment of polytopes in "
     "simulation"},
    {"002", "K", "Cheng Yi and Drumwright, undated",
     "Determining contact data for rigid body dynamics with convex polyhedral geometries"},
    {"003", "C", "Cline and Pai, 2003",
     "Post-stabilization for rigid body simulation with contact and constraints"},
    {"004", "H", "Hasegawa and Fujii, 2003",
     "Real-time rigid body simulation based on volumetric penalty method"},
};

bool is_figure(std::string_view item) { return item.starts_with("Fig. "); }

// "Fig. 3" as "Fig. 3", "Fig. 7" and "Fig. 9" as "Figs 7, 9".
std::string joined(const std::vector<std::string>& items) {
  std::vector<std::string> figures, others;
  for (const std::string& item : items) (is_figure(item) ? figures : others).push_back(item);
  std::string out;
  if (figures.size() == 1) out = figures[0];
  if (figures.size() > 1) {
    for (std::string& f : figures) f = f.substr(5);
    out = fmt::format("Figs {}", fmt::join(figures, ", "));
  }
  for (const std::string& other : others) out += (out.empty() ? "" : ", ") + other;
  return out;
}

std::string linked(std::string_view file) { return fmt::format("[{0}](../{0})", file); }

}  // namespace

std::span<const Paper> papers() { return kPapers; }

const Paper* paper_of(const Experiment& experiment) {
  for (const Paper& paper : kPapers)
    if (std::string_view(paper.seed) == experiment.seed) return &paper;
  return nullptr;
}

std::vector<std::string> row_ids(const PaperItem& item) {
  std::istringstream words(item.rows);
  std::vector<std::string> ids;
  for (std::string word; words >> word;) ids.push_back(word);
  return ids;
}

std::string figures_of(std::string_view check) {
  std::vector<std::string> items;
  for (const PaperItem& item : paper_items()) {
    const std::vector<std::string> ids = row_ids(item);
    const bool shown = std::find(ids.begin(), ids.end(), check) != ids.end();
    if (shown && item.item[0] != '(') items.emplace_back(item.item);
  }
  return joined(items);
}

std::string papers_tables() {
  std::string out;
  for (const Paper& paper : kPapers) {
    out += fmt::format("## {}\n*{}*. `abut reproduce {}` runs all of it.\n\n", paper.name,
                       paper.title, paper.seed);
    out +=
        "| in the paper | what it is | rows | in the tree | command |\n| --- | --- | --- | --- | "
        "--- |\n";
    for (const PaperItem& item : paper_items()) {
      if (std::string_view(item.seed) != paper.seed) continue;
      const std::vector<std::string> ids = row_ids(item);
      const std::string command =
          ids.empty() ? linked(item.test) : fmt::format("`abut reproduce {}`", item.rows);
      out += fmt::format("| {} | {} | {} | {} | {} |\n", item.item, item.what, fmt::join(ids, ", "),
                         linked(item.file), command);
    }
    out += "\n";
  }
  return out;
}

}  // namespace abut::reproduce
