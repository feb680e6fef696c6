// The same problem in any unit of mass.
#include "abut/solve/wrap/in_masses.h"

#include <gtest/gtest.h>

#include <cmath>

#include "abut/solve/solver.h"
#include "row_of_bodies.h"

namespace abut {
namespace {

// Impulses of 1e17 kg are rounded to 1 N s or so: as they stand no answer is within 1e-10.
TEST(InMasses, HeavyAndLightBodiesAreSolvedAlike) {
  const Problem plain = row_of_bodies(20, 3, 1, 5);
  Answer one;
  auto solver = make_in_masses(make_solver("cone,nsgs"));
  solver->solve(plain, one);
  ASSERT_EQ(one.status, SolveStatus::solved);
  for (const double mass : {std::ldexp(1.0, 57), std::ldexp(1.0, -40)}) {
    Answer answer;
    solver->solve(row_of_bodies(20, 3, mass, 5), answer);
    ASSERT_EQ(answer.status, SolveStatus::solved) << mass;
    EXPECT_EQ(answer.iterations, one.iterations) << mass;
    EXPECT_LT((answer.z / mass - one.z).cwiseAbs().maxCoeff(), 1e-12) << mass;
    EXPECT_LT((answer.w - one.w).cwiseAbs().maxCoeff(), 1e-12) << mass;
  }
}

}  // namespace
}  // namespace abut
