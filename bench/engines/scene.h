// The scenes of the race of engines: solids, their mass properties and where they begin. Every
// engine builds its world from these, and as_mjcf() is the same world for `abut run`.
#pragma once

#include <array>
#include <string>
#include <vector>

using Three = std::array<double, 3>;

enum class SolidKind { plane, box, hull };

struct Solid {
  SolidKind kind = SolidKind::box;
  Three half{0.5, 0.5, 0.5};               // m: of a box
  std::vector<Three> vertices = {};        // of a hull, about its centre of mass
  Three position{};                        // of the centre of mass
  std::array<double, 4> turn{1, 0, 0, 0};  // quaternion wxyz
  double mass = 0;                         // kg; 0: fixed
  Three inertia{};                         // kg m^2, principal, in the axes of the solid
};

struct EngineScene {
  std::string name = {};
  double step = 1.0 / 240;  // s
  double friction = 0.5;
  bool falls = false;  // or stands from the start
  int steps = 2400;    // of a run: 10 s
  std::vector<Solid> solids = {};
};

// pile, hulls: `count` solids fall into an open container. messy: boxes turned in any way do.
// stack, heavy (the top 100 times as heavy): `count` boxes. pyramid: `count` boxes in the lowest
// row. arch: `count` stones. incline: one box on a slope of 0.1 degree below the angle of friction. Throws
// std::invalid_argument for another name or a count below 1.
EngineScene make_engine_scene(const std::string& name, int count, unsigned seed);

std::string as_mjcf(const EngineScene& scene);
