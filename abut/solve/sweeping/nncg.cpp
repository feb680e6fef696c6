#include "abut/solve/sweeping/nncg.h"

#include "abut/solve/sweeping/pgs.h"
#include "abut/solve/sweeping/sweeps.h"

namespace abut {

namespace {

constexpr int kMostSweeps = 5000;

class Nncg final : public Solver {
 public:
  const SolverInfo& info() const override { return nncg_info(); }

 protected:
  void run(const Problem& problem, Answer& answer) override {
    if (problem.A.form() == Matrix::Form::matrix_free) {
      answer.reason = "needs the rows of A: dense or blocks";
      return;
    }
    const int most = options.most_iterations > 0 ? options.most_iterations : kMostSweeps;
    sweep_.set(problem, options.relaxation);
    best_.start(problem);
    if (best_.look(problem, answer.z) <= options.tolerance) return;
    bool possible = true;
    VectorX& z = answer.z;
    direction_.setZero(z.size());
    double before = kInfinity;  // |gradient|^2
    while (answer.iterations < most) {
      from_ = z;
      possible = sweep_.run(z);
      ++answer.iterations;
      // measured here: this point is within its bounds, the extrapolated point is not
      if (answer.iterations % kLookEvery == 0 || answer.iterations == most)
        if (!(best_.look(problem, z) > options.tolerance)) break;

      from_ = z - from_;  // minus the gradient
      const double now = from_.squaredNorm();
      if (now == 0) {
        // a fixed point of the sweep: the last chance to measure it
        best_.look(problem, z);
        break;
      }
      const double beta = now / before;
      if (beta > 1 || before == kInfinity) {
        direction_ = from_;
        if (beta > 1) direction_.setZero();  // restart: the paper's p = 0
      } else {
        z += beta * direction_;
        direction_ = beta * direction_ + from_;
      }
      before = now;
    }
    if (best_.any()) z = best_.z();
    answer.reason = possible ? "sweep limit" : "a diagonal entry of A is not positive";
  }

 private:
  ProjectedSweep sweep_;
  BestSoFar best_;
  VectorX from_, direction_;
};

}  // namespace

const SolverInfo& nncg_info() {
  static const SolverInfo info{
      "nncg", "projected Gauss-Seidel, accelerated by conjugate gradients",
      "a residual, whatever comes of it; often far fewer sweeps than pgs, no proof",
      bit(ProblemKind::lcp) | bit(ProblemKind::mlcp) | bit(ProblemKind::boxed) |
          bit(ProblemKind::cone),
      // no class that includes unsymmetric matrices
      0, bit(Matrix::Form::dense) | bit(Matrix::Form::blocks), true};
  return info;
}

std::unique_ptr<Solver> make_nncg() { return std::make_unique<Nncg>(); }

}  // namespace abut
