// The page that `abut reproduce --out` writes: every check with its numbers, and the pictures.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "abut/reproduce/experiment.h"
#include "abut/view/plot/plot.h"
#include "abut/view/scene/film.h"

namespace abut::view {

// A world of the experiment, for viewing.
struct WorldFilm {
  std::string world;
  std::shared_ptr<const Model> model;
  std::shared_ptr<const Film> film;
  double time = 0;  // s that it shows
};

struct FinishedExperiment {
  const reproduce::Experiment* experiment = nullptr;
  reproduce::Outcome outcome;
  double seconds = 0;
  std::vector<WorldFilm> films = {};
};

// As a Plot, and as a self-contained picture.
Plot to_plot(const reproduce::Graph& graph);
std::string standalone_svg(const Plot& plot);

std::string reproduce_page(std::span<const FinishedExperiment> finished, std::string_view version);

}  // namespace abut::view
