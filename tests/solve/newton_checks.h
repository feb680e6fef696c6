// What fischer_burmeister_test and lmmcp_test ask of both solvers.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "abut/solve/generate/generate.h"
#include "abut/solve/pivoting/enumerate.h"
#include "abut/solve/solver.h"
#include "support/heap.h"

namespace abut::test {

inline std::unique_ptr<Solver> solver_named(const char* name) { return make_solver(name); }

// Families of the classes that both declare.
inline const std::vector<std::string_view> kDeclared{"p-matrix",   "definite",    "semidefinite",
                                                     "degenerate", "scaled",      "cycling",
                                                     "mixed",      "mixed-schur", "boxed"};

inline int count_solved(Solver& solver, std::string_view family, int n, int seeds,
                        std::string* failed = nullptr) {
  int count = 0;
  for (int seed = 1; seed <= seeds; ++seed) {
    const Problem p = generate(family, n, seed);
    Answer answer;
    solver.solve(p, answer);
    if (answer.status == SolveStatus::solved)
      ++count;
    else if (failed)
      *failed += " " + std::to_string(seed);
  }
  return count;
}

inline void expect_solves_declared_classes(Solver& solver) {
  for (const std::string_view family : kDeclared)
    for (const auto& [n, seeds] : {std::pair{2, 30}, {7, 50}, {12, 50}, {40, 20}, {90, 3}}) {
      std::string failed;
      EXPECT_EQ(count_solved(solver, family, n, seeds, &failed), seeds)
          << family << " of " << n << ", seeds" << failed;
    }
}

// z where the matrix is P; else w, which is one and the same for all solutions where A is
// symmetric semidefinite.
inline void expect_agrees_with_enumeration(Solver& solver) {
  for (const std::string_view family :
       {"p-matrix", "definite", "cycling", "boxed", "semidefinite", "degenerate", "mixed-schur"}) {
    const auto all = families();
    const bool unique = std::find_if(all.begin(), all.end(), [&](const Family& f) {
                          return f.name == family;
                        })->matrix == MatrixClass::p_matrix;
    for (int seed = 1; seed <= 10; ++seed) {
      const Problem p = generate(family, 8, seed);
      Answer answer, expected;
      solver.solve(p, answer);
      make_solver("enum")->solve(p, expected);
      ASSERT_EQ(expected.status, SolveStatus::solved) << family << " " << seed;
      const VectorX& got = unique ? answer.z : answer.w;
      const VectorX& want = unique ? expected.z : expected.w;
      EXPECT_LT((got - want).cwiseAbs().maxCoeff(), 1e-7 * (1 + want.cwiseAbs().maxCoeff()))
          << family << " " << seed;
    }
  }
}

inline void expect_fails_with_a_residual(Solver& solver) {
  for (const std::string_view family : {"infeasible", "painleve-acceleration"})
    for (int seed = 1; seed <= 5; ++seed) {
      const Problem p = generate(family, 8, seed);
      Answer answer;
      solver.solve(p, answer);
      EXPECT_EQ(answer.status, SolveStatus::failed) << family << " " << seed;
      EXPECT_FALSE(answer.reason.empty());
      EXPECT_GT(answer.residuals.relative, solver.options.tolerance);
      EXPECT_TRUE(answer.z.allFinite());
    }
}

inline void expect_takes_no_memory_again(Solver& solver) {
  // regular, singular and hopeless ones: each takes another way through the code
  for (const std::string_view family :
       {"p-matrix", "degenerate", "friction", "mixed", "boxed", "boxed-friction", "infeasible"}) {
    const Problem p = generate(family, 20, 3);
    Answer answer;
    solver.solve(p, answer);
    const VectorX z = answer.z;
    const long before = heap_count();
    solver.solve(p, answer);
    EXPECT_EQ(heap_count(), before) << family;
    // nor does it remember anything
    EXPECT_EQ(answer.z, z) << family;
  }
}

// The same problem with its rows in another order, and in other units, has the same solution.
inline void expect_does_not_mind_order_and_units(Solver& solver) {
  for (int seed = 1; seed <= 10; ++seed) {
    const Problem p = generate("p-matrix", 15, seed);
    Answer answer, other;
    solver.solve(p, answer);
    const int n = p.size();
    Problem turned = Problem::lcp(n), scaled = p;
    for (int i = 0; i < n; ++i) {
      turned.b[i] = p.b[n - 1 - i];
      for (int j = 0; j < n; ++j) turned.A.rows()(i, j) = p.A.rows()(n - 1 - i, n - 1 - j);
    }
    solver.solve(turned, other);
    EXPECT_LT((other.z.reverse() - answer.z).cwiseAbs().maxCoeff(), 1e-9) << seed;
    // other units of w and, by 1e9, of z
    scaled.A.rows() *= 1e3;
    scaled.b *= 1e-6;
    solver.solve(scaled, other);
    EXPECT_LT((other.z * 1e9 - answer.z).cwiseAbs().maxCoeff(), 1e-9) << seed;
  }
}

inline void expect_survives_anything(Solver& solver) {
  Problem p = generate("p-matrix", 6, 1);
  Answer answer;
  p.A.rows()(2, 3) = std::nan("");
  solver.solve(p, answer);
  EXPECT_EQ(answer.status, SolveStatus::failed);
  for (const double huge : {1e300, -1e300, 1e-300, 0.0}) {
    p = generate("p-matrix", 6, 1);
    p.A.rows()(2, 3) = p.A.rows()(4, 4) = huge;
    p.b[1] = huge;
    solver.solve(p, answer);  // ends
    p.A.rows().setConstant(huge);
    solver.solve(p, answer);
  }
  p = Problem::lcp(0);
  solver.solve(p, answer);
  EXPECT_EQ(answer.status, SolveStatus::solved);
  p = generate("cones", 6, 1);
  p.b.setConstant(-1);  // zero is no answer
  solver.solve(p, answer);
  EXPECT_EQ(answer.status, SolveStatus::failed);
  EXPECT_EQ(answer.reason, "this solver does not take problems of this kind");
}

}  // namespace abut::test
