// A = J M^-1 J' + diag(softness) in factors, against the same product of dense matrices.
#include "abut/solve/factored/factored_matrix.h"

#include <gtest/gtest.h>

#include "abut/solve/factored/delassus.h"
#include "abut/solve/factored/formed_problem.h"
#include "abut/solve/solver.h"
#include "abut/solve/wrap/in_masses.h"
#include "tests/solve/factored_sample.h"

namespace abut {
namespace {

TEST(FactoredMatrix, MultipliesAsItsProductDoes) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    const test::FactoredSample s(seed);
    const Matrix m = s.matrix();
    const Eigen::MatrixXd expected = s.dense();
    const VectorX x = VectorX::Random(m.size());
    VectorX y, sizes;
    m.multiply(x, y);
    EXPECT_LT((y - expected * x).norm(), 1e-12 * (1 + expected.norm())) << seed;
    DenseRows dense;
    m.to_dense(dense);
    EXPECT_LT((dense - expected).norm(), 1e-12 * (1 + expected.norm())) << seed;
    EXPECT_NEAR(m.max_abs(), expected.cwiseAbs().maxCoeff(), 1e-12 * (1 + expected.norm()));
    // a bound on |A| |x|
    m.multiply_abs(x, sizes);
    const VectorX least = expected.cwiseAbs() * x.cwiseAbs();
    EXPECT_GE((sizes - least).minCoeff(), -1e-12 * (1 + expected.norm())) << seed;
  }
}

TEST(FactoredMatrix, BlocksOfTheProductAreThoseOfTheDenseOne) {
  Delassus delassus;
  for (unsigned seed = 0; seed < 200; ++seed) {
    const test::FactoredSample s(seed);
    Matrix blocks;
    blocks.set_blocks();
    delassus.form(s.A, blocks.blocks());
    DenseRows dense;
    blocks.to_dense(dense);
    const Eigen::MatrixXd expected = s.dense();
    EXPECT_LT((dense - expected).norm(), 1e-12 * (1 + expected.norm())) << seed;
    // between groups symmetric to the last bit
    for (const RowGroup& g : s.A.groups)
      for (const RowGroup& h : s.A.groups) {
        const DenseRows block = dense.block(g.row, h.row, g.size, h.size);
        const DenseRows mirrored = dense.block(h.row, g.row, h.size, g.size).transpose();
        if (g.row != h.row) {
          EXPECT_EQ(block, mirrored) << seed;
        }
      }
    EXPECT_EQ(blocks.blocks().size(), static_cast<int>(s.A.groups.size()));
  }
}

TEST(FactoredMatrix, APartOfItHasTheTreesThatItSeesAndTheSameEntries) {
  std::vector<int> place;
  FactoredMatrix part;
  for (unsigned seed = 0; seed < 200; ++seed) {
    const test::FactoredSample s(seed);
    std::vector<int> picked, rows;
    for (int g = 0; g < static_cast<int>(s.A.groups.size()); g += 2) {
      picked.push_back(g);
      for (int k = 0; k < s.A.groups[g].size; ++k) rows.push_back(s.A.groups[g].row + k);
    }
    take_groups(s.A, picked, place, part);
    ASSERT_EQ(part.rows(), static_cast<int>(rows.size()));
    std::vector<bool> seen(s.A.trees.size());
    for (const int g : picked)
      for (int side = 0; side < s.A.groups[g].trees; ++side) seen[s.A.groups[g].tree[side]] = true;
    EXPECT_EQ(static_cast<long>(part.trees.size()), std::count(seen.begin(), seen.end(), true));
    int first = 0;
    for (const TreeBlock& tree : part.trees) {
      EXPECT_TRUE(seen[tree.id]);
      EXPECT_EQ(tree.first, first);
      EXPECT_EQ(tree.size, s.A.trees[tree.id].size);
      first += tree.size;
    }
    Matrix m;
    m.set_factored();
    m.factored() = part;
    DenseRows dense;
    m.to_dense(dense);
    const Eigen::MatrixXd whole = s.dense();
    EXPECT_LT((dense - whole(rows, rows)).norm(), 1e-12 * (1 + whole.norm())) << seed;
  }
}

Problem factored_lcp(unsigned seed) {
  const test::FactoredSample s(seed);
  Problem p;
  p.A = s.matrix();
  p.resize(s.A.rows());
  p.b = s.J * VectorX::Random(s.J.cols());  // in the range of J: there is a solution
  return p;
}

TEST(FactoredMatrix, SolversThatDoNotTakeFactorsGetBlocks) {
  FormedProblem formed;
  for (const char* name : {"lemke", "dantzig", "pgs", "cone", "pivot,lemke"})
    for (unsigned seed = 0; seed < 20; ++seed) {
      const Problem p = factored_lcp(seed);
      auto solver = make_solver(name);
      Answer of_factors, of_blocks;
      solver->solve(p, of_factors);
      solver->solve(formed.form(p), of_blocks);
      EXPECT_EQ(of_factors.z, of_blocks.z) << name << " " << seed;
      EXPECT_EQ(of_factors.status, of_blocks.status) << name << " " << seed;
    }
}

// Takes factors; says which form it was given, and answers with z = 0.
class FormReader final : public Solver {
 public:
  explicit FormReader(Matrix::Form& seen, double& largest) : seen_(seen), largest_(largest) {
    info_ = {.name = "form-reader",
             .summary = "looks at the form of a problem",
             .guarantee = "none",
             .kinds = bit(ProblemKind::lcp),
             .forms = bit(Matrix::Form::factored)};
  }
  const SolverInfo& info() const override { return info_; }

 protected:
  void run(const Problem& problem, Answer&) override {
    seen_ = problem.A.form();
    largest_ = problem.A.max_abs();
  }

 private:
  Matrix::Form& seen_;
  double& largest_;
  SolverInfo info_;
};

TEST(FactoredMatrix, SolversThatTakeFactorsGetThemInUnitsOfMassToo) {
  Problem p = factored_lcp(3);
  const double kilogram = 1e12;
  for (std::vector<double>* part : {&p.A.factored().MinvJT, &p.A.factored().softness})
    for (double& x : *part) x /= kilogram;
  Matrix::Form seen = Matrix::Form::dense;
  double largest = 0;
  Answer answer;
  FormReader(seen, largest).solve(p, answer);
  EXPECT_EQ(seen, Matrix::Form::factored);
  EXPECT_LT(largest, 1e-9);
  make_in_masses(std::make_unique<FormReader>(seen, largest))->solve(p, answer);
  EXPECT_EQ(seen, Matrix::Form::factored);
  EXPECT_GT(largest, 0.1);
  // the answer's w is that of the factors
  VectorX w;
  p.A.multiply(answer.z, w);
  EXPECT_EQ(answer.w, VectorX(w + p.b));
}

}  // namespace
}  // namespace abut
