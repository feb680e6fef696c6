#include "abut/solve/cone/cone_interior.h"

#include <algorithm>
#include <cmath>

#include "abut/solve/cone/friction_cone.h"
#include "abut/solve/tolerances.h"

namespace abut {

namespace {

using Piece = ScaledPieces::Piece;
using Kind = ScaledPieces::Kind;

// Fraction of the way to the boundary that a step takes. A larger one leaves the central path, and
// then sliding contacts (both x and s on the boundary) stall.
constexpr double kFraction = 0.95;

// After a step shorter than kShortStep the next few leave out a part of the derivative of |s_t|, at
// first kLeftOut, each time twice as much: where a sliding contact is about to turn, the whole
// derivative makes the matrix nearly singular.
constexpr double kShortStep = 0.1, kLeftOut = 0.1;
constexpr int kCarefulSteps = 4;

// Part of a contact's room in its cone within which its slip is rounded off.
constexpr double kRound = 0.2;

double determinant(const double* x, int size) {
  const double t = tangential_length(x, size);
  return (x[0] - t) * (x[0] + t);
}

double dot(const double* a, const double* b, int size) {
  double sum = 0;
  for (int k = 0; k < size; ++k) sum += a[k] * b[k];
  return sum;
}

void apply(const double* M, const double* x, int size, double* out) {
  for (int i = 0; i < size; ++i) out[i] = dot(M + i * size, x, size);
}

// a o b, the Jordan product of the cone
void jordan(const double* a, const double* b, int size, double* out) {
  out[0] = dot(a, b, size);
  for (int k = 1; k < size; ++k) out[k] = a[0] * b[k] + b[0] * a[k];
}

// y with l o y = u
void jordan_divide(const double* l, const double* u, int size, double* y) {
  y[0] = (2 * l[0] * u[0] - dot(l, u, size)) / determinant(l, size);
  for (int k = 1; k < size; ++k) y[k] = (u[k] - y[0] * l[k]) / l[0];
}

// The longest step along d that stays in the cone.
double longest_in_cone(const double* x, const double* d, int size) {
  double reach = d[0] < 0 ? -x[0] / d[0] : kInfinity;
  const double a = 2 * d[0] * d[0] - dot(d, d, size);
  const double b = 2 * x[0] * d[0] - dot(x, d, size);
  const double c = determinant(x, size);
  const double disc = b * b - a * c;
  if (disc < 0) return reach;
  const double q = -(b + std::copysign(std::sqrt(disc), b));
  if (a != 0 && q / a > 0) reach = std::min(reach, q / a);
  if (q != 0 && c / q > 0) reach = std::min(reach, c / q);
  return reach;
}

bool has_lower(const Piece& p) {
  return p.kind == Kind::lower || p.kind == Kind::box || p.kind == Kind::straight;
}
bool has_upper(const Piece& p) { return p.kind == Kind::upper || p.kind == Kind::box; }

}  // namespace

void ConeInterior::start(const ScaledPieces& set, double force) {
  states_.resize(set.pieces.size());
  blocks_.resize(set.pieces.size());
  z_.setZero(set.b.size());
  barriers_ = 0;
  last_step_ = 1;
  gap_ = 1;
  careful_ = 0;
  left_out_ = 0;
  for (std::size_t k = 0; k < set.pieces.size(); ++k) {
    const Piece& p = set.pieces[k];
    State& state = states_[k];
    state = {};
    double& z = z_[p.first];
    if (p.kind == Kind::cone) {
      state.x[0] = force, state.s[0] = 1;
      z = state.x[0] / p.mu;
      ++barriers_;
    } else if (p.kind == Kind::fixed) {
      z = p.lo;
    } else if (p.kind == Kind::box) {
      const double half = std::min(force, 0.5 * (p.hi - p.lo));
      z = std::clamp(0.0, p.lo + half, p.hi - half);
    } else if (p.kind == Kind::lower) {
      z = std::max(0.0, p.lo + force);
    } else if (p.kind == Kind::upper) {
      z = std::min(0.0, p.hi - force);
    } else if (p.kind == Kind::straight) {
      z = force;
    }
    if (has_lower(p)) state.x[0] = z - p.lo, state.s[0] = 1, ++barriers_;
    if (has_upper(p)) state.x[1] = p.hi - z, state.s[1] = 1, ++barriers_;
  }
  barriers_ = std::max(barriers_, 1);
}

double ConeInterior::product(const Piece& p, const State& state, double step) const {
  const int size = p.kind == Kind::cone ? p.size : 2;
  double sum = 0;
  for (int k = 0; k < size; ++k)
    sum += (state.x[k] + step * state.dx[k]) * (state.s[k] + step * state.ds[k]);
  return sum;
}

double ConeInterior::gap() const { return gap_; }

// |s_t|, rounded off where it is smaller than the room that s has in its cone: the direction of a
// sticking contact's slip is noise, and a Newton step that believes in it never settles.
double ConeInterior::smooth_slip(const State& state, int size) const {
  const double slip = tangential_length(state.s, size);
  return std::hypot(slip, kRound * std::min(state.s[0] - slip, std::sqrt(gap_)));
}

// The mean of |x . off|: how much of the gap the rows that are not met yet can take. A gap below it
// has run ahead of the rows, and pairs at the boundary then shorten every step.
double ConeInterior::infeasibility(const ScaledPieces& set) const {
  double sum = 0;
  for (std::size_t k = 0; k < states_.size(); ++k) {
    const int size = set.pieces[k].kind == Kind::cone ? set.pieces[k].size : 1;
    for (int i = 0; i < size; ++i) sum += std::abs(states_[k].off[i] * states_[k].x[i]);
  }
  return sum / barriers_;
}

// W with W x = W^-1 s = lambda (Nesterov and Todd; Vandenberghe 2010, section 5), H = W^2.
void ConeInterior::scale_cone(State& state, int size) const {
  const double dx = determinant(state.x, size), ds = determinant(state.s, size);
  const double rx = 1 / std::sqrt(dx), rs = 1 / std::sqrt(ds);
  const double gamma = std::sqrt(0.5 * (1 + dot(state.x, state.s, size) * rx * rs));
  double w[3];
  for (int k = 0; k < size; ++k)
    w[k] = (state.s[k] * rs + (k == 0 ? 1 : -1) * state.x[k] * rx) / (2 * gamma);
  const double beta = std::pow(ds / dx, 0.25);
  const double root = 1 / std::sqrt(2 * (w[0] + 1));
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j) {
      const double vi = (w[i] + (i == 0)) * root, vj = (w[j] + (j == 0)) * root;
      const double J = i != j ? 0 : i == 0 ? 1 : -1;
      const double sign = (i == 0) == (j == 0) ? 1 : -1;
      state.W[i * size + j] = beta * (2 * vi * vj - J);
      state.inverse[i * size + j] = (2 * sign * vi * vj - J) / beta;
    }
  apply(state.W, state.x, size, state.lambda);
}

// The piece's block of the Newton matrix. For a cone P = T^-1 (1 - N) H T^-1, with N = e s_t' /
// |s_t| from the term |s_t| and T = diag(1 / mu, 1, 1); C = 1.
void ConeInterior::prepare(const Piece& p, State& state, DiagonalBlock& block) const {
  block = {};
  for (int k = 0; k < p.size; ++k) block.C[k * (p.size + 1)] = 1;
  if (p.kind == Kind::cone) {
    scale_cone(state, p.size);
    const int size = p.size;
    const double t = state.slip;
    block.split = true;
    for (int i = 0; i < size; ++i)
      for (int j = 0; j < size; ++j) {
        // (1 - N) W, and W^-1 (1 + N)
        double value = state.W[i * size + j], inverse = state.inverse[i * size + j];
        for (int k = 1; k < size && i == 0 && t > 0; ++k)
          value -= share_of_slip_ * state.s[k] / t * state.W[k * size + j];
        if (j > 0 && t > 0) inverse += share_of_slip_ * state.inverse[i * size] * state.s[j] / t;
        block.P[i * size + j] = value * (i == 0 ? p.mu : 1);
        block.inverse[i * size + j] = inverse / (j == 0 ? p.mu : 1);
        block.right[i * size + j] = state.W[i * size + j] * (j == 0 ? p.mu : 1);
        block.right_inverse[i * size + j] = state.inverse[i * size + j] / (i == 0 ? p.mu : 1);
      }
    return;
  }
  double stiffness = 0;
  if (has_lower(p)) stiffness += state.s[0] / state.x[0];
  if (has_upper(p)) stiffness += state.s[1] / state.x[1];
  if (p.kind == Kind::free) stiffness = kFreeShift;
  // fixed unknowns: dz = 0
  for (int k = p.kind == Kind::fixed ? 0 : 1; k < p.size; ++k) {
    block.P[k * (p.size + 1)] = block.inverse[k * (p.size + 1)] = 1;
    block.C[k * (p.size + 1)] = 0;
  }
  if (p.kind == Kind::fixed) return;
  const double root = std::sqrt(stiffness);
  block.P[0] = block.right[0] = root;
  block.inverse[0] = block.right_inverse[0] = 1 / root;
  block.split = p.size == 1;
  if (!block.split) block.P[0] = stiffness, block.inverse[0] = 1 / stiffness;
}

// The piece's part of the right-hand side. `target` is the target of x o s; `correct`: with
// Mehrotra's term, computed from the last step.
void ConeInterior::aim(const Piece& p, State& state, double target, bool correct) {
  double* r = r_.data() + p.first;
  std::fill_n(r, p.size, 0.0);
  if (p.kind == Kind::cone) {
    double u[3], c[3] = {};
    jordan(state.lambda, state.lambda, p.size, u);
    if (correct) {
      double Wds[3];  // W^-1 ds
      for (int k = 0; k < p.size; ++k) Wds[k] = state.aim[k] - state.Wdx[k];
      jordan(Wds, state.Wdx, p.size, c);
    }
    for (int k = 0; k < p.size; ++k) u[k] = (k == 0 ? target : 0) - u[k] - c[k];
    double aim[3];
    jordan_divide(state.lambda, u, p.size, state.aim);
    apply(state.W, state.aim, p.size, aim);
    // (1 - N) aim + off, then T^-1: the normal row times mu
    const double t = state.slip;
    for (int k = 0; k < p.size; ++k) r[k] = aim[k] + state.off[k];
    for (int k = 1; k < p.size && t > 0; ++k) r[0] -= share_of_slip_ * state.s[k] / t * aim[k];
    r[0] *= p.mu;
  } else if (p.kind != Kind::fixed) {
    r[0] = state.off[0];
    if (has_lower(p)) {
      state.aim[0] = target - state.x[0] * state.s[0] - (correct ? state.dx[0] * state.ds[0] : 0);
      r[0] += state.aim[0] / state.x[0];
    }
    if (has_upper(p)) {
      state.aim[1] = target - state.x[1] * state.s[1] - (correct ? state.dx[1] * state.ds[1] : 0);
      r[0] -= state.aim[1] / state.x[1];
    }
  }
}

// dx and ds from dz.
void ConeInterior::step_of(const Piece& p, const VectorX& half, State& state) const {
  const double* dz = dz_.data() + p.first;
  if (p.kind == Kind::cone) {
    double left[3];
    for (int k = 0; k < p.size; ++k) {
      state.dx[k] = dz[k] * (k == 0 ? p.mu : 1);
      state.Wdx[k] = half[p.first + k];
      left[k] = state.aim[k] - state.Wdx[k];
    }
    apply(state.W, left, p.size, state.ds);
    return;
  }
  if (has_lower(p)) {
    state.dx[0] = dz[0];
    state.ds[0] = (state.aim[0] - state.s[0] * dz[0]) / state.x[0];
  }
  if (has_upper(p)) {
    state.dx[1] = -dz[0];
    state.ds[1] = (state.aim[1] + state.s[1] * dz[0]) / state.x[1];
  }
}

double ConeInterior::longest(const Piece& p, const State& state) const {
  if (p.kind == Kind::cone)
    return std::min(longest_in_cone(state.x, state.dx, p.size),
                    longest_in_cone(state.s, state.ds, p.size));
  double reach = kInfinity;
  for (int k = 0; k < 2; ++k) {
    if (state.dx[k] < 0) reach = std::min(reach, -state.x[k] / state.dx[k]);
    if (state.ds[k] < 0) reach = std::min(reach, -state.s[k] / state.ds[k]);
  }
  return reach;
}

void ConeInterior::take_care() {
  if (careful_ > 0) --careful_;
  if (last_step_ < kShortStep) {
    careful_ = kCarefulSteps;
    left_out_ = std::min(1.0, left_out_ > 0 ? 2 * left_out_ : kLeftOut);
  }
  share_of_slip_ = careful_ > 0 ? 1 - left_out_ : 1;
}

bool ConeInterior::step(const ScaledPieces& set, NewtonMatrix& A) {
  const std::size_t count = set.pieces.size();
  take_care();
  A.multiply(z_, w_);
  w_ += set.b;
  double gap_sum = 0;
  for (std::size_t k = 0; k < count; ++k) {
    const Piece& p = set.pieces[k];
    State& state = states_[k];
    const double* w = w_.data() + p.first;
    if (p.kind == Kind::cone) {
      for (int i = 0; i < p.size; ++i) state.off[i] = state.s[i] - w[i] / (i == 0 ? p.mu : 1);
      state.slip = smooth_slip(state, p.size);
      state.off[0] -= state.slip;
    } else {
      state.off[0] = state.s[0] - state.s[1] - w[0];
    }
    gap_sum += product(p, state, 0);
    prepare(p, state, blocks_[k]);
  }
  gap_ = gap_sum / barriers_;
  if (!std::isfinite(gap_) || !A.factor(blocks_)) return false;

  r_.resize(z_.size());
  double target = 0, reach = 1;
  for (const bool correct : {false, true}) {
    for (std::size_t k = 0; k < count; ++k) aim(set.pieces[k], states_[k], target, correct);
    A.solve(r_, dz_);
    if (!dz_.allFinite()) return false;
    reach = kInfinity;
    for (std::size_t k = 0; k < count; ++k) {
      step_of(set.pieces[k], A.half(), states_[k]);
      reach = std::min(reach, longest(set.pieces[k], states_[k]));
    }
    if (correct) break;
    // Mehrotra: the part of the gap that a step without centring would leave, cubed
    reach = std::min(reach, 1.0);
    double left = 0;
    for (std::size_t k = 0; k < count; ++k) left += product(set.pieces[k], states_[k], reach);
    const double share = std::clamp(left / barriers_ / gap_, 0.0, 1.0);
    target = share * share * share * gap_;
    target = std::max(target, std::min(gap_, infeasibility(set)));
  }
  last_step_ = std::min(1.0, kFraction * reach);
  for (std::size_t k = 0; k < count; ++k) {
    State& state = states_[k];
    const int size = set.pieces[k].kind == Kind::cone ? set.pieces[k].size : 2;
    for (int i = 0; i < size; ++i) {
      state.x[i] += last_step_ * state.dx[i];
      state.s[i] += last_step_ * state.ds[i];
    }
    // rounding at the border
    if (set.pieces[k].kind == Kind::cone &&
        !(determinant(state.x, size) > 0 && determinant(state.s, size) > 0))
      return false;
  }
  z_ += last_step_ * dz_;
  return true;
}

}  // namespace abut
