// Momentum under peg, whose impulses act where the step ends: bodies that touch nothing but each
// other keep their linear and angular momentum (law L-T4), and no step gains energy.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "abut/contact/complementarity/peg.h"
#include "abut/contact/complementarity/peg_model.h"
#include "abut/dynamics/energy.h"
#include "abut/load/load.h"
#include "abut/load/mjcf/mjcf.h"
#include "abut/model/kinematics.h"
#include "abut/simulate/simulator.h"
#include "support/tree.h"

namespace abut {
namespace {

struct Scene {
  Model model;
  Simulator simulator;
  State state;
  Input input;
  Derived d;

  Scene(Model m, const ContactSettings& settings, const char* keyframe)
      : model(std::move(m)), simulator(model, settings), state(model), input(model), d(model) {
    if (keyframe != nullptr) set_keyframe(model, model.find_keyframe(keyframe), state, &input);
    look();
  }
  void look() {
    positions(model, state, input, d);
    velocities(model, state, d);
  }
  void step() {
    simulator.step(state, input);
    look();
  }
  // R I R' omega of a free body (N m s).
  Vec3 spin(int body) const {
    const Link& link = model.links[static_cast<std::size_t>(model.bodies[body].link)];
    const Mat3& R = d.body_rotation[static_cast<std::size_t>(body)];
    return R * link.mass.inertia * R.transpose() *
           twist_at(model, d, model.bodies[body].link, Vec3::Zero()).ang;
  }
  // Sum of m |x - c| |v| + |I omega|.
  double angular_scale() const {
    Vec3 center = Vec3::Zero();
    double mass = 0, scale = 0;
    const auto place = [&](const Link& l) {
      return Vec3(d.body_pose[static_cast<std::size_t>(l.body)] * l.mass.com);
    };
    for (const Link& l : model.links) center += l.mass.mass * place(l), mass += l.mass.mass;
    center /= mass;
    for (std::size_t i = 0; i < model.links.size(); ++i) {
      const Link& l = model.links[i];
      const Spatial t = twist_at(model, d, static_cast<int>(i), place(l));
      scale += l.mass.mass * (place(l) - center).norm() * t.lin.norm() + spin(l.body).norm();
    }
    return scale;
  }
};

TEST(PegMomentum, HullsThatCollideKeepIt) {
  Model model = load_model(test::in_tree("/worlds/peg/hulls.xml"));
  const ContactSettings settings = contact_settings(model);
  for (const double h : {0.001, 0.004}) {
    model.option.timestep = h;
    Scene s(model, settings, "meet");
    const Momentum first = momentum(s.model, s.d);
    const double scale = s.angular_scale();
    double kinetic = energy(s.model, s.state, s.d).kinetic, handed = 0;
    const double start = kinetic;
    for (int i = 0; i < std::lround(0.4 / h); ++i) {
      s.step();
      handed += s.simulator.contact().as<PegModel>()->peg().report().handed;
      const double now = energy(s.model, s.state, s.d).kinetic;
      EXPECT_LE(now, kinetic + 1e-12 * start) << h << ", step " << i;
      kinetic = now;
    }
    EXPECT_LT(kinetic, 0.9 * start) << "nothing collided";
    EXPECT_GT(handed, 0) << h;
    const Momentum last = momentum(s.model, s.d);
    EXPECT_LE((last.linear - first.linear).norm(), 1e-12) << h;
    EXPECT_LE((last.angular - first.angular).norm(), 1e-9 * scale) << h;
  }
}

// While others collide: contacts of a step are no business of bodies that have none.
TEST(PegMomentum, ABodyThatNothingTouchesKeepsItsOwn) {
  ContactSettings settings;
  settings.model = "peg";
  Scene s(compile(parse_mjcf(
              "<mujoco><option timestep='.002' gravity='0 0 0'/><worldbody>"
              "<body><freejoint/><geom type='box' size='.1 .2 .3' mass='1'/></body>"
              "<body pos='.3 .1 0'><freejoint/><geom type='box' size='.1 .2 .3' mass='2'/></body>"
              "<body name='far' pos='9 0 0'><freejoint/>"
              "<geom type='box' size='.1 .2 .3' mass='1'/></body>"
              "</worldbody></mujoco>")),
          settings, nullptr);
  s.state.v[0] = 2;
  for (const int k : {15, 16, 17}) s.state.v[static_cast<std::size_t>(k)] = 3 + k;
  s.look();
  const int far = 3;
  const Vec3 spin = s.spin(far);
  int touching = 0;
  for (int i = 0; i < 200; ++i) {
    s.step();
    touching += !s.simulator.contact().as<PegModel>()->peg().end_velocity().empty();
    EXPECT_LE((s.spin(far) - spin).norm(), 1e-12 * spin.norm()) << i;
  }
  EXPECT_GT(touching, 0);
}

}  // namespace
}  // namespace abut
