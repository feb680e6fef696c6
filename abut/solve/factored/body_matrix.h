// BodyMatrix: the systems (P + C A) x = r of newton_matrix.h in the velocities of bodies. With
// A = J M^-1 J', Q = P^-1 C and t = P^-1 r,
//
//   (M + J' Q J) du = J' t,    x = t - Q J du
//
// The matrix has one block a body (or robot) and one a pair that touches, however many contacts the
// pair has. A pile of N bodies costs about N^1.5 to N^2 a factorisation, a chain N. The Delassus
// matrix A, whose graph joins all contacts of a body, is never formed. Softness c of a row adds to
// P: P + C diag(c).
//
//   abut::BodyMatrix matrix;             // set(), factor(), solve() as NewtonMatrix says
#pragma once

#include <utility>
#include <vector>

#include "abut/solve/linear/newton_matrix.h"
#include "abut/solve/sparse/front_lu.h"

namespace abut {

class BodyMatrix final : public NewtonMatrix {
 public:
  // A in factors, with inverse_mass.
  void set(const Matrix& A, std::span<const RowPiece> pieces, const VectorX& scale) override;
  void multiply(const VectorX& x, VectorX& y) override;
  bool factor(std::span<const DiagonalBlock> blocks) override;

  // Of the last set(): multiplications of a factorisation, and numbers that it stores.
  double operations() const { return lu_.tree().operations(); }
  std::size_t values() const { return lu_.tree().values(); }

 protected:
  void solve_once(const VectorX& t, VectorX& v) override;

 private:
  void find_masses();
  void find_edges();
  void find_groups();
  void scale_rows(const VectorX& scale);
  std::span<const DiagonalBlock> soften(std::span<const DiagonalBlock> blocks);
  void add_piece(std::size_t piece, const double* Q);

  const FactoredMatrix* A_ = nullptr;
  const VectorX* scale_ = nullptr;
  SparseBlocks K_;
  FrontLu lu_;
  std::vector<double> mass_;  // M of every tree, as inverse_mass has its inverses
  std::vector<double> J_;     // scaled, as A's
  std::vector<int> group_of_piece_;
  std::vector<int> edge_begin_, edge_of_;  // of each group: an edge for each pair of its trees
  std::vector<std::pair<int, int>> pairs_;
  std::vector<int> next_;  // scratch
  std::vector<double> cholesky_;
  std::vector<double> product_, u_, scratch_;
  VectorX scaled_;
  std::vector<DiagonalBlock> softened_;
};

}  // namespace abut
