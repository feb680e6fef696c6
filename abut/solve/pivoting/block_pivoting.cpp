#include "abut/solve/pivoting/block_pivoting.h"

#include "abut/solve/pivoting/exchange.h"

namespace abut {

namespace {

class BlockPivoting final : public Solver {
 public:
  const SolverInfo& info() const override { return pivot_info(); }

 protected:
  void run(const Problem& problem, Answer& answer) override {
    const int most =
        options.most_iterations > 0 ? options.most_iterations : 1000 + 10 * problem.size();
    exchange_.run(problem, ExchangeRule::block, most, options.tolerance, answer);
  }

 private:
  Exchange exchange_;
};

}  // namespace

const SolverInfo& pivot_info() {
  static const SolverInfo info{
      "pivot",
      "block principal pivoting, least index when stuck (Judice and Pires 1994)",
      "P-matrices: a solution, given the pivots; semidefinite: by proximal points, where there is "
      "a solution; bounds by other rows: may fail",
      bit(ProblemKind::lcp) | bit(ProblemKind::mlcp) | bit(ProblemKind::boxed),
      MatrixClass::p_matrix | MatrixClass::semidefinite,
      bit(Matrix::Form::dense),
      true};
  return info;
}

std::unique_ptr<Solver> make_pivot() { return std::make_unique<BlockPivoting>(); }

}  // namespace abut
