// Families of plain numbers.
#include <algorithm>
#include <cmath>
#include <vector>

#include "abut/solve/generate/generate_families.h"
#include "abut/solve/linear/kernels.h"

namespace abut::family {

namespace {

DenseRows random_rows(int rows, int cols, SplitMix& random) {
  DenseRows G(rows, cols);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < cols; ++j) G(i, j) = random.uniform(-1, 1);
  return G;
}

// A = G G' / scale, each entry summed in a fixed order, because Eigen's product depends on the
// machine. One row at a time, by the columns of G, so that the sums of a row are vectorised.
void set_gram(const DenseRows& G, double scale, DenseRows& A) {
  const int n = static_cast<int>(G.rows());
  const DenseRows columns = G.transpose();
  for (int i = 0; i < n; ++i) {
    double* row = &A(i, 0);
    for (int j = i; j < n; ++j) row[j] = 0;
    for (int k = 0; k < G.cols(); ++k) add_scaled(row + i, G(i, k), &columns(k, 0) + i, n - i);
    for (int j = i; j < n; ++j) row[j] /= scale;
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) A(i, j) = A(j, i);
}

void set_random(VectorX& b, SplitMix& random) {
  for (double& x : b) x = random.uniform(-1, 1);
}

// b = w - A z, in a fixed order.
void set_b(Problem& p, const VectorX& z, const VectorX& w) {
  for (int i = 0; i < p.size(); ++i) {
    double sum = w[i];
    for (int j = 0; j < p.size(); ++j) sum -= p.A.rows()(i, j) * z[j];
    p.b[i] = sum;
  }
}

}  // namespace

// D (S + K) E with S definite, K skew, D and E positive diagonals: its minors are those of S + K,
// which are positive, times positive numbers. In general the symmetric part is indefinite.
Problem p_matrix(int n, SplitMix& random, VectorX&) {
  Problem p = Problem::lcp(n);
  DenseRows& A = p.A.rows();
  set_gram(random_rows(n, n, random), n, A);
  for (int i = 0; i < n; ++i) {
    A(i, i) += 0.05;
    for (int j = 0; j < i; ++j) {
      const double skew = random.uniform(-0.5, 0.5);
      A(i, j) += skew;
      A(j, i) -= skew;
    }
  }
  std::vector<double> row(n), column(n);
  for (double& x : row) x = random.magnitude(-2, 2);
  for (double& x : column) x = random.magnitude(-2, 2);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) A(i, j) *= row[i] * column[j];
  set_random(p.b, random);
  return p;
}

Problem definite(int n, SplitMix& random, VectorX&) {
  Problem p = Problem::lcp(n);
  set_gram(random_rows(n, n, random), n, p.A.rows());
  for (int i = 0; i < n; ++i) p.A.rows()(i, i) += 0.01;
  set_random(p.b, random);
  return p;
}

// Boxes of all sorts: both sides, one side, none, closed (lo = hi).
Problem boxed(int n, SplitMix& random, VectorX& solution) {
  Problem p = definite(n, random, solution);
  for (int i = 0; i < n; ++i) {
    const double lo = random.uniform(-1, 0.5), width = random.uniform(0, 1);
    p.lo[i] = lo, p.hi[i] = lo + width;
    switch (random.integer(0, 7)) {
      case 0:
        p.lo[i] = -kInfinity;
        break;
      case 1:
        p.hi[i] = kInfinity;
        break;
      case 2:
        p.set_free(i);
        break;
      case 3:
        p.hi[i] = p.lo[i];
        break;
      default:
        break;
    }
  }
  return p;
}

// Small integers, so that zeros are exact: A = G G' of half rank with some rows twice, and a
// solution in which a third of the rows have z = w = 0.
Problem degenerate(int n, SplitMix& random, VectorX& solution) {
  Problem p = Problem::lcp(n);
  DenseRows G(n, (n + 1) / 2);
  for (int i = 0; i < n; ++i) {
    const bool twice = i > 0 && random.chance(4);
    for (int k = 0; k < G.cols(); ++k) G(i, k) = twice ? G(i - 1, k) : random.integer(-1, 1);
  }
  set_gram(G, 1, p.A.rows());
  solution = VectorX::Zero(n);
  VectorX w = VectorX::Zero(n);
  for (int i = 0; i < n; ++i) {
    const int what = random.integer(0, 2), size = random.integer(1, 4);
    if (what == 1) solution[i] = size;
    if (what == 2) w[i] = size;
  }
  set_b(p, solution, w);
  return p;
}

// R A C with A definite and well scaled. R and C are powers of two, so that the solution z / C, w R
// of the scaled problem is exact too. Three sorts: rows in units from 1e-8 to 1e8, columns
// likewise, both by 1e-4 to 1e4 alike (A symmetric).
Problem scaled(int n, SplitMix& random, VectorX& solution) {
  Problem p = Problem::lcp(n);
  DenseRows& A = p.A.rows();
  set_gram(random_rows(n, n, random), n, A);
  for (int i = 0; i < n; ++i) A(i, i) += 0.1;
  solution = VectorX::Zero(n);
  VectorX w = VectorX::Zero(n);
  for (int i = 0; i < n; ++i) (random.chance(2) ? solution : w)[i] = random.uniform(0.1, 1);
  set_b(p, solution, w);

  const int sort = random.integer(0, 2);
  for (int i = 0; i < n; ++i) {
    const int reach = sort == 2 ? 13 : 26;  // 2^13 = 8192, 2^26 = 6.7e7
    const double scale = std::ldexp(1.0, random.integer(-reach, reach));
    if (sort != 1) A.row(i) *= scale, p.b[i] *= scale;
    if (sort != 0) A.col(i) *= scale, solution[i] /= scale;
  }
  return p;
}

// Kostreva's and Murty's circulant (1, 2, 0 .. 0) with b = -1: for odd n a P-matrix (all minors are
// 1, the determinant 1 + 2^n) on which principal pivoting without a rule against it cycles forever;
// its rows in random order. The solution is 1/3 everywhere.
Problem cycling(int n, SplitMix& random, VectorX& solution) {
  n = std::max(3, n % 2 == 0 ? n - 1 : n);
  Problem p = Problem::lcp(n);
  std::vector<int> order(n);
  for (int i = 0; i < n; ++i) order[i] = i;
  for (int i = n - 1; i > 0; --i) std::swap(order[i], order[random.integer(0, i)]);
  for (int i = 0; i < n; ++i) {
    p.A.rows()(order[i], order[i]) = 1;
    p.A.rows()(order[i], order[(i + 1) % n]) = 2;
  }
  p.b.setConstant(-1);
  solution.setConstant(n, 1.0 / 3);
  return p;
}

// Semidefinite, with y > 0 such that y' A = 0 and y' b < 0: then y' w = y' b < 0 for every z,
// so that no w is >= 0 (bodies pressed together by walls that come closer). Integers, so that
// y' A = 0 holds exactly.
Problem infeasible(int n, SplitMix& random, VectorX&) {
  Problem p = Problem::lcp(n);
  DenseRows G = DenseRows::Zero(n, n);
  std::vector<int> y(n, 1);
  const int last = random.integer(0, n - 1);
  for (int i = 0; i < n; ++i) {
    if (i == last) continue;
    y[i] = random.integer(1, 3);
    for (int k = 0; k < n; ++k) G(i, k) = random.integer(-2, 2), G(last, k) -= y[i] * G(i, k);
  }
  set_gram(G, 1, p.A.rows());
  double sum = 0;
  for (int i = 0; i < n; ++i)
    if (i != last) sum += y[i] * (p.b[i] = random.integer(-8, 8));
  p.b[last] = -sum - random.integer(1, 4);
  return p;
}

}  // namespace abut::family
