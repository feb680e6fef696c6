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

void ScaledPieces::find_diagonal(const Matrix& A) {
  diagonal_.resize(A.size());
  if (A.form() == Matrix::Form::factored) {
    const FactoredMatrix& factored = A.factored();
    for (int g = 0; g < static_cast<int>(factored.groups.size()); ++g)
      for (int k = 0; k < factored.groups[g].size; ++k)
        diagonal_[factored.groups[g].row + k] = factored.diagonal(g, k);
    return;
  }
  access_.set(A);
  for (int i = 0; i < A.size(); ++i) access_.diagonal(i, 1, &diagonal_[i]);
}

void ScaledPieces::set(const Problem& p) {
  const int n = p.size();
  find_diagonal(p.A);
  pieces.clear();
  rows.clear();
  scale.resize(n);
  std::size_t next = 0;
  for (int i = 0; i < n;) {
    const bool cone = next < p.cones.size() && p.cones[next].first == i;
    const int size = cone ? p.cones[next].size : 1;
    double trace = 0;
    for (int k = 0; k < size; ++k) trace += std::abs(diagonal_[i + k]);
    // one factor for all rows of a cone keeps it a cone
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
