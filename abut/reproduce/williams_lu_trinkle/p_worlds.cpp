#include "abut/reproduce/williams_lu_trinkle/p_worlds.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

namespace abut::reproduce {

namespace {

// A body that moves in the plane xy, with q = (x, y, angle) from where it stands.
BodyDesc& add_flat_body(World& world, const std::string& name, const Vec2& at) {
  BodyDesc& body = world.body(name, {at.x(), at.y(), 0});
  body.slide(name + ".x", Vec3::UnitX());
  body.slide(name + ".y", Vec3::UnitY());
  body.hinge(name + ".turn", Vec3::UnitZ());
  return body;
}

GeomDesc& smooth(GeomDesc& geom, const std::string& name) {
  geom.name = name;
  geom.friction[0] = 0;
  return geom;
}

void start_with(World& world, std::vector<double> velocities) {
  KeyframeDesc& key = world.keyframes.emplace_back();
  key.name = "go";
  key.qvel = std::move(velocities);
  world.texts.push_back({"abut.keyframe", "go", {}});
}

World flat_world(double h) {
  World world;
  world.option.timestep = h;
  world.option.gravity = Vec3::Zero();
  world.texts.push_back({"abut.plane", "xy", {}});
  return world;
}

World two_cubes(const Quat& lower, const Vec3& above, const Quat& upper) {
  World world;
  world.option.timestep = 0.25;
  world.option.gravity = Vec3::Zero();
  const auto add = [&](const char* name, const Vec3& at, const Quat& turned, double mass) {
    BodyDesc& body = world.body(name, at, turned);
    body.free();
    smooth(body.box({0.5, 0.5, 0.5}), name).mass = mass;
  };
  add("lower", Vec3::Zero(), lower, 2);
  add("upper", above, upper, 1);
  start_with(world, {0, 0, 0, 0, 0, 0, 0, 0, -1, 0, 0, 0});
  return world;
}

}  // namespace

World vertex_over_edge() {
  return two_cubes(
      {0.9238795325112867, 0, 0.3826834323650898, 0}, {0.1, 0.05, 1.7},
      {0.45453889843792233, -0.7147533047698805, 0.527070059778913, 0.06869683553139264});
}

World vertex_over_vertex() {
  return two_cubes(
      {0.45970084338098305, -0.6279630301995544, 0.6279630301995544, 0}, {0.06, 0.1, 1.85},
      {0.44540985742269407, -0.7638017202722422, 0.45308064039856766, 0.11373180872509855});
}

World corner() {
  World world = flat_world(0.25);
  smooth(world.worldbody.box({0.5, 0.5, 0.5}), "square");
  BodyDesc& body = add_flat_body(world, "diamond", {0.9, 0.6});
  // its left vertex is 0.3 m from its centre
  const double half = 0.3 / std::numbers::sqrt2;
  const Quat turned(Eigen::AngleAxisd(std::numbers::pi / 4, Vec3::UnitZ()));
  smooth(body.box({half, half, 0.5}, {Vec3::Zero(), turned}), "diamond").mass = 1;
  start_with(world, {0, -1, 0});
  return world;
}

Triangles triangles_on_a_line() {
  const double height = std::sqrt(3) / 2;
  return {{Vec2(0.1, 0), Vec2(1.1, 0), Vec2(0.6, height)},
          {Vec2(0, 0), Vec2(-0.5, height), Vec2(-1, 0)}};
}

Triangles triangles_tilted() {
  const auto at = [](double degrees) {
    const double a = degrees * std::numbers::pi / 180;
    return Vec2(std::cos(a), std::sin(a));
  };
  const Vec2 o(0.1, 0.05);
  return {{o, o + at(10), o + at(70)}, {Vec2(0, 0), at(110), at(170)}};
}

World triangle_world(const Triangles& triangles) {
  World world = flat_world(0.5);
  const auto add = [&](const char* name, const std::array<Vec2, 3>& points) {
    const Vec2 c = (points[0] + points[1] + points[2]) / 3;
    MeshDesc& mesh = world.meshes.emplace_back();
    mesh.name = name;
    for (const double z : {-0.5, 0.5})
      for (const Vec2& p : points) mesh.vertices.emplace_back(p.x() - c.x(), p.y() - c.y(), z);
    BodyDesc& body = add_flat_body(world, name, c);
    body.inertial = InertialDesc{1, {}, {0.1, 0.1, 1.0 / 12}, {}, {}};
    smooth(body.mesh(name), name);
  };
  add("A", triangles.A);
  add("B", triangles.B);
  start_with(world, {-1, 0, 0, 0, 0, 0});
  return world;
}

World block_on_block(double gap) {
  World world;
  world.option.timestep = 0.25;
  smooth(world.worldbody.box({0.5, 0.5, 0.5}), "blue");
  BodyDesc& red = world.body("red", {0, 0, 1 + gap});
  red.free();
  smooth(red.box({0.5, 0.5, 0.5}), "red").mass = 1;
  return world;
}

World stack_of_cubes(int count, double h) {
  World world;
  world.option.timestep = h;
  world.worldbody.plane().name = "floor";
  for (int i = 0; i < count; ++i) {
    const std::string name = fmt::format("cube{}", i);
    BodyDesc& cube = world.body(name, {0, 0, i + 0.5});
    cube.free();
    GeomDesc& box = cube.box({0.5, 0.5, 0.5});
    box.name = name;
    box.mass = 1;
    box.friction[0] = 0.5;
  }
  return world;
}

}  // namespace abut::reproduce
