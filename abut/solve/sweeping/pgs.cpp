#include "abut/solve/sweeping/pgs.h"

#include <algorithm>
#include <cmath>

#include "abut/solve/cone/friction_cone.h"
#include "abut/solve/sweeping/sweeps.h"

namespace abut {

void ProjectedSweep::set(const Problem& p, double relaxation) {
  problem_ = &p;
  rows_.set(p.A);
  const int n = p.size();
  step_.resize(n);
  for (int i = 0; i < n; ++i) {
    double a;
    rows_.diagonal(i, 1, &a);
    step_[i] = relaxation / a;
  }
  // one step length for both tangents, short enough for their square of A
  for (const Cone& c : p.cones) {
    double a[4];
    const int t = c.size - 1;
    rows_.diagonal(c.first + 1, t, a);
    const double most =
        t == 1 ? a[0] : std::max(std::abs(a[0]) + std::abs(a[1]), std::abs(a[2]) + std::abs(a[3]));
    for (int k = 1; k < c.size; ++k) step_[c.first + k] = relaxation / most;
  }
}

bool ProjectedSweep::step_row(int i, double* z) const {
  const Problem& p = *problem_;
  double lo = p.lo[i], hi = p.hi[i];
  if (p.bound_by[i] >= 0) {
    hi = p.mu[i] * std::max(z[p.bound_by[i]], 0.0);
    lo = -hi;
  }
  double w;
  rows_.multiply(i, 1, z, &w);
  w += p.b[i];
  // if the diagonal is not positive, the step would go in the wrong direction. z is unchanged,
  // which is correct at the bound that w points to.
  if (!(step_[i] > 0 && step_[i] < kInfinity)) {
    z[i] = std::clamp(z[i], lo, hi);
    return w == 0 || (w > 0 ? z[i] == lo : z[i] == hi);
  }
  z[i] = std::clamp(z[i] - step_[i] * w, lo, hi);
  return true;
}

bool ProjectedSweep::step_cone(const Cone& c, double* z) const {
  double* own = z + c.first;
  double w[3];
  rows_.multiply(c.first, 1, z, w);
  w[0] += problem_->b[c.first];
  const double normal = step_[c.first];
  if (normal > 0 && normal < kInfinity)
    own[0] = std::max(0.0, own[0] - normal * w[0]);
  else if (w[0] < 0)
    return false;

  rows_.multiply(c.first + 1, c.size - 1, z, w + 1);
  const double tangential = step_[c.first + 1];
  for (int k = 1; k < c.size; ++k)
    if (tangential < kInfinity) own[k] -= tangential * (w[k] + problem_->b[c.first + k]);
  const double length = tangential_length(own, c.size), radius = c.mu * own[0];
  if (length > radius) {
    for (int k = 1; k < c.size; ++k) own[k] *= radius / length;
  }
  return true;
}

bool ProjectedSweep::run(VectorX& z) const {
  const Problem& p = *problem_;
  bool all = true;
  std::size_t next = 0;
  for (int i = 0; i < p.size();) {
    if (next < p.cones.size() && p.cones[next].first == i) {
      all &= step_cone(p.cones[next], z.data());
      i += p.cones[next++].size;
    } else {
      all &= step_row(i++, z.data());
    }
  }
  return all;
}

namespace {

constexpr int kMostSweeps = 5000;

class Pgs final : public Solver {
 public:
  const SolverInfo& info() const override { return pgs_info(); }

 protected:
  void run(const Problem& problem, Answer& answer) override {
    if (problem.A.form() == Matrix::Form::matrix_free) {
      answer.reason = "needs the rows of A: dense or blocks";
      return;
    }
    const int most = options.most_iterations > 0 ? options.most_iterations : kMostSweeps;
    sweep_.set(problem, options.relaxation);
    best_.start(problem);
    const bool possible = sweep_until(problem, options, most, sweep_, best_, answer);
    answer.reason = possible ? "sweep limit" : "a diagonal entry of A is not positive";
  }

 private:
  ProjectedSweep sweep_;
  BestSoFar best_;
};

}  // namespace

const SolverInfo& pgs_info() {
  static const SolverInfo info{
      "pgs", "projected Gauss-Seidel, with relaxation",
      "a residual, whatever comes of it; converges for symmetric positive definite A without "
      "friction, linearly",
      bit(ProblemKind::lcp) | bit(ProblemKind::mlcp) | bit(ProblemKind::boxed) |
          bit(ProblemKind::cone),
      // no class that includes unsymmetric matrices
      0, bit(Matrix::Form::dense) | bit(Matrix::Form::blocks), true};
  return info;
}

std::unique_ptr<Solver> make_pgs() { return std::make_unique<Pgs>(); }

}  // namespace abut
