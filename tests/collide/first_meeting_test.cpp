// When moving solids meet: closed forms, and what only passes by.
#include "abut/collide/first_meeting.h"

#include <gtest/gtest.h>

#include <cmath>

#include "abut/load/mjcf/mjcf.h"
#include "abut/model/kinematics.h"
#include "tests/support/random.h"

namespace abut {
namespace {

struct Two {
  Model model;
  Collider collider;

  explicit Two(const std::string& geoms)
      : model(compile(parse_mjcf("<mujoco><worldbody>" + geoms + "</worldbody></mujoco>"))),
        collider(model) {}

  GeomMotion still(int geom) const {
    State state(model);
    Derived d(model);
    positions(model, state, Input(model), d);
    GeomMotion m;
    m.start = geom_pose(model, d, geom);
    m.pivot = m.start.p;
    return m;
  }
  std::optional<Meeting> meet(const GeomMotion& of_second, double h) {
    return first_meeting(collider, 0, still(0), 1, of_second, h);
  }
};

const char* const kBallOverFloor =
    "<geom type='plane' size='5 5 1'/><body pos='0 0 0.6'><freejoint/>"
    "<geom type='sphere' size='0.1'/></body>";

TEST(FirstMeeting, ABallReachesTheFloorWhenItsParabolaDoes) {
  Two two(kBallOverFloor);
  const double h = 0.5, g = 9.81;
  GeomMotion fall = two.still(1);
  fall.velocity = {1, 0, -0.5 * g * h};  // mean: from rest
  fall.bow = {0, 0, -g};
  const auto meeting = two.meet(fall, h);
  ASSERT_TRUE(meeting);
  EXPECT_NEAR(meeting->time, std::sqrt(2 * 0.5 / g), 1e-6);
  EXPECT_NEAR(meeting->approach, std::sqrt(2 * 0.5 * g), 1e-5);
  EXPECT_GT(meeting->later, meeting->time);
  fall.velocity.z() = 0.1;
  fall.bow.setZero();
  EXPECT_FALSE(two.meet(fall, h));
}

TEST(FirstMeeting, APartOfAMotionIsThatMotion) {
  const double h = 0.5, t0 = 0.1, t1 = 0.4;
  GeomMotion m;
  m.start = {Vec3(1, 2, 3), Quat(0.5, 0.5, 0.5, 0.5)};
  m.pivot = {0.9, 2, 3.2};
  m.velocity = {1, -2, 3};
  m.omega = {3, 1, -2};
  m.bow = {0, 0, -9.81};
  const GeomMotion part = m.part(t0, t1, h);
  for (const double t : {0.0, 0.1, 0.3}) {
    EXPECT_LT((part.at(t, t1 - t0).p - m.at(t0 + t, h).p).norm(), 1e-14);
    EXPECT_LT(part.at(t, t1 - t0).q.angularDistance(m.at(t0 + t, h).q), 1e-7);
    const Vec3 p(1, 1, 1);
    EXPECT_LT((part.velocity_at(p, t, t1 - t0) - m.velocity_at(p, t0 + t, h)).norm(), 1e-14);
  }
}

TEST(FirstMeeting, NothingIsPassedOverHoweverFast) {
  Two plate(
      "<geom type='box' size='1 1 0.0005'/><body pos='0 0 0.5'><freejoint/>"
      "<geom type='sphere' size='0.005'/></body>");
  GeomMotion shot = plate.still(1);
  shot.velocity = {0, 0, -300};
  const auto meeting = plate.meet(shot, 1.0 / 240);
  ASSERT_TRUE(meeting);
  EXPECT_NEAR(meeting->time, (0.5 - 0.0055) / 300, 1e-8);
}

TEST(FirstMeeting, ARodThatTurnsMeetsTheWall) {
  Two two(
      "<geom type='box' size='0.1 1 1' pos='1.1 0 0'/><body pos='0.4 0 0'><freejoint/>"
      "<geom type='box' size='0.01 1 0.01'/></body>");
  GeomMotion turn = two.still(1);
  turn.omega = {0, 0, -2};
  const auto meeting = two.meet(turn, 0.5);
  ASSERT_TRUE(meeting);
  // a corner of the end, 1 m out and 1 cm to the side, reaches x = 0.6 from the middle
  const double angle = std::asin(0.6 / std::hypot(1, 0.01)) - std::atan(0.01);
  EXPECT_NEAR(2 * meeting->time, angle, 1e-5);
}

// From tile to tile, at a distance of rounding.
TEST(FirstMeeting, WhatGrazesDoesNotMeet) {
  for (const double height : {0.0, 1e-13, -1e-13, 1e-10, -1e-10}) {
    Two two(
        "<geom type='box' size='1 1 0.5' pos='2 0 -0.5'/><body pos='0 0 0.1'><freejoint/>"
        "<geom type='box' size='0.1 0.1 0.1'/></body>");
    GeomMotion slide = two.still(1);
    slide.start.p.z() += height;
    slide.pivot = slide.start.p;
    slide.velocity = {20, 0, 0};
    EXPECT_FALSE(two.meet(slide, 0.1)) << height;
    slide.start.p.z() -= 1e-4;  // a step that is really there
    slide.pivot = slide.start.p;
    const auto meeting = two.meet(slide, 0.1);
    ASSERT_TRUE(meeting);
    EXPECT_NEAR(meeting->time, 0.9 / 20, 1e-6);
  }
}

// The distance at the meeting is the touch that is promised, for random boxes and motions.
TEST(FirstMeeting, MeetingsAreTouchesAndWhatIsPassedStaysApart) {
  test::Random random(1);
  int met = 0, passed = 0;
  for (int i = 0; i < 300; ++i) {
    Two two(
        "<geom type='box' size='0.3 0.2 0.1'/><body pos='0.9 0 0'><freejoint/>"
        "<geom type='box' size='0.2 0.1 0.15'/></body>");
    GeomMotion m = two.still(1);
    m.start.q = random.quat();
    m.start.p += random.vec(0.3);
    m.pivot = m.start.p;
    m.velocity = Vec3(-3, 0, 0) + random.vec(2);
    m.omega = random.vec(8);
    m.bow = random.vec(5);
    const double h = 0.2, L = two.collider.sizes()[0] + two.collider.sizes()[1];
    const auto distance = [&](double t) {
      return two.collider.distance(0, 1, two.still(0).start, m.at(t, h)).distance;
    };
    if (distance(0) < 1e-3) continue;
    const auto meeting = two.meet(m, h);
    const double end = meeting ? meeting->time : h;
    for (int k = 0; k <= 100; ++k) ASSERT_GT(distance(end * k / 100), -1e-5 * L) << i;
    if (!meeting) {
      ++passed;
      continue;
    }
    ++met;
    EXPECT_LT(distance(meeting->time), 3e-7 * L) << i;
    EXPECT_LT(distance(meeting->later), 0) << i;
  }
  EXPECT_GT(met, 50);
  EXPECT_GT(passed, 50);
}

}  // namespace
}  // namespace abut
