#include "abut/reproduce/drumwright/d_robots.h"

#include <fmt/format.h>

#include <cmath>

#include "abut/reproduce/drumwright/d_worlds.h"

namespace abut::reproduce {

namespace {

// A joint that a spring holds, with the link that it moves.
BodyDesc& add_link(BodyDesc& to, const std::string& name, const Vec3& at, const Vec3& axis,
                   double mass, const Vec3& half) {
  BodyDesc& link = to.body(name, at);
  JointDesc& joint = link.hinge(name, axis);
  joint.stiffness[0] = 200;
  joint.damping[0] = 10;
  GeomDesc& shape = link.box(half);
  shape.mass = mass;
  shape.contype = shape.conaffinity = 0;
  return link;
}

constexpr double kHalfWidth = 0.02;  // m
constexpr const char* kPrism = "prism";

void add_prism(World& world, int corners) {
  MeshDesc& mesh = world.meshes.emplace_back();
  mesh.name = kPrism;
  for (int i = 0; i < corners; ++i)
    for (const double side : {-1.0, 1.0}) {
      const double angle = 2 * M_PI * i / corners;
      mesh.vertices.emplace_back(kWheel * std::sin(angle), side * kHalfWidth,
                                 kWheel * std::cos(angle));
    }
}

void add_wheel(World& world, BodyDesc& base, const std::string& name, double y) {
  BodyDesc& wheel = base.body(name, {0, y, 0});
  JointDesc& axle = wheel.hinge(name, Vec3::UnitY());
  axle.armature = 0.005;
  axle.damping[0] = 0.02;
  GeomDesc& tyre = world.meshes.empty()
                       ? wheel.cylinder({0, -kHalfWidth, 0}, {0, kHalfWidth, 0}, kWheel)
                       : wheel.mesh(kPrism);
  tyre.name = name;
  tyre.mass = 1;
  tyre.friction[0] = 1;
  world.velocity(name, name, 8);
}

void add_castor(BodyDesc& base, const std::string& name, double x) {
  constexpr double kRadius = 0.03;
  GeomDesc& ball = base.sphere(kRadius, {x, 0, kRadius - kWheel});
  ball.name = name;
  ball.mass = 0.2;
  ball.condim = 1;
  ball.friction = {0, 0, 0};
  ball.priority = 1;  // else the larger friction, that of the ground, would count
}

void add_upper_body(BodyDesc& base) {
  const Vec3 x = Vec3::UnitX(), y = Vec3::UnitY(), z = Vec3::UnitZ();
  const Vec3 small = Vec3::Constant(0.04);
  BodyDesc& yaw = add_link(base, "waist_yaw", {0, 0, 0.15}, z, 2, small);
  BodyDesc& torso = add_link(yaw, "waist_pitch", {0, 0, 0.1}, y, 12, {0.08, 0.14, 0.15});
  BodyDesc& pan = add_link(torso, "neck_pan", {0, 0, 0.2}, z, 0.5, small);
  add_link(pan, "neck_tilt", {0, 0, 0.08}, y, 3, {0.08, 0.08, 0.08});
  for (const double side : {1.0, -1.0}) {
    BodyDesc* link = &torso;
    Vec3 at(0, 0.2 * side, 0.12);
    const Vec3 axes[] = {y, x, z, y, z, y, x};
    for (int i = 0; i < 7; ++i) {
      const std::string name = fmt::format("{}_arm{}", side > 0 ? "left" : "right", i);
      link = &add_link(*link, name, at, axes[i], 1, {0.03, 0.03, 0.05});
      at = {0, 0, -0.1};
    }
  }
}

}  // namespace

World robot_on_wheels(bool humanoid, int corners) {
  World world;
  if (corners > 0) add_prism(world, corners);
  world.name = humanoid ? "humanoid on wheels" : "robot on wheels";
  world.option.timestep = kBlockStep;
  world.worldbody.plane().name = "ground";
  BodyDesc& base = world.body("base", {0, 0, kWheel});
  base.free("base");
  GeomDesc& chassis = base.box({0.18, 0.14, 0.05}, {Vec3(0, 0, 0.03), Quat::Identity()});
  chassis.mass = humanoid ? 25 : 8;
  chassis.contype = chassis.conaffinity = 0;
  add_castor(base, "front", 0.15);
  add_castor(base, "back", -0.15);
  add_wheel(world, base, "left", kTrack / 2);
  add_wheel(world, base, "right", -kTrack / 2);
  if (humanoid) add_upper_body(base);
  return world;
}

}  // namespace abut::reproduce
