// The page that `abut reproduce --out` writes: every check with its numbers, and the pictures.
#pragma once

#include <span>
#include <string>

#include "abut/reproduce/experiment.h"
#include "abut/view/plot.h"

namespace abut::view {

struct FinishedExperiment {
  const reproduce::Experiment* experiment = nullptr;
  reproduce::Outcome outcome;
  double seconds = 0;
};

// As a plot of ours, and as a picture that stands alone.
Plot to_plot(const reproduce::Graph& graph);
std::string standalone_svg(const Plot& plot);

std::string reproduce_page(std::span<const FinishedExperiment> finished, std::string_view version);

}  // namespace abut::view
