// The shift of a plane that ends a step touching, of gaps as functions of the shift.
#include "abut/constrain/ahead/plane_shift.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace abut {
namespace {

// Ends of a step by the shift of the plane, in as many rounds.
template <class Gap>
double search(const Gap& gap, int rounds, PlaneShift& plane) {
  for (int i = 0; i < rounds && std::abs(gap(plane.shift())) > 1e-9; ++i)
    plane.correct(gap(plane.shift()));
  return gap(plane.shift());
}

TEST(PlaneShift, FindsTheTouch) {
  PlaneShift plane;
  EXPECT_NEAR(search([](double s) { return 1e-4 - 0.3 * s - 500 * s * s; }, 12, plane), 0, 1e-9);
  PlaneShift deep;
  EXPECT_NEAR(search([](double s) { return -1e-4 - 2 * s; }, 12, deep), 0, 1e-9);
  // a plateau beside it
  PlaneShift flat;
  EXPECT_NEAR(search([](double s) { return std::max(1e-3 - s, -1e-7); }, 16, flat), 0, 2e-7);
}

TEST(PlaneShift, TakesTheNearerSideOfAJump) {
  const auto end_of = [](double apart, double overlapping, double fall) {
    const auto gap = [&](double s) { return s < 1e-4 ? apart : overlapping; };
    PlaneShift plane;
    search(gap, 10, plane);
    plane.settle(fall);
    return gap(plane.shift());
  };
  EXPECT_EQ(end_of(3e-5, -1e-5, 0), -1e-5);
  EXPECT_EQ(end_of(3e-5, -5e-5, 0), 3e-5);
  EXPECT_EQ(end_of(3e-5, -5e-5, 6e-5), -5e-5);
}

TEST(PlaneShift, GivesUpWhatNoShiftLeadsTo) {
  PlaneShift plane;
  search([](double) { return 1e-3; }, 10, plane);
  EXPECT_EQ(plane.shift(), 0);
  plane.correct(-1);
  EXPECT_EQ(plane.shift(), 0);
}

}  // namespace
}  // namespace abut
