// Dampers that look at all bodies of a stack at once.
#include "abut/contact/penalty/stiffness/stack_dampers.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "abut/dynamics/energy.h"
#include "abut/dynamics/solver_velocity.h"
#include "abut/model/kinematics.h"
#include "tests/contact/scene.h"

namespace abut {
namespace {

using test::Scene;

// Bodies 0 to 4 in the air, above a floor that is driven.
Scene bodies_in_the_air() {
  std::string s =
      "<mujoco><option timestep='0.001'/><worldbody><body name='floor' mocap='true'><geom "
      "type='box' size='1 1 .1'/></body>";
  for (int i = 0; i < 5; ++i)
    s += fmt::format(
        "<body pos='0 0 {}' euler='{} 20 {}'><freejoint/><geom type='box' size='.1 .2 .{}' "
        "mass='{}'/></body>",
        1 + i, 10 * i, 15 * i, i + 1, std::pow(3.0, i % 3));
  return {s + "</worldbody></mujoco>", test::settings("volumetric")};
}

class RandomStacks : public testing::Test {
 protected:
  RandomStacks() : s_(bodies_in_the_air()), d_(s_.model), dampers_(s_.model) {
    positions(s_.model, s_.state, s_.input, d_);
    velocities(s_.model, s_.state, d_);
  }
  double number(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }
  Vec3 vector(double size) {
    return {number(-size, size), number(-size, size), number(-size, size)};
  }
  // Each pair of neighbours once, geom i on i - 1, and some others.
  void solve(double h, bool on_the_floor) {
    data_.clear();
    for (int i = on_the_floor ? 0 : 1; i < 5; ++i)
      for (const int upper : {i + 1, i + 2})
        if (upper < 6 && (upper == i + 1 || number(0, 1) < 0.3)) {
          Patch& p = data_.patches.emplace_back();
          p.geom_a = i, p.geom_b = upper;
          p.normal = (Vec3::UnitZ() + vector(0.5)).normalized();
        }
    const Materials materials(s_.model);
    const ForceScene scene{
        s_.model, s_.simulator.contact().collider().solids(), materials, s_.input, d_, data_};
    dampers_.begin(h);
    contacts_.clear();
    for (int i = 0; i < static_cast<int>(data_.patches.size()); ++i) {
      StackContact c{.patch = i, .normal = data_.patches[static_cast<std::size_t>(i)].normal};
      c.center = vector(0.5) + Vec3(0, 0, 0.5 + i);
      const Vec3 t = c.normal.unitOrthogonal(), u = c.normal.cross(t);
      // areas, edges and points
      const double wide = number(0, 1) < 0.3 ? 0 : number(0, 0.1),
                   long_ = number(0, 1) < 0.3 ? 0 : 0.1;
      c.second = long_ * long_ * t * t.transpose() + wide * wide * u * u.transpose();
      c.damping = std::pow(10, number(0, 6));
      c.rocking = number(1, 3);
      c.load = number(0, 1) < 0.2 ? 0 : std::pow(10, number(-2, 4));
      c.moment = c.load * number(0, 1) * (long_ * t.cross(c.normal) + wide * u.cross(c.normal));
      contacts_.push_back(c);
      dampers_.add(c, scene);
    }
    out_.clear();
    dampers_.solve(d_, u_, rate_, out_);
  }
  // u after a step with the forces found.
  std::vector<double> after(double h) const {
    std::vector<double> u = u_;
    for (const ContactForce& f : out_) {
      const Patch& patch = data_.patches[static_cast<std::size_t>(f.patch)];
      for (const int side : {-1, 1}) {
        const int body =
            s_.model.geoms[static_cast<std::size_t>(side < 0 ? patch.geom_a : patch.geom_b)].body;
        const int link = s_.model.bodies[static_cast<std::size_t>(body)].link;
        if (link < 0) continue;
        const Link& l = s_.model.links[static_cast<std::size_t>(link)];
        const Mat3& R = d_.body_rotation[static_cast<std::size_t>(body)];
        const Vec3 com = d_.body_pose[static_cast<std::size_t>(body)] * l.mass.com;
        const Vec3 dv = side * h / l.mass.mass * f.force;
        const Vec3 dw = R * l.inverse_inertia * R.transpose() * (side * h) *
                        (f.couple + (f.position - com).cross(f.force));
        for (int k = 0; k < 3; ++k) {
          u[static_cast<std::size_t>(l.dof_begin + k)] += dv[k];
          u[static_cast<std::size_t>(l.dof_begin + 3 + k)] += dw[k];
        }
      }
    }
    return u;
  }
  double kinetic(const std::vector<double>& u) {
    State state = s_.state;
    from_solver_velocity(s_.model, d_, u, state.v);
    Derived d(s_.model);
    positions(s_.model, state, s_.input, d);
    velocities(s_.model, state, d);
    return energy(s_.model, state, d).kinetic;
  }

  Scene s_;
  Derived d_;
  StackDampers dampers_;
  ContactData data_;
  std::vector<StackContact> contacts_;
  std::vector<ContactForce> out_;
  std::vector<double> u_ = std::vector<double>(30), rate_ = std::vector<double>(30);
  std::mt19937 random_{7};
};

// However strong they are, and though sweeps end before they have converged.
TEST_F(RandomStacks, NeverGainEnergy) {
  double most_lost = 0;
  for (int trial = 0; trial < 500; ++trial) {
    for (double& x : u_) x = number(-1, 1);
    const double h = std::pow(10, number(-4, -1));
    solve(h, true);
    const double before = kinetic(u_), then = kinetic(after(h));
    EXPECT_LE(then, before * (1 + 1e-12)) << trial;
    most_lost = std::max(most_lost, 1 - then / before);
  }
  EXPECT_GT(most_lost, 0.2);
}

// With what else presses, and within the shadow: 3 times the mean of y^2 is where a square ends.
TEST_F(RandomStacks, NeverPull) {
  int at_the_rim = 0;
  for (int trial = 0; trial < 500; ++trial) {
    for (double& x : u_) x = number(-1, 1);
    solve(1e-3, true);
    for (const ContactForce& f : out_) {
      const StackContact& c = contacts_[static_cast<std::size_t>(f.patch)];
      const double P = c.load + f.force.dot(c.normal);
      EXPECT_LE((f.force - f.force.dot(c.normal) * c.normal).norm(), 1e-9 * (1 + f.force.norm()));
      EXPECT_GE(P, -1e-9 * (1 + c.load));
      const Vec3 y = c.normal.cross(c.moment + f.couple);
      const double reach = std::sqrt(3 * (c.second.trace() * (1 + 1e-5)));
      EXPECT_LE(y.norm(), P * reach * (1 + 1e-9) + 1e-9 * c.load);
      at_the_rim += y.norm() > 0.99 * P * reach && P > 0;
    }
  }
  EXPECT_GT(at_the_rim, 10);
}

// What moves as one, or together with the floor, is let alone.
TEST_F(RandomStacks, ResistNothingButRelativeMotion) {
  const Vec3 v(0.3, -0.2, 0.5), omega(0.1, 0.7, -0.4);
  for (const Link& l : s_.model.links) {
    const Vec3 com = d_.body_pose[static_cast<std::size_t>(l.body)] * l.mass.com;
    const Vec3 u = v + omega.cross(com);
    for (int k = 0; k < 3; ++k) {
      u_[static_cast<std::size_t>(l.dof_begin + k)] = u[k];
      u_[static_cast<std::size_t>(l.dof_begin + 3 + k)] = omega[k];
    }
  }
  s_.input.mocap_velocity[0] << v, omega;
  solve(1e-3, true);
  ASSERT_GE(out_.size(), 5u);
  for (const ContactForce& f : out_) {
    const double strong = contacts_[static_cast<std::size_t>(f.patch)].damping;
    EXPECT_LT(f.force.norm(), 1e-12 * strong);
    EXPECT_LT(f.couple.norm(), 1e-12 * strong);
  }
}

class Tower : public testing::TestWithParam<std::string> {};

// Four columns, each a metre high, that fall a little and not quite onto each other. With dampers
// between two bodies alone 8e-6 and 1e-6 of m g L were left after three seconds.
TEST_P(Tower, ComesToRest) {
  std::string w = "<mujoco><option timestep='0.001'/><worldbody><geom type='plane' size='9 9 1'/>";
  for (const char* at : {"0 0 .51", ".02 0 1.53", "-.02 .02 2.55", ".03 -.02 3.57"})
    w += fmt::format(
        "<body pos='{}'><freejoint/><geom type='box' size='.2 .25 .5' mass='1'/></body>", at);
  Scene s(w + "</worldbody></mujoco>", test::settings(GetParam()));
  s.run(3);
  EXPECT_EQ(s.simulator.contact().parts(), 1);
  EXPECT_LT(test::kinetic(s), 1e-8 * 9.81);
  EXPECT_NEAR(s.position(3).z(), 3.5, 4e-3);
}

// Ten kilograms on one, off the middle by 0.4 of the edge, so that all is carried by the rim: the
// common centre of mass is over the lower cube, and it stands. It fell.
TEST_P(Tower, StandsWhileItsCentreOfMassIsOverItsFoot) {
  const double edge = 0.02, L = edge * std::sqrt(3.0);
  std::string w = "<mujoco><option timestep='0.001'/><worldbody><geom type='plane' size='9 9 1'/>";
  for (const int i : {0, 1})
    w += fmt::format(
        "<body pos='{} 0 {}'><freejoint/><geom type='box' size='.01 .01 .01' mass='{}'/></body>",
        0.4 * edge * i, edge * (i + 0.5) * 1.001, i == 0 ? 1 : 10);
  Scene s(w + "</worldbody></mujoco>", test::settings(GetParam()));
  s.run(2);
  EXPECT_LT(test::kinetic(s), 1e-6 * 9.81 * L);
  EXPECT_NEAR(s.position(1).z(), 1.5 * edge, 1e-2 * L);
  for (const Patch& p : s.simulator.contact().data().patches) EXPECT_GT(p.distance, -2e-3 * L);
}

INSTANTIATE_TEST_SUITE_P(Models, Tower, testing::Values("volumetric", "multipoint"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace abut
