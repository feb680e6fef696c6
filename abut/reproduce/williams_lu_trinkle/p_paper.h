// Runs of peg-paper and lnc, and whether each of their steps solves the printed problem (29), (30)
// as one.
#pragma once

#include "abut/contact/settings.h"
#include "abut/model/model.h"

namespace abut::reproduce {

struct PaperRun {
  int steps = 0, fallbacks = 0, worst_level = 0;
  int pressed = 0;      // contacts that may press, in the mean of the steps
  int constraints = 0;  // ditto
  double branches = 0;  // sets of contacts tried, ditto
  double overlap = 0;   // m: the deepest after any step
  double moved = 0;     // the most that an entry of q is from its start
  // The natural residual of (29), (30) with all slacks, of steps that do not fall back, over 1 + the
  // largest entry of b; without friction.
  double residual = 0;
  std::vector<double> velocity;  // at the end
};

// From the keyframe "go", if there is one.
PaperRun run_paper(const Model& model, const ContactSettings& settings, int steps);

}  // namespace abut::reproduce
