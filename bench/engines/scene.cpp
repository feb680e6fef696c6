#include "scene.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>

namespace {

constexpr double kApart = 1.4;  // m: slightly turned unit boxes do not overlap at this distance
constexpr double kApartMessy = 1.8;  // m: the same for boxes turned in any way

// The same numbers in every standard library.
class Dice {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}
  double within(double most) {
    const double share = static_cast<double>(engine_() >> 11) * 0x1p-53;
    return most * (2 * share - 1);
  }

 private:
  std::mt19937_64 engine_;
};

std::array<double, 4> turned(const Three& by) {
  const double angle = std::hypot(by[0], by[1], by[2]);
  const double s = angle > 0 ? std::sin(angle / 2) / angle : 0;
  return {std::cos(angle / 2), s * by[0], s * by[1], s * by[2]};
}

Solid ground() { return {.kind = SolidKind::plane}; }

Solid box(const Three& position, double mass = 1) {
  return {.position = position, .mass = mass, .inertia = {mass / 6, mass / 6, mass / 6}};
}

Solid wall(const Three& half, const Three& position) {
  return {.half = half, .position = position};
}

// 32 vertices on an ellipsoid, spread evenly and then moved a little.
Solid hull(Dice& dice) {
  constexpr int kVertices = 32;
  const Three axis{0.5, 0.5 + dice.within(0.05), 0.45 + dice.within(0.05)};
  Solid s{.kind = SolidKind::hull, .mass = 1};
  for (int i = 0; i < kVertices; ++i) {
    const double z = 1 - (2 * i + 1.0) / kVertices + dice.within(0.02),
                 angle = 2.399963229728653 * i + dice.within(0.1), r = std::sqrt(1 - z * z);
    s.vertices.push_back(
        {axis[0] * r * std::cos(angle), axis[1] * r * std::sin(angle), axis[2] * z});
  }
  const auto square = [](double x) { return x * x; };
  for (std::size_t k = 0; k < 3; ++k)
    s.inertia[k] = (square(axis[(k + 1) % 3]) + square(axis[(k + 2) % 3])) / 5;
  return s;
}

EngineScene pile(int count, unsigned seed, bool hulls) {
  EngineScene scene{.falls = true, .steps = 1920};
  Dice dice(seed);
  const int side = std::max(2, static_cast<int>(std::lround(std::cbrt(count))));
  const int layers = (count + side * side - 1) / (side * side);
  const double inner = kApart * side / 2, high = kApart * layers / 2 + 1;
  scene.solids = {ground(), wall({0.5, inner + 1, high}, {inner + 0.5, 0, high}),
                  wall({0.5, inner + 1, high}, {-inner - 0.5, 0, high}),
                  wall({inner, 0.5, high}, {0, inner + 0.5, high}),
                  wall({inner, 0.5, high}, {0, -inner - 0.5, high})};
  for (int i = 0; i < count; ++i) {
    Solid s = hulls ? hull(dice) : box({});
    const Three cell{static_cast<double>(i % side), static_cast<double>(i / side % side),
                     static_cast<double>(i / (side * side))};
    for (std::size_t k = 0; k < 3; ++k)
      s.position[k] = kApart * (cell[k] + 0.5) - (k < 2 ? inner : 0) + dice.within(0.03);
    s.turn = turned({dice.within(0.15), dice.within(0.15), dice.within(0.15)});
    scene.solids.push_back(std::move(s));
  }
  return scene;
}

// Every rotation is as likely as any other (Shoemake 1992).
std::array<double, 4> any_turn(Dice& dice) {
  const double pi = std::acos(-1), share = 0.5 * (1 + dice.within(1)), a = dice.within(pi),
               b = dice.within(pi), s = std::sqrt(1 - share), t = std::sqrt(share);
  return {t * std::cos(b), s * std::sin(a), s * std::cos(a), t * std::sin(b)};
}

// Boxes turned in any way, which fall on each other in a container that they fill some layers deep.
EngineScene messy(int count, unsigned seed) {
  EngineScene scene{.falls = true, .steps = 3840};
  Dice dice(seed);
  const int side = std::max(2, static_cast<int>(std::lround(std::cbrt(0.5 * count))));
  const double inner = kApartMessy * side / 2,
               high = kApartMessy * (count / (side * side) + 1) / 2 + 1;
  scene.solids = {ground(), wall({0.5, inner + 1, high}, {inner + 0.5, 0, high}),
                  wall({0.5, inner + 1, high}, {-inner - 0.5, 0, high}),
                  wall({inner, 0.5, high}, {0, inner + 0.5, high}),
                  wall({inner, 0.5, high}, {0, -inner - 0.5, high})};
  for (int i = 0; i < count; ++i) {
    const int x = i % side, y = i / side % side, z = i / (side * side);
    Solid s = box({kApartMessy * (x + 0.5) - inner, kApartMessy * (y + 0.5) - inner,
                   kApartMessy * (z + 0.5)});
    s.turn = any_turn(dice);
    scene.solids.push_back(std::move(s));
  }
  return scene;
}

EngineScene stack(int count, double top) {
  EngineScene scene{.solids = {ground()}};
  for (int i = 0; i < count; ++i)
    scene.solids.push_back(box({0, 0, i + 0.5}, i + 1 == count ? top : 1));
  return scene;
}

EngineScene pyramid(int base) {
  EngineScene scene{.solids = {ground()}};
  for (int r = 0; r < base; ++r)
    for (int c = 0; c < base - r; ++c)
      scene.solids.push_back(box({1.05 * (c - 0.5 * (base - r - 1)), 0, r + 0.5}));
  return scene;
}

EngineScene incline() {
  EngineScene scene;
  const double pi = std::acos(-1), angle = std::atan(scene.friction) - 0.1 * pi / 180;
  const Three normal{std::sin(angle), 0, std::cos(angle)};
  Solid slope = ground(), block = box({normal[0] / 2, 0, normal[2] / 2});
  slope.turn = block.turn = turned({0, angle, 0});
  scene.solids = {slope, block};
  return scene;
}

// Half a ring between radii of 9 and 11 m, 2 m deep.
EngineScene arch(int count) {
  EngineScene scene{.friction = 0.7, .solids = {ground()}};
  const double part = std::acos(-1) / count;
  for (int i = 0; i < count; ++i) {
    Solid s{.kind = SolidKind::hull, .mass = 1};
    for (const double angle : {part * i, part * (i + 1)})
      for (const double radius : {9.0, 11.0})
        for (const double y : {-1.0, 1.0})
          s.vertices.push_back({radius * std::cos(angle), y, radius * std::sin(angle)});
    for (const Three& v : s.vertices)
      for (std::size_t k = 0; k < 3; ++k) s.position[k] += v[k] / 8;
    for (Three& v : s.vertices)
      for (std::size_t k = 0; k < 3; ++k) v[k] -= s.position[k];
    const double wide = 10 * part;  // as a ball of about its size: the same for every engine
    s.inertia.fill(s.mass * (4 + wide * wide) / 12);
    scene.solids.push_back(std::move(s));
  }
  return scene;
}

EngineScene made(const std::string& name, int count, unsigned seed) {
  if (name == "pile" || name == "hulls") return pile(count, seed, name == "hulls");
  if (name == "messy") return messy(count, seed);
  if (name == "stack" || name == "heavy") return stack(count, name == "heavy" ? 100 : 1);
  if (name == "pyramid") return pyramid(count);
  if (name == "incline") return incline();
  if (name == "arch") return arch(count);
  throw std::invalid_argument("there is no scene '" + name +
                              "'; there are pile, messy, hulls, "
                              "stack, heavy, pyramid, incline and arch");
}

std::string numbers(const auto& values) { return fmt::format("{:.17g}", fmt::join(values, " ")); }

std::string geom_of(const Solid& s, std::size_t i) {
  if (s.kind == SolidKind::plane) return "type='plane' size='0 0 1'";
  if (s.kind == SolidKind::box) return fmt::format("type='box' size='{}'", numbers(s.half));
  return fmt::format("type='mesh' mesh='m{}'", i);
}

}  // namespace

EngineScene make_engine_scene(const std::string& name, int count, unsigned seed) {
  if (count < 1) throw std::invalid_argument("the number of solids has to be at least 1");
  EngineScene scene = made(name, count, seed);
  scene.name = name == "incline" ? name : fmt::format("{} {}", name, count);
  return scene;
}

std::string as_mjcf(const EngineScene& scene) {
  std::string meshes, bodies;
  for (std::size_t i = 0; i < scene.solids.size(); ++i) {
    const Solid& s = scene.solids[i];
    if (s.kind == SolidKind::hull) {
      meshes += fmt::format("    <mesh name='m{}' vertex='", i);
      for (const Three& v : s.vertices) meshes += numbers(v) + "  ";
      meshes += "'/>\n";
    }
    const std::string at = fmt::format("pos='{}' quat='{}'", numbers(s.position), numbers(s.turn));
    if (s.mass == 0)
      bodies += fmt::format("    <geom {} {}/>\n", geom_of(s, i), at);
    else
      bodies += fmt::format(
          "    <body {}><freejoint/><inertial pos='0 0 0' mass='{:.17g}' diaginertia='{}'/>"
          "<geom {}/></body>\n",
          at, s.mass, numbers(s.inertia), geom_of(s, i));
  }
  return fmt::format(
      "<mujoco model='{}'>\n  <option timestep='{:.17g}'/>\n  <default><geom friction='{:.17g}'/>"
      "</default>\n  <asset>\n{}  </asset>\n  <worldbody>\n{}  </worldbody>\n</mujoco>\n",
      scene.name, scene.step, scene.friction, meshes, bodies);
}
