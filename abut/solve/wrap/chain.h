// A chain of solvers is a solver: cheap links first, robust ones last. The first link that solves
// the problem, or proves that there is no solution (`infeasible`), answers. If none does, the
// answer is the best of all, with its residual. Links that do not accept a problem's kind are
// skipped.
#pragma once

#include <memory>
#include <vector>

#include "abut/solve/solver.h"

namespace abut {

std::unique_ptr<Solver> make_chain(std::vector<std::unique_ptr<Solver>> links);

}  // namespace abut
