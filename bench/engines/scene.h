// The scenes of the race of engines: solids, their mass properties, their joints, and where they
// begin. Every engine builds its world from these; as_mjcf() is the same world for `abut run` and
// MuJoCo, as_json() for engines under node.
#pragma once

#include <array>
#include <string>
#include <vector>

using Three = std::array<double, 3>;
using Turn = std::array<double, 4>;  // quaternion wxyz

enum class ShapeKind { plane, box, hull, sphere, capsule, cylinder };

struct Shape {
  ShapeKind kind = ShapeKind::box;
  // m. Box: half sizes. Sphere, capsule, cylinder: radius, half the length between the ends of the
  // axis (z), unused.
  Three half{0.5, 0.5, 0.5};
  std::vector<Three> vertices = {};  // m: of a hull, about the origin of the shape
  Three position{};                  // m: in the solid
  Turn turn{1, 0, 0, 0};
};

struct Solid {
  std::vector<Shape> shapes = {};
  Three position{};  // m: of the centre of mass, which is the origin of the solid
  Turn turn{1, 0, 0, 0};
  double mass = 0;  // kg; 0: fixed
  Three inertia{};  // kg m^2, principal, in the axes of the solid
};

// Between solids `a` < `b`, or the world (a = -1) and `b`; no solid is `b` twice. The two do not
// collide with each other.
struct Joint {
  int a = -1, b = 0;
  Three anchor{};  // m: in the world, at the start
  Three axis{};    // of a hinge, unit, in the world at the start; zero: a ball joint
};

struct EngineScene {
  std::string name = {};
  double step = 1.0 / 240;  // s
  double friction = 0.5;
  bool falls = false;    // or stands from the start
  int steps = 2400;      // of a run: 10 s
  bool collides = true;  // or the solids pass through each other
  double shake = 0;      // m/s^2: gravity also swings along x at kShakeHz, as in a shaken box
  std::vector<Solid> solids = {};
  std::vector<Joint> joints = {};
};

inline constexpr double kShakeHz = 2;

// Gravity in the step that begins at `time` (s): of a scene that is shaken it changes.
Three gravity_at(const EngineScene& scene, double time);

// pile, hulls, mixed (boxes, spheres, capsules and cylinders in turn): `count` solids fall into an
// open container. messy: boxes turned in any way do. shaken: boxes in a closed box that is shaken.
// stack, heavy and heavy1000 (the top 100 and 1000 times as heavy): `count` boxes. pyramid: `count`
// boxes in the lowest row. kapla: a tower of `count` storeys of planks. arch: `count` stones. chain,
// net: `count` links, and `count` by `count` of them joined by others. ragdolls: `count` of them
// fall. hinges: a chain of `count` boxes swings, at 1 ms. incline: one box on a slope of 0.1 degree
// below the angle of friction. Throws std::invalid_argument for another name or a count below 1.
EngineScene make_engine_scene(const std::string& name, int count, unsigned seed);

// With joints as a tree of bodies (`joined`), or with every solid a free body and no joint: then q
// is the poses of the moving solids, in order. Bodies have the names s0, s1, .. of their solids.
std::string as_mjcf(const EngineScene& scene, bool joined = true);

std::string as_json(const EngineScene& scene);

bool uses(const EngineScene& scene, ShapeKind kind);
