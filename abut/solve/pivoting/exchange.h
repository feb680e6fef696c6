// Principal pivoting by exchange of states, the core of `murty` and `pivot`: solve the linear
// system of the rows' states, find the wrong rows, change the states of some of them, and repeat. z
// need not be within the bounds on the way.
//
//   inside, z out of the bounds     goes to the bound that it passed
//   at a bound, w of the wrong sign goes inside
//
// The rule says which of the wrong rows change: the least index alone (Murty 1974: finite for
// P-matrices), or all of them while their number falls (Kostreva 1978), then the least index
// (Judice and Pires 1994, with bounds).
//
// A matrix that is only semidefinite has singular states. Rows that depend on others are then left
// at their bound, which is right as long as their w is. If it is not, the problem is solved by
// proximal points: A + eps D with b - eps D z, D the diagonal, is a P-matrix problem, and its
// solutions z, each used for the next problem, converge to a solution for A if there is one
// (Rockafellar 1976). With a small eps two or three rounds are enough. The same method, with eps
// falling from 1, leads block exchanges that got stuck (boxes, nearly singular A) near the
// solution; one by one they may need thousands of exchanges.
#pragma once

#include <vector>

#include "abut/solve/answer.h"
#include "abut/solve/linear/active_factor.h"
#include "abut/solve/pivoting/row_states.h"

namespace abut {

enum class ExchangeRule { least_index, block, block_then_least };

class Exchange {
 public:
  // answer.z is the start. Sets z, iterations (systems solved), pivots (state changes) and, if it
  // did not converge, a reason.
  void run(const Problem& problem, ExchangeRule rule, int most_iterations, double tolerance,
           Answer& answer);

 private:
  enum class Outcome { done, singular, stuck };

  void resize(const Problem& problem);
  void start_states(const Problem& p, const VectorX& z);
  Outcome exchange(const Problem& p, ExchangeRule rule, int most, Answer& answer);
  double offer(const Problem& p, Answer& answer);
  bool solve_states(const Problem& p);
  void update_factor();
  void measure_noise(const Problem& p);
  void find_wrong(const Problem& p);
  bool proximal_points(const Problem& p, ExchangeRule rule, double tolerance, double eps,
                       Answer& answer);

  const DenseRows* A_ = nullptr;
  DenseRows dense_, shifted_;
  bool symmetric_ = false;   // and no row is bounded by another
  double best_ = kInfinity;  // residual of answer.z
  ActiveFactor factor_;
  CoupledSystem coupled_;
  VectorX b_, z_, w_, root_, noise_, step_, centre_, scratch_;
  std::vector<RowState> states_;
  std::vector<char> refused_;  // depends on the rows inside: stays at its bound
  std::vector<int> rows_, wrong_, dependent_;
};

}  // namespace abut
