#include "abut/constrain/step/time_stepping.h"

#include <algorithm>

#include "abut/math/index.h"

namespace abut {

TimeStepping::TimeStepping(const Model& model, const StepSettings& settings,
                           std::vector<double> sizes)
    : model_(model),
      settings_(settings),
      rows_(model, std::move(sizes)),
      rhs_(model),
      solvers_(settings),
      work_(model) {}

void TimeStepping::solve(double h, const StepMoment& start, const Around* around,
                         const ContactData& data, std::span<const double> u_free,
                         std::span<double> change, const StepTerms& terms) {
  const StepMoment& moment = around != nullptr ? around->end : start;
  const ContactMemory& last = start.state.contacts;
  solvers_.begin();
  work_.clear();
  rows_.build(h, settings_, moment, last, data, u_free, terms);
  memory_.note_joints(rows_);
  impulses_.assign(contacts().size(), Vec3::Zero());
  couples_.assign(contacts().size(), Vec3::Zero());
  if (rows_.count() == 0) {
    std::fill(change.begin(), change.end(), 0.0);
    return;
  }

  rhs_.find({h, start, around, data, u_free, terms}, settings_, rows_);
  memory_.read(last, data, rows_);
  p_.assign(at(rows_.count()), 0.0);
  islands_.find(rows().groups(), static_cast<int>(model_.trees.size()));
  solvers_.solve(islands_, rows_, rhs_, memory_.start(), terms.proximal, terms.kept, p_);
  std::fill(change.begin(), change.end(), 0.0);  // not before: it may be that of `around`
  rows().add_impulses(p_, change);
  work_.find(rows_, p_, rhs_.before(), u_free, change);
  add_up_impulses();
}

void TimeStepping::add_up_impulses() {
  for (std::size_t c = 0; c < contacts().size(); ++c) {
    const Contact& contact = contacts()[c];
    const RowGroup& g = rows_.group(contact.group);
    for (int k = 0; k < g.size; ++k) impulses_[c] += p_[at(g.row + k)] * contact.frame.col(k);
  }
  for (const TurningContact& t : rows_.turning()) {
    const Mat3& frame = contacts()[at(t.contact)].frame;
    Vec3& couple = couples_[at(t.contact)];
    if (t.torsion >= 0) couple += t.length * p_[at(rows_.group(t.torsion).row)] * frame.col(0);
    if (t.rolling >= 0)
      for (int k = 1; k < 3; ++k)
        couple += t.length * p_[at(rows_.group(t.rolling).row + k)] * frame.col(k);
  }
}

void TimeStepping::partings(std::span<const double> u, std::vector<double>& out) {
  out.resize(contacts().size());
  if (out.empty()) return;
  rate_.resize(at(rows_.count()));
  rows().velocities(u, rate_);
  for (std::size_t i = 0; i < out.size(); ++i) {
    const Contact& c = contacts()[i];
    out[i] = rate_[at(rows_.group(c.group).row)] + c.driven[0];
  }
}

}  // namespace abut
