#include "abut/solve/file/triplets.h"

#include <algorithm>

namespace abut {

void set_from_triplets(Matrix& A, int n, std::span<const Cone> cones,
                       std::span<const Triplet> triplets) {
  // which block an unknown belongs to, and where the blocks begin
  std::vector<int> block_of(n), first;
  std::size_t cone = 0;
  for (int i = 0; i < n;) {
    const bool in_cone = cone < cones.size() && cones[cone].first == i;
    const int width = in_cone ? cones[cone++].size : 1;
    for (int k = 0; k < width; ++k) block_of[i + k] = static_cast<int>(first.size());
    first.push_back(i);
    i += width;
  }
  const int blocks = static_cast<int>(first.size());
  first.push_back(n);

  // the diagonal is always stored
  struct Place {
    int row, column;
    auto operator<=>(const Place&) const = default;
  };
  std::vector<Place> places;
  places.reserve(triplets.size() + blocks);
  for (const Triplet& t : triplets) places.push_back({block_of[t.row], block_of[t.column]});
  for (int b = 0; b < blocks; ++b) places.push_back({b, b});
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());

  A.set_blocks();
  BlockRows& rows = A.blocks();
  int row = -1;
  for (const Place& p : places) {
    if (p.row != row) rows.add_row(first[p.row + 1] - first[p.row]), row = p.row;
    rows.add_block(p.column, first[p.column + 1] - first[p.column]);
  }
  for (const Triplet& t : triplets) {
    const int r = block_of[t.row], c = block_of[t.column];
    const int width = first[c + 1] - first[c];
    rows.block(rows.find(r, c))[(t.row - first[r]) * width + t.column - first[c]] += t.value;
  }
}

std::vector<Triplet> triplets_of(const Matrix& A) {
  std::vector<Triplet> out;
  const auto add = [&](int i, int j, double x) {
    if (x != 0) out.push_back({i, j, x});
  };
  if (A.form() != Matrix::Form::blocks) {
    DenseRows dense;
    A.to_dense(dense);
    for (int i = 0; i < dense.rows(); ++i)
      for (int j = 0; j < dense.cols(); ++j) add(i, j, dense(i, j));
    return out;
  }
  const BlockRows& m = A.blocks();
  for (int r = 0; r < m.size(); ++r)
    for (int i = 0; i < m.width(r); ++i)
      for (int k = m.row_begin[r]; k < m.row_begin[r + 1]; ++k) {
        const int c = m.column[k], width = m.width(c);
        for (int j = 0; j < width; ++j)
          add(m.first[r] + i, m.first[c] + j, m.block(k)[i * width + j]);
      }
  return out;
}

}  // namespace abut
