// Penalty models are accounts that balance (docs/laws.md): kinetic and potential energy and what
// contacts have stored together never grow, at default settings and with nothing driven.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>

#include "abut/dynamics/energy.h"
#include "abut/model/kinematics.h"
#include "tests/contact/scene.h"
#include "tests/support/random.h"

namespace abut {
namespace {

using test::Scene;

std::string world(const std::string& assets, const std::string& bodies, const std::string& option) {
  return "<mujoco><option timestep='0.001' " + option + "/><asset>" + assets +
         "</asset><worldbody>" + bodies + "</worldbody></mujoco>";
}

const char* const kFloor = "<geom name='floor' type='plane' size='9 9 1' friction='0.6'/>";

struct Placed {
  Vec3 position, velocity, omega;
  Quat turn;
};

// A world of free bodies, and how they begin.
struct Begin {
  std::string world;
  std::vector<Placed> bodies;
  double seconds = 1;
};

void place(const Begin& begin, Scene& s) {
  for (std::size_t i = 0; i < begin.bodies.size(); ++i) {
    const Placed& b = begin.bodies[i];
    const double q[7] = {b.position.x(), b.position.y(), b.position.z(), b.turn.w(),
                         b.turn.x(),     b.turn.y(),     b.turn.z()};
    const Vec3 omega = b.turn.conjugate() * b.omega;
    const double v[6] = {b.velocity.x(), b.velocity.y(), b.velocity.z(),
                         omega.x(),      omega.y(),      omega.z()};
    std::copy(q, q + 7, s.state.q.begin() + static_cast<long>(7 * i));
    std::copy(v, v + 6, s.state.v.begin() + static_cast<long>(6 * i));
  }
}

// J: kinetic and potential.
double mechanical(const Scene& s) {
  Derived d(s.model);
  positions(s.model, s.state, s.input, d);
  velocities(s.model, s.state, d);
  const Energy e = energy(s.model, s.state, d);
  return e.kinetic + e.potential;
}

struct Found {
  double grows = 0;  // of the initial energy, in the worst step
  double parts = 0;  // kinetic and potential after contacts ended, above that at first touch
};

Found follow(Scene& s, double seconds, bool late) {
  Found f;
  const double first = std::abs(mechanical(s));
  double now = mechanical(s), met = now, before = late ? 1e300 : now;
  bool touched = false;
  const int steps = static_cast<int>(std::round(seconds / s.model.option.timestep));
  for (int i = 0; i < steps; ++i) {
    const double last = now;
    s.step();
    now = mechanical(s);
    const double all = (late ? last : now) + s.simulator.contact().stored_energy();
    f.grows = std::max(f.grows, (all - before) / first);
    const bool touches = !s.simulator.contact().data().patches.empty();
    if (touches && !touched) met = last;
    if (!touches && touched) f.parts = std::max(f.parts, (now - met) / first);
    touched = touches;
    before = all;
  }
  return f;
}

std::string box(const char* name, const Vec3& half, double mass) {
  return fmt::format(
      "<body name='{0}'><freejoint/><geom name='{0}' type='box' size='{1} {2} {3}' mass='{4}' "
      "friction='0.6'/></body>",
      name, half.x(), half.y(), half.z(), mass);
}

// A rod that comes down on its end, sliding: with friction enough it jams (Painleve).
Begin rod(test::Random& r) {
  Begin b;
  const double mu = r.uniform(0.3, 2);
  b.world = world("",
                  fmt::format("<geom type='plane' size='9 9 1' friction='{}'/>", mu) +
                      box("rod", {0.02, 0.02, 0.5}, 1),
                  "");
  const double tilt = r.uniform(0.1, 1.3);
  const Quat turn(Eigen::AngleAxisd(tilt, Vec3::UnitY()));
  b.bodies = {{{0, 0, 0.5 * std::cos(tilt) + 0.02 * std::sin(tilt) + r.uniform(0.001, 0.02)},
               {r.uniform(-8, 8), 0, r.uniform(-2, 0)},
               {0, r.uniform(-3, 3), 0},
               turn}};
  b.seconds = 0.4;
  return b;
}

std::string hull(test::Random& r, int i, std::string& assets, double size) {
  std::string vertices;
  for (int k = 0; k < 12; ++k) {
    const Vec3 v = r.vec(1).normalized() * size * r.uniform(0.7, 1);
    vertices += fmt::format("{} {} {} ", v.x(), v.y(), v.z());
  }
  assets += fmt::format("<mesh name='m{}' vertex='{}'/>", i, vertices);
  return fmt::format(
      "<body name='h{0}'><freejoint/><geom name='h{0}' type='mesh' mesh='m{0}' mass='{1}' "
      "friction='0.5'/></body>",
      i, r.uniform(0.2, 2));
}

// Hulls that fly into each other.
Begin collision(test::Random& r, int count) {
  Begin b;
  std::string assets, bodies;
  for (int i = 0; i < count; ++i) {
    bodies += hull(r, i, assets, 0.2);
    const Vec3 from(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5);
    b.bodies.push_back({from + r.vec(0.02), -2 * from + r.vec(0.3), r.vec(3), r.quat()});
  }
  b.world = world(assets, bodies, "gravity='0 0 0'");
  b.seconds = 0.8;
  return b;
}

Begin drop(test::Random& r) {
  Begin b;
  std::string assets, bodies = kFloor;
  bodies += hull(r, 0, assets, 0.2);
  b.bodies.push_back({{0, 0, 0.5}, r.vec(1), r.vec(5), r.quat()});
  b.world = world(assets, bodies, "");
  return b;
}

Begin stack(test::Random& r) {
  Begin b;
  std::string bodies = kFloor;
  double z = 0;
  for (int i = 0; i < 4; ++i) {
    const Vec3 half(r.uniform(0.05, 0.1), r.uniform(0.05, 0.1), r.uniform(0.03, 0.08));
    bodies += box(fmt::format("b{}", i).c_str(), half, r.uniform(0.5, 2));
    z += half.z() + 0.002;
    b.bodies.push_back({{r.uniform(-0.02, 0.02), r.uniform(-0.02, 0.02), z},
                        Vec3::Zero(),
                        Vec3::Zero(),
                        Quat(Eigen::AngleAxisd(r.uniform(-1, 1), Vec3::UnitZ()))});
    z += half.z();
  }
  b.world = world("", bodies, "");
  return b;
}

struct Kind {
  const char* name;
  std::string model;
  FrictionKind friction = FrictionKind::natural;
  bool late = false;  // tells what is stored as it was at the start of the step
};

class EnergyAccount : public testing::TestWithParam<Kind> {
 protected:
  ContactSettings settings() const {
    ContactSettings s = test::settings(GetParam().model);
    s.friction = GetParam().friction;
    return s;
  }
  // The worst of all seeds.
  Found follow_all(int seeds, const std::function<Begin(test::Random&)>& make) const {
    Found worst;
    for (int seed = 1; seed <= seeds; ++seed) {
      test::Random r(static_cast<unsigned>(seed));
      const Begin b = make(r);
      Scene s(b.world, settings());
      place(b, s);
      const Found f = follow(s, b.seconds, GetParam().late);
      worst.grows = std::max(worst.grows, f.grows);
      worst.parts = std::max(worst.parts, f.parts);
    }
    return worst;
  }
  void hold(int seeds, const std::function<Begin(test::Random&)>& make) const {
    const Found f = follow_all(seeds, make);
    EXPECT_LT(f.grows, 1e-6);
    EXPECT_LT(f.parts, 1e-6);
  }
};

TEST_P(EnergyAccount, RodsThatJam) { hold(10, rod); }
TEST_P(EnergyAccount, TwoHulls) {
  hold(20, [](test::Random& r) { return collision(r, 2); });
}
TEST_P(EnergyAccount, ManyHulls) {
  hold(2, [](test::Random& r) { return collision(r, 8); });
}
TEST_P(EnergyAccount, Drops) { hold(5, drop); }
TEST_P(EnergyAccount, Stacks) { hold(3, stack); }

std::string name_of(const testing::TestParamInfo<Kind>& info) { return info.param.name; }

INSTANTIATE_TEST_SUITE_P(
    Models, EnergyAccount,
    testing::Values(Kind{"deepest", "deepest"}, Kind{"multipoint", "multipoint"},
                    Kind{"volumetric", "volumetric"},
                    Kind{"layers_as_forces", "quasirigid", FrictionKind::anchor}),
    name_of);

// Models without accounts: docs/laws.md has what they make, and it is no more than that. Two solids
// that part have lost energy under these as well.
class WithoutAccounts : public EnergyAccount {};

TEST_P(WithoutAccounts, EnergyGrowsByNoMoreThanIsTold) {
  EXPECT_LT(follow_all(10, rod).grows, 0.25);
  const Found hulls = follow_all(20, [](test::Random& r) { return collision(r, 2); });
  EXPECT_LT(hulls.grows, 0.012);
  EXPECT_LT(hulls.parts, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Models, WithoutAccounts,
                         testing::Values(Kind{"quasirigid", "quasirigid", FrictionKind::natural,
                                              true}),
                         name_of);

}  // namespace
}  // namespace abut
