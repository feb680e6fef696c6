#include "abut/constrain/step/contact_solvers.h"

#include "abut/constrain/tolerances.h"
#include "abut/solve/wrap/free_first.h"
#include "abut/solve/wrap/in_masses.h"
#include "abut/solve/wrap/joints_first.h"
#include "abut/solve/wrap/needed_first.h"

namespace abut {

namespace {

// Bodies (trees) of an island from which on steps solve in the velocities of bodies: chosen so that
// a pile of 21 boxes at rest keeps the warm starts of `cone` (docs/decisions.md); and from which on methods that form the Delassus matrix are hopeless.
constexpr std::size_t kSome = 32, kMany = 64;

std::unique_ptr<Solver> for_steps(std::string_view chain) {
  return make_in_masses(make_joints_first(make_needed_first(make_free_first(make_solver(chain)))));
}

}  // namespace

ContactSolvers::ContactSolvers(std::string_view chain, double accuracy, int iterations,
                               const TimeLimit* limit)
    : iterations_(iterations),
      plain_(for_steps("pivot,dantzig,lemke")),
      cone_(for_steps("cone,nsgs")),
      some_(make_in_masses(make_solver("bodies,cone,nsgs"))),
      many_(make_in_masses(make_solver("bodies"))),
      pyramid_(make_in_masses(make_solver("lemke,lmmcp"))) {
  if (chain != "auto") chosen_ = make_solver(chain);
  for (Solver* s : {some_.get(), many_.get()}) s->options.tolerance = kManyAccuracy;
  for_each([&](Solver& s) {
    if (accuracy > 0) s.options.tolerance = accuracy;
    s.options.most_iterations = iterations;
    s.options.limit = limit;
  });
}

Solver& ContactSolvers::round(const Problem& problem) {
  if (chosen_ && chosen_->info().kinds & bit(problem.kind())) return *chosen_;
  const std::size_t bodies = problem.A.factored().trees.size();
  if (bodies >= kMany) return *many_;
  if (bodies >= kSome && !problem.cones.empty()) return *some_;
  return problem.cones.empty() ? *plain_ : *cone_;
}

Solver& ContactSolvers::pyramid(const Problem& problem) {
  if (chosen_ && chosen_->info().kinds & bit(problem.kind())) return *chosen_;
  return *pyramid_;
}

}  // namespace abut
