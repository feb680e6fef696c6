#include "abut/solve/pivoting/murty.h"

#include "abut/solve/pivoting/exchange.h"

namespace abut {

namespace {

class Murty final : public Solver {
 public:
  const SolverInfo& info() const override { return murty_info(); }

 protected:
  void run(const Problem& problem, Answer& answer) override {
    const int most =
        options.most_iterations > 0 ? options.most_iterations : 1000 + 100 * problem.size();
    exchange_.run(problem, ExchangeRule::least_index, most, options.tolerance, answer);
  }

 private:
  Exchange exchange_;
};

}  // namespace

const SolverInfo& murty_info() {
  static const SolverInfo info{
      "murty",
      "least-index principal pivoting (Murty 1974)",
      "P-matrices: a solution in finitely many pivots; semidefinite: by proximal points, where "
      "there is a solution; bounds by other rows: may fail",
      bit(ProblemKind::lcp) | bit(ProblemKind::mlcp) | bit(ProblemKind::boxed),
      MatrixClass::p_matrix | MatrixClass::semidefinite,
      bit(Matrix::Form::dense),
      true};
  return info;
}

std::unique_ptr<Solver> make_murty() { return std::make_unique<Murty>(); }

}  // namespace abut
