// Running Drumwright's block, and what the paper measures of it: kinetic energy and penetration
// (D-21).
#pragma once

#include <functional>
#include <vector>

#include "abut/reproduce/drumwright/d_worlds.h"
#include "abut/reproduce/experiment.h"
#include "abut/simulate/simulator.h"

namespace abut::reproduce {

struct BlockRun {
  std::vector<double> kinetic;      // J, after each step
  std::vector<double> penetration;  // m, before each step: how deep the lowest corner is
  std::vector<Pose> pose;           // of the block, before each step
  State end;

  double mean_penetration() const;
  // Of the steps from `from` on.
  double mean_kinetic(int from) const;
};

// Of a world of one block, under the model that the gains are for. `push` may set a force on it.
using Push = std::function<void(int step, const Pose& X_WB, Vec6& wrench)>;
BlockRun run_block(const World& world, const PenaltyGains& gains, int steps, const Push& push = {});

// Every so many steps; a logarithm stops at 1e-12, where an LCP's rounding is.
Graph::Curve curve(const std::string& name, const std::vector<double>& y, int every, bool log10);
// The block at some poses over the ground.
Drawing block_picture(const std::string& title, const std::vector<Pose>& poses);

// How much a block at rest moves in the next step by a push of 1e-3 m/s: nothing sleeps (F-6).
// m.
double answer_to_push(const World& world, const PenaltyGains& gains, const State& rest);

}  // namespace abut::reproduce
