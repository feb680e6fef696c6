#include "abut/reproduce/drumwright/d_worlds.h"

#include <fmt/format.h>

#include <cmath>

#include "abut/reproduce/random_hull.h"

namespace abut::reproduce {

void set_gains(World& world, const PenaltyGains& g) {
  const auto number = [&](const char* what, double x) {
    world.numerics.push_back({fmt::format("abut.{}.{}", g.model, what), {x}, {}});
  };
  number("kp", g.kp);
  number("kv", g.kv);
  if (g.model != "baraff") number("ki", g.ki);
  if (g.model == "multipoint")
    world.texts.push_back({"abut.multipoint.share", std::string(g.share), {}});
  if (g.model == "deepest") world.texts.push_back({"abut.deepest.point", "deepest", {}});
}

std::string text_of(const PenaltyGains& g) {
  if (g.model == "baraff") return fmt::format("baraff, drift {}/{}", g.kp, g.kv);
  const std::string text = fmt::format("{} {}/{}/{}", g.model, g.kp, g.kv, g.ki);
  return g.model == "multipoint" ? fmt::format("{}, share {}", text, g.share) : text;
}

std::string flags_of(const PenaltyGains& g) {
  std::string out =
      fmt::format("--contact {0} --set {0}.kp={1} --set {0}.kv={2}", g.model, g.kp, g.kv);
  if (g.model != "baraff") out += fmt::format(" --set {}.ki={}", g.model, g.ki);
  if (g.model == "multipoint") out += fmt::format(" --set multipoint.share={}", g.share);
  if (g.model == "deepest") out += " --set deepest.point=deepest";
  return out;
}

World block_on_plane(double mass, const Vec3& at, const Quat& q) {
  World world;
  world.name = "block on a plane";
  world.option.timestep = kBlockStep;
  world.option.integrator = Integrator::rk4;
  world.texts.push_back({"abut.friction", "none", {}});
  world.worldbody.plane().name = "ground";
  BodyDesc& block = world.body("block", at, q);
  block.free("block");
  GeomDesc& box = block.box({0.5, 0.5, 0.5});
  box.name = "block";
  box.mass = mass;
  return world;
}

World pile_of_shapes(unsigned seed) {
  constexpr double kWall = 0.1, kHeight = 1;  // m: half thickness, half height
  World world;
  world.name = "pile";
  world.option.timestep = kBlockStep;
  const auto slab = [&](const char* name, const Vec3& half, const Vec3& at) {
    GeomDesc& g = world.worldbody.box(half, {at, Quat::Identity()});
    g.name = name;
    g.friction = {0.5, 0.005, 0.0001};
  };
  const double out = kPileBin + kWall;
  slab("floor", {out + kWall, out + kWall, kWall}, {0, 0, -kWall});
  slab("left", {kWall, out + kWall, kHeight}, {-out, 0, kHeight});
  slab("right", {kWall, out + kWall, kHeight}, {out, 0, kHeight});
  slab("front", {out + kWall, kWall, kHeight}, {0, -out, kHeight});
  slab("back", {out + kWall, kWall, kHeight}, {0, out, kHeight});

  Dice dice(seed);
  for (int i = 0; i < kPileBodies; ++i) {
    const double x = dice.uniform(-0.3, 0.3), y = dice.uniform(-0.3, 0.3);
    const Quat q = dice.rotation();
    const std::string name = fmt::format("thing{}", i);
    BodyDesc& body = world.body(name, {x, y, 0.3 + 0.35 * i}, q);
    body.free(name);
    const double a = dice.uniform(0.08, 0.16), b = dice.uniform(0.08, 0.16),
                 c = dice.uniform(0.08, 0.16);
    GeomDesc& g = i % 3 == 0   ? body.box({a, b, c})
                  : i % 3 == 1 ? body.cylinder({0, 0, -b}, {0, 0, b}, a)
                               : body.sphere(a);
    g.name = name;
    g.mass = 100 * (1 - dice.uniform(0, 1));  // (0, 100] (D-E10)
    g.friction = {0.5, 0.005, 0.0001};
  }
  return world;
}

}  // namespace abut::reproduce
