// What the two halves of `abut solve` share: problems from files, and generated ones.
#pragma once

#include <string>
#include <vector>

#include "abut/solve/solver.h"
#include "common.h"

namespace abut::tool {

struct SolveArguments {
  std::vector<std::string> files, solvers, families;
  std::string tolerance, iterations, seed, count, start, write;
  bool json = false, quiet = false, list = false;
};

struct NamedSolver {
  std::string name;  // as it was asked for
  std::unique_ptr<Solver> solver;
};

// Those asked for, `auto` if none, with the options of the command line.
std::vector<NamedSolver> solvers_of(const SolveArguments& a);

// A whole number, `least` or more.
std::uint64_t parse_whole(const std::string& text, std::string_view flag, std::uint64_t least);

// Returns the seconds that it took.
double timed_solve(Solver& solver, const Problem& problem, Answer& answer);

// 12.3 us, 1.20 ms, 3.40 s
std::string readable_time(double seconds);

// Numbers that are not finite have no place in JSON.
Json finite_or_null(double x);

// `abut solve --generate`: tries each solver on problems of each family; kDone if all that have
// a solution were solved.
int solve_generated(const SolveArguments& a);

}  // namespace abut::tool
