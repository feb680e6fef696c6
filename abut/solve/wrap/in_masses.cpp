#include "abut/solve/wrap/in_masses.h"

#include <cmath>

namespace abut {

namespace {

// Power of two: typical masses between 2^-kPlain and 2^kPlain change nothing.
constexpr int kPlain = 20;

class InMasses final : public Solver {
 public:
  explicit InMasses(std::unique_ptr<Solver> behind) : behind_(std::move(behind)) {
    info_ = behind_->info();
  }

  const SolverInfo& info() const override { return info_; }

 protected:
  void run(const Problem& problem, Answer& answer) override {
    behind_->options = options;
    const int power = problem.A.form() == Matrix::Form::matrix_free ? 0 : typical_power(problem);
    if (std::abs(power) <= kPlain) {
      behind_->solve(problem, answer);
      return;
    }
    const double mass = std::ldexp(1.0, power);
    scaled_ = problem;
    scale(mass, scaled_.A);
    scaled_.lo /= mass;
    scaled_.hi /= mass;
    answer.z /= mass;
    behind_->solve(scaled_, answer);
    answer.z *= mass;
  }

 private:
  static void scale(double mass, Matrix& A) {
    if (A.form() == Matrix::Form::dense) A.rows() *= mass;
    if (A.form() == Matrix::Form::blocks)
      for (double& a : A.blocks().values) a *= mass;
    if (A.form() == Matrix::Form::factored)
      for (std::vector<double>* part :
           {&A.factored().MinvJT, &A.factored().softness, &A.factored().inverse_mass})
        for (double& a : *part) a *= mass;
  }

  // Of the geometric mean of the reciprocals of A's diagonal.
  static int typical_power(const Problem& problem) {
    double sum = 0;
    int count = 0;
    const auto add = [&](double d) {
      if (!(d > 0) || !std::isfinite(d)) return;
      sum -= std::log2(d);
      ++count;
    };
    if (problem.A.form() == Matrix::Form::dense) {
      for (int i = 0; i < problem.size(); ++i) add(problem.A.rows()(i, i));
    } else if (problem.A.form() == Matrix::Form::factored) {
      const FactoredMatrix& A = problem.A.factored();
      for (int g = 0; g < static_cast<int>(A.groups.size()); ++g)
        for (int k = 0; k < A.groups[g].size; ++k) add(A.diagonal(g, k));
    } else {
      const BlockRows& A = problem.A.blocks();
      for (int i = 0; i < A.size(); ++i) {
        const double* block = A.block(A.find(i, i));
        for (int k = 0; k < A.width(i); ++k) add(block[k * A.width(i) + k]);
      }
    }
    return count > 0 ? static_cast<int>(std::lround(sum / count)) : 0;
  }

  std::unique_ptr<Solver> behind_;
  SolverInfo info_;
  Problem scaled_;
};

}  // namespace

std::unique_ptr<Solver> make_in_masses(std::unique_ptr<Solver> behind) {
  return std::make_unique<InMasses>(std::move(behind));
}

}  // namespace abut
