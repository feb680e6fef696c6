// What a run has to say at its end: as JSON (docs/tour.md has the fields), and for people.
#pragma once

#include <string>
#include <vector>

#include "abut/simulate/run.h"
#include "common.h"

namespace abut::tool {

// After run(); `measure` is what it was given. Leaves measure with the poses at the end.
Json summary(const Simulator& simulator, const State& state, const Input& input,
             const RunOutcome& outcome, const MeasureWhen& when, Measure& measure,
             const std::vector<std::string>& warnings);

// `start` and `end`: where the bodies were.
void print_summary(const Json& summary, const Model& model, const std::vector<Pose>& start,
                   const Derived& end);

// What the contact model could not do in the run.
std::vector<std::string> run_warnings(const RunOutcome& outcome);

}  // namespace abut::tool
