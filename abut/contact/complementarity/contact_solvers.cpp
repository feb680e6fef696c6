#include "abut/contact/complementarity/contact_solvers.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace abut {

namespace {

struct CannotDo {
  std::string_view solver;
  FrictionKind friction;
  std::string_view why;
};

// What the solvers' kinds do not say (spec, section 7).
// clang-format off
constexpr std::array kCannot{
    CannotDo{"pgs", FrictionKind::pyramid, "a pyramid's slack has no diagonal, and sweeps divide by it; use lemke, or --friction cone"},
    CannotDo{"nncg", FrictionKind::pyramid, "a pyramid's slack has no diagonal, and sweeps divide by it; use lemke, or --friction cone"},
    CannotDo{"nsgs", FrictionKind::pyramid, "a pyramid's slack has no diagonal, and sweeps divide by it; use lemke, or --friction cone"},
    CannotDo{"dantzig", FrictionKind::pyramid, "it takes symmetric matrices, and a pyramid's is not; use lemke"},
    CannotDo{"murty", FrictionKind::pyramid, "principal pivoting is for semidefinite matrices, and a pyramid's is not; use lemke"},
    CannotDo{"cone", FrictionKind::pyramid, "its interior points stall on a pyramid's slacks; use lemke, or --friction cone"},
    CannotDo{"pivot", FrictionKind::pyramid, "principal pivoting is for semidefinite matrices, and a pyramid's is not; use lemke"},
};
// clang-format on

std::string why_not_one(std::string_view solver, FrictionKind friction) {
  const SolverInfo* info = find_solver(solver);
  if (info == nullptr) return {};  // make_solver says what there is
  if (solver == "enum")
    return "it tries every choice, which is for 16 rows, and islands grow; use lemke, or `abut "
           "solve` on a problem that was written";
  if (friction == FrictionKind::cone && !(info->kinds & bit(ProblemKind::cone)))
    return "it does not take round cones; use cone or nsgs, or --friction pyramid";
  for (const CannotDo& c : kCannot)
    if (c.solver == solver && c.friction == friction) return std::string(c.why);
  return {};
}

}  // namespace

std::string why_not(std::string_view solver, FrictionKind friction) {
  if (solver == "auto") return {};
  std::string first;
  for (std::size_t begin = 0; begin <= solver.size();) {
    const std::size_t comma = std::min(solver.find(',', begin), solver.size());
    const std::string_view link = solver.substr(begin, comma - begin);
    const std::string why = why_not_one(link, friction);
    if (why.empty()) return {};
    if (first.empty()) first = fmt::format("solver {}: {}", link, why);
    begin = comma + 1;
  }
  return first;
}

ContactSolvers::ContactSolvers(const ContactSettings& settings)
    : plain_(make_solver("pivot,dantzig,lemke")),
      cone_(make_solver("cone,nsgs")),
      pyramid_(make_solver("lemke,lmmcp")) {
  if (settings.solver != "auto") chosen_ = make_solver(settings.solver);
  if (const std::string why = why_not(settings.solver, settings.friction); !why.empty())
    throw std::invalid_argument(why);
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
