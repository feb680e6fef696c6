// "lemke": complementary pivoting (Lemke 1965; Cottle, Pang and Stone, The Linear Complementarity
// Problem, 4.4), S-1. One artificial variable z0 makes any start feasible, w = M z + q + e z0. Each
// pivot brings in the complement of the variable that left before, until z0 leaves.
//
//   abut::Lemke lemke;
//   abut::VectorX z;
//   if (lemke.solve(M, q, z).end == abut::LemkeEnd::solved) use(z);
//
// Guarantee, up to rounding: it terminates, as no basis occurs twice (lexicographic ratio test),
// and finds a solution if M is a P-matrix or positive definite (always) or copositive plus (if
// there is a solution). These classes include contacts without friction, also redundant ones, and
// Stewart and Trinkle's friction. For other matrices it may end on a secondary ray although there
// is a solution.
//
// A ray is reported as `infeasible` only with a proof: y >= 0 with M' y <= 0 and q' y < 0, which
// excludes every z >= 0 with M z + q >= 0, whatever M's class. Copositive plus matrices always give
// it. Otherwise finer pivots are tried, then M + eps I with growing eps; a result counts only if it
// solves the original problem.
//
// Other problems are converted to an LCP first (lcp_form.h).
#pragma once

#include <memory>
#include <vector>

#include "abut/solve/pivoting/lcp_form.h"
#include "abut/solve/pivoting/lemke_basis.h"
#include "abut/solve/solver.h"
#include "abut/solve/tolerances.h"

namespace abut {

struct LemkeOptions {
  double accept = 0;    // largest |min(z, w)| of a solution; 0: 1e-10 (1 + max|q|)
  int most_pivots = 0;  // of one attempt; 0: 50 n, at least 1000
  // False: the first of the rows that tie leaves. That saves no measurable time; the option exists
  // to show that degenerate problems cycle without the lexicographic rule.
  bool lexicographic = true;
  // Scale rows and columns by powers of 2 to largest entries near 1, if they differ by more than
  // 1e3. The covering vector is ones after this.
  bool equilibrate = true;
  // Fraction of a column's largest entry: smaller entries are noise (tolerances.h). If it fails,
  // the first restart tries fine_pivot_tolerance, for matrices whose true pivots are that small.
  double pivot_tolerance = kLemkePivot;
  double fine_pivot_tolerance = kLemkeFinePivot;
  double tie_tolerance = kLemkeTie;     // fraction of the least ratio
  int restarts = 6;                     // the first with finer pivots, the others with M + eps I
  double first_eps = kLemkeFirstShift;  // fraction of M's largest entry after equilibration
  double eps_growth = 100;
};

enum class LemkeEnd { solved, ray, limit, inaccurate };

struct LemkeResult {
  LemkeEnd end = LemkeEnd::inaccurate;  // of the first attempt, or solved
  bool infeasible = false;              // proved, see Lemke::certificate
  int pivots = 0;                       // of all attempts
  int restarts = 0;
  double residual = 0;  // largest |min(z, M z + q)|
};

class Lemke {
 public:
  LemkeOptions options;

  // z is the solution, or the best point found. The same size again allocates nothing.
  LemkeResult solve(const DenseRows& M, const VectorX& q, VectorX& z);
  // y of a proof of infeasibility, with largest entry 1.
  const VectorX& certificate() const { return certificate_; }

 private:
  void equilibrate(const DenseRows& M, const VectorX& q);
  LemkeEnd attempt(const DenseRows& M, double pivot_tolerance, int& pivots);
  int first_to_leave() const;
  int to_leave(double pivot_tolerance);
  int lexicographic_least();
  void step_by(double step);
  void finish(int refinements);
  double unscaled_residual(const DenseRows& M, const VectorX& q);
  bool ray_proves_infeasible(const DenseRows& M, const VectorX& q);

  struct Tied {
    int variable;
    double t, entry;
  };

  LemkeBasis basis_;
  bool scaled_ = false;
  const DenseRows* true_M_ = nullptr;  // equilibrated, without eps
  DenseRows scaled_M_, shifted_M_;
  VectorX q_, row_scale_, column_scale_;
  int last_entering_ = 0;
  std::vector<Tied> tied_;
  VectorX z_, w_, certificate_;
};

const SolverInfo& lemke_info();
std::unique_ptr<Solver> make_lemke();

}  // namespace abut
