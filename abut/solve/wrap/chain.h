// A chain of solvers is a solver: cheap links first, robust ones last. The first that solves
// answers, or that proves that there is nothing to find (`infeasible`); if none does, the best
// answer of all is given, with its residual. Links that do not take a problem's kind are passed
// over.
#pragma once

#include <memory>
#include <vector>

#include "abut/solve/solver.h"

namespace abut {

std::unique_ptr<Solver> make_chain(std::vector<std::unique_ptr<Solver>> links);

}  // namespace abut
