#include "abut/solve/answer.h"

#include <algorithm>
#include <cmath>

#include "abut/solve/cone/friction_cone.h"
#include "abut/solve/linear/kernels.h"
#include "abut/solve/plain_rows.h"

namespace abut {

std::string_view name(SolveStatus status) {
  switch (status) {
    case SolveStatus::solved:
      return "solved";
    case SolveStatus::infeasible:
      return "infeasible";
    case SolveStatus::failed:
      return "failed";
  }
  return "";
}

namespace {

constexpr int kLeastPlain = 24;  // rows from which on vector code is faster

struct Bounds {
  double lo, hi;
};

Bounds bounds_of(const Problem& p, const VectorX& z, int i) {
  const int j = p.bound_by[i];
  if (j < 0) return {p.lo[i], p.hi[i]};
  const double reach = p.mu[i] * std::max(z[j], 0.0);
  return {-reach, reach};
}

// z - P(z - w). Written so that min(z, w) is exact (z - (z - w) would round), and in this order, so
// that a NaN in w gives a NaN.
double natural_of(double z, double w, const Bounds& b) {
  return std::max(std::min(w, z - b.lo), z - b.hi);
}

// Adds one plain row to the residuals.
void count_row(double z, double w, const Bounds& b, Residuals& r) {
  r.feasibility = std::max(r.feasibility, std::max(b.lo - z, z - b.hi));
  if (b.lo == b.hi) return;  // w is free
  // w > 0 requires z = lo, w < 0 requires z = hi; if that bound is infinite, w must be 0
  const double room = w > 0 ? z - b.lo : b.hi - z;
  if (std::isinf(room))
    r.feasibility = std::max(r.feasibility, std::abs(w));
  else
    r.complementarity = std::max(r.complementarity, std::abs(w * room));
}

// Adds a cone, with w + mu |w_t| e_n, to the residuals.
void count_cone(const Cone& c, const double* z, const double* w, Residuals& r) {
  const double slide = tangential_length(w, c.size);
  const double wn = w[0] + c.mu * slide;
  double dot = z[0] * wn;
  for (int k = 1; k < c.size; ++k) dot += z[k] * w[k];
  r.complementarity = std::max(r.complementarity, std::abs(dot));
  r.feasibility = std::max(
      {r.feasibility, -z[0], tangential_length(z, c.size) - c.mu * z[0], c.mu * slide - wn});
}

// z - P(z - w') with w' = w + mu |w_t| e_n. Computed as w' - (P(x) - x) with x = z - w', so that a
// w' that is small beside z is not lost: P(x) - x is 0 inside the cone, and otherwise leads
// straight to its boundary.
void natural_of_cone(const Cone& c, const double* z, const double* w, double* out) {
  double x[3] = {};
  for (int k = 0; k < c.size; ++k) out[k] = w[k];
  out[0] += c.mu * tangential_length(w, c.size);
  for (int k = 0; k < c.size; ++k) x[k] = z[k] - out[k];
  const double t = tangential_length(x, c.size);
  if (c.mu * t <= -x[0]) {  // P(x) = 0
    for (int k = 0; k < c.size; ++k) out[k] = z[k];
  } else if (const double outside = t - c.mu * x[0]; !(outside <= 0)) {
    const double back = outside / (1 + c.mu * c.mu);
    out[0] -= back * c.mu;
    for (int k = 1; k < c.size; ++k) out[k] += back * (x[k] / t);
  }
}

}  // namespace

void natural_map(const Problem& p, const VectorX& z, const VectorX& w, VectorX& out) {
  out.resize(p.size());
  for (int i = 0; i < p.size(); ++i) out[i] = natural_of(z[i], w[i], bounds_of(p, z, i));
  for (const Cone& c : p.cones)
    natural_of_cone(c, z.data() + c.first, w.data() + c.first, out.data() + c.first);
}

Residuals residuals(const Problem& p, const VectorX& z, VectorX& w, VectorX& scratch) {
  Residuals r;
  const int n = p.size();
  if (n == 0) {
    w.resize(0);
    return r;
  }
  const bool dense = p.A.form() == Matrix::Form::dense;
  FewColumns few;
  const bool is_few = dense && few.find(z);
  if (is_few)
    few.multiply(p.A.rows(), w);
  else
    p.A.multiply(z, w);
  if (!dense) p.A.multiply_abs(z, scratch);

  const auto count_scaled = [&](int i, double off) {
    // |A||z| of a row is computed only if the row may be the worst
    double scale = std::abs(p.b[i]) + std::abs(z[i]);
    if (!(off > r.row_scaled * scale)) return;
    scale += !dense   ? scratch[i]
             : is_few ? few.size_of_row(p.A.rows(), i)
                      : dot_of_sizes(&p.A.rows()(i, 0), z.data(), n);
    if (off > r.row_scaled * scale) r.row_scaled = scale > 0 ? off / scale : kInfinity;
  };
  if (n >= kLeastPlain && p.cones.empty() && all_plain(p)) {
    r = plain_residuals(p.b, z, w);
    for (int i = 0; i < n; ++i)
      if (const double map = std::min(w[i], z[i]); map != 0) count_scaled(i, std::abs(map));
    return r;
  }

  double most_b = 0;
  const auto count_map = [&](int i, double map) {
    const double off = std::abs(map);
    most_b = std::max(most_b, std::abs(p.b[i]));
    // not (off <= ..): a NaN must reach the residual and stay there
    if (!(off <= r.natural) && !std::isnan(r.natural)) r.natural = off;
    count_scaled(i, off);
    return off;
  };
  std::size_t next = 0;
  for (int i = 0; i < n;) {
    if (next < p.cones.size() && p.cones[next].first == i) {
      const Cone& c = p.cones[next++];
      for (int k = i; k < i + c.size; ++k) w[k] += p.b[k];
      double map[3];
      natural_of_cone(c, z.data() + i, w.data() + i, map);
      count_cone(c, z.data() + i, w.data() + i, r);
      for (int k = 0; k < c.size; ++k)
        if (const double off = count_map(i + k, map[k]); !(off <= r.cone)) r.cone = off;
      i += c.size;
    } else if (w[i] += p.b[i]; p.bound_by[i] < 0 && p.lo[i] == 0 && p.hi[i] == kInfinity) {
      // as below, for the most common kind of row
      r.feasibility = std::max(r.feasibility, -std::min(w[i], z[i]));
      if (w[i] > 0) r.complementarity = std::max(r.complementarity, std::abs(w[i] * z[i]));
      count_map(i, std::min(w[i], z[i]));
      ++i;
    } else {
      const Bounds b = bounds_of(p, z, i);
      count_row(z[i], w[i], b, r);
      count_map(i, natural_of(z[i], w[i], b));
      ++i;
    }
  }
  r.relative = r.natural / (1 + most_b);
  return r;
}

}  // namespace abut
