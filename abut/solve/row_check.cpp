#include "abut/solve/row_check.h"

#include <algorithm>
#include <cmath>

#include "abut/solve/tolerances.h"

namespace abut {

namespace {

constexpr int kMostRounds = 4;  // a row at its bound may change the measure of another

// The z nearest to 0 within the row's bounds.
double at_rest(const Problem& p, int i) {
  return p.bound_by[static_cast<std::size_t>(i)] >= 0 ? 0.0 : std::clamp(0.0, p.lo[i], p.hi[i]);
}

}  // namespace

bool settle_rows(const Problem& p, double tolerance, VectorX& z, VectorX& w, Residuals& r,
                 VectorX& scratch) {
  VectorX settled = z, Az, map, size;
  for (int round = 0; round < kMostRounds; ++round) {
    p.A.multiply(settled, Az);
    p.A.multiply_abs(settled, size);
    natural_map(p, settled, Az + p.b, map);
    const auto wrong = [&](int i) {
      const double scale = std::abs(p.b[i]) + size[i] + std::abs(settled[i]);
      return !(std::abs(map[i]) <= kRowWrong * scale);
    };
    std::vector<char> rest(static_cast<std::size_t>(p.size()));
    for (int i = 0; i < p.size(); ++i) rest[static_cast<std::size_t>(i)] = wrong(i);
    // all rows of a contact rest together
    for (const Cone& c : p.cones) {
      const auto begin = rest.begin() + c.first;
      if (std::any_of(begin, begin + c.size, [](char x) { return x != 0; }))
        std::fill(begin, begin + c.size, 1);
    }
    for (int i = 0; i < p.size(); ++i)
      if (rest[static_cast<std::size_t>(i)]) settled[i] = at_rest(p, i);
    VectorX w_settled;
    const Residuals now = residuals(p, settled, w_settled, scratch);
    if (!(now.relative <= tolerance)) return false;
    if (!(now.row_scaled <= kRowWrong)) continue;
    z = settled;
    w = w_settled;
    r = now;
    return true;
  }
  return false;
}

}  // namespace abut
