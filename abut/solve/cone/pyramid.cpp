#include "abut/solve/cone/pyramid.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numbers>

#include "abut/math/index.h"

namespace abut {

Pyramid::Pyramid(int directions) : directions_(directions) {
  assert(directions >= 4 && directions % 2 == 0);
  for (int k = 0; k < directions; ++k) {
    // the second half is the first turned round, to the last bit
    const int half = directions / 2;
    const double angle = 2 * std::numbers::pi * (k % half) / directions;
    cos_.push_back((k < half ? 1 : -1) * std::cos(angle));
    sin_.push_back((k < half ? 1 : -1) * std::sin(angle));
  }
  lcp_.A.set_blocks();
}

// d_k . (t1, t2); in the plane the directions are t1 and its opposite.
double Pyramid::along(const Part& part, int k, double t1, double t2) const {
  if (part.size == 2) return k == 0 ? t1 : -t1;
  return cos_[at(k)] * t1 + sin_[at(k)] * t2;
}

const Problem& Pyramid::build(const Problem& cones) {
  cones_ = &cones;
  const BlockRows& A = cones.A.blocks();
  parts_.clear();
  row_of_.assign(at(cones.size()), -1);
  int n = 0;
  std::size_t cone = 0;
  for (int r = 0; r < A.size(); ++r) {
    Part part{A.first[at(r)], n, A.width(r)};
    if (cone < cones.cones.size() && cones.cones[cone].first == part.from) {
      assert(cones.cones[cone].size == part.size);
      part.directions = part.size == 2 ? 2 : directions_;
      part.mu = cones.cones[cone++].mu;
    } else {
      for (int k = 0; k < part.size; ++k) row_of_[at(part.from + k)] = n + k;
    }
    n += part.unknowns();
    parts_.push_back(part);
  }
  assert(cone == cones.cones.size());

  lcp_.resize(n);
  BlockRows& M = lcp_.A.blocks();
  M.clear();
  for (int r = 0; r < A.size(); ++r) {
    const Part& row = parts_[at(r)];
    M.add_row(row.unknowns());
    for (int k = A.row_begin[at(r)]; k < A.row_begin[at(r) + 1]; ++k) {
      const int c = A.column[at(k)];
      double* out = M.block(M.add_block(c, parts_[at(c)].unknowns()));
      write_block(row, parts_[at(c)], A.block(k), out);
      if (c != r || row.directions == 0) continue;
      // s and the pyramid's bound
      const int m = row.unknowns(), s = m - 1;
      out[s * m] = row.mu;
      for (int i = 1; i < s; ++i) {
        out[i * m + s] = 1;
        out[s * m + i] = -1;
      }
    }
  }
  for (const Part& part : parts_) {
    const double* b = cones.b.data() + part.from;
    if (part.directions > 0) {
      lcp_.b[part.to] = b[0];
      for (int k = 0; k < part.directions; ++k)
        lcp_.b[part.to + 1 + k] = along(part, k, b[1], part.size == 3 ? b[2] : 0);
      continue;
    }
    for (int k = 0; k < part.size; ++k) {
      const int i = part.from + k, j = part.to + k;
      lcp_.b[j] = b[k];
      lcp_.lo[j] = cones.lo[i];
      lcp_.hi[j] = cones.hi[i];
      if (cones.bound_by[at(i)] >= 0)
        lcp_.set_bound_by(j, row_of_[at(cones.bound_by[at(i)])], cones.mu[i]);
    }
  }
  return lcp_;
}

// T' A T of one block; M is zero where it has nothing to say.
void Pyramid::write_block(const Part& row, const Part& column, const double* A, double* M) const {
  const int width = column.size, out_width = column.unknowns();
  // row i of T' A
  const auto line = [&](int i, int j) {
    if (row.directions == 0 || i == 0) return A[i * width + j];
    return along(row, i - 1, A[width + j], row.size == 3 ? A[2 * width + j] : 0);
  };
  const int rows = row.directions > 0 ? row.directions + 1 : row.size;
  for (int i = 0; i < rows; ++i) {
    double* out = M + i * out_width;
    if (column.directions == 0) {
      for (int j = 0; j < width; ++j) out[j] = line(i, j);
      continue;
    }
    const double t1 = line(i, 1), t2 = width == 3 ? line(i, 2) : 0;
    out[0] = line(i, 0);
    for (int k = 0; k < column.directions; ++k) out[1 + k] = along(column, k, t1, t2);
  }
}

void Pyramid::lift(const VectorX& z, VectorX& y) {
  y.setZero(lcp_.size());
  w_.resize(cones_->size());
  cones_->A.multiply(z, w_);
  w_ += cones_->b;
  for (const Part& part : parts_) {
    const double* from = z.data() + part.from;
    double* to = y.data() + part.to;
    if (part.directions == 0) {
      std::copy_n(from, part.size, to);
      continue;
    }
    to[0] = from[0];
    const double* w = w_.data() + part.from;
    double slip = 0;
    for (int k = 0; k < part.directions; ++k)
      slip = std::max(slip, -along(part, k, w[1], part.size == 3 ? w[2] : 0));
    to[part.directions + 1] = slip;
    if (part.size == 2) {
      to[from[1] >= 0 ? 1 : 2] = std::abs(from[1]);
      continue;
    }
    // between two directions, by the law of sines
    const double between = 2 * std::numbers::pi / part.directions;
    const double length = std::hypot(from[1], from[2]);
    double angle = std::atan2(from[2], from[1]);
    if (angle < 0) angle += 2 * std::numbers::pi;
    const int k = std::min(static_cast<int>(angle / between), part.directions - 1);
    const double rest = std::clamp(angle - k * between, 0.0, between);
    to[1 + k] = length * std::sin(between - rest) / std::sin(between);
    to[1 + (k + 1) % part.directions] += length * std::sin(rest) / std::sin(between);
  }
}

void Pyramid::restore(const VectorX& y, VectorX& z) const {
  z.resize(cones_->size());
  for (const Part& part : parts_) {
    const double* from = y.data() + part.to;
    double* to = z.data() + part.from;
    if (part.directions == 0) {
      std::copy_n(from, part.size, to);
      continue;
    }
    to[0] = from[0];
    for (int k = 1; k < part.size; ++k) to[k] = 0;
    for (int k = 0; k < part.directions; ++k) {
      const double beta = from[1 + k];
      if (part.size == 2) {
        to[1] += k == 0 ? beta : -beta;
      } else {
        to[1] += beta * cos_[at(k)];
        to[2] += beta * sin_[at(k)];
      }
    }
  }
}

}  // namespace abut
