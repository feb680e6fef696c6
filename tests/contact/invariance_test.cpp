// The same world turned, moved far away or measured in other units has the same motion.
#include <gtest/gtest.h>

#include "abut/load/mjcf/mjcf.h"
#include "abut/math/rotation.h"
#include "abut/model/kinematics.h"
#include "abut/simulate/simulator.h"
#include "tests/contact/scenes.h"

namespace abut {
namespace {

// A box slides down a slab and pushes another that stands on it; a third falls onto the first.
// Lengths times `length`, masses times `mass`, times times `time`, all of it turned and shifted.
struct Units {
  double length = 1, mass = 1, time = 1;
  Quat turn = Quat::Identity();
  Vec3 shift = Vec3::Zero();
};

std::string scene(const Units& u) {
  const auto pose = [&](const Vec3& p, const Quat& q) {
    const Vec3 x = u.shift + u.turn * (u.length * p);
    const Quat r = u.turn * q;
    return fmt::format("pos='{:.17g} {:.17g} {:.17g}' quat='{:.17g} {:.17g} {:.17g} {:.17g}'", x[0],
                       x[1], x[2], r.w(), r.x(), r.y(), r.z());
  };
  const auto size = [&](double x, double y, double z) {
    return fmt::format("size='{:.17g} {:.17g} {:.17g}'", u.length * x, u.length * y, u.length * z);
  };
  const Vec3 g = u.turn * Vec3(0, 0, -9.81 * u.length / (u.time * u.time));
  const Quat tilt = exp_rotation({0, 0.4, 0});
  const auto box = [&](const char* name, const Vec3& p, double mass) {
    return fmt::format(
        "<body name='{}' {}><freejoint/><geom name='{}' type='box' {} mass='{:.17g}'/>"
        "</body>",
        name, pose(tilt * p, tilt), name, size(0.1, 0.1, 0.1), mass * u.mass);
  };
  return fmt::format(
             "<mujoco><option timestep='{:.17g}' gravity='{:.17g} {:.17g} {:.17g}'/>"
             "<default><geom friction='0.3'/></default><worldbody>"
             "<body name='slab' {}><geom name='slab' type='box' {}/></body>",
             0.002 * u.time, g[0], g[1], g[2], pose(Vec3::Zero(), tilt), size(3, 1, 0.1)) +
         box("one", {-0.5, 0, 0.2}, 2) + box("two", {-0.2, 0.05, 0.2}, 1) +
         box("three", {-0.47, 0.03, 0.45}, 0.5) + "</worldbody></mujoco>";
}

// Poses of the three after a while, back in the first world's units and place.
std::vector<Pose> end_of(const Units& u, const std::string& contact) {
  const Model model = compile(parse_mjcf(scene(u)));
  ContactSettings settings;
  settings.model = contact;
  Simulator simulator(model, settings);
  State state(model);
  Input input(model);
  for (int i = 0; i < 200; ++i) {
    simulator.step(state, input);
    EXPECT_EQ(simulator.contact().stepping().report().unsolved, 0);
  }
  Derived d(model);
  positions(model, state, input, d);
  std::vector<Pose> poses;
  for (const char* name : {"one", "two", "three"}) {
    const Pose& X = d.body_pose[static_cast<std::size_t>(model.find_body(name))];
    poses.push_back({u.turn.conjugate() * ((X.p - u.shift) / u.length), u.turn.conjugate() * X.q});
  }
  return poses;
}

class Invariance : public testing::TestWithParam<std::string> {
 protected:
  // The largest difference of the poses (m, and half angles).
  double difference(const Units& u) const {
    const std::vector<Pose> a = end_of({}, GetParam()), b = end_of(u, GetParam());
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      most = std::max(most, (a[i].p - b[i].p).norm());
      most = std::max(most, (a[i].q.conjugate() * b[i].q).vec().norm());
    }
    return most;
  }
};

TEST_P(Invariance, TheSceneMoves) {
  const std::vector<Pose> end = end_of({}, GetParam());
  EXPECT_GT(end[0].p.x(), -0.4);  // slid down
  EXPECT_LT(end[2].p.z(), 0.6);   // fell
}

TEST_P(Invariance, UnderRotation) {
  EXPECT_LT(difference({.turn = exp_rotation({0.3, -1.1, 0.7})}), 1e-6);
}

TEST_P(Invariance, FarFromTheOrigin) { EXPECT_LT(difference({.shift = {2000, -1000, 500}}), 1e-6); }

TEST_P(Invariance, InOtherUnits) {
  EXPECT_LT(difference({.length = 1e3}), 1e-6) << "millimetres for metres";
  EXPECT_LT(difference({.length = 1e-3}), 1e-6);
  EXPECT_LT(difference({.mass = 1e3}), 1e-6);
  EXPECT_LT(difference({.mass = 1e-3, .time = 0.1}), 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Models, Invariance,
                         testing::Values("st", "fast", "ap", "volumetric", "multipoint"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace abut
