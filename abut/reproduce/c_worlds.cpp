#include "abut/reproduce/c_worlds.h"

#include <fmt/format.h>

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

}  // namespace abut::reproduce
