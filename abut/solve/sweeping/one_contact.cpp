#include "abut/solve/sweeping/one_contact.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include "abut/solve/tolerances.h"

namespace abut {

namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();
constexpr double kLeast = std::numeric_limits<double>::min();
constexpr int kMostSteps = 200;  // a bracket of doubles bisected by exponent: 11 + 53 suffice

}  // namespace

void OneContact::set(const double* a, int stride, int size, double mu) {
  size_ = size;
  mu_ = mu;
  nn_ = a[0];
  const int t = size - 1;
  s_[0] = s_[3] = 1;
  s_[1] = s_[2] = 0;
  nt_[1] = tn_[1] = 0;
  s_scale_ = 0;
  if (!(nn_ > 0)) return;
  for (int i = 0; i < t; ++i) {
    nt_[i] = a[1 + i];
    tn_[i] = a[(1 + i) * stride] / nn_;
  }
  for (int i = 0; i < t; ++i)
    for (int j = 0; j < t; ++j) s_[2 * i + j] = a[(1 + i) * stride + 1 + j] - tn_[i] * nt_[j];
  for (int i = 0; i < t; ++i) s_scale_ = std::max(s_scale_, std::abs(s_[3 * i]));
}

double OneContact::normal_for(double bn, const double* zt) const {
  return -(bn + nt_[0] * zt[0] + nt_[1] * zt[1]) / nn_;
}

// z_t = -(S + lambda 1)^-1 c by elimination, the larger pivot first (stable for positive definite
// S, however badly conditioned). Also returns d|z_t|^2 / (2 d lambda) = -z_t . (S + lambda 1)^-1
// z_t, with d z_t / d lambda = -(S + lambda 1)^-1 z_t in zt + 2.
double OneContact::shift_and_solve(double lambda, const double* c, double* zt) const {
  const int p = s_[0] >= s_[3] ? 0 : 1, q = 1 - p;
  const double pp = s_[3 * p] + lambda + kLeast, qq = s_[3 * q] + lambda;
  const double pq = s_[2 * p + q], qp = s_[2 * q + p];
  const double factor = qp / pp;
  // a singular S gets the least pivot that rounding allows
  const double rest = std::max(qq - factor * pq, 0.25 * kEps * qq + kLeast);
  zt[q] = -(c[q] - factor * c[p]) / rest;
  zt[p] = (-c[p] - pq * zt[q]) / pp;
  zt[2 + q] = -(zt[q] - factor * zt[p]) / rest;
  zt[2 + p] = (-zt[p] - pq * zt[2 + q]) / pp;
  return zt[0] * zt[2] + zt[1] * zt[3];
}

bool OneContact::stick(const double* c, double bn, double* z) const {
  double zt[4];
  shift_and_solve(0, c, zt);
  const double zn = normal_for(bn, zt);
  const double length2 = zt[0] * zt[0] + zt[1] * zt[1];
  if (!(zn >= 0 && length2 <= mu_ * mu_ * zn * zn)) return false;
  z[0] = zn;
  z[1] = zt[0];
  if (size_ == 3) z[2] = zt[1];
  return true;
}

// For an S so badly conditioned that no double lambda reaches the boundary: Newton's method for z_t
// and lambda together, on the rows of A themselves, as long as it improves. Returns |z_t|.
double OneContact::polish(double lambda, double bn, const double* c, double* zt) const {
  using Eigen::Matrix3d, Eigen::Vector3d;
  // (S + tn nt') z_t is A_tt z_t, and tn b_n + c is b_t
  const double tt[4] = {s_[0] + tn_[0] * nt_[0], s_[1] + tn_[0] * nt_[1], s_[2] + tn_[1] * nt_[0],
                        s_[3] + tn_[1] * nt_[1]};
  const double bt[2] = {c[0] + tn_[0] * bn, c[1] + tn_[1] * bn};
  double length = std::hypot(zt[0], zt[1]);
  Vector3d x(zt[0], zt[1], lambda);
  double least = std::numeric_limits<double>::infinity();
  for (int step = 0; step < 4; ++step) {
    const double size = std::hypot(x[0], x[1]), zn = size / mu_;
    if (!(size > 0)) break;
    Vector3d r;
    r[0] = nn_ * zn + nt_[0] * x[0] + nt_[1] * x[1] + bn;
    for (int i = 0; i < 2; ++i)
      r[1 + i] = nn_ * tn_[i] * zn + tt[2 * i] * x[0] + tt[2 * i + 1] * x[1] + bt[i] + x[2] * x[i];
    const double off = r.cwiseAbs().maxCoeff();
    if (!(off < least) || x[2] < 0) break;
    least = off;
    length = size;
    zt[0] = x[0], zt[1] = x[1];
    Matrix3d jacobian = Matrix3d::Zero();
    for (int j = 0; j < 2; ++j) {
      const double dzn = x[j] / (size * mu_);
      jacobian(0, j) = nn_ * dzn + nt_[j];
      for (int i = 0; i < 2; ++i) jacobian(1 + i, j) = nn_ * tn_[i] * dzn + tt[2 * i + j];
      jacobian(1 + j, j) += x[2];
      jacobian(1 + j, 2) = x[j];
    }
    x -= jacobian.fullPivLu().solve(r);
  }
  return length;
}

void OneContact::slide(const double* c, double bn, double* z) const {
  // |z_t| <= |c| / lambda and z_n >= (-b_n - |A_nt||z_t|) / A_nn: inside the cone from here on
  const double reach = nn_ + mu_ * std::hypot(nt_[0], nt_[1]);
  double high = std::hypot(c[0], c[1]) / (-mu_ * bn) * reach;
  double low = 0;
  double lambda = 0;
  double zt[4];
  double length = 0, zn = 0;
  bool met = false;
  if (!std::isfinite(high)) high = std::numeric_limits<double>::max();
  for (int step = 0; step < kMostSteps; ++step) {
    const double slope2 = shift_and_solve(lambda, c, zt);
    length = std::hypot(zt[0], zt[1]);
    zn = normal_for(bn, zt);
    const double off = mu_ * zn - length;  // |z_t| times the function
    if (!(off >= 0))                       // outside, or overflowed
      low = lambda;
    else
      high = lambda;
    // rounding error of z_n and |z_t|
    const double fuzz =
        kEps *
        (length + mu_ * (std::abs(bn) + std::abs(nt_[0] * zt[0]) + std::abs(nt_[1] * zt[1])) / nn_);
    met = std::abs(off) <= fuzz;
    if (met || length == 0) break;
    // derivative of mu z_n / |z_t| - 1
    const double dzn = -(nt_[0] * zt[2] + nt_[1] * zt[3]) / nn_;
    const double slope = (mu_ * dzn - mu_ * zn * slope2 / (length * length)) / length;
    double next = lambda - off / length / slope;
    if (!(next > low && next < high)) {
      // bisect by exponent if the bracket spans several
      const double from = std::max(low, s_scale_ * kLeastLambda * kEps);
      next = high > 4 * from && from > 0 ? std::sqrt(from) * std::sqrt(high) : 0.5 * (low + high);
      if (!(next > low && next < high)) next = 0.5 * (low + high);
    }
    if (next == lambda || high - low <= 2 * kEps * high) break;
    lambda = next;
  }
  if (!met && length > 0) length = polish(lambda, bn, c, zt);
  // exactly on the boundary: the remaining error is in w_n, of the size of its rounding
  z[0] = length / mu_;
  z[1] = zt[0];
  if (size_ == 3) z[2] = zt[1];
}

bool OneContact::solve(const double* b, double* z) const {
  if (b[0] >= 0) {
    for (int k = 0; k < size_; ++k) z[k] = 0;
    return true;
  }
  if (!(nn_ > 0)) return false;
  if (mu_ == 0) {
    for (int k = 1; k < size_; ++k) z[k] = 0;
    z[0] = -b[0] / nn_;
    return true;
  }
  double c[2] = {b[1] - tn_[0] * b[0], size_ == 3 ? b[2] - tn_[1] * b[0] : 0};
  if (stick(c, b[0], z)) return true;
  slide(c, b[0], z);
  return true;
}

}  // namespace abut
