#include "abut/solve/wrap/chain.h"

#include <utility>

#include "abut/solve/row_check.h"
#include "abut/solve/tolerances.h"

namespace abut {

namespace {

class Chain final : public Solver {
 public:
  explicit Chain(std::vector<std::unique_ptr<Solver>> links) : links_(std::move(links)) {
    info_ = {"chain", "the first of several solvers that succeeds", "that of its best link"};
    for (const auto& link : links_) {
      info_.kinds |= link->info().kinds;
      info_.classes |= link->info().classes;
      info_.forms |= link->info().forms;
      info_.warm_start |= link->info().warm_start;
      info_.inverse_masses |= link->info().inverse_masses;
    }
  }

  const SolverInfo& info() const override { return info_; }

 protected:
  void run(const Problem& problem, Answer& answer) override {
    start_ = answer.z;
    bool proved = false;
    best_.residuals.relative = kInfinity;
    best_.z = answer.z;
    best_.reason = "no link takes problems of this kind";
    int iterations = 0, pivots = 0, tried = 0;
    for (std::size_t k = 0; k < links_.size(); ++k) {
      Solver& link = *links_[k];
      if (!(link.info().kinds & bit(problem.kind()))) continue;
      link.options = options;
      trial_.z = start_;
      link.solve(problem, trial_);
      iterations += trial_.iterations;
      pivots += trial_.pivots;
      ++tried;
      if (trial_.status == SolveStatus::infeasible) {
        proved = true;
        proof_ = trial_.reason;
        prover_ = trial_.solver;
        proving_link_ = static_cast<int>(k);
        proving_level_ = tried - 1;
      }
      const bool asked_again = is_solved(best_);
      if (is_better(trial_, best_)) {
        std::swap(best_, trial_);
        best_.link = static_cast<int>(k);
        best_.level = tried - 1;
      }
      if (proved) break;
      if (is_solved(best_) && rows_hold(best_, asked_again ? kRowWrong : kRowOff)) break;
    }
    const bool solved = is_solved(best_) && rows_hold(best_, kRowWrong);
    if (best_.residuals.relative < kInfinity) {
      answer.w = best_.w;
      answer.residuals = best_.residuals;
    }
    answer.z.swap(best_.z);
    answer.iterations = iterations;
    answer.pivots = pivots;
    answer.starts = best_.starts;
    answer.solver = proved ? prover_ : best_.solver.empty() ? info_.name : best_.solver;
    answer.link = proved ? proving_link_ : best_.link;
    answer.level = proved ? proving_level_ : best_.level;
    answer.status = proved && !solved ? SolveStatus::infeasible : SolveStatus::failed;
    answer.reason = proved ? proof_ : best_.reason;
  }

 private:
  bool is_solved(const Answer& a) const { return a.residuals.relative <= options.tolerance; }
  bool rows_hold(const Answer& a, double limit) const {
    return !options.every_row || a.residuals.row_scaled <= limit;
  }
  // Of two solved answers, the one with the better rows.
  bool is_better(const Answer& a, const Answer& b) const {
    if (is_solved(a) && is_solved(b)) return a.residuals.row_scaled < b.residuals.row_scaled;
    return a.residuals.relative < b.residuals.relative;
  }

  std::vector<std::unique_ptr<Solver>> links_;
  SolverInfo info_;
  VectorX start_;
  Answer best_, trial_;
  std::string_view proof_, prover_;
  int proving_link_ = 0, proving_level_ = 0;
};

}  // namespace

std::unique_ptr<Solver> make_chain(std::vector<std::unique_ptr<Solver>> links) {
  return std::make_unique<Chain>(std::move(links));
}

}  // namespace abut
