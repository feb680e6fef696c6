// Impulses in units of mass. The residual of a row is min(z, w): it compares impulses z (N s) with
// velocities w (m/s), which suits bodies of 1 kg. For bodies of 60 km, 1e17 kg, impulses are known
// to 1 N s at best, so that no answer counts as solved and every solver of a chain runs to its end.
// For grains of sand any impulse would pass. Therefore z is divided by a typical mass, the
// reciprocal of the diagonal of A, which makes A about 1. The mass is a power of two, so that
// nothing is rounded.
//
//   auto solver = abut::make_in_masses(abut::make_solver("cone,nsgs"));
#pragma once

#include <memory>

#include "abut/solve/solver.h"

namespace abut {

// Problems with typical masses between 1e-6 and 1e6 kg go to `behind` unchanged. The residuals of
// an answer are in the scaled units.
std::unique_ptr<Solver> make_in_masses(std::unique_ptr<Solver> behind);

}  // namespace abut
