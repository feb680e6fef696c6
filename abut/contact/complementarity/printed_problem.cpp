#include "abut/contact/complementarity/printed_problem.h"

#include <cmath>
#include <numbers>

#include "abut/contact/complementarity/tolerances.h"
#include "abut/math/index.h"

namespace abut {

namespace {

using Kind = FeatureConstraint::Kind;

// In the order of the sums: iota first.
std::vector<int> members(const FeatureConstraint& c) {
  std::vector<int> all = c.iota;
  all.insert(all.end(), c.kappa.begin(), c.kappa.end());
  return all;
}

}  // namespace

PrintedProblem::PrintedProblem(const Model& model, const ContactSettings& settings)
    : model_(model), settings_(settings), equalities_(model), rows_(model), contacts_(model) {
  delassus_.set_blocks();
}

// joints, then p, beta and s of each contact that may press, d of those alone, and the constraints'
// slacks
void PrintedProblem::name_unknowns(const FeatureConstraints& set) {
  const std::size_t count = set.contacts().size();
  unknowns_ = static_cast<int>(equalities_.error().size());
  p_.assign(count, -1), d_.assign(count, -1), beta_.assign(count, -1);
  for (std::size_t i = 0; i < count; ++i) {
    if (!set.contacts()[i].presses) continue;
    p_[i] = unknowns_++;
    const Contact& c = contacts_.contacts()[i];
    if (directions_ == 0 || rows_.groups()[at(c.group)].size < 3) continue;
    beta_[i] = unknowns_;
    unknowns_ += directions_ + 1;
  }
  std::vector<char> has_row(count, 0);  // its p is perpendicular to a row of some constraint
  slacks_.clear();
  for (const FeatureConstraint& c : set.constraints()) {
    Slacks s;
    for (const int i : c.iota) has_row[at(i)] |= c.kind != Kind::X;
    if (c.kind != Kind::U) {
      s.first_c = unknowns_;
      unknowns_ += static_cast<int>(c.iota.size() + c.kappa.size()) - 1;
      s.e = unknowns_++;
      s.d = unknowns_;
      if (c.kind == Kind::I) unknowns_ += static_cast<int>(c.iota.size());
    }
    slacks_.push_back(s);
  }
  for (std::size_t i = 0; i < count; ++i)
    if (p_[i] >= 0 && !has_row[i]) d_[i] = unknowns_++;
}

// w of an unknown's row: a combination of what the rows see.
void PrintedProblem::add_row(int row, const Eigen::VectorXd& of_rows) {
  problem_.A.rows().row(row).head(WT_.cols()) += of_rows.transpose() * WT_;
  problem_.b[row] += of_rows.dot(rate_);
}

const Problem& PrintedProblem::assemble(double h, const StepMoment& start,
                                        const FeatureConstraints& set, const ContactData& contacts,
                                        std::span<const double> u_free) {
  const bool frictionless = settings_.friction == FrictionKind::none;
  directions_ = frictionless ? 0 : settings_.directions;
  rows_.begin(start.d);
  equalities_.add(start.state, start.input, start.d, rows_);
  const auto joint_rows = static_cast<int>(equalities_.error().size());
  contacts_.build(contacts, start.input, start.d, frictionless, rows_,
                  [](const Patch&, int) { return true; });
  rows_.finish();
  name_unknowns(set);

  const int rows = rows_.rows();
  rate_.resize(rows);
  rows_.velocities(u_free, {rate_.data(), at(rows)});
  for (int i = 0; i < joint_rows; ++i) rate_[i] += equalities_.driven()[at(i)];
  const auto row_of = [&](int contact) {
    return rows_.groups()[at(contacts_.contacts()[at(contact)].group)].row;
  };
  for (const Contact& c : contacts_.contacts()) {
    const RowGroup& g = rows_.groups()[at(c.group)];
    for (int k = 0; k < g.size; ++k) rate_[g.row + k] += c.driven[k];
    rate_[g.row] += c.psi / h;
  }
  rows_.delassus(delassus_.blocks());
  delassus_.to_dense(W_);

  const auto count = static_cast<int>(set.contacts().size());
  T_.setZero(rows, unknowns_);
  const auto direction = [&](int contact, int j) {
    Eigen::VectorXd of_rows = Eigen::VectorXd::Zero(rows);
    const double angle = 2 * std::numbers::pi * j / directions_;
    of_rows[row_of(contact) + 1] = std::cos(angle);
    of_rows[row_of(contact) + 2] = std::sin(angle);
    return of_rows;
  };
  for (int i = 0; i < joint_rows; ++i) T_(i, i) = 1;
  for (int i = 0; i < count; ++i) {
    if (p_[at(i)] >= 0) T_(row_of(i), p_[at(i)]) = 1;
    for (int j = 0; j < directions_ && beta_[at(i)] >= 0; ++j)
      T_.col(beta_[at(i)] + j) = direction(i, j);
  }
  WT_ = W_ * T_;

  problem_.A.set_dense(unknowns_);
  problem_.resize(unknowns_);
  DenseRows& A = problem_.A.rows();
  const auto gap = [&](int contact) {
    return Eigen::VectorXd(Eigen::VectorXd::Unit(rows, row_of(contact)));
  };
  for (int i = 0; i < joint_rows; ++i) {
    problem_.set_free(i);
    add_row(i, Eigen::VectorXd::Unit(rows, i));
  }
  for (int i = 0; i < count; ++i) {
    if (d_[at(i)] >= 0)
      for (const int row : {d_[at(i)], p_[at(i)]}) {
        add_row(row, gap(i));
        A(row, d_[at(i)]) += 1;
      }
    if (beta_[at(i)] < 0) continue;
    const int s = beta_[at(i)] + directions_;
    for (int j = 0; j < directions_; ++j) {
      add_row(beta_[at(i)] + j, direction(i, j));
      A(beta_[at(i)] + j, s) = 1;
      A(s, beta_[at(i)] + j) = -1;
    }
    A(s, p_[at(i)]) = contacts_.contacts()[at(i)].material.friction;
  }
  for (int k = 0; k < set.count(); ++k) {
    const FeatureConstraint& c = set.constraints()[at(k)];
    if (c.kind == Kind::U) {
      for (const int i : c.iota) add_row(p_[at(i)], gap(i));
      continue;
    }
    const Slacks& s = slacks_[at(k)];
    const std::vector<int> all = members(c);
    const auto slacks = static_cast<int>(all.size()) - 1;
    for (int l = 0; l < slacks; ++l) {
      add_row(s.first_c + l, gap(all[0]) - gap(all[at(l + 1)]));
      for (int m = 0; m <= l; ++m) A(s.first_c + l, s.first_c + m) = 1;
    }
    const auto greatest = [&](int row) {
      add_row(row, gap(all[0]));
      for (int l = 0; l < slacks; ++l) A(row, s.first_c + l) += 1;
    };
    greatest(s.e);
    A(s.e, s.e) = -1;
    if (c.kind != Kind::I) continue;
    for (int i = 0; i < static_cast<int>(c.iota.size()); ++i) {
      const int contact = c.iota[at(i)];
      add_row(s.d + i, gap(contact));
      A(s.d + i, s.d + i) = 1;
      greatest(p_[at(contact)]);
      A(p_[at(contact)], s.d + i) += 1;
    }
  }
  return problem_;
}

void PrintedProblem::pressed(const VectorX& z, std::vector<int>& out) const {
  out.clear();
  double most = 0;
  for (const int p : p_)
    if (p >= 0) most = std::max(most, z[p]);
  for (std::size_t i = 0; i < p_.size(); ++i)
    if (p_[i] >= 0 && z[p_[i]] > kPressedRow * most) out.push_back(static_cast<int>(i));
}

VectorX PrintedProblem::complete(const FeatureConstraints& set,
                                 std::span<const double> impulses) const {
  VectorX z = VectorX::Zero(unknowns_);
  for (std::size_t i = 0; i < p_.size(); ++i)
    if (p_[i] >= 0) z[p_[i]] = impulses[i];
  const Eigen::VectorXd y = WT_ * z.head(WT_.cols()) + rate_;
  const auto gap = [&](int contact) {
    return y[rows_.groups()[at(contacts_.contacts()[at(contact)].group)].row];
  };
  for (std::size_t i = 0; i < p_.size(); ++i)
    if (d_[i] >= 0) z[d_[i]] = std::max(-gap(static_cast<int>(i)), 0.0);
  for (int k = 0; k < set.count(); ++k) {
    const FeatureConstraint& c = set.constraints()[at(k)];
    if (c.kind == Kind::U) continue;
    const Slacks& s = slacks_[at(k)];
    const std::vector<int> all = members(c);
    double greatest = gap(all[0]);
    for (std::size_t l = 1; l < all.size(); ++l) {
      z[s.first_c + static_cast<int>(l) - 1] = std::max(gap(all[l]) - greatest, 0.0);
      greatest = std::max(greatest, gap(all[l]));
    }
    for (std::size_t i = 0; c.kind == Kind::I && i < c.iota.size(); ++i)
      z[s.d + static_cast<int>(i)] = std::max(-gap(c.iota[i]), 0.0);
  }
  return z;
}

double PrintedProblem::motion(const VectorX& z) const { return 0.5 * (T_ * z).dot(WT_ * z); }

}  // namespace abut
