#include "abut/contact/penalty/friction/held_friction.h"

#include <cmath>

#include "abut/constrain/rows/step_contacts.h"
#include "abut/contact/penalty/tolerances.h"
#include "abut/math/dense.h"
#include "abut/math/index.h"

namespace abut {

namespace {

// N: what the row can bear, along the plane or, over r, about the normal.
double limit_of(const HeldContact& c) { return c.mu * c.load; }

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

// x of the rows that hold, from b less what slipping friction does to them. False: none holds.
bool HeldFriction::solve_held() {
  int n = 0;
  index_.assign(x_.size(), -1);
  for (std::size_t i = 0; i < held_.size(); ++i)
    for (int k = 0; k < held_[i].rows; ++k)
      if (held_[i].holds(k)) index_[at(rows_.groups()[i].row + k)] = n++;
  if (n == 0) return false;
  dense_.assign(at(n) * at(n), 0.0);
  right_.assign(at(n), 0.0);
  Eigen::Map<MatX> A(dense_.data(), n, n);
  for (int i = 0; i < static_cast<int>(held_.size()); ++i)
    for (int e = A_.row_begin[at(i)]; e < A_.row_begin[at(i) + 1]; ++e) {
      const int j = A_.column[at(e)], width = held_[at(j)].rows;
      for (int k = 0; k < held_[at(i)].rows; ++k) {
        const int row = index_[at(rows_.groups()[at(i)].row + k)];
        if (row < 0) continue;
        for (int l = 0; l < width; ++l) {
          const std::size_t other = at(rows_.groups()[at(j)].row + l);
          const double a = A_.block(e)[k * width + l];
          if (index_[other] < 0)
            right_[at(row)] -= a * x_[other];
          else
            A(row, index_[other]) = a;
        }
      }
    }
  for (std::size_t i = 0; i < x_.size(); ++i)
    if (index_[i] >= 0) right_[at(index_[i])] += b_[i];
  if (!share(n)) return false;
  for (std::size_t i = 0; i < x_.size(); ++i)
    if (index_[i] >= 0) x_[i] = right_[at(index_[i])];
  return true;
}

// Of all x that hold, that of the least sum of x_i^2 / (mu F_n)_i, in right_.
bool HeldFriction::share(int n) {
  scale_.resize(n);
  for (std::size_t i = 0; i < held_.size(); ++i)
    for (int k = 0; k < held_[i].rows; ++k) {
      if (!held_[i].holds(k)) continue;
      const double unit = std::sqrt(limit_of(held_[i].contact));
      scale_[index_[at(rows_.groups()[i].row + k)]] = k < 2 ? unit : unit * held_[i].contact.arm;
    }
  Eigen::Map<MatX> A(dense_.data(), n, n);
  Eigen::Map<VecX> right(right_.data(), n);
  A = scale_.asDiagonal() * A * scale_.asDiagonal();
  right = scale_.cwiseProduct(right);
  if (!find_eigenvectors(A, eigen_)) return false;
  const double least = kRedundant * std::max(eigen_.eigenvalues()[n - 1], 0.0);
  y_.noalias() = eigen_.eigenvectors().transpose() * right;
  for (int i = 0; i < n; ++i)
    y_[i] = eigen_.eigenvalues()[i] > least ? y_[i] / eigen_.eigenvalues()[i] : 0;
  right.noalias() = eigen_.eigenvectors() * y_;
  right = scale_.cwiseProduct(right);
  return true;
}

// True: some that held is beyond its limit, and slips from now on. A contact turns first: a wheel
// that is steered rolls on.
bool HeldFriction::let_slip() {
  bool any = false;
  for (std::size_t i = 0; i < held_.size(); ++i) {
    Held& c = held_[i];
    if (c.slips) continue;
    const double most = limit_of(c.contact);
    double* x = &x_[at(rows_.groups()[i].row)];
    const double along = std::hypot(x[0], x[1]), turn = c.rows == 3 ? x[2] / c.contact.arm : 0;
    if (std::hypot(along, turn) <= most) continue;
    any = true;
    if (c.rows == 3 && !c.turns) {
      c.turns = true;
      const double left = std::sqrt(std::max(most * most - along * along, 0.0));
      x[2] = std::copysign(c.contact.arm * left, x[2]);
      continue;
    }
    c.slips = true;
    const double scale = most / std::hypot(along, turn);
    for (int k = 0; k < c.rows; ++k) x[k] *= scale;
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
