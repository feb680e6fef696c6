#include "abut/solve/newton/fischer_burmeister.h"

#include "abut/solve/newton/fischer_function.h"
#include "newton_checks.h"
#include "support/random.h"

namespace abut {
namespace {

using namespace test;

struct Bounds {
  double lo, hi;
};
constexpr Bounds kBounds[] = {
    {-kInfinity, kInfinity}, {-0.3, kInfinity}, {-kInfinity, 0.4}, {-0.3, 0.4}, {0.2, 0.2}};

// Zero where the natural map is, of its sign elsewhere, and of its size: for phi it is between
// 0.58 and 3.5 times min(a, b), twice over with two bounds.
TEST(FischerFunction, IsZeroWhereComplementary) {
  Random random(1);
  for (const Bounds& b : kBounds)
    for (int k = 0; k < 400; ++k) {
      double z = random.uniform(-1, 1), w = random.uniform(-1, 1);
      if (k % 4 == 0) w = 0;
      if (k % 5 == 0) z = std::clamp(z, b.lo, b.hi);
      if (k % 7 == 0 && b.lo > -kInfinity) z = b.lo;
      if (k % 11 == 0 && b.hi < kInfinity) z = b.hi;
      const double natural = std::max(z - b.hi, std::min(z - b.lo, w));
      const double phi = fischer_row(z, w, b.lo, b.hi, 0, 0).value;
      const double gap = gap_row(z, w, b.lo, b.hi).value;
      if (std::abs(natural) == 0) {
        EXPECT_NEAR(phi, 0, 1e-16);
        EXPECT_EQ(gap, 0);
      } else {
        EXPECT_GT(phi / natural, 0.3) << z << " " << w << " " << b.lo << " " << b.hi;
        EXPECT_LT(phi / natural, 12) << z << " " << w << " " << b.lo << " " << b.hi;
      }
    }
}

TEST(FischerFunction, HasTheDerivativesOfItsDifferences) {
  Random random(2);
  constexpr double h = 1e-6;
  for (const Bounds& b : kBounds)
    for (int k = 0; k < 100; ++k) {
      const double z = random.uniform(-1, 1), w = random.uniform(-1, 1);
      // away from the gap's kinks
      if (std::abs(w) < 1e-4 || std::abs(z - b.lo) < 1e-4 || std::abs(z - b.hi) < 1e-4) continue;
      for (const bool gap : {false, true}) {
        const auto at = [&](double dz, double dw, double dlo, double dhi) {
          return gap ? gap_row(z + dz, w + dw, b.lo + dlo, b.hi + dhi)
                     : fischer_row(z + dz, w + dw, b.lo + dlo, b.hi + dhi, 0, 0);
        };
        const RowMap r = at(0, 0, 0, 0);
        const auto slope = [&](const RowMap& up, const RowMap& down) {
          return (up.value - down.value) / (2 * h);
        };
        EXPECT_NEAR(slope(at(0, h, 0, 0), at(0, -h, 0, 0)), r.dw, 1e-5);
        if (b.lo == b.hi && gap) continue;
        EXPECT_NEAR(slope(at(h, 0, 0, 0), at(-h, 0, 0, 0)), r.dz, 1e-5);
        if (b.lo == b.hi) continue;
        if (b.lo > -kInfinity) {
          EXPECT_NEAR(slope(at(0, 0, h, 0), at(0, 0, -h, 0)), r.dlo, 1e-5);
        }
        if (b.hi < kInfinity) {
          EXPECT_NEAR(slope(at(0, 0, 0, h), at(0, 0, 0, -h)), r.dhi, 1e-5);
        }
      }
    }
}

// At (0, 0): the derivatives along the given direction's way out.
TEST(FischerFunction, TakesAGradientOfTheNeighbourhoodAtTheKink) {
  const FischerValue kink = fischer(0, 0, 1, 0.5), near = fischer(1e-3, 0.5e-3, 0, 0);
  EXPECT_NEAR(kink.da, near.da, 1e-14);
  EXPECT_NEAR(kink.db, near.db, 1e-14);
  EXPECT_GT(fischer(0, 0, 0, 0).da, 0);
}

TEST(FischerBurmeister, SolvesTheClassesThatItDeclares) {
  expect_solves_declared_classes(*solver_named("fb"));
}

TEST(FischerBurmeister, AgreesWithEnumeration) {
  expect_agrees_with_enumeration(*solver_named("fb"));
}

// Not declared, but good enough to be tried first: the header's rates, with room below.
TEST(FischerBurmeister, SolvesMostWithFriction) {
  const auto solver = solver_named("fb");
  EXPECT_GE(count_solved(*solver, "friction", 12, 100), 98);
  EXPECT_GE(count_solved(*solver, "mixed-friction", 20, 100), 98);
  EXPECT_GE(count_solved(*solver, "boxed-friction", 12, 100), 96);
}

TEST(FischerBurmeister, FailsWithAResidualWhereThereIsNoSolution) {
  expect_fails_with_a_residual(*solver_named("fb"));
}

TEST(FischerBurmeister, TakesNoMemoryAgain) { expect_takes_no_memory_again(*solver_named("fb")); }

TEST(FischerBurmeister, DoesNotMindOrderAndUnits) {
  expect_does_not_mind_order_and_units(*solver_named("fb"));
}

TEST(FischerBurmeister, SurvivesAnything) { expect_survives_anything(*solver_named("fb")); }

// Every row at the kink (0, 0) but one, at the start.
TEST(FischerBurmeister, LeavesTheKink) {
  Problem p = generate("definite", 12, 4);
  p.b.setZero();
  p.b[5] = -1;
  Answer answer;
  solver_named("fb")->solve(p, answer);
  EXPECT_EQ(answer.status, SolveStatus::solved);
  p.b[5] = 0;  // and where the start is the solution, it stays
  solver_named("fb")->solve(p, answer);
  EXPECT_EQ(answer.status, SolveStatus::solved);
  EXPECT_EQ(answer.iterations, 0);
  EXPECT_EQ(answer.z, VectorX::Zero(12));
}

TEST(FischerBurmeister, StartsWarm) {
  const auto solver = solver_named("fb");
  for (int seed = 1; seed <= 10; ++seed) {
    Problem p = generate("definite", 40, seed);
    Answer answer;
    solver->options.warm_start = false;
    solver->solve(p, answer);
    const int cold = answer.iterations;
    EXPECT_GT(cold, 3);
    solver->options.warm_start = true;
    solver->solve(p, answer);
    EXPECT_EQ(answer.iterations, 0);
    p.b *= 1.0001;
    solver->solve(p, answer);
    EXPECT_EQ(answer.status, SolveStatus::solved);
    EXPECT_LE(answer.iterations, std::min(4, cold - 2)) << "cold " << cold;
  }
}

}  // namespace
}  // namespace abut
