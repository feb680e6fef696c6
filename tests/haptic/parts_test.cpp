// The parts of a haptic loop, one by one, against closed forms.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <thread>
#include <vector>

#include "abut/haptic/coupling/coupling.h"
#include "abut/haptic/coupling/guard.h"
#include "abut/haptic/coupling/passivity.h"
#include "abut/haptic/coupling/workspace.h"
#include "abut/haptic/device/hand_check.h"
#include "abut/haptic/device/hand_path.h"
#include "abut/haptic/device/held_mass.h"
#include "abut/haptic/loop/durations.h"
#include "abut/haptic/loop/snapshot.h"

namespace abut::haptic {
namespace {

TEST(HandPath, GoesFromPointToPointAndRestsThere) {
  const double rows[] = {0, 0, 0, 0, 2, 0.1, 0, -0.2};
  const HandPath path(rows, {});
  EXPECT_EQ(path.at(0).position, Vec3(0, 0, 0));
  EXPECT_LT((path.at(1).position - Vec3(0.05, 0, -0.1)).norm(), 1e-15);
  EXPECT_EQ(path.at(5).position, Vec3(0.1, 0, -0.2)) << "not closed: it stays";
  EXPECT_EQ(path.at(0).velocity.norm() + path.at(2).velocity.norm(), 0);
  // 15/8 of the mean velocity in the middle, and the derivative of the position elsewhere
  EXPECT_NEAR(path.at(1).velocity.x(), 15.0 / 8 * 0.05, 1e-15);
  const double h = 1e-6;
  EXPECT_LT(
      ((path.at(0.7 + h).position - path.at(0.7 - h).position) / (2 * h) - path.at(0.7).velocity)
          .norm(),
      1e-9);
}

TEST(HandPath, BeginsAnewIfItIsClosed) {
  const double rows[] = {0, 0, 0, 0, 1, 1, 0, 0, 2, 0, 0, 0}, turns[] = {0, 0, 0, 0, 1, 0, 0, 0.5};
  EXPECT_LT((HandPath(rows, {}).at(5).position - Vec3(1, 0, 0)).norm(), 1e-15);
  EXPECT_EQ(HandPath(rows, turns).at(9).turn, Vec3(0, 0, 0.5)) << "the turn is not closed";
}

TEST(HandPath, RefusesRowsThatAreNone) {
  const double three[] = {0, 1, 2}, back[] = {1, 0, 0, 0, 1, 0, 0, 0},
               nan[] = {0, std::numeric_limits<double>::quiet_NaN(), 0, 0};
  EXPECT_THROW(HandPath(three, {}), std::invalid_argument);
  EXPECT_THROW(HandPath(back, {}), std::invalid_argument);
  EXPECT_THROW(HandPath({}, nan), std::invalid_argument);
}

TEST(HeldMass, IsExactForAnyCycle) {
  // underdamped, critically damped, free with a damper, free
  struct Case {
    double m, b, k;
  };
  for (const auto& [m, b, k] : {Case{0.15, 5, 500}, Case{0.2, 2 * std::sqrt(0.2 * 80), 80},
                                Case{0.1, 3, 0}, Case{0.1, 0, 0}}) {
    Vec3 x(0.01, 0, 0), v(-0.2, 0, 0), y = x, w = v;
    const Vec3 f(0.7, 0, 0);
    const HeldMass once(m, b, k, 0.05), often(m, b, k, 0.05 / 64);
    once.advance(x, v, f);
    for (int i = 0; i < 64; ++i) often.advance(y, w, f);
    EXPECT_NEAR(x.x(), y.x(), 1e-13) << b;
    EXPECT_NEAR(v.x(), w.x(), 1e-12) << b;
    if (k == 0 && b == 0) {
      EXPECT_NEAR(x.x(), 0.01 - 0.2 * 0.05 + 0.7 / m * 0.05 * 0.05 / 2, 1e-15);
    }
    if (k == 0 && b > 0) {
      const double end = f.x() / b, decay = std::exp(-b / m * 0.05);
      EXPECT_NEAR(v.x(), end + (-0.2 - end) * decay, 1e-13);
    }
    // it ends where the spring balances the force
    if (k > 0) {
      for (int i = 0; i < 400; ++i) once.advance(x, v, f);
      EXPECT_NEAR(x.x(), f.x() / k, 1e-12);
    }
  }
  EXPECT_THROW(HeldMass(0, 1, 1, 0.001), std::invalid_argument);
  EXPECT_THROW(HeldMass(1, -1, 1, 0.001), std::invalid_argument);
}

TEST(Coupling, IsALimitedSpringAndDamper) {
  const CouplingGains g{.stiffness = 100,
                        .damping = 2,
                        .turn_stiffness = 3,
                        .turn_damping = 0.5,
                        .most_force = 10,
                        .most_torque = 1};
  const MovingFrame hand{{{0.02, 0, 0}, Quat(Eigen::AngleAxisd(0.1, Vec3::UnitZ()))},
                         {{0.5, 0, 0}, {0, 0, 0.2}}};
  const MovingFrame rest;
  Spatial f = coupling_wrench(g, hand, rest, 1);
  EXPECT_NEAR(f.lin.x(), 100 * 0.02 + 2 * 0.5, 1e-12);
  EXPECT_NEAR(f.ang.z(), 3 * 0.1 + 0.5 * 0.2, 1e-12);
  f = coupling_wrench(g, hand, rest, 0);
  EXPECT_NEAR(f.lin.x(), 1, 1e-12) << "a spring that has faded leaves the damper";
  const MovingFrame far{{{1, 1, 0}, Quat::Identity()}, {}};
  EXPECT_NEAR(coupling_wrench(g, far, rest, 1).lin.norm(), 10, 1e-12);
  // the energy is the work of the limited force
  double work = 0;
  for (int i = 0; i < 10000; ++i) {
    const MovingFrame at{{{(i + 0.5) * 1e-4, 0, 0}, Quat::Identity()}, {}};
    work += coupling_wrench(g, at, rest, 1).lin.x() * 1e-4;
  }
  EXPECT_NEAR(coupling_energy(g, {{1, 0, 0}, Quat::Identity()}, Pose()), work, 1e-3);
}

// x' = x + h v', m v' = m v - h (k x + b v): the roots of the polynomial, by iteration.
TEST(Coupling, KnowsWhatStepsCanFollow) {
  const double m = 0.05, h = 0.001;
  for (const double k : {100.0, 20'000.0, 150'000.0, 210'000.0})
    for (const double b : {0.0, 5.0, 40.0, 90.0, 110.0}) {
      double x = 1, v = 0, most = 0;
      for (int i = 0; i < 20'000 && std::isfinite(x); ++i) {
        v -= h / m * (k * x + b * v);
        x += h * v;
        if (i > 10'000) most = std::max(most, std::abs(x));
      }
      const bool stable = std::isfinite(x) && most < 10;
      EXPECT_EQ(can_follow(k, b, m, h) || (b == 0 && stable), stable) << k << " " << b;
    }
  const CouplingGains g = natural_gains(m, 1e-5, h);
  EXPECT_TRUE(can_follow(g.stiffness, g.damping, m, h));
  EXPECT_TRUE(can_follow(g.turn_stiffness, g.turn_damping, 1e-5, h));
  EXPECT_EQ(g.stiffness, 1000);
  EXPECT_LT(natural_gains(m, 1e-5, 0.005).stiffness, 201) << "at 200 Hz a light pointer is softer";
}

TEST(Workspace, ScalesTurnsAndKeepsPower) {
  WorkspaceSettings s;
  s.scale = 2, s.force_scale = 0.5;
  s.axes = Quat(Eigen::AngleAxisd(M_PI / 2, Vec3::UnitZ()));
  Workspace w(s, {{1, 1, 1}, Quat::Identity()});
  HandSample hand;
  hand.pose.p = {5, 5, 5};
  EXPECT_EQ(w.move(hand).X.p, Vec3(1, 1, 1)) << "the first sample catches the pointer where it is";
  hand.pose.p = {5.1, 5, 5};
  hand.linear_velocity = {0.3, 0, 0};
  hand.angular_velocity = {0, 1, 0};
  EXPECT_LT((w.move(hand).X.p - Vec3(1, 1.2, 1)).norm(), 1e-12);
  const Spatial wrench{{0.3, 2, -1}, {0.4, 0.2, 0.1}};
  const HandWrench felt = w.to_device(wrench);
  const double power = wrench.lin.dot(w.hand().twist.lin) + wrench.ang.dot(w.hand().twist.ang);
  EXPECT_NEAR(felt.force.dot(hand.linear_velocity) + felt.torque.dot(hand.angular_velocity),
              0.5 / 2 * power, 1e-12);
  w.catch_anew();
  hand.pose.p = {9, 9, 9};
  EXPECT_LT((w.move(hand).X.p - Vec3(1, 1.2, 1)).norm(), 1e-12) << "no jump";
}

TEST(HandCheck, RefusesWhatIsNoHand) {
  HandCheck check;
  HandSample good;
  EXPECT_EQ(check.look(good, 0.001), HandCheck::Verdict::jumped) << "the first";
  EXPECT_EQ(check.look(good, 0.001), HandCheck::Verdict::good);
  const double nan = std::numeric_limits<double>::quiet_NaN(),
               inf = std::numeric_limits<double>::infinity();
  std::vector<HandSample> bad(6, good);
  bad[0].pose.p.x() = nan;
  bad[1].pose.q = Quat(0, 0, 0, 0);
  bad[2].pose.q = Quat(2, 0, 0, 0);
  bad[3].pose.p.y() = 11;
  bad[4].has_velocity = true, bad[4].linear_velocity.z() = inf;
  bad[5].pose.p.z() = 0.1;  // 100 m/s
  for (HandSample s : bad) EXPECT_EQ(check.look(s, 0.001), HandCheck::Verdict::refused);
  EXPECT_EQ(check.refused(), 6);
  EXPECT_EQ(check.look(good, 0.001), HandCheck::Verdict::good);
  // a hand that stays elsewhere is believed
  HandSample there = good;
  there.pose.p.z() = 0.1;
  for (int i = 1; i < HandCheck::kBelieved; ++i)
    EXPECT_EQ(check.look(there, 0.001), HandCheck::Verdict::refused);
  EXPECT_EQ(check.look(there, 0.001), HandCheck::Verdict::jumped);
}

TEST(HandCheck, FindsVelocities) {
  HandCheck check;
  HandSample s;
  for (int i = 0; i < 100; ++i) {
    s = {};
    s.pose.p.x() = 0.3 * i * 0.001;
    s.pose.q = Quat(Eigen::AngleAxisd(0.5 * i * 0.001, Vec3::UnitY()));
    check.look(s, 0.001);
  }
  EXPECT_NEAR(s.linear_velocity.x(), 0.3, 1e-6);
  EXPECT_NEAR(s.angular_velocity.y(), 0.5, 1e-6);
}

// Of anything that may come: what is felt is bounded, and changes by no more than the ramp.
TEST(Guard, RampsAndLimits) {
  const double T = 0.001;
  Guard guard(20, 1);
  const Spatial push{{0, 0, 15}, {0, 0, 0}};
  double last = 0;
  const auto tick = [&](bool data, bool clutch, const Spatial& w) {
    guard.tick(T, data, clutch);
    const double felt = guard.pass(T, w).lin.z();
    EXPECT_LE(std::abs(felt - last), 15 * T / Guard::kClosing + 1e-12);
    last = felt;
    return felt;
  };
  for (int i = 0; i < 300; ++i) tick(true, false, push);
  EXPECT_EQ(last, 15);
  for (int i = 0; i < 20; ++i) tick(false, false, push);
  EXPECT_EQ(last, 15) << "20 ms without data are borne";
  for (int i = 0; i < 60; ++i) tick(false, false, push);
  EXPECT_EQ(last, 0);
  EXPECT_EQ(guard.silences(), 1);
  for (int i = 0; i < 300; ++i) tick(true, false, push);
  EXPECT_EQ(last, 15) << "the hand is back";
  for (int i = 0; i < 100; ++i) tick(true, true, push);
  EXPECT_EQ(last, 0) << "the clutch";
}

TEST(Guard, TripsOnWhatStaysBeyondTheLimit) {
  const double T = 0.001;
  Guard guard(20, 1);
  const auto felt = [&](double force) {
    guard.tick(T, true, false);
    return guard.pass(T, {{0, 0, force}, Vec3::Zero()}).lin.z();
  };
  for (int i = 0; i < 300; ++i) felt(10);
  EXPECT_EQ(felt(500), 20) << "an impact of one cycle is cut, and no more";
  EXPECT_EQ(felt(10), 10);
  EXPECT_EQ(guard.trips(), 0);
  double most = 0, last = 20;
  for (int i = 0; i < 80; ++i) most = std::max(most, last = felt(500));
  EXPECT_LE(most, 20);
  EXPECT_EQ(last, 0);
  EXPECT_EQ(guard.trips(), 1);
  for (int i = 0; i < 400; ++i) EXPECT_EQ(felt(10), 0) << "not before it has been calm for a while";
  for (int i = 0; i < 400; ++i) last = felt(10);
  EXPECT_EQ(last, 10);
  guard.tick(T, true, false);
  EXPECT_TRUE(guard.pass(T, {{NAN, 0, 0}, Vec3::Zero()}).lin.isZero());
}

// A spring that is sampled and held gives out k v^2 T^2 / 2 a sample on each way: the observer sees
// that, and none for a damper that is large enough (Colgate and Schenkel 1997: b > k T / 2).
TEST(Passivity, SeesWhatAHeldSpringGives) {
  const double k = 1000, T = 0.001, v = 0.1;
  const int n = 100;
  for (const double b : {0.0, 0.6 * k * T}) {
    PassivityObserver seen;
    Pose last;
    for (int i = 0; i <= 2 * n; ++i) {
      const double x = v * T * (i <= n ? i : 2 * n - i), speed = i < n ? v : -v;
      const double force = -k * x - b * speed;
      const Pose next{{v * T * (i + 1 <= n ? i + 1 : 2 * n - i - 1), 0, 0}, Quat::Identity()};
      if (i == 2 * n) break;
      last.p.x() = x;
      seen.give(work_of({{force, 0, 0}, Vec3::Zero()}, last, next));
      seen.store(0.5 * k * next.p.x() * next.p.x());
    }
    if (b == 0) {
      EXPECT_NEAR(seen.energy_out(), 2 * n * k * v * v * T * T / 2, 1e-9);
    } else {
      EXPECT_EQ(seen.energy_out(), 0);
    }
  }
}

TEST(Durations, GivePercentiles) {
  Durations d;
  EXPECT_EQ(d.percentile(0.5), 0);
  for (int i = 1; i <= 100'000; ++i) d.add(i * 1e-7);
  EXPECT_EQ(d.count(), 100'000);
  for (const double part : {0.001, 0.5, 0.99, 0.999, 0.9999})
    EXPECT_NEAR(d.percentile(part) / (part * 1e-2), 1, 1.0 / 64) << part;
  EXPECT_DOUBLE_EQ(d.max(), 1e-2);
  EXPECT_DOUBLE_EQ(d.percentile(1), 1e-2);
  d.add(1e9);
  d.add(-1);
  EXPECT_EQ(d.max(), 1e9);
}

TEST(Snapshot, IsAlwaysWholeAndTheNewest) {
  struct Two {
    long a = 0, b = 0;
  };
  Snapshot<Two> snapshot;
  EXPECT_FALSE(snapshot.refresh());
  std::atomic<bool> done{false};
  std::thread writer([&] {
    for (long i = 1; i <= 200'000; ++i) {
      snapshot.back() = {i, -i};
      snapshot.publish();
    }
    done = true;
  });
  long last = 0, torn = 0, backwards = 0;
  for (bool ended = false; !ended;) {
    ended = done;
    if (!snapshot.refresh()) continue;
    const Two& now = snapshot.front();
    torn += now.a != -now.b;
    backwards += now.a < last;
    last = now.a;
  }
  writer.join();
  EXPECT_EQ(torn, 0);
  EXPECT_EQ(backwards, 0);
  EXPECT_EQ(last, 200'000);
}

}  // namespace
}  // namespace abut::haptic
