// The solvers' common face: a Problem goes in, an Answer comes out, checked.
//
//   auto solver = abut::make_solver("lemke");
//   abut::Answer answer;
//   solver->solve(problem, answer);
//   if (answer.status == abut::SolveStatus::solved) use(answer.z);
//
// A solver owns its workspace: solving again a problem of the same size allocates nothing.
// It keeps nothing else: the same problem, options and start give the same bits.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "abut/solve/answer.h"

namespace abut {

// Of the matrix A.
enum class MatrixClass : unsigned {
  p_matrix = 1,      // every principal minor > 0: one solution for each b
  semidefinite = 2,  // x' A x >= 0, symmetric or not: contacts without friction, redundant ones too
  copositive_plus = 4,  // friction as Stewart and Trinkle write it
  any = 8,
};
constexpr unsigned operator|(MatrixClass a, MatrixClass b) {
  return static_cast<unsigned>(a) | static_cast<unsigned>(b);
}
constexpr unsigned bit(MatrixClass c) { return static_cast<unsigned>(c); }
constexpr unsigned bit(ProblemKind k) { return 1u << static_cast<unsigned>(k); }
constexpr unsigned bit(Matrix::Form f) { return 1u << static_cast<unsigned>(f); }

struct SolverInfo {
  std::string_view name;       // on the command line
  std::string_view summary;    // one line
  std::string_view guarantee;  // what it promises, for which classes
  unsigned kinds = 0;          // bits of ProblemKind that it takes
  unsigned classes = 0;     // bits of MatrixClass for which it finds a solution where there is one
  unsigned forms = 0;       // bits of Matrix::Form that it works on as they are
  bool warm_start = false;  // uses answer.z as a start
};

struct SolveOptions {
  double tolerance = 1e-10;  // of Residuals::relative
  int most_iterations = 0;   // iterations or pivots; 0: the solver's own
  // A chain asks one more link where rows are off by more than 1e-6 of their own size although the
  // residual is within the tolerance: rows a million times smaller than others hide in it.
  bool every_row = false;
  bool warm_start = false;  // answer.z holds a start (of the right size)
  std::uint64_t seed = 1;   // of methods with random starts
  double relaxation = 1;    // of pgs and nncg: omega, between 0 and 2
  int starts = 20;          // how many of those, after the given start
};

class FormedProblem;  // factored/formed_problem.h

// Solvers that would make a larger sparse A dense (3.2 GB) decline.
inline constexpr int kMostDense = 20'000;

class Solver {
 public:
  Solver();
  virtual ~Solver();
  virtual const SolverInfo& info() const = 0;

  // Runs, then computes w and the residuals of what came out, and decides the status by them.
  // A problem of a kind that the solver does not take, or that what_is_wrong objects to
  // (checked by its user, once, not here), is `failed` with a reason. A solver that does not take
  // factors (SolverInfo::forms) gets A in blocks, made here.
  void solve(const Problem& problem, Answer& answer);

  SolveOptions options;
  // Called with each problem and its answer, if there is one: to write them down, or to count.
  std::function<void(const Problem&, const Answer&)> watch;

 protected:
  // Leaves z, iterations, pivots and, if it is sure that there is no solution, status
  // infeasible with a reason. Status `solved` need not be set. answer.z has the size of the
  // problem: the start, or zeros.
  virtual void run(const Problem& problem, Answer& answer) = 0;

 private:
  const Problem& as_taken(const Problem& problem);
  void solve_taken(const Problem& problem, Answer& answer);

  VectorX scratch_;
  std::unique_ptr<FormedProblem> formed_;  // for a solver that does not take factors
};

struct SolverEntry {
  const SolverInfo* info;
  std::unique_ptr<Solver> (*make)();
};

// All there are, in the order of docs/solvers.md, then those that were added.
std::span<const SolverEntry> solvers();
// For programs and plug-ins, before solvers are made; `entry.info` must stay. Throws
// std::invalid_argument where the name is taken or is none. Not for several threads at once.
void add_solver(const SolverEntry& entry);
const SolverInfo* find_solver(std::string_view name);  // null: none of that name

// A name, "auto", or a chain "a,b,c": the first link that solves answers. Throws
// std::invalid_argument that names those present.
std::unique_ptr<Solver> make_solver(std::string_view name, const SolveOptions& options = {});

}  // namespace abut
