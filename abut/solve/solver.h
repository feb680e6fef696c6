// The common interface of solvers: a Problem is the input, a checked Answer the output.
//
//   auto solver = abut::make_solver("lemke");
//   abut::Answer answer;
//   solver->solve(problem, answer);
//   if (answer.status == abut::SolveStatus::solved) use(answer.z);
//
// A solver owns its workspace: solving a problem of the same size again allocates nothing. It has
// no other memory: the same problem, options and start give the same bits.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "abut/solve/answer.h"
#include "abut/solve/time_limit.h"
#include "abut/solve/tolerances.h"

namespace abut {

// Classes of the matrix A.
enum class MatrixClass : unsigned {
  p_matrix = 1,         // every principal minor > 0: one solution for each b
  semidefinite = 2,     // x' A x >= 0, symmetric or not: contacts without friction
  copositive_plus = 4,  // friction as formulated by Stewart and Trinkle
  any = 8,
};
constexpr unsigned operator|(MatrixClass a, MatrixClass b) {
  return static_cast<unsigned>(a) | static_cast<unsigned>(b);
}
constexpr unsigned bit(MatrixClass c) { return static_cast<unsigned>(c); }
constexpr unsigned bit(ProblemKind k) { return 1u << static_cast<unsigned>(k); }
constexpr unsigned bit(Matrix::Form f) { return 1u << static_cast<unsigned>(f); }

struct SolverInfo {
  std::string_view name;       // name on the command line
  std::string_view summary;    // one line
  std::string_view guarantee;  // what it promises, for which classes
  unsigned kinds = 0;          // bits of ProblemKind that it takes
  unsigned classes = 0;     // bits of MatrixClass for which it finds a solution where there is one
  unsigned forms = 0;       // bits of Matrix::Form that it works on as they are
  bool warm_start = false;  // uses answer.z as a start
  bool inverse_masses = false;  // needs FactoredMatrix::inverse_mass
};

struct SolveOptions {
  double tolerance = kSolveTolerance;  // of Residuals::relative
  int most_iterations = 0;             // iterations or pivots; 0: the solver's default
  // A chain asks one more link if rows are off by more than kRowOff of their own size although the
  // residual is within the tolerance: the residual hides rows that are a million times smaller than
  // others.
  bool every_row = false;
  bool warm_start = false;           // answer.z is a start (of the right size)
  std::uint64_t seed = 1;            // of methods with random starts
  double relaxation = 1;             // of pgs and nncg: omega, between 0 and 2
  int starts = 20;                   // number of random starts after the given start
  const TimeLimit* limit = nullptr;  // iterations end when it is over, not before the first
  bool is_late() const { return limit != nullptr && limit->is_over(); }
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
  // If set, called with each problem and its answer, for example to record or to count them.
  std::function<void(const Problem&, const Answer&)> watch;

 protected:
  // Sets z, iterations and pivots. If it is certain that there is no solution, sets status
  // infeasible and a reason. It need not set status `solved`. answer.z has the size of the problem:
  // the start, or zeros.
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

// All solvers, in the order of docs/solvers.md, then those that were added.
std::span<const SolverEntry> solvers();
// For programs and plug-ins, before solvers are made. `entry.info` must stay valid. Throws
// std::invalid_argument if the name is empty or taken. Not thread-safe.
void add_solver(const SolverEntry& entry);
const SolverInfo* find_solver(std::string_view name);  // null if there is none of that name

// Makes a solver by name, "auto", or a chain "a,b,c", in which the first link that solves the
// problem answers. Throws std::invalid_argument that lists the existing names.
std::unique_ptr<Solver> make_solver(std::string_view name, const SolveOptions& options = {});

}  // namespace abut
