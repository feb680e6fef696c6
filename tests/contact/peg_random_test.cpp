// Random solids thrown at each other in steps of 0.25 s under peg (p_random.h of reproduce): 40
// here, 10,000 in `make soak`. And that turned, shifted, mirrored and renamed copies of a world end
// alike.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "abut/reproduce/random_hull.h"
#include "abut/reproduce/williams_lu_trinkle/p_random.h"
#include "abut/reproduce/williams_lu_trinkle/p_run.h"

namespace abut {
namespace {

using namespace reproduce;

int approaches(int usual) { return std::getenv("ABUT_SOAK") != nullptr ? 10000 : usual; }

TEST(PegRandom, EndsApart) {
  const int count = approaches(40);
  int steps = 0, fallbacks = 0, touched = 0;
  double growth = 0, angular = 0;
  for (int i = 0; i < count; ++i) {
    SCOPED_TRACE(fmt::format("random_approach({})", i));
    const Approach approach = random_approach(static_cast<unsigned>(i));
    const ApproachEnd end = run_approach(approach, peg_settings());
    EXPECT_LE(end.overlap, 1e-8 * approach.L);
    EXPECT_LE(end.momentum, 1e-12);
    EXPECT_LE(end.unexplained, 1e-7);
    EXPECT_LE(end.energy_growth, 1e-12);
    // a step that falls back to st presses ahead of the surfaces
    if (end.worst_level < 2) {
      EXPECT_LE(end.off_surface, 1e-6 * approach.L);
    }
    steps += end.steps;
    fallbacks += end.fallbacks;
    touched += end.touched;
    growth = std::max(growth, end.energy_growth);
    angular = std::max(angular, end.angular);
  }
  fmt::print(
      "{} approaches, {} touch, {} of {} steps fall back, energy grows by {:.3g} of it at most, "
      "angular momentum changes by {:.3g} m v L at most\n",
      count, touched, fallbacks, steps, growth, angular);
  EXPECT_GT(touched, count / 3);
  EXPECT_LE(fallbacks, std::max(1, steps / 100));
}

Pose mirrored(const Pose& X) {  // at the plane x = 0
  return {{-X.p.x(), X.p.y(), X.p.z()}, Quat(X.q.w(), X.q.x(), -X.q.y(), -X.q.z())};
}

Approach mirrored(Approach a) {
  for (Approach::Solid& s : a.solids) {
    for (Vec3& p : s.points) p.x() = -p.x();
    s.pose = mirrored(s.pose);
    s.velocity.x() = -s.velocity.x();
    s.spin = {s.spin.x(), -s.spin.y(), -s.spin.z()};
  }
  return a;
}

// How far apart the poses of two ends are, the second brought back by `turn` and `shift` (m, and
// half angles times L).
double difference(const ApproachEnd& a, const ApproachEnd& b, double L, const Quat& turn,
                  const Vec3& shift, bool swapped) {
  double most = 0;
  for (std::size_t i = 0; i < 2; ++i) {
    const Pose& X = b.poses[swapped ? 1 - i : i];
    const Pose back{turn.conjugate() * (X.p - shift), turn.conjugate() * X.q};
    most = std::max(most, (a.poses[i].p - back.p).norm());
    most = std::max(most, L * (a.poses[i].q.conjugate() * back.q).vec().norm());
  }
  return most;
}

TEST(PegRandom, TurnedShiftedMirroredAndRenamedCopiesEndAlike) {
  const int count = approaches(400) / 10;
  int touched = 0, other = 0;
  std::string which;
  for (int i = 0; i < count; ++i) {
    const Approach approach = random_approach(static_cast<unsigned>(i));
    const double L = approach.L;
    const ApproachEnd end = run_approach(approach, peg_settings());
    touched += end.touched;
    Dice dice(static_cast<unsigned>(i));
    const Quat turn = dice.rotation();
    const auto placed = [&](const Quat& q, const Vec3& p) {
      Approach copy = approach;
      for (Approach::Solid& s : copy.solids) {
        s.pose = {q * s.pose.p + p, q * s.pose.q};
        s.velocity = q * s.velocity;
      }
      return run_approach(copy, peg_settings());
    };
    const Vec3 far = 1e3 * L * Vec3(1, -0.5, 0.7);
    Approach renamed = approach;
    std::swap(renamed.solids[0], renamed.solids[1]);
    for (Approach::Solid& s : renamed.solids) std::reverse(s.points.begin(), s.points.end());
    const Quat none = Quat::Identity();
    ApproachEnd reflected = run_approach(mirrored(approach), peg_settings());
    for (Pose& X : reflected.poses) X = mirrored(X);
    const double apart = std::max(
        {difference(end, reflected, L, none, Vec3::Zero(), false),
         difference(end, placed(turn, Vec3::Zero()), L, turn, Vec3::Zero(), false),
         difference(end, placed(none, far), L, none, far, false),
         difference(end, run_approach(renamed, peg_settings()), L, none, Vec3::Zero(), true)});
    if (apart <= 1e-9 * L) continue;
    ++other;
    which += fmt::format(" {}", i);
  }
  fmt::print(
      "{} approaches, {} touch, {} end otherwise when turned, shifted, mirrored or renamed:{}\n",
      count, touched, other, which);
  EXPECT_GT(touched, count / 3);
  EXPECT_EQ(other, 0);
}

}  // namespace
}  // namespace abut
