#include "abut/reproduce/cline_pai/c_worlds.h"

#include <fmt/format.h>

#include <cmath>
#include <random>

namespace abut::reproduce {

World chain_of_rods(int links, double gravity, bool planar) {
  constexpr double kThin = 0.005;  // m, half thickness: to be seen; nothing collides
  World world;
  world.name = planar ? "chain of rods in the plane" : "chain of rods";
  world.option.timestep = 1e-3;
  world.option.gravity = {0, 0, -gravity};
  for (int i = 0; i < links; ++i) {
    BodyDesc& rod = world.body(fmt::format("rod{}", i), {(i + 0.5) * kRod, 0, 0});
    if (planar) {
      rod.slide(fmt::format("x{}", i), Vec3::UnitX());
      rod.slide(fmt::format("z{}", i), Vec3::UnitZ());
      rod.hinge(fmt::format("turn{}", i), Vec3::UnitY());
    } else {
      rod.free(fmt::format("rod{}", i));
    }
    const double J = kRod * kRod / 12;
    rod.inertial = InertialDesc{1, {}, {1e-2 * J, J, J}, {}, {}};
    GeomDesc& shown = rod.box({kRod / 2, kThin, kThin});
    shown.contype = shown.conaffinity = 0;
    EqualityDesc& joint = world.equalities.emplace_back();
    joint.name = fmt::format("joint{}", i);
    joint.first = rod.name;
    if (i > 0) joint.second = fmt::format("rod{}", i - 1);
    joint.anchor = {-kRod / 2, 0, 0};
    joint.has_anchor = true;
  }
  return world;
}

World flat_room() {
  World world;
  world.name = "flat room";
  world.option.timestep = kRoomStep;
  world.option.gravity = {0, -9.81, 0};
  world.texts.push_back({"abut.plane", "xy", {}});
  const auto wall = [&](const char* name, const Vec3& at, const Vec3& inward) {
    GeomDesc& plane = world.worldbody.plane({at, Quat::FromTwoVectors(Vec3::UnitZ(), inward)});
    plane.name = name;
  };
  wall("floor", {0, 0, 0}, Vec3::UnitY());
  wall("ceiling", {0, kRoomHeight, 0}, -Vec3::UnitY());
  wall("left", {-kRoomHalf, 0, 0}, Vec3::UnitX());
  wall("right", {kRoomHalf, 0, 0}, -Vec3::UnitX());
  return world;
}

BodyDesc& add_rectangle(World& world, const Vec2& sides, double mass, const Vec2& at,
                        double angle) {
  const std::string name = fmt::format("body{}", world.worldbody.bodies.size());
  BodyDesc& body =
      world.body(name, {at.x(), at.y(), 0}, Quat(Eigen::AngleAxisd(angle, Vec3::UnitZ())));
  // slides along the world's axes, so that q is x, y and the angle from the start
  const Mat3 R = body.pose.q.toRotationMatrix();
  body.slide(name + ".x", R.transpose() * Vec3::UnitX());
  body.slide(name + ".y", R.transpose() * Vec3::UnitY());
  body.hinge(name + ".turn", Vec3::UnitZ());
  GeomDesc& box = body.box({sides.x() / 2, sides.y() / 2, 0.5});
  box.name = name;
  box.mass = mass;
  return body;
}

double tolerance_within(double reach, const Vec2& sides) { return reach / sides.norm(); }

World rod_pendulum() {
  World world = chain_of_rods(1, 9.81, true);
  world.name = "rod_pendulum";
  world.option.timestep = kPendulumStep;
  return world;
}

World pushed_rectangle_world() {
  World world = flat_room();
  add_rectangle(world, {1, 0.5}, 1, {0, 1.2}, 0.3);
  return world;
}

World five_bodies(double h) {
  World world = flat_room();
  world.option.timestep = h;
  add_rectangle(world, {1, 0.5}, 1, {-0.9, 0.6}, 0.3);
  add_rectangle(world, {0.6, 0.6}, 0.8, {0.6, 0.8}, 0.8);
  add_rectangle(world, {0.8, 0.3}, 0.6, {-0.7, 1.7}, -0.5);
  add_rectangle(world, {0.4, 0.7}, 0.7, {0.5, 1.9}, 0.2);
  add_rectangle(world, {0.5, 0.4}, 0.5, {1.5, 1.2}, 1.2);
  return world;
}

World sunk_tower(unsigned seed) {
  constexpr double kOverlap = 0.3;  // of a side
  World world = flat_room();
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> to_one(-1, 1);
  for (int i = 0; i < kTowerBodies; ++i) {
    const double x = 0.2 * to_one(random), angle = 0.6 * to_one(random);
    const double y = kTowerSide * (0.5 - kOverlap + i * (1 - kOverlap));
    add_rectangle(world, {kTowerSide, kTowerSide}, 1, {x, y}, angle);
  }
  return world;
}

World sunk_rectangle() {
  World world = flat_room();
  add_rectangle(world, {1, 0.5}, 1, {0, 0.23}, 0.03);
  return world;
}

World box_in_box() {
  World world;
  world.worldbody.box({0.2, 0.2, 0.2}, {Vec3(0, 0, -0.2), Quat::Identity()});
  const Quat q = Eigen::AngleAxisd(0.003, Vec3::UnitX()) * Eigen::AngleAxisd(0.002, Vec3::UnitY()) *
                 Eigen::AngleAxisd(std::acos(-1) / 4, Vec3::UnitZ());
  BodyDesc& box = world.body("box", {0, 0, 0.18}, q);
  box.free();
  box.box({0.2, 0.2, 0.2}).mass = 1;
  return world;
}

World incline(double angle, double heading, double mu) {
  World world;
  world.option.timestep = 0.01;
  const Vec3 axis(-std::sin(heading), std::cos(heading), 0);
  const Quat q(Eigen::AngleAxisd(angle, axis));
  GeomDesc& ramp = world.worldbody.plane({Vec3::Zero(), q});
  ramp.friction[0] = mu;
  // the block's sides along x and y of the plane, whatever the heading
  BodyDesc& block = world.body("block", q * Vec3(0, 0, 0.1), q);
  block.free();
  GeomDesc& box = block.box({0.1, 0.1, 0.1});
  box.mass = 1;
  box.friction[0] = 0;
  return world;
}

}  // namespace abut::reproduce
