// The page that `abut reproduce --out` writes: every check with its numbers, and the pictures.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "abut/reproduce/experiment.h"
#include "abut/view/plot/plot.h"
#include "abut/view/scene/film.h"

namespace abut::tool {

// A world of the experiment, for viewing.
struct WorldFilm {
  std::string world;
  std::shared_ptr<const Model> model;
  std::shared_ptr<const view::Film> film;
  double time = 0;  // s that it shows
};

struct FinishedExperiment {
  const reproduce::Experiment* experiment = nullptr;
  reproduce::Outcome outcome;
  double seconds = 0;
  std::vector<WorldFilm> films = {};
};

// Rows by both verdicts: our own bound, and what a paper says.
struct RowCount {
  int passed = 0, failed = 0, reported = 0;
  int yes = 0, no = 0, not_as_printed = 0;
  int rows() const { return passed + failed + reported; }
};
// Of all experiments, or of those of one paper ("002").
RowCount counted(std::span<const FinishedExperiment> finished, std::string_view seed = {});

// As a plot of ours.
view::Plot to_plot(const reproduce::Graph& graph);

std::string reproduce_page(std::span<const FinishedExperiment> finished, std::string_view version);

}  // namespace abut::tool
