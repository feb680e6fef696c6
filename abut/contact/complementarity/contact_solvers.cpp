#include "abut/contact/complementarity/contact_solvers.h"

#include "abut/solve/free_first.h"

namespace abut {

ContactSolvers::ContactSolvers(const ContactSettings& settings)
    : plain_(make_free_first(make_solver("pivot,dantzig,lemke"))),
      cone_(make_free_first(make_solver("cone,nsgs"))),
      pyramid_(make_solver("lemke,lmmcp")) {
  if (settings.solver != "auto") chosen_ = make_solver(settings.solver);
}

Solver& ContactSolvers::round(const Problem& problem) {
  if (chosen_ && chosen_->info().kinds & bit(problem.kind())) return *chosen_;
  return problem.cones.empty() ? *plain_ : *cone_;
}

Solver& ContactSolvers::pyramid(const Problem& problem) {
  if (chosen_ && chosen_->info().kinds & bit(problem.kind())) return *chosen_;
  return *pyramid_;
}

}  // namespace abut
