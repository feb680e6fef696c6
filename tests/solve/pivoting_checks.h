// What dantzig_test, murty_test and block_pivoting_test ask of all three.
#pragma once

#include <gtest/gtest.h>
#include <siconos/numerics/LCP_Solvers.h>
#include <siconos/numerics/LinearComplementarityProblem.h>
#include <siconos/numerics/NonSmoothDrivers.h>
#include <siconos/numerics/NumericsMatrix.h>
#include <siconos/numerics/SolverOptions.h>
#include <siconos/numerics/lcp_cst.h>

#include <string>

#include "abut/solve/generate/generate.h"
#include "abut/solve/solver.h"
#include "support/heap.h"
#include "support/random.h"

namespace abut::test {

// A body that falls with spin onto `contacts` points of a plane, anywhere on one face: rank 3.
inline Problem one_face(int contacts, unsigned seed) {
  Random random(seed);
  Eigen::MatrixXd J(contacts, 3);  // of the velocity up and of two spins
  for (int i = 0; i < contacts; ++i) J.row(i) << 1, random.uniform(-1, 1), random.uniform(-1, 1);
  Problem p = Problem::lcp(contacts);
  p.A.rows() = J * Eigen::Vector3d(1, 6, 6).asDiagonal() * J.transpose();
  // symmetric to the last bit
  for (int i = 0; i < contacts; ++i)
    for (int j = 0; j < i; ++j) p.A.rows()(i, j) = p.A.rows()(j, i);
  p.b = J * Eigen::Vector3d(-1, random.uniform(-1, 1), random.uniform(-1, 1));
  return p;
}

inline void expect_solves(Solver& solver, std::string_view family, int n, int seeds) {
  std::string failed;
  for (int seed = 1; seed <= seeds; ++seed) {
    const Problem p = generate(family, n, seed);
    Answer answer;
    solver.solve(p, answer);
    if (answer.status != SolveStatus::solved)
      failed += " " + std::to_string(seed) + " (" + std::string(answer.reason) + ")";
  }
  EXPECT_EQ(failed, "") << family << " of " << n;
}

inline void expect_solves_redundant_contacts(Solver& solver) {
  for (const int contacts : {4, 16, 100, 400})
    for (unsigned seed = 1; seed <= 5; ++seed) {
      Problem p = one_face(contacts, seed);
      Answer answer;
      solver.solve(p, answer);
      EXPECT_EQ(answer.status, SolveStatus::solved) << contacts << " contacts, seed " << seed;
      EXPECT_LE(answer.residuals.relative, 1e-11);
      // the same contacts twice change no velocity
      Problem twice = Problem::lcp(2 * contacts);
      const VectorX w = answer.w;
      for (int i = 0; i < 2 * contacts; ++i) {
        for (int j = 0; j < 2 * contacts; ++j)
          twice.A.rows()(i, j) = p.A.rows()(i % contacts, j % contacts);
        twice.b[i] = p.b[i % contacts];
      }
      if (contacts > 100) continue;
      solver.solve(twice, answer);
      ASSERT_EQ(answer.status, SolveStatus::solved);
      EXPECT_LT((answer.w.head(contacts) - w).cwiseAbs().maxCoeff(), 1e-8);
      EXPECT_LT((answer.w.tail(contacts) - w).cwiseAbs().maxCoeff(), 1e-8);
    }
}

// Of a symmetric semidefinite A all solutions have one w (S-T1: velocities, not impulses).
inline void expect_w_of_enumeration(Solver& solver, std::string_view family, int n, int seeds) {
  auto oracle = make_solver("enum");
  for (int seed = 1; seed <= seeds; ++seed) {
    const Problem p = generate(family, n, seed);
    Answer answer, expected;
    solver.solve(p, answer);
    oracle->solve(p, expected);
    ASSERT_EQ(expected.status, SolveStatus::solved) << family << " " << seed;
    EXPECT_EQ(answer.status, SolveStatus::solved) << family << " " << seed;
    EXPECT_LT((answer.w - expected.w).cwiseAbs().maxCoeff(),
              1e-7 * (1 + expected.w.cwiseAbs().maxCoeff()))
        << family << " " << seed;
  }
}

inline void expect_w_of_siconos(Solver& solver, std::string_view family, int n, int seeds) {
  int compared = 0;
  for (int seed = 1; seed <= seeds; ++seed) {
    const Problem p = generate(family, n, seed);
    const int size = p.size();
    // Siconos keeps matrices by columns; and Lemke's method writes into nothing of ours
    Eigen::MatrixXd M = p.A.rows();
    VectorX q = p.b, z = VectorX::Zero(size), w = VectorX::Zero(size);
    LinearComplementarityProblem* lcp = newLCP();
    lcp->size = size;
    lcp->M = NM_create_from_data(NM_DENSE, size, size, M.data());
    lcp->q = q.data();
    SolverOptions* options = solver_options_create(SICONOS_LCP_LEMKE);
    options->iparam[SICONOS_IPARAM_MAX_ITER] = 100 * size;
    const int failed = linearComplementarity_driver(lcp, z.data(), w.data(), options);
    solver_options_delete(options);
    lcp->M->matrix0 = nullptr;
    lcp->q = nullptr;
    freeLinearComplementarityProblem(lcp);
    VectorX expected, scratch;
    if (failed || residuals(p, z, expected, scratch).relative > 1e-9) continue;
    ++compared;
    Answer answer;
    solver.solve(p, answer);
    EXPECT_EQ(answer.status, SolveStatus::solved) << family << " " << seed;
    EXPECT_LT((answer.w - expected).cwiseAbs().maxCoeff(),
              1e-7 * (1 + expected.cwiseAbs().maxCoeff()))
        << family << " " << seed;
  }
  EXPECT_GT(2 * compared, seeds) << "Siconos solved too few to compare with";
}

inline void expect_same_after_permutation(Solver& solver, std::string_view family, int n) {
  Random random(5);
  for (int seed = 1; seed <= 10; ++seed) {
    const Problem p = generate(family, n, seed);
    const int size = p.size();
    std::vector<int> to(size);
    for (int i = 0; i < size; ++i) to[i] = i;
    for (int i = size - 1; i > 0; --i) std::swap(to[i], to[random.integer(0, i)]);
    Problem q = p;
    for (int i = 0; i < size; ++i) {
      for (int j = 0; j < size; ++j) q.A.rows()(to[i], to[j]) = p.A.rows()(i, j);
      q.b[to[i]] = p.b[i], q.lo[to[i]] = p.lo[i], q.hi[to[i]] = p.hi[i];
    }
    Answer a, b;
    solver.solve(p, a);
    solver.solve(q, b);
    for (int i = 0; i < size; ++i)
      EXPECT_NEAR(a.w[i], b.w[to[i]], 1e-8 * (1 + std::abs(a.w[i]))) << family << " " << seed;
  }
}

// The second solve of the same problem takes no memory and gives the same bits.
inline void expect_quiet_and_repeatable(Solver& solver, const Problem& p) {
  Answer answer;
  solver.solve(p, answer);
  const VectorX z = answer.z;
  const long before = heap_count();
  solver.solve(p, answer);
  EXPECT_EQ(heap_count(), before);
  EXPECT_EQ(answer.z, z);
}

inline void expect_no_harm_from_nonsense(Solver& solver) {
  Problem p = one_face(12, 3);
  Answer answer;
  for (const double bad : {std::nan(""), 1e300, -1e300, kInfinity}) {
    Problem q = p;
    q.b[3] = bad;
    solver.solve(q, answer);
    EXPECT_TRUE(answer.z.allFinite());
    q = p;
    q.A.rows()(2, 5) = q.A.rows()(5, 2) = bad;
    solver.solve(q, answer);
    EXPECT_TRUE(answer.z.allFinite());
  }
  Problem none = Problem::lcp(0);
  solver.solve(none, answer);
  EXPECT_EQ(answer.status, SolveStatus::solved);
}

// A start at the solution is known as such: no pivot more than the check of it.
inline void expect_warm_start_helps(Solver& solver, const Problem& p) {
  Answer answer;
  solver.solve(p, answer);
  ASSERT_EQ(answer.status, SolveStatus::solved);
  const int cold = answer.pivots;
  ASSERT_GT(cold, 0);
  solver.options.warm_start = true;
  solver.solve(p, answer);
  EXPECT_EQ(answer.status, SolveStatus::solved);
  EXPECT_EQ(answer.pivots, 0);
  solver.options.warm_start = false;
}

}  // namespace abut::test
