// Newton's, Poisson's and Stronge's restitution with friction, against closed forms of the plane
// and an integration of another kind.
#include "abut/contact/impact/impact_law.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/support/random.h"

namespace abut {
namespace {

using Block = Eigen::Matrix<double, 3, 3, Eigen::RowMajor>;

constexpr RestitutionLaw kLaws[] = {RestitutionLaw::newton, RestitutionLaw::poisson,
                                    RestitutionLaw::stronge};

Block random_block(test::Random& random) {
  Block B;
  for (int k = 0; k < 9; ++k) B(k / 3, k % 3) = random.uniform(-1, 1);
  return B * B.transpose() + 0.01 * Mat3::Identity();
}
Vec3 random_approach(test::Random& random) {
  return {-random.uniform(0.01, 1), random.uniform(-3, 3), random.uniform(-3, 3)};
}
double gain(const Block& K, const Vec3& v, const Vec3& p) { return p.dot(v) + 0.5 * p.dot(K * p); }

TEST(ImpactLaw, AllThreeAgreeWithoutFriction) {
  test::Random random(3);
  for (int i = 0; i < 200; ++i) {
    const Block K = random_block(random);
    const Vec3 v = random_approach(random);
    for (const RestitutionLaw law : kLaws) {
      double e = random.uniform(0, 1);
      Vec3 p;
      ASSERT_TRUE(impact_impulse(K.data(), v, 0, law, e, p));
      EXPECT_NEAR(p[0], -(1 + e) * v[0] / K(0, 0), 1e-9) << name(law);
      EXPECT_NEAR(std::hypot(p[1], p[2]), 0, 1e-12);
    }
  }
}

// Newton's law with friction can make energy (Kane's paradox): then it bounces less. Stronge's
// cannot, whatever e is.
TEST(ImpactLaw, EnergyNeverGrows) {
  test::Random random(7);
  int lowered = 0;
  for (int i = 0; i < 5000; ++i) {
    const Block K = random_block(random);
    const Vec3 v = random_approach(random);
    const double mu = random.uniform(0, 1.5), given = random.uniform(0, 1);
    for (const RestitutionLaw law : kLaws) {
      double e = given;
      Vec3 p;
      ASSERT_TRUE(impact_impulse(K.data(), v, mu, law, e, p));
      const Vec3 after = v + K * p;
      // the path of the other two is integrated
      EXPECT_LE(gain(K, v, p), law == RestitutionLaw::newton ? 1e-12 : 1e-9) << name(law);
      EXPECT_GE(after[0], -1e-9);
      EXPECT_LE(std::hypot(p[1], p[2]), mu * p[0] * (1 + 1e-9) + 1e-12);
      if (law != RestitutionLaw::newton) continue;
      EXPECT_NEAR(after[0], -e * v[0], 1e-9);
      lowered += e < given ? 1 : 0;
    }
  }
  EXPECT_GT(lowered, 20);
}

// A rod that comes down with its end, in the plane: the slip of the end stops in compression, and
// then goes the other way since friction does not hold. All is piecewise straight.
TEST(ImpactLaw, ARodThatTurnsItsSlipRoundFollowsTheClosedForm) {
  // K of the end of a rod of mass 1 and length 2 that leans by 60 degrees from the vertical; n up
  const double m = 1, I = m * 4 / 12, x = -std::sin(1.0472), y = -std::cos(1.0472), mu = 0.15;
  Block K = Block::Zero();
  K << 1 / m + x * x / I, -x * y / I, 0, -x * y / I, 1 / m + y * y / I, 0, 0, 0, 1 / m;
  const Vec3 v(-1, 0.05, 0);
  // slides along +t until its slip has gone, then along -t (|K_tn| / K_tt > mu)
  ASSERT_GT(std::abs(K(1, 0)) / K(1, 1), mu);
  const double t1 = v[1] / -(K(1, 0) - mu * K(1, 1)), n1 = K(0, 0) - mu * K(0, 1);
  ASSERT_GT(t1, 0);
  const double n2 = K(0, 0) + mu * K(0, 1);
  const double vn1 = v[0] + n1 * t1;
  ASSERT_LT(vn1, 0);
  const double pc = t1 - vn1 / n2;
  const double work_c = 0.5 * t1 * (v[0] + vn1) + 0.5 * (pc - t1) * vn1;
  for (const double given : {0.0, 0.4, 0.9, 1.0}) {
    double e = given;
    Vec3 p;
    ASSERT_TRUE(impact_impulse(K.data(), v, mu, RestitutionLaw::poisson, e, p));
    EXPECT_NEAR(p[0], (1 + e) * pc, 1e-9);
    ASSERT_TRUE(impact_impulse(K.data(), v, mu, RestitutionLaw::stronge, e, p));
    const double end = pc + std::sqrt(2 * e * e * -work_c / n2);
    EXPECT_NEAR(p[0], end, 1e-9);
    EXPECT_NEAR(p[1], -mu * t1 + mu * (end - t1), 1e-9);
    EXPECT_NEAR(p[2], 0, 1e-15);
  }
}

// Small impulses one after the other, each with the friction that stops what it can: first order.
struct Slices {
  Vec3 p = Vec3::Zero();
  double work = 0;
};
Slices by_slices(const Block& K, const Vec3& start, double mu, double e, int count) {
  Vec3 v = start;
  Slices now;
  double least = 0;
  const double d = -start[0] / K(0, 0) / count;
  for (int i = 0; i < 200 * count; ++i) {
    least = std::min(least, now.work);
    if (v[0] >= 0 && now.work >= (1 - e * e) * least) break;
    // friction by many sweeps over a disc: K_tt is small and definite
    Vec2 f = Vec2::Zero();
    const double trace = K(1, 1) + K(2, 2);
    for (int k = 0; k < 60; ++k) {
      const Vec3 w = v + K * Vec3(d, f[0], f[1]);
      f -= Vec2(w.tail<2>()) / trace;
      if (f.norm() > mu * d) f *= mu * d / f.norm();
    }
    const Vec3 p(d, f[0], f[1]), after = v + K * p;
    now.work += 0.5 * d * (v[0] + after[0]);
    now.p += p;
    v = after;
  }
  return now;
}

TEST(ImpactLaw, StrongesLawAgreesWithManySmallImpulses) {
  test::Random random(11);
  for (int i = 0; i < 40; ++i) {
    const Block K = random_block(random) + 0.2 * Block::Identity();
    const Vec3 v(-1, random.uniform(-2, 2), random.uniform(-2, 2));
    const double mu = random.uniform(0, 1.2), e = random.uniform(0, 1);
    double used = e;
    Vec3 p;
    ASSERT_TRUE(impact_impulse(K.data(), v, mu, RestitutionLaw::stronge, used, p));
    const Slices reference = by_slices(K, v, mu, e, 2000);
    EXPECT_LT((p - reference.p).norm(), 0.01 * p.norm()) << i;
  }
}

TEST(ImpactLaw, SlidesOnWhereFrictionCannotHold) {
  // a sphere's K has no coupling: slip ends, and stays ended
  Block K = Block::Identity();
  K(1, 1) = K(2, 2) = 3.5;
  double e = 0.5;
  Vec3 p;
  ASSERT_TRUE(impact_impulse(K.data(), {-1, 0.3, 0.4}, 0.5, RestitutionLaw::stronge, e, p));
  EXPECT_NEAR((Vec3(-1, 0.3, 0.4) + K * p).tail<2>().norm(), 0, 1e-9);
  EXPECT_NEAR(p[0], 1.5, 1e-9);
  // without slip at first, but pulled aside by more than friction holds
  K(0, 1) = K(1, 0) = 0.8;
  ASSERT_TRUE(impact_impulse(K.data(), {-1, 0, 0}, 0.1, RestitutionLaw::stronge, e, p));
  EXPECT_NEAR(p[1], -0.1 * p[0], 1e-9);
  EXPECT_GT((K * p)[1], 0);
}

TEST(ImpactLaw, WhatCannotMoveIsNotStopped) {
  const Block K = Block::Zero();
  for (const RestitutionLaw law : kLaws) {
    double e = 0;
    Vec3 p;
    EXPECT_FALSE(impact_impulse(K.data(), {-1, 0, 0}, 0.5, law, e, p));
  }
}

}  // namespace
}  // namespace abut
