#include "abut/solve/linear/generalized_inverse.h"

#include <cmath>
#include <utility>

namespace abut {

int generalized_inverse(double* a, int n, double relative, std::vector<int>& scratch) {
  // row r of the permuted matrix is row rows[r] of A; likewise for columns
  scratch.resize(2 * static_cast<std::size_t>(n));
  int* rows = scratch.data();
  int* columns = rows + n;
  for (int i = 0; i < n; ++i) rows[i] = columns[i] = i;

  double first_pivot = 0;
  int rank = 0;
  for (; rank < n; ++rank) {
    int at = rank, to = rank;
    double most = 0;
    for (int i = rank; i < n; ++i)
      for (int j = rank; j < n; ++j)
        if (std::abs(a[i * n + j]) > most) most = std::abs(a[i * n + j]), at = i, to = j;
    if (rank == 0) first_pivot = most;
    if (!(most > relative * first_pivot)) break;
    if (at != rank) {
      for (int j = 0; j < n; ++j) std::swap(a[at * n + j], a[rank * n + j]);
      std::swap(rows[at], rows[rank]);
    }
    if (to != rank) {
      for (int i = 0; i < n; ++i) std::swap(a[i * n + to], a[i * n + rank]);
      std::swap(columns[to], columns[rank]);
    }
    // exchange step: the pivot's row and column change places
    const double inverse = 1 / a[rank * n + rank];
    a[rank * n + rank] = 1;
    for (int j = 0; j < n; ++j) a[rank * n + j] *= inverse;
    for (int i = 0; i < n; ++i) {
      if (i == rank) continue;
      const double factor = a[i * n + rank];
      a[i * n + rank] = 0;
      for (int j = 0; j < n; ++j) a[i * n + j] -= factor * a[rank * n + j];
    }
  }
  // rows and columns without a pivot give zero
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      if (i >= rank || j >= rank) a[i * n + j] = 0;
  // back to A's order: entry (i, j) belongs to column columns[i] and row rows[j] of A
  for (int i = 0; i < n; ++i) {
    while (columns[i] != i) {
      const int k = columns[i];
      for (int j = 0; j < n; ++j) std::swap(a[i * n + j], a[k * n + j]);
      std::swap(columns[i], columns[k]);
    }
  }
  for (int j = 0; j < n; ++j) {
    while (rows[j] != j) {
      const int k = rows[j];
      for (int i = 0; i < n; ++i) std::swap(a[i * n + j], a[i * n + k]);
      std::swap(rows[j], rows[k]);
    }
  }
  return rank;
}

}  // namespace abut
