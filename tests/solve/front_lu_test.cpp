// The sparse factorisation against dense ones, and its order of elimination against a plain game of
// elimination on sets.
#include "abut/solve/sparse/front_lu.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cstring>
#include <set>

#include "tests/support/random.h"

namespace abut {
namespace {

// A random graph of `nodes`, joined with about `degree` others each, and values with a strong
// diagonal.
SparseBlocks sample(int nodes, double degree, unsigned seed) {
  test::Random random(seed);
  SparseBlocks K;
  int first = 0;
  std::size_t values = 0;
  for (int i = 0; i < nodes; ++i) {
    const int size = random.chance(4) ? random.integer(1, 13) : 6;
    K.graph.size.push_back(size);
    K.first.push_back(first);
    K.diagonal.push_back(values);
    first += size;
    values += static_cast<std::size_t>(size * size);
  }
  std::vector<std::vector<int>> near(static_cast<std::size_t>(nodes));
  for (int i = 0; i < nodes; ++i)
    for (int j = i + 1; j < nodes; ++j) {
      if (random.uniform(0, 1) > degree / nodes) continue;
      const auto entries = static_cast<std::size_t>(K.graph.size[i] * K.graph.size[j]);
      K.edges.push_back({i, j, values, values + entries});
      values += 2 * entries;
      near[i].push_back(j);
      near[j].push_back(i);
    }
  for (const std::vector<int>& n : near) {
    K.graph.neighbour.insert(K.graph.neighbour.end(), n.begin(), n.end());
    K.graph.begin.push_back(static_cast<int>(K.graph.neighbour.size()));
  }
  K.values.resize(values);
  for (double& x : K.values) x = random.uniform(-1, 1);
  for (int i = 0; i < nodes; ++i)
    for (int k = 0; k < K.graph.size[i]; ++k)
      K.values[K.diagonal[i] + static_cast<std::size_t>(k * (K.graph.size[i] + 1))] += 80;
  return K;
}

Eigen::MatrixXd dense_of(const SparseBlocks& K) {
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const int n = K.first.back() + K.graph.size.back();
  Eigen::MatrixXd out = Eigen::MatrixXd::Zero(n, n);
  const auto put = [&](int i, int j, std::size_t begin) {
    out.block(K.first[i], K.first[j], K.graph.size[i], K.graph.size[j]) =
        Eigen::Map<const Rows>(&K.values[begin], K.graph.size[i], K.graph.size[j]);
  };
  for (int i = 0; i < K.graph.nodes(); ++i) put(i, i, K.diagonal[i]);
  for (const SparseBlocks::Edge& e : K.edges) {
    put(e.i, e.j, e.upper);
    put(e.j, e.i, e.lower);
  }
  return out;
}

TEST(FrontLu, SolvesWhatADenseMatrixSolves) {
  FrontLu lu;  // one for all: sizes come and go
  for (unsigned seed = 0; seed < 60; ++seed) {
    const int nodes = 1 + static_cast<int>(seed * 7 % 90);
    const SparseBlocks K = sample(nodes, seed % 5, seed);
    const Eigen::MatrixXd dense = dense_of(K);
    const Eigen::VectorXd b = Eigen::VectorXd::LinSpaced(dense.rows(), -1, 2);
    Eigen::VectorXd x = b;
    lu.set(K);
    ASSERT_TRUE(lu.factor(K));
    lu.solve(x.data());
    EXPECT_LT((dense * x - b).lpNorm<Eigen::Infinity>(), 1e-12) << seed;
    ASSERT_TRUE(lu.factor(K));  // again: nothing is left over from the first
    Eigen::VectorXd again = b;
    lu.solve(again.data());
    EXPECT_EQ(x, again);
  }
}

TEST(FrontLu, SaysSoWhereAMatrixIsSingular) {
  SparseBlocks K = sample(3, 2, 5);
  std::fill(K.values.begin(), K.values.end(), 0.0);
  FrontLu lu;
  lu.set(K);
  EXPECT_FALSE(lu.factor(K));
}

TEST(FrontLu, AChainFillsNothingIn) {
  SparseBlocks K = sample(200, 0, 1);
  K.graph.size.assign(200, 6);
  K.graph.begin.assign(1, 0);
  K.graph.neighbour.clear();
  for (int i = 0; i < 200; ++i) {
    if (i > 0) K.graph.neighbour.push_back(i - 1);
    if (i < 199) K.graph.neighbour.push_back(i + 1);
    K.graph.begin.push_back(static_cast<int>(K.graph.neighbour.size()));
  }
  FrontTree tree;
  tree.build(K.graph);
  EXPECT_LT(tree.operations(), 200 * 6.0 * 6 * 6 * 30);
  EXPECT_LE(tree.largest(), 24 + 12);
}

// Elimination on sets of neighbours: the structure of a node is what it is joined to in its turn.
TEST(MinimumDegree, GivesTheStructureOfEveryColumn) {
  MinimumDegree order;
  for (unsigned seed = 0; seed < 40; ++seed) {
    const SparseBlocks K = sample(40, 1 + seed % 6, seed);
    order.find(K.graph);
    std::vector<std::set<int>> near(40);
    for (const SparseBlocks::Edge& e : K.edges) {
      near[e.i].insert(e.j);
      near[e.j].insert(e.i);
    }
    ASSERT_EQ(order.order().size(), 40u);
    for (const int node : order.order()) {
      const std::set<int> structure = near[node];
      const std::span<const int> given = order.structure(node);
      EXPECT_EQ(structure, std::set<int>(given.begin(), given.end()));
      EXPECT_TRUE(std::is_sorted(given.begin(), given.end(),
                                 [&](int a, int b) { return order.place(a) < order.place(b); }));
      for (const int a : structure) {
        near[a].insert(structure.begin(), structure.end());
        near[a].erase(a);
        near[a].erase(node);
      }
    }
  }
}

TEST(TileProduct, HasTheSameBitsOnEveryInstructionSet) {
  if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "this processor has no AVX2";
  test::Random random(3);
  std::vector<double> low(4 * 37), high(4 * 37), b(4 * 37);
  for (std::vector<double>* v : {&low, &high, &b})
    for (double& x : *v) x = random.uniform(-1, 1);
  double narrow[32], wide[32];
  for (int depth = 0; depth <= 37; ++depth) {
    tile_product_sse2(low.data(), high.data(), b.data(), depth, narrow);
    tile_product_avx2(low.data(), high.data(), b.data(), depth, wide);
    EXPECT_EQ(std::memcmp(narrow, wide, sizeof narrow), 0) << depth;
    double sum = 0;
    for (int q = 0; q < depth; ++q) sum += high[4 * q + 1] * b[4 * q + 2];
    EXPECT_NEAR(narrow[8 * 2 + 5], sum, 1e-12);
  }
}

}  // namespace
}  // namespace abut
