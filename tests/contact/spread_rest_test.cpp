// Default gains of volumetric and default layers of quasirigid, at 1 ms: what is dropped, stacked,
// pushed and spun comes to rest, does not sag, does not pop, and is held by friction, whatever its
// size and mass. A small sample of the random worlds on which the defaults were found.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ostream>
#include <random>

#include "abut/dynamics/energy.h"
#include "abut/model/kinematics.h"
#include "tests/contact/scene.h"

namespace abut {
namespace {

using test::Scene;

enum class Start { dropped, stacked, pushed, spun, incline };

struct Trial {
  std::string model;
  Start start;
  double L, mass;  // m: diagonal of the bounding box; kg
  unsigned seed;
};
void PrintTo(const Trial& t, std::ostream* out) {  // bytes of padding are no name
  *out << t.model << ' ' << static_cast<int>(t.start) << ' ' << t.L << " m " << t.seed;
}

// A prism, or the hull of random points, with this diagonal.
std::vector<Vec3> points_of(std::mt19937& random, bool flat, double L) {
  std::uniform_real_distribution<double> unit(-1, 1);
  std::vector<Vec3> points;
  if (flat) {
    const int sides = 3 + static_cast<int>(random() % 5);
    const double high = 0.55 + 0.15 * unit(random);
    for (int i = 0; i < sides; ++i)
      for (const double z : {-high, high})
        points.emplace_back(std::cos(2 * M_PI * i / sides), std::sin(2 * M_PI * i / sides), z);
  } else {
    for (int i = 0; i < 9; ++i)
      points.push_back(Vec3(unit(random), 0.8 * unit(random), 0.6 * unit(random))
                           .normalized()
                           .cwiseProduct(Vec3(1, 0.8, 0.6)));
  }
  Vec3 low = points[0], high = points[0];
  for (const Vec3& p : points) low = low.cwiseMin(p), high = high.cwiseMax(p);
  for (Vec3& p : points) p = L / (high - low).norm() * (p - 0.5 * (low + high));
  return points;
}

std::string world_of(const Trial& t) {
  std::mt19937 random(t.seed);
  std::uniform_real_distribution<double> unit(-1, 1);
  // large hulls of random points rock for more than 5 s (docs/contact-models/volumetric.md)
  const bool flat = t.start == Start::stacked || t.start == Start::incline || t.L > 0.1;
  const int count = t.start == Start::stacked ? 2 : 1;
  std::string meshes, bodies;
  double z = 0;
  for (int i = 0; i < count; ++i) {
    const std::vector<Vec3> points = points_of(random, flat, t.L);
    double high = 0;
    std::string text;
    for (const Vec3& p : points) {
      high = std::max(high, p.z());
      text += fmt::format("{:.12g} {:.12g} {:.12g} ", p.x(), p.y(), p.z());
    }
    meshes += fmt::format("<mesh name='m{}' vertex='{}'/>", i, text);
    const double tilt = t.start == Start::stacked || t.start == Start::incline ? 0
                        : flat                                                 ? 0.15
                                                                               : 0.6;
    z += high + 0.001 * t.L;
    bodies += fmt::format(
        "<body pos='{} 0 {}' quat='1 {} {} {}'><freejoint/><geom type='mesh' mesh='m{}' mass='{}' "
        "friction='.5'/></body>",
        0.02 * t.L * unit(random), tilt == 0 ? z : 0.6 * t.L, tilt * unit(random),
        tilt * unit(random), 0.2 * unit(random), i, t.mass);
    z += high;
  }
  const double a = t.start == Start::incline ? 20 * M_PI / 180 : 0;
  return fmt::format(
      "<mujoco><option timestep='0.001' gravity='{:.17g} 0 {:.17g}'/><asset>{}</asset><worldbody>"
      "<geom type='plane' size='1 1 1' friction='.5'/>{}</worldbody></mujoco>",
      9.81 * std::sin(a), -9.81 * std::cos(a), meshes, bodies);
}

class SpreadAtRest : public testing::TestWithParam<Trial> {};

TEST_P(SpreadAtRest, StaysThere) {
  const Trial& t = GetParam();
  Scene s(world_of(t), test::settings(t.model));
  const double speed = std::sqrt(9.81 * t.L);
  if (t.start == Start::pushed) s.state.v[0] = speed;
  if (t.start == Start::spun) s.state.v[5] = 3 * speed / t.L;
  Derived d(s.model);
  const auto kinetic = [&] {
    positions(s.model, s.state, s.input, d);
    velocities(s.model, s.state, d);
    return energy(s.model, s.state, d).kinetic / (t.mass * 9.81 * t.L);
  };
  double within = 0;
  // rocking bodies stand still at every turn
  for (int still = 0; within < 4.95 && still < 5; within += 0.1) {
    s.run(0.1);
    still = kinetic() < 1e-8 ? still + 1 : 0;
  }
  EXPECT_LT(kinetic(), 1e-6);
  const std::vector<double> rest = s.state.q;
  const int bodies = static_cast<int>(rest.size()) / 7;
  double rise = 0;
  for (int i = 0; i < 500; ++i) {
    s.step();
    for (int b = 0; b < bodies; ++b)
      rise = std::max(rise, s.state.q[std::size_t(7 * b + 2)] - rest[std::size_t(7 * b + 2)]);
  }
  EXPECT_LT(rise, 1e-3 * t.L) << "pops";
  for (int b = 0; b < bodies; ++b)
    EXPECT_LT((s.position(b) - Vec3(rest[std::size_t(7 * b)], rest[std::size_t(7 * b + 1)],
                                    rest[std::size_t(7 * b + 2)]))
                  .norm(),
              1e-3 * t.L)
        << "creeps";
  double sag = 0;
  for (const Patch& p : s.simulator.contact().data().patches) sag = std::max(sag, -p.distance);
  EXPECT_GT(sag, 0);
  EXPECT_LT(sag, 2e-3 * t.L);
}

std::vector<Trial> trials() {
  std::vector<Trial> all;
  unsigned seed = 10;
  for (const std::string model : {"volumetric", "quasirigid"})
    for (const auto& [L, mass] : {std::pair{0.04, 1e-3}, {0.3, 1000.0}, {5.0, 20.0}})
      for (const Start start :
           {Start::dropped, Start::stacked, Start::pushed, Start::spun, Start::incline})
        all.push_back({model, start, L, mass, seed++});
  return all;
}

INSTANTIATE_TEST_SUITE_P(Spread, SpreadAtRest, testing::ValuesIn(trials()));

}  // namespace
}  // namespace abut
