#include "abut/solve/sparse/dense_front.h"

#include <algorithm>
#include <cmath>

#include "abut/math/index.h"

namespace abut {

namespace {

constexpr int kPanel = 24;  // columns: small enough for the first cache, large enough for products

double* column(double* F, int size, int c) { return F + at(c) * at(size); }

}  // namespace

bool DenseFront::eliminate(double* F, int size, int own) {
  for (int begin = 0; begin < own; begin += kPanel) {
    const int end = std::min(begin + kPanel, own);
    if (!factor_panel(F, size, begin, end)) return false;
    if (end == size) continue;
    solve_rows(F, size, begin, end);
    update_rest(F, size, begin, end);
  }
  return true;
}

// Columns begin to end, all rows below the diagonal.
bool DenseFront::factor_panel(double* F, int size, int begin, int end) {
  for (int c = begin; c < end; ++c) {
    double* own = column(F, size, c);
    if (!(std::abs(own[c]) > 0) || !std::isfinite(own[c])) return false;
    const double inverse = 1 / own[c];
    for (int r = c + 1; r < size; ++r) own[r] *= inverse;
    for (int next = c + 1; next < end; ++next) {
      double* other = column(F, size, next);
      const double factor = other[c];
      if (factor == 0) continue;
      for (int r = c + 1; r < size; ++r) other[r] -= factor * own[r];
    }
  }
  return true;
}

// Rows begin to end of the columns behind: L11^-1 times what is there.
void DenseFront::solve_rows(double* F, int size, int begin, int end) {
  for (int k = end; k < size; ++k) {
    double* x = column(F, size, k);
    for (int c = begin; c < end; ++c) {
      const double* L = column(F, size, c);
      const double factor = x[c];
      if (factor == 0) continue;
      for (int r = c + 1; r < end; ++r) x[r] -= factor * L[r];
    }
  }
}

// What is behind the panel: less the product of its columns and its rows.
void DenseFront::update_rest(double* F, int size, int begin, int end) {
  const int depth = end - begin, rest = size - end;
  const int strips = (rest + 7) / 8 * 2, quads = (rest + 3) / 4;
  rows_.assign(at(strips) * at(4 * depth), 0.0);
  columns_.assign(at(quads) * at(4 * depth), 0.0);
  for (int q = 0; q < depth; ++q) {
    const double* L = column(F, size, begin + q) + end;
    for (int r = 0; r < rest; ++r) rows_[at(r / 4) * at(4 * depth) + at(4 * q + r % 4)] = L[r];
  }
  for (int c = 0; c < rest; ++c) {
    const double* U = column(F, size, end + c) + begin;
    for (int q = 0; q < depth; ++q) columns_[at(c / 4) * at(4 * depth) + at(4 * q + c % 4)] = U[q];
  }
  double tile[32];
  for (int j = 0; j < quads; ++j)
    for (int i = 0; i < strips; i += 2) {
      product_(&rows_[at(i) * at(4 * depth)], &rows_[at(i + 1) * at(4 * depth)],
               &columns_[at(j) * at(4 * depth)], depth, tile);
      const int height = std::min(8, rest - 4 * i), width = std::min(4, rest - 4 * j);
      for (int c = 0; c < width; ++c) {
        double* out = column(F, size, end + 4 * j + c) + end + 4 * i;
        for (int r = 0; r < height; ++r) out[r] -= tile[8 * c + r];
      }
    }
}

}  // namespace abut
