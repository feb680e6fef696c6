#include "abut/constrain/step/turning_bounds.h"

#include <algorithm>
#include <cmath>

#include "abut/constrain/tolerances.h"
#include "abut/math/index.h"

namespace abut {

namespace {

// Of a couple that is beyond its bound, or was at it.
void fit(Eigen::Ref<VectorX> couple, double was, double most) {
  const double size = couple.norm();
  if (size > most || (size > 0 && size >= (1 - kAtTurningBound) * was)) couple *= most / size;
}

}  // namespace

void TurningBounds::set(Problem& problem, VectorX& z, double part) {
  const bool first = used_.empty();
  used_.resize(rows_.size(), kInfinity);
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Rows& rows = rows_[i];
    const double was = used_[i], pressed = std::max(z[rows.normal], 0.0);
    const double r = used_[i] = first ? pressed : was + part * (pressed - was);
    if (rows.torsion >= 0) {
      const double most = rows.mu_torsion * r;
      problem.lo[rows.torsion] = -most;
      problem.hi[rows.torsion] = most;
      fit(z.segment(rows.torsion, 1), rows.mu_torsion * was, most);
    }
    if (rows.rolling >= 0) {
      problem.b[rows.rolling] = -problem.A.factored().softness[at(rows.rolling)] * r;
      z[rows.rolling] = r;
      fit(z.segment(rows.rolling + 1, 2), rows.mu_rolling * was, rows.mu_rolling * r);
    }
  }
}

double TurningBounds::off(const Problem& problem, const VectorX& z) const {
  double most = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i)
    most =
        std::max(most, rows_[i].mobility * std::abs(std::max(z[rows_[i].normal], 0.0) - used_[i]));
  return most / (1 + problem.b.cwiseAbs().maxCoeff());
}

}  // namespace abut
