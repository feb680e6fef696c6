// One contact, exactly: the law itself is the oracle.
#include "abut/solve/sweeping/one_contact.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

#include "abut/solve/answer.h"

namespace abut {
namespace {

struct Contact {
  Problem p;
  VectorX z, w, scratch;

  explicit Contact(int size) {
    p.A.set_dense(size);
    p.resize(size);
    p.cones = {{0, size, 0}};
    z.resize(size);
  }

  // The natural map's size relative to what the numbers allow. mu multiplies the rounding of
  // w_t (De Saxce's term), so it counts.
  double solve() {
    OneContact c;
    const int size = p.size();
    c.set(p.A.rows().data(), size, size, p.cones[0].mu);
    if (!c.solve(p.b.data(), z.data())) return kInfinity;
    const Residuals r = residuals(p, z, w, scratch);
    p.A.multiply_abs(z, scratch);
    const double scale = (scratch.maxCoeff() + p.b.cwiseAbs().maxCoeff()) * (1 + p.cones[0].mu) +
                         z.cwiseAbs().maxCoeff();
    return scale > 0 ? r.natural / scale : r.natural;
  }
};

TEST(OneContact, LeavesSticksAndSlides) {
  Contact c(3);
  c.p.A.rows().setIdentity();
  c.p.cones[0].mu = 0.5;
  c.p.b << 1, 3, 4;
  EXPECT_EQ(c.solve(), 0);
  EXPECT_EQ(c.z, VectorX(Eigen::Vector3d(0, 0, 0)));
  c.p.b << -2, 0.3, 0.4;
  EXPECT_LT(c.solve(), 1e-15);
  EXPECT_NEAR((c.z - Eigen::Vector3d(2, -0.3, -0.4)).norm(), 0, 1e-15);
  c.p.b << -2, 3, 4;
  EXPECT_LT(c.solve(), 1e-15);
  EXPECT_NEAR((c.z - Eigen::Vector3d(2, -0.6, -0.8)).norm(), 0, 1e-14);
}

// Painleve's coupling: A_nn + mu A_nt u < 0 for one direction of sliding. A solution is there
// all the same (of impact, at the level of velocities).
TEST(OneContact, IsSolvableWhereSlidingWouldLiftTheNormalRow) {
  Contact c(2);
  c.p.A.rows() << 1, 1.9, 1.9, 4;
  c.p.cones[0].mu = 2;
  for (const double bn : {-1.0, 1.0})
    for (const double bt : {-5.0, -0.1, 0.0, 0.1, 5.0}) {
      c.p.b << bn, bt;
      EXPECT_LT(c.solve(), 1e-15) << bn << " " << bt;
    }
}

TEST(OneContact, SaysThatANormalRowWithoutMassCannotBeMet) {
  Contact c(2);
  c.p.A.rows() << 0, 0, 0, 1;
  c.p.b << -1, 0;
  EXPECT_EQ(c.solve(), kInfinity);
  c.p.b << 1, 0;
  EXPECT_EQ(c.solve(), 0);
}

TEST(OneContact, NumbersAtTheEdgeOfDoublesEnd) {
  Contact c(3);
  c.p.A.rows().setIdentity();
  c.p.cones[0].mu = 0.3;
  c.p.b << -1e-310, 1, 0;
  EXPECT_LT(c.solve(), 1e-15);
  c.p.b << -1, 1e200, 0;
  EXPECT_LT(c.solve(), 1e-15);
  c.p.A.rows() << 1, 0, 0, 0, 1, 1, 0, 1, 1;  // singular in the tangent plane
  c.p.b << -1, 1, -1;
  EXPECT_LT(c.solve(), 1e-14);
  c.p.A.rows() << 1, 0, 0, 0, 0, 0, 0, 0, 0;  // no inertia there at all
  EXPECT_LT(c.solve(), 1e-14);
  c.p.b << -1, 0, 0;
  EXPECT_LT(c.solve(), 1e-14);
}

// Blocks of any condition up to 1e16 and any size from 1e-8 to 1e8, mu from 0 to 1000.
TEST(OneContact, IsMetToTheLastDigitOnRandomBlocks) {
  std::mt19937_64 random(11);
  const auto uniform = [&] { return static_cast<double>(random() >> 11) / 9007199254740992.0; };
  const auto power = [&](double decades) { return std::pow(10, decades * (2 * uniform() - 1)); };
  const auto normal = [&] {
    return std::sqrt(-2 * std::log(1 - uniform())) * std::cos(6.283185307179586 * uniform());
  };
  double worst = 0;
  Contact contacts[2] = {Contact(2), Contact(3)};
  for (int trial = 0; trial < 300000; ++trial) {
    const int size = trial % 5 == 0 ? 2 : 3;
    Contact& c = contacts[size - 2];
    Eigen::Matrix3d J;
    for (int k = 0; k < 9; ++k) J.data()[k] = normal();
    // a product of random matrices, columns scaled: the eigenvalues spread over 8 decades
    if (trial % 3 == 0)
      for (int k = 0; k < 3; ++k) J.col(k) *= power(2);
    const Eigen::Matrix3d A = J * J.transpose() * power(8);
    c.p.A.rows() = A.topLeftCorner(size, size);
    if (trial % 4 == 0)
      for (int k = 0; k < size; ++k) {
        const double d = power(2);
        c.p.A.rows().row(k) *= d;
        c.p.A.rows().col(k) *= d;
      }
    const double scale = power(8);
    for (int k = 0; k < size; ++k) c.p.b[k] = scale * normal() * power(3);
    c.p.b[0] = trial % 10 == 0 ? c.p.b[0] : -std::abs(c.p.b[0]);
    c.p.cones[0].mu = trial % 16 == 0 ? 0 : power(3);
    const double off = c.solve();
    worst = std::max(worst, off);
    ASSERT_LT(off, 5e-15) << "trial " << trial;
  }
  RecordProperty("worst", std::to_string(worst));
}

}  // namespace
}  // namespace abut
