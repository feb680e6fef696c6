#include "abut/constrain/step/step_work.h"

#include "abut/math/index.h"

namespace abut {

StepWork::StepWork(const Model& model) : u_(at(model.nv)) {}

void StepWork::clear() { of_contacts_ = on_free_ = motion_ = 0; }

void StepWork::find(const StepRows& rows, std::span<const double> p, std::span<const double> before,
                    std::span<const double> u_free, std::span<const double> change) {
  rate_.resize(p.size());
  rows.rows().velocities(change, rate_);
  motion_ = 0;
  for (std::size_t i = 0; i < p.size(); ++i) motion_ += 0.5 * p[i] * rate_[i];

  for (std::size_t i = 0; i < u_.size(); ++i) u_[i] = u_free[i] + 0.5 * change[i];
  rows.rows().velocities(u_, rate_);
  on_free_ = of_rates(rows, p);

  for (std::size_t i = 0; i < u_.size(); ++i) u_[i] = u_free[i] + change[i];
  rows.rows().velocities(u_, rate_);
  for (std::size_t i = 0; i < rate_.size(); ++i) rate_[i] = 0.5 * (rate_[i] + before[i]);
  of_contacts_ = of_rates(rows, p);
}

double StepWork::of_rates(const StepRows& rows, std::span<const double> p) const {
  double work = 0;
  for (const Contact& c : rows.contacts()) {
    const RowGroup& g = rows.group(c.group);
    for (int r = g.row; r < g.row + g.size; ++r) work += p[at(r)] * rate_[at(r)];
  }
  for (const TurningContact& t : rows.turning())
    for (const int group : {t.torsion, t.rolling}) {
      if (group < 0) continue;
      const RowGroup& g = rows.group(group);
      for (int r = g.row; r < g.row + g.size; ++r) work += p[at(r)] * rate_[at(r)];
    }
  return work;
}

}  // namespace abut
