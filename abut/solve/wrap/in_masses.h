// Impulses in units of mass. The residual of a row is min(z, w): it weighs impulses z (N s) against
// velocities w (m/s), and bodies of 1 kg make them alike. Of bodies of 60 km, 1e17 kg, impulses are
// known to 1 N s at best, so that no answer is ever solved and every solver of a chain works to its
// end; of grains of sand any impulse would do. So z is divided by a typical mass, the
// reciprocal of the diagonal of A, which makes A about 1. The mass is a power of two: nothing is
// rounded.
//
//   auto solver = abut::make_in_masses(abut::make_solver("cone,nsgs"));
#pragma once

#include <memory>

#include "abut/solve/solver.h"

namespace abut {

// Problems with typical masses between 1e-6 and 1e6 kg go to `behind` as they are. The residuals
// of an answer are those in the units that were solved in.
std::unique_ptr<Solver> make_in_masses(std::unique_ptr<Solver> behind);

}  // namespace abut
