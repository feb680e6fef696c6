// A chain of solvers is a solver: cheap links first, robust ones last. The first that solves
// answers; if none does, the best answer of all is given, with its residual, and `infeasible`
// if a link proved that.
#pragma once

#include <memory>
#include <vector>

#include "abut/solve/solver.h"

namespace abut {

std::unique_ptr<Solver> make_chain(std::vector<std::unique_ptr<Solver>> links);

}  // namespace abut
