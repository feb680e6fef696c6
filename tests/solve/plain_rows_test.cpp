// The quick ways through plain problems against the plain ways.
#include "abut/solve/plain_rows.h"

#include <gtest/gtest.h>

#include <cmath>

#include "abut/solve/answer.h"
#include "abut/solve/pivoting/row_scan.h"
#include "support/random.h"

namespace abut {
namespace {

using test::Random;

Problem random_lcp(int n, Random& random) {
  Problem p = Problem::lcp(n);
  for (int i = 0; i < n * n; ++i) p.A.rows().data()[i] = random.uniform(-1, 1);
  for (int i = 0; i < n; ++i) p.b[i] = random.uniform(-1, 1);
  return p;
}

TEST(PlainRows, KnowsPlainProblems) {
  for (const int n : {1, 3, 8, 41}) {
    for (const int i : {0, n / 2, n - 1}) {
      Problem p = Problem::lcp(n);
      p.lo[i] = -0.0;
      EXPECT_TRUE(all_plain(p));
      for (const double lo : {-1.0, 1e-300, -kInfinity}) {
        p.lo[i] = lo;
        EXPECT_FALSE(all_plain(p)) << lo;
      }
      p = Problem::lcp(n);
      p.hi[i] = 1e300;
      EXPECT_FALSE(all_plain(p));
      p = Problem::lcp(n);
      p.set_bound_by(i, i == 0 ? n - 1 : 0, 0.5);
      EXPECT_FALSE(all_plain(p));
    }
  }
}

// A is not symmetric, so that rows taken for columns would show.
TEST(PlainRows, FewColumnsGiveTheProduct) {
  Random random(1);
  for (const int n : {24, 50, 300})
    for (const int count : {0, 1, 2, 3, 5, 6, 7, 11, 12}) {
      const Problem p = random_lcp(n, random);
      VectorX x = VectorX::Zero(n), y;
      for (int k = 0; k < count; ++k) x[random.integer(0, n - 1)] = random.uniform(-1, 1);
      FewColumns few;
      const bool is_few = (x.array() != 0).count() <= n / 4;
      ASSERT_EQ(few.find(x), is_few) << n << " " << count;
      if (!is_few) continue;
      few.multiply(p.A.rows(), y);
      const VectorX product = p.A.rows() * x, sizes = p.A.rows().cwiseAbs() * x.cwiseAbs();
      EXPECT_LT((y - product).cwiseAbs().maxCoeff(), 1e-14);
      for (int i = 0; i < n; ++i) EXPECT_NEAR(few.size_of_row(p.A.rows(), i), sizes[i], 1e-14);
    }
  FewColumns few;
  EXPECT_FALSE(few.find(VectorX::Zero(8))) << "so small that all of A is as quick";
}

// The same residuals as row by row, which an upper bound makes it go; where w > 0 that bound is not
// looked at.
TEST(PlainRows, ResidualsAreThoseOfRowByRow) {
  Random random(2);
  VectorX scratch;
  int compared = 0;
  for (int turn = 0; turn < 200; ++turn) {
    const int n = random.integer(1, 60);
    Problem p = random_lcp(n, random);
    VectorX z(n), w, w_slow;
    for (int i = 0; i < n; ++i) z[i] = random.chance(2) ? 0 : random.uniform(-0.1, 1);
    const Residuals quick = residuals(p, z, w, scratch);
    int row = 0;
    if (!(w.maxCoeff(&row) > 0)) continue;
    p.hi[row] = 1e300;
    ++compared;
    const Residuals slow = residuals(p, z, w_slow, scratch);
    EXPECT_EQ(w, w_slow);
    EXPECT_EQ(quick.natural, slow.natural);
    EXPECT_EQ(quick.relative, slow.relative);
    EXPECT_EQ(quick.row_scaled, slow.row_scaled);
    EXPECT_EQ(quick.complementarity, slow.complementarity);
    EXPECT_EQ(quick.feasibility, slow.feasibility);
  }
  EXPECT_GT(compared, 150);
}

// Wherever it is: a comparison with it is false either way, and would lose it.
TEST(PlainRows, NotANumberStaysInTheResidual) {
  Random random(3);
  VectorX w, scratch;
  for (const int n : {1, 4, 7, 40})
    for (int i = 0; i < n; ++i)
      for (const bool plain : {true, false}) {
        Problem p = random_lcp(n, random);
        if (!plain) p.hi[0] = 1e300;
        p.b[i] = std::nan("");
        EXPECT_TRUE(std::isnan(residuals(p, VectorX::Zero(n), w, scratch).relative))
            << i << " of " << n;
      }
}

TEST(RowScan, FindsWhatALoopFinds) {
  Random random(4);
  for (int n = 1; n <= 21; ++n) {
    VectorX sign(n), w(n), rate(n), noise(n), weight(n), root(n), score(n), reach(n);
    for (int i = 0; i < n; ++i) {
      sign[i] = random.integer(-1, 1);
      w[i] = random.uniform(-1, 1);
      rate[i] = random.chance(4) ? 0 : random.uniform(-1, 1);
      noise[i] = random.chance(2) ? 0.3 : 0;
      root[i] = random.uniform(0.5, 2);
      weight[i] = 1 / root[i];
    }
    const WrongRows wrong =
        score_wrong(sign.data(), w.data(), noise.data(), weight.data(), n, score.data());
    const double nearest = find_reaches(sign.data(), w.data(), rate.data(), noise.data(),
                                        root.data(), 0.1, n, reach.data());
    int count = 0;
    double most = 0, least = kInfinity;
    for (int i = 0; i < n; ++i) {
      const bool is_wrong = sign[i] * w[i] < -noise[i];
      count += is_wrong;
      EXPECT_EQ(score[i], is_wrong ? std::abs(w[i]) * weight[i] : 0);
      most = std::max(most, score[i]);
      const double speed = -sign[i] * rate[i];
      const bool stops = !is_wrong && speed > 0.1 * root[i];
      EXPECT_EQ(reach[i], stops ? std::max(sign[i] * w[i], 0.0) / speed : kInfinity);
      least = std::min(least, reach[i]);
    }
    EXPECT_EQ(wrong.count, count);
    EXPECT_EQ(wrong.most, most);
    EXPECT_EQ(nearest, least);
  }
}

}  // namespace
}  // namespace abut
