#include "abut/reproduce/hasegawa_fujii/h_worlds.h"

#include <fmt/format.h>

#include <cmath>
#include <random>

#include "abut/math/rotation.h"

namespace abut::reproduce {

SpringGains gains_of_eq_8(double mass, double step, double zeta) {
  const auto k = [&](double m) { return M_PI * M_PI * m / (64 * step * step); };
  const auto b = [&](double m) { return 2 * zeta * std::sqrt(k(m) * m); };
  return {k(mass / 2), b(mass / 2), k(mass), b(mass)};
}

void set_gains(World& world, const SpringGains& gains) {
  for (const char* model : {"deepest", "volumetric"})
    for (const auto& [what, value, floor] :
         {std::tuple{"kp", gains.kp, gains.kp_floor}, {"kv", gains.kv, gains.kv_floor}}) {
      const std::string name = fmt::format("abut.{}.{}", model, what);
      world.numerics.push_back({name, {value}, {}});
      if (floor > 0) world.tuples.push_back({name, {{"geom", "floor", floor}}, {}});
    }
  world.texts.push_back({"abut.deepest.law", "pd", {}});
  world.texts.push_back({"abut.deepest.point", "deepest", {}});
  world.texts.push_back({"abut.volumetric.gains", "paper", {}});
}

namespace {

// The larger condim of two geoms counts.
void add_smooth_floor(World& world) {
  GeomDesc& floor = world.worldbody.plane();
  floor.name = "floor";
  floor.condim = 1;
}

}  // namespace

World slanted_cube(double zeta, double height) {
  World world;
  world.option.timestep = 0.01;
  world.option.gravity = {0, 0, -9.8};
  SpringGains gains = gains_of_eq_8(1, 0.01, zeta);
  set_gains(world, {gains.kp_floor, gains.kv_floor});
  add_smooth_floor(world);
  constexpr double kTilt = 0.1;
  BodyDesc& cube = world.body("cube", {0, 0, height + std::cos(kTilt) + std::sin(kTilt)});
  cube.pose.q = exp_rotation({0, kTilt, 0});
  cube.free();
  GeomDesc& box = cube.box({1, 1, 1});
  box.name = "cube";
  box.mass = 1;
  box.condim = 1;
  return world;
}

World four_blocks(double zeta, unsigned seed) {
  constexpr double kStep = 0.005;
  World world;
  world.option.timestep = kStep;
  set_gains(world, gains_of_eq_8(1, kStep, zeta));
  world.numerics.push_back({"abut.friction.static", {1.2}, {}});
  GeomDesc& floor = world.worldbody.plane();
  floor.name = "floor";
  floor.friction[0] = 0.5;
  std::mt19937 random(seed);
  // the same numbers with every library
  const auto uniform = [&](double most) {
    return most * (2 * (static_cast<double>(random()) + 0.5) / 4294967296.0 - 1);
  };
  for (int i = 0; i < kBlocks; ++i) {
    const double x = uniform(0.05), y = uniform(0.05), a = uniform(0.01), b = uniform(0.01);
    const std::string name = fmt::format("block{}", i);
    // high enough for tilted corners to be free
    BodyDesc& block = world.body(name, {x, y, i + 0.5 + 0.015 * (i + 1)});
    block.pose.q = exp_rotation({a, b, 0});
    block.free();
    GeomDesc& box = block.box({0.5, 0.5, 0.5});
    box.name = name;
    box.mass = 1;
    box.friction[0] = 0.5;
  }
  return world;
}

World embedded_box(const Quat& turned, double step) {
  World world;
  world.option.timestep = step;
  set_gains(world, {5000, 250});
  // on a face of 1 m^2 the layer is as stiff as the springs
  world.numerics.push_back({"abut.layer", {0.1, 5000, 250}, {}});
  world.texts.push_back({"abut.quasirigid.step", "explicit", {}});
  add_smooth_floor(world);
  BodyDesc& body = world.body("box", {0, 0, 0.45});
  body.pose.q = turned;
  body.free();
  GeomDesc& box = body.box({0.5, 0.5, 0.5});
  box.name = "box";
  box.mass = 10;
  box.condim = 1;
  return world;
}

ContactSettings point_method(FrictionKind friction) {
  ContactSettings s;
  s.model = "deepest";
  s.friction = friction;
  return s;
}

ContactSettings volumetric_method(FrictionKind friction) {
  ContactSettings s;
  s.model = "volumetric";
  s.friction = friction;
  return s;
}

}  // namespace abut::reproduce
