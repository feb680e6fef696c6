// Newton systems in the velocities of bodies against dense ones, and the solver `bodies` against
// `cone`.
#include "abut/solve/factored/body_matrix.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "abut/solve/solver.h"
#include "tests/solve/factored_sample.h"

namespace abut {
namespace {

std::vector<RowPiece> pieces_of(const FactoredMatrix& A) {
  std::vector<RowPiece> pieces;
  for (const RowGroup& g : A.groups) pieces.push_back({g.row, g.size});
  return pieces;
}

// P symmetric positive definite, C not symmetric.
std::vector<DiagonalBlock> blocks_of(std::span<const RowPiece> pieces, test::Random& random) {
  std::vector<DiagonalBlock> blocks;
  for (const RowPiece& p : pieces) {
    DiagonalBlock block{};
    Eigen::MatrixXd root(p.size, p.size);
    for (double& x : root.reshaped()) x = random.uniform(-1, 1);
    DenseRows P = root * root.transpose() + Eigen::MatrixXd::Identity(p.size, p.size);
    DenseRows inverse = P.inverse();
    std::copy_n(P.data(), p.size * p.size, block.P);
    std::copy_n(inverse.data(), p.size * p.size, block.inverse);
    for (int i = 0; i < p.size * p.size; ++i)
      block.C[i] = (i % (p.size + 1) == 0) + 0.2 * random.uniform(-1, 1);
    blocks.push_back(block);
  }
  return blocks;
}

TEST(BodyMatrix, SolvesWhatTheDelassusMatrixSolves) {
  BodyMatrix bodies;
  for (unsigned seed = 0; seed < 100; ++seed) {
    test::FactoredSample s(seed);
    s.write_inverse_masses();
    const Matrix A = s.matrix();
    test::Random random(seed + 1000);
    const std::vector<RowPiece> pieces = pieces_of(s.A);
    const std::vector<DiagonalBlock> blocks = blocks_of(pieces, random);
    VectorX scale(A.size());
    for (const RowPiece& p : pieces)
      scale.segment(p.first, p.size).setConstant(random.uniform(0.5, 2));
    bodies.set(A, pieces, scale);
    ASSERT_TRUE(bodies.factor(blocks));
    VectorX r = VectorX::LinSpaced(A.size(), -1, 2), x;
    bodies.solve(r, x);

    const Eigen::MatrixXd DAD = scale.asDiagonal() * s.dense() * scale.asDiagonal();
    VectorX left = r;
    for (std::size_t p = 0; p < pieces.size(); ++p) {
      const int first = pieces[p].first, size = pieces[p].size;
      const Eigen::Map<const DenseRows> P(blocks[p].P, size, size), C(blocks[p].C, size, size);
      left.segment(first, size) -= P * x.segment(first, size) + C * (DAD * x).segment(first, size);
    }
    EXPECT_LT(left.lpNorm<Eigen::Infinity>(), 1e-11) << seed;
    VectorX y;
    bodies.multiply(x, y);
    EXPECT_LT((y - DAD * x).lpNorm<Eigen::Infinity>(), 1e-11) << seed;
  }
}

// P = W W with eigenvalues from 1e-12 to 1e12, as close to the boundary of a cone: W x is found to
// nine digits although P itself has none left.
TEST(BodyMatrix, KeepsTheDigitsOfASplitScaling) {
  BodyMatrix bodies;
  for (unsigned seed = 0; seed < 50; ++seed) {
    test::FactoredSample s(seed);
    s.write_inverse_masses();
    const Matrix A = s.matrix();
    test::Random random(seed + 2000);
    const std::vector<RowPiece> pieces = pieces_of(s.A);
    std::vector<DiagonalBlock> blocks;
    for (const RowPiece& p : pieces) {
      DiagonalBlock block{};
      for (int k = 0; k < p.size; ++k) {
        const double w = std::pow(10, random.uniform(-6, 6));
        const int at = k * (p.size + 1);
        block.P[at] = block.right[at] = w;
        block.inverse[at] = block.right_inverse[at] = 1 / w;
        block.C[at] = 1;
      }
      block.split = true;
      blocks.push_back(block);
    }
    const VectorX scale = VectorX::Ones(A.size());
    bodies.set(A, pieces, scale);
    ASSERT_TRUE(bodies.factor(blocks));
    VectorX r = VectorX::LinSpaced(A.size(), -1, 2), x, Ax;
    bodies.solve(r, x);
    bodies.multiply(x, Ax);
    double most = 0, off = 0;
    for (std::size_t p = 0; p < pieces.size(); ++p)
      for (int k = 0; k < pieces[p].size; ++k) {
        const int i = pieces[p].first + k, at = k * (pieces[p].size + 1);
        const double left = r[i] - blocks[p].P[at] * bodies.half()[i] - Ax[i];
        // in the units of half(): softness adds to P
        const double w = blocks[p].right[at], unit = w / (w * w + s.A.softness[std::size_t(i)]);
        off = std::max(off, std::abs(unit * left));
        most = std::max(most, std::abs(unit * r[i]));
        EXPECT_NEAR(blocks[p].right_inverse[at] * bodies.half()[i], x[i], 1e-12 * std::abs(x[i]));
      }
    EXPECT_LT(off, 1e-9 * most) << seed;
  }
}

// Every group of three rows is a contact. Forces of redundant contacts may differ, velocities may
// not where there is no friction.
TEST(Bodies, AgreesWithCone) {
  auto bodies = make_solver("bodies"), cone = make_solver("cone");
  for (unsigned seed = 0; seed < 60; ++seed) {
    test::FactoredSample s(seed);
    s.write_inverse_masses();
    test::Random random(seed + 7);
    Problem p;
    p.A = s.matrix();
    p.resize(p.A.size());
    for (const RowGroup& g : s.A.groups)
      if (g.size == 3) p.cones.push_back({g.row, 3, seed % 2 == 0 ? 0 : random.uniform(0.1, 0.8)});
    p.b = s.J * VectorX::Random(s.J.cols());  // in the range of J: there is a solution
    Answer a, c;
    bodies->solve(p, a);
    cone->solve(p, c);
    EXPECT_EQ(a.status, c.status) << seed << ": " << a.residuals.relative;
    if (seed % 2 == 0 && a.status == SolveStatus::solved) {
      EXPECT_LT((a.w - c.w).lpNorm<Eigen::Infinity>(), 1e-8) << seed;
    }
  }
}

}  // namespace
}  // namespace abut
