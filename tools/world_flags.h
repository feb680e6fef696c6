// WORLD, --time, --step, --integrator, --keyframe, --set: what every command that simulates takes.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "common.h"

namespace abut::tool {

struct WorldFlags {
  std::string world, step, integrator, keyframe;
  std::vector<std::string> set;
  double time = 10;
  bool timed = true;  // the run has an end: `time` counts
  LoadOptions load;

  // The world with all of them put in; its warnings are still to be shown. Throws UsageError for
  // what cannot be, or not be simulated.
  Model read(bool quiet) const;
  // The same in two halves: a world to add to, and a model of it.
  World describe() const;
  Model build(const World& description) const;
  // At --keyframe, else the world's own abut.keyframe, else as loaded.
  void start(const Model& model, State& state, Input& input) const;

 private:
  void put_into(Model& model) const;
  void check_time(Model& model) const;
};

// `timed`: the run has an end, --time.
void add_world_flags(CLI::App& command, WorldFlags& flags, bool timed = true);

}  // namespace abut::tool
