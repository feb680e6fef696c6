// StepSettings: what a contact model wants of the problem of a step (time_stepping.h).
#pragma once

#include <memory>
#include <string>

#include "abut/constrain/stabilize/stabilizer.h"
#include "abut/constrain/tolerances.h"
#include "abut/solve/time_limit.h"

namespace abut {

// How gaps enter the rows of contacts and limits.
enum class GapRule {
  close,       // max(psi, 0) / h: a gap may close in the step, and no more; overlap stays
  close_all,   // psi / h: overlap counts as a gap as well, and the step ends without it
  keep,        // max(psi, 0) / h, for contacts within the contact tolerance only
  accelerate,  // h psi'', of contacts within the contact tolerance (Baraff)
};

// Whether contacts take part that are apart and may meet in the step.
constexpr bool looks_ahead(GapRule rule) {
  return rule == GapRule::close || rule == GapRule::close_all;
}

// Friction of contacts.
enum class FrictionCone { none, round, pyramid };

struct StepSettings {
  GapRule gaps = GapRule::close;
  FrictionCone cone = FrictionCone::round;
  int directions = 8;  // of a pyramid; even
  Stabilizer stabilizer;
  double tolerance = kContactTolerance;  // of the pair's size: contacts this near are contacts
  std::string solver = "auto";           // a name or a chain (contact_solvers.h)
  double accuracy = 0;                   // residual asked for; 0: contact_solvers.h's own
  int iterations = 0;                    // the most of a problem; 0: the solvers' own limits
  std::shared_ptr<TimeLimit> limit;      // after which solvers end; none: no limit
};

}  // namespace abut
