#include "abut/contact/penalty/friction/held_friction.h"

#include <Eigen/Cholesky>
#include <cmath>

#include "abut/constrain/rows/step_contacts.h"
#include "abut/math/index.h"

namespace abut {

namespace {

// Of the diagonal: where contacts are redundant A is singular, and any x that holds will do.
constexpr double kShift = 1e-13;

}  // namespace

void HeldFriction::begin(const Derived& d) {
  held_.clear();
  rows_.begin(d);
}

void HeldFriction::add(const HeldContact& c) {
  Held h;
  h.contact = c;
  h.frame = contact_frame(c.normal);
  h.rows = c.arm > 0 ? 3 : 2;
  const int g = rows_.add(h.rows, c.body_a, c.body_b);
  for (int k = 0; k < 2; ++k) {
    rows_.add_point(g, k, c.body_b, c.position, h.frame.col(k + 1), 1);
    rows_.add_point(g, k, c.body_a, c.position, h.frame.col(k + 1), -1);
  }
  if (h.rows == 3) {
    rows_.add_twist(g, 2, c.body_b, c.position, {Vec3::Zero(), c.normal});
    rows_.add_twist(g, 2, c.body_a, c.position, {Vec3::Zero(), -c.normal});
  }
  held_.push_back(h);
}

void HeldFriction::solve(double h, std::span<const double> u, std::span<const double> u_rate) {
  x_.assign(at(rows_.rows()), 0.0);
  if (held_.empty()) return;
  rows_.finish();
  rows_.delassus(A_);
  b_.assign(x_.size(), 0.0);
  rate_.assign(x_.size(), 0.0);
  rows_.velocities(u, b_);
  rows_.velocities(u_rate, rate_);
  for (std::size_t i = 0; i < held_.size(); ++i) {
    const Held& c = held_[i];
    const int row = rows_.groups()[i].row;
    for (int k = 0; k < c.rows; ++k)
      b_[at(row + k)] += k < 2 ? c.frame.col(k + 1).dot(c.contact.driven) : c.contact.driven_turn;
  }
  for (std::size_t i = 0; i < b_.size(); ++i) b_[i] = -(b_[i] / h + rate_[i]);
  // each round lets at least one more slip
  while (solve_held() && let_slip()) {
  }
}

// x of those that hold, from b less what slipping friction does to them. False: none holds.
bool HeldFriction::solve_held() {
  int n = 0;
  index_.assign(x_.size(), -1);
  for (std::size_t i = 0; i < held_.size(); ++i)
    if (!held_[i].slips)
      for (int k = 0; k < held_[i].rows; ++k) index_[at(rows_.groups()[i].row + k)] = n++;
  if (n == 0) return false;
  dense_.assign(at(n) * at(n), 0.0);
  right_.assign(at(n), 0.0);
  using Dense = Eigen::Map<MatX>;
  Dense A(dense_.data(), n, n);
  Eigen::Map<VecX> right(right_.data(), n);
  for (int i = 0; i < static_cast<int>(held_.size()); ++i) {
    if (held_[at(i)].slips) continue;
    const int row = rows_.groups()[at(i)].row;
    for (int k = 0; k < held_[at(i)].rows; ++k) right[index_[at(row + k)]] = b_[at(row + k)];
    for (int e = A_.row_begin[at(i)]; e < A_.row_begin[at(i) + 1]; ++e) {
      const int j = A_.column[at(e)], other = rows_.groups()[at(j)].row;
      const double* block = A_.block(e);
      const int width = held_[at(j)].rows;
      for (int k = 0; k < held_[at(i)].rows; ++k)
        for (int l = 0; l < width; ++l) {
          const double a = block[k * width + l];
          if (held_[at(j)].slips)
            right[index_[at(row + k)]] -= a * x_[at(other + l)];
          else
            A(index_[at(row + k)], index_[at(other + l)]) = a;
        }
    }
  }
  // a direction in which nothing can move has no row
  for (int i = 0; i < n; ++i) A(i, i) = A(i, i) > 0 ? A(i, i) * (1 + kShift * n) : 1;
  Eigen::LLT<Eigen::Ref<MatX>> factor(A);
  if (factor.info() != Eigen::Success) return false;
  factor.solveInPlace(right);
  for (std::size_t i = 0; i < x_.size(); ++i)
    if (index_[i] >= 0) x_[i] = right[index_[i]];
  return true;
}

// True: some that held is beyond its limit, and slips from now on.
bool HeldFriction::let_slip() {
  bool any = false;
  for (std::size_t i = 0; i < held_.size(); ++i) {
    Held& c = held_[i];
    if (c.slips) continue;
    const double most = c.contact.mu * c.contact.load;
    double* x = &x_[at(rows_.groups()[i].row)];
    const double turn = c.rows == 3 ? x[2] / c.contact.arm : 0;
    const double size = std::sqrt(x[0] * x[0] + x[1] * x[1] + turn * turn);
    if (size <= most) continue;
    for (int k = 0; k < c.rows; ++k) x[k] *= most / size;
    c.slips = any = true;
  }
  return any;
}

Vec3 HeldFriction::force(int i) const {
  const double* x = &x_[at(rows_.groups()[at(i)].row)];
  return x[0] * held_[at(i)].frame.col(1) + x[1] * held_[at(i)].frame.col(2);
}

double HeldFriction::couple(int i) const {
  return held_[at(i)].rows == 3 ? x_[at(rows_.groups()[at(i)].row + 2)] : 0;
}

}  // namespace abut
