#include "abut/reproduce/c_worlds.h"

#include <fmt/format.h>

#include <cmath>

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

}  // namespace abut::reproduce
