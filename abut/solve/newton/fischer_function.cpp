#include "abut/solve/newton/fischer_function.h"

namespace abut {

void fischer_rows(const Mcp& m, const VectorX& z, const VectorX& w, const DenseRows& J,
                  VectorX& direction, std::vector<RowMap>& rows) {
  const int n = m.size();
  rows.resize(n);
  direction.resize(n);
  bool kinks = false;
  for (int i = 0; i < n; ++i) {
    double lo, hi;
    bounds_at(m, z, i, lo, hi);
    direction[i] = w[i] != 0 ? 0 : z[i] == lo ? 1 : z[i] == hi ? -1 : 0;
    kinks |= direction[i] != 0;
  }
  for (int i = 0; i < n; ++i) {
    double lo, hi;
    bounds_at(m, z, i, lo, hi);
    const double vw = kinks && direction[i] != 0 ? J.row(i).dot(direction) : 0;
    rows[i] = fischer_row(z[i], w[i], lo, hi, direction[i], vw);
  }
}

}  // namespace abut
