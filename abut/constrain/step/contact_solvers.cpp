#include "abut/constrain/step/contact_solvers.h"

#include "abut/solve/wrap/free_first.h"
#include "abut/solve/wrap/in_masses.h"
#include "abut/solve/wrap/needed_first.h"

namespace abut {

namespace {

std::unique_ptr<Solver> for_steps(std::string_view chain) {
  return make_in_masses(make_needed_first(make_free_first(make_solver(chain))));
}

}  // namespace

ContactSolvers::ContactSolvers(std::string_view chain)
    : plain_(for_steps("pivot,dantzig,lemke")),
      cone_(for_steps("cone,nsgs")),
      pyramid_(make_in_masses(make_solver("lemke,lmmcp"))) {
  if (chain != "auto") chosen_ = make_solver(chain);
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
