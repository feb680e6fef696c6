#include "abut/solve/cone/cone_pieces.h"

#include <algorithm>
#include <cmath>

namespace abut {

namespace {

ScaledPieces::Kind kind_of(double lo, double hi) {
  using Kind = ScaledPieces::Kind;
  if (lo == hi) return Kind::fixed;
  if (lo == -kInfinity) return hi == kInfinity ? Kind::free : Kind::upper;
  return hi == kInfinity ? Kind::lower : Kind::box;
}

}  // namespace

void ScaledPieces::set(const Problem& p) {
  const int n = p.size();
  access_.set(p.A);
  pieces.clear();
  rows.clear();
  scale.resize(n);
  std::size_t next = 0;
  for (int i = 0; i < n;) {
    const bool cone = next < p.cones.size() && p.cones[next].first == i;
    const int size = cone ? p.cones[next].size : 1;
    double a[9], trace = 0;
    access_.diagonal(i, size, a);
    for (int k = 0; k < size; ++k) trace += std::abs(a[k * (size + 1)]);
    // one factor for all rows of a cone preserves the cone
    const double d = trace > 0 ? 1 / std::sqrt(trace / size) : 1;
    for (int k = 0; k < size; ++k) scale[i + k] = d;
    const double mu = cone ? p.cones[next].mu : 0;
    const Kind kind = !cone ? kind_of(p.lo[i], p.hi[i]) : mu > 0 ? Kind::cone : Kind::straight;
    pieces.push_back({kind, i, size, mu, cone ? 0 : p.lo[i], cone ? 0 : p.hi[i]});
    rows.push_back({i, size});
    if (cone) ++next;
    i += size;
  }
  b = p.b.cwiseProduct(scale);
  const double most = n > 0 ? b.cwiseAbs().maxCoeff() : 0;
  load = most > 0 ? most : 1;
  b /= load;
  for (Piece& piece : pieces) {
    piece.lo /= load * scale[piece.first];
    piece.hi /= load * scale[piece.first];
  }
}

void ScaledPieces::to_problem(const VectorX& x, VectorX& z) const {
  z = load * x.cwiseProduct(scale);
}

void ScaledPieces::from_problem(const VectorX& z, VectorX& x) const {
  x = z.cwiseQuotient(scale) / load;
}

}  // namespace abut
