// The functions of one row whose zeros are the solutions of a mixed complementarity problem, with
// derivatives: that of Fischer and Burmeister, and the gap z w of the positive parts.
// fischer_burmeister.h and lmmcp.h use them.
//
// phi(a, b) = a + b - sqrt(a^2 + b^2) is zero where a, b >= 0 and a b = 0, and has the sign of
// min(a, b). (Fischer's own function is -phi; the squares are the same.) Rows:
//
//   lo only    phi(z - lo, w)
//   hi only    -phi(hi - z, -w)
//   both       phi(z - lo, -phi(hi - z, -w))   (Billups 1995, Kanzow and Petra 2004)
//   neither    w
#pragma once

#include <algorithm>
#include <cmath>

#include "abut/solve/newton/mcp.h"

namespace abut {

struct FischerValue {
  double value, da, db;
};

// At the kink (0, 0) every pair with (1 - da)^2 + (1 - db)^2 = 1 is a limit of gradients. The limit
// from the direction (va, vb) belongs to the whole map if all rows use the same direction of z (De
// Luca, Facchinei, Kanzow 1996).
inline FischerValue fischer(double a, double b, double va, double vb) {
  const double h = std::hypot(a, b);
  if (h == 0) {
    const double v = std::hypot(va, vb);
    if (v == 0) return {0, 1 - std::sqrt(0.5), 1 - std::sqrt(0.5)};
    return {0, 1 - va / v, 1 - vb / v};
  }
  // written without cancellation: 1 - a / h is b^2 / (h (h + a))
  const double da = a > 0 ? (b / h) * (b / (h + a)) : 1 - a / h;
  const double db = b > 0 ? (a / h) * (a / (h + b)) : 1 - b / h;
  const double value = a > 0 && b > 0 ? 2 * a * (b / (a + b + h)) : a + b - h;
  return {value, da, db};
}

// A row's value and its derivatives with respect to z_i, w_i and the bounds.
struct RowMap {
  double value = 0, dz = 0, dw = 0, dlo = 0, dhi = 0;
};

// (vz, vw): a direction of z_i and w_i, used only at kinks.
inline RowMap fischer_row(double z, double w, double lo, double hi, double vz, double vw) {
  const bool has_lo = lo > -kInfinity, has_hi = hi < kInfinity;
  if (!has_lo && !has_hi) return {w, 0, 1, 0, 0};
  if (!has_hi) {
    const FischerValue f = fischer(z - lo, w, vz, vw);
    return {f.value, f.da, f.db, -f.da, 0};
  }
  const FischerValue top = fischer(hi - z, -w, -vz, -vw);
  if (!has_lo) return {-top.value, top.da, top.db, 0, -top.da};
  // fixed; for a bound by another row this is momentary, for plain bounds permanent, and there the
  // nested functions would have a kink at every solution
  if (lo == hi) return {z - lo, 1, 0, -0.5, -0.5};
  const FischerValue f = fischer(z - lo, -top.value, vz, top.da * vz + top.db * vw);
  return {f.value, f.da + f.db * top.da, f.db * top.db, -f.da, -f.db * top.da};
}

// (z - lo)+ w+ + (hi - z)+ (-w)+: the complementarity error where z and w are feasible.
inline RowMap gap_row(double z, double w, double lo, double hi) {
  const bool has_lo = lo > -kInfinity, has_hi = hi < kInfinity;
  if (!has_lo && !has_hi) return {w, 0, 1, 0, 0};
  RowMap r;
  if (has_lo && z > lo && w > 0) r = {(z - lo) * w, w, z - lo, -w, 0};
  if (has_hi && z < hi && w < 0) {
    r.value += (hi - z) * -w;
    r.dz += w;
    r.dw -= hi - z;
    r.dhi -= w;
  }
  return r;
}

// The bounds of row i at z; those by another row may be reversed (z_j < 0).
inline void bounds_at(const Mcp& m, const VectorX& z, int i, double& lo, double& hi) {
  lo = m.lo[i], hi = m.hi[i];
  if (const int j = m.bounding_row(i); j >= 0) {
    hi = m.mu[i] * z[j];
    lo = -hi;
  }
}

// The fischer_row of every row at z, with w and w's Jacobian J there; `direction` is scratch.
void fischer_rows(const Mcp& mcp, const VectorX& z, const VectorX& w, const DenseRows& J,
                  VectorX& direction, std::vector<RowMap>& rows);

}  // namespace abut
