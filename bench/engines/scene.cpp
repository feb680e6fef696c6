#include "scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "scene_parts.h"

namespace {

constexpr double kApart = 1.4;  // m: slightly turned unit boxes do not overlap at this distance
constexpr double kApartMessy = 1.8;  // m: the same for boxes turned in any way

// 32 vertices on an ellipsoid, spread evenly and then moved a little.
Solid hull(Dice& dice) {
  constexpr int kVertices = 32;
  const Three axis{0.5, 0.5 + dice.within(0.05), 0.45 + dice.within(0.05)};
  Solid s{.shapes = {{.kind = ShapeKind::hull}}, .mass = 1};
  for (int i = 0; i < kVertices; ++i) {
    const double z = 1 - (2 * i + 1.0) / kVertices + dice.within(0.02),
                 angle = 2.399963229728653 * i + dice.within(0.1), r = std::sqrt(1 - z * z);
    s.shapes[0].vertices.push_back(
        {axis[0] * r * std::cos(angle), axis[1] * r * std::sin(angle), axis[2] * z});
  }
  const auto square = [](double x) { return x * x; };
  for (std::size_t k = 0; k < 3; ++k)
    s.inertia[k] = (square(axis[(k + 1) % 3]) + square(axis[(k + 2) % 3])) / 5;
  return s;
}

// A ball, or a round body about z: a cylinder between spheres (capsule) or discs (cylinder).
Solid round_solid(ShapeKind kind, double radius, double half) {
  Solid s{.shapes = {{.kind = kind, .half = {radius, half, 0}}}, .mass = 1};
  const double r = radius * radius, across = (3 * r + 4 * half * half) / 12;
  s.inertia = {across, across, r / 2};  // of a cylinder; near enough for a capsule
  if (kind == ShapeKind::sphere) s.inertia = {0.4 * r, 0.4 * r, 0.4 * r};
  return s;
}

Solid mixed(int i) {
  if (i % 4 == 1) return round_solid(ShapeKind::sphere, 0.5, 0);
  if (i % 4 == 2) return round_solid(ShapeKind::capsule, 0.3, 0.3);
  if (i % 4 == 3) return round_solid(ShapeKind::cylinder, 0.4, 0.4);
  return box({}, 1, {0.4, 0.4, 0.4});
}

// A floor and four walls around a square of half width `inner`.
std::vector<Solid> container(double inner, double high) {
  return {ground(), wall({0.5, inner + 1, high}, {inner + 0.5, 0, high}),
          wall({0.5, inner + 1, high}, {-inner - 0.5, 0, high}),
          wall({inner, 0.5, high}, {0, inner + 0.5, high}),
          wall({inner, 0.5, high}, {0, -inner - 0.5, high})};
}

// `side` by `side` cells a layer, `apart` from each other, filled from below.
Three cell_of(int i, int side, double apart) {
  return {apart * (i % side + 0.5 - 0.5 * side), apart * (i / side % side + 0.5 - 0.5 * side),
          apart * (i / (side * side) + 0.5)};
}

EngineScene pile(int count, unsigned seed, bool hulls) {
  EngineScene scene{.falls = true, .steps = 1920};
  Dice dice(seed);
  const int side = std::max(2, static_cast<int>(std::lround(std::cbrt(count))));
  const int layers = (count + side * side - 1) / (side * side);
  scene.solids = container(kApart * side / 2, kApart * layers / 2 + 1);
  for (int i = 0; i < count; ++i) {
    Solid s = hulls ? hull(dice) : box({});
    const Three cell{static_cast<double>(i % side), static_cast<double>(i / side % side),
                     static_cast<double>(i / (side * side))};
    for (std::size_t k = 0; k < 3; ++k)
      s.position[k] =
          kApart * (cell[k] + 0.5) - (k < 2 ? kApart * side / 2 : 0) + dice.within(0.03);
    s.turn = turned({dice.within(0.15), dice.within(0.15), dice.within(0.15)});
    scene.solids.push_back(std::move(s));
  }
  return scene;
}

// Every rotation is as likely as any other (Shoemake 1992).
Turn any_turn(Dice& dice) {
  const double share = 0.5 * (1 + dice.within(1)), a = dice.within(kPi), b = dice.within(kPi),
               s = std::sqrt(1 - share), t = std::sqrt(share);
  return {t * std::cos(b), s * std::sin(a), s * std::cos(a), t * std::sin(b)};
}

// Solids turned in any way, which fall on each other in a container that they fill some layers deep.
EngineScene messy(int count, unsigned seed, bool mix) {
  EngineScene scene{.falls = true, .steps = mix ? 1920 : 3840};
  Dice dice(seed);
  const int side = std::max(2, static_cast<int>(std::lround(std::cbrt(0.5 * count))));
  scene.solids =
      container(kApartMessy * side / 2, kApartMessy * (count / (side * side) + 1) / 2 + 1);
  for (int i = 0; i < count; ++i) {
    Solid s = mix ? mixed(i) : box({});
    s.position = cell_of(i, side, kApartMessy);
    s.turn = any_turn(dice);
    scene.solids.push_back(std::move(s));
  }
  return scene;
}

// Boxes in a closed box, seen from the box: it is gravity that swings. The box is a third full.
EngineScene shaken(int count, unsigned seed) {
  EngineScene scene{.falls = true, .steps = 1920, .shake = 15};
  Dice dice(seed);
  const int side = std::max(2, static_cast<int>(std::lround(std::cbrt(count))));
  const double inner = kApartMessy * side / 2, high = inner + 1;
  scene.solids = container(inner, high);
  scene.solids.push_back(wall({inner + 1, inner + 1, 0.5}, {0, 0, 2 * high + 0.5}));
  for (int i = 0; i < count; ++i) {
    Solid s = box({});
    s.position = cell_of(i, side, kApartMessy);
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
  const double angle = std::atan(scene.friction) - 0.1 * kPi / 180;
  const Three normal{std::sin(angle), 0, std::cos(angle)};
  Solid slope = ground(), block = box({normal[0] / 2, 0, normal[2] / 2});
  slope.turn = block.turn = turned({0, angle, 0});
  scene.solids = {slope, block};
  return scene;
}

// Half a ring between radii of 9 and 11 m, 2 m deep.
EngineScene arch(int count) {
  EngineScene scene{.friction = 0.7, .solids = {ground()}};
  const double part = kPi / count;
  for (int i = 0; i < count; ++i) {
    Solid s{.shapes = {{.kind = ShapeKind::hull}}, .mass = 1};
    std::vector<Three>& vertices = s.shapes[0].vertices;
    for (const double angle : {part * i, part * (i + 1)})
      for (const double radius : {9.0, 11.0})
        for (const double y : {-1.0, 1.0})
          vertices.push_back({radius * std::cos(angle), y, radius * std::sin(angle)});
    for (const Three& v : vertices)
      for (std::size_t k = 0; k < 3; ++k) s.position[k] += v[k] / 8;
    for (Three& v : vertices) v = v - s.position;
    const double wide = 10 * part;  // as a ball of about its size: the same for every engine
    s.inertia.fill(s.mass * (4 + wide * wide) / 12);
    scene.solids.push_back(std::move(s));
  }
  return scene;
}

// Storeys of two planks, each across the storey below, 15 : 3 : 1 as Kapla's.
EngineScene kapla(int storeys) {
  EngineScene scene{.solids = {ground()}};
  const Three half{1.5, 0.3, 0.1};
  for (int i = 0; i < storeys; ++i)
    for (const double side : {-1.1, 1.1}) {
      const bool across = i % 2 == 1;
      const Three along = across ? Three{half[1], half[0], half[2]} : half;
      scene.solids.push_back(
          box({across ? side : 0, across ? 0 : side, half[2] * (2 * i + 1)}, 1, along));
    }
  return scene;
}

EngineScene made(const std::string& name, int count, unsigned seed) {
  if (name == "pile" || name == "hulls") return pile(count, seed, name == "hulls");
  if (name == "messy" || name == "mixed") return messy(count, seed, name == "mixed");
  if (name == "shaken") return shaken(count, seed);
  if (name == "stack") return stack(count, 1);
  if (name == "heavy") return stack(count, 100);
  if (name == "heavy1000") return stack(count, 1000);
  if (name == "pyramid") return pyramid(count);
  if (name == "kapla") return kapla(count);
  if (name == "incline") return incline();
  if (name == "arch") return arch(count);
  if (name == "chain") return chain(count);
  if (name == "net") return net(count);
  if (name == "ragdolls") return ragdolls(count, seed);
  if (name == "hinges") return hinges(count);
  throw std::invalid_argument(
      "there is no scene '" + name +
      "'; there are pile, messy, hulls, mixed, shaken, stack, heavy, heavy1000, pyramid, kapla, "
      "arch, chain, net, ragdolls, hinges and incline");
}

}  // namespace

EngineScene make_engine_scene(const std::string& name, int count, unsigned seed) {
  if (count < 1) throw std::invalid_argument("the number of solids has to be at least 1");
  EngineScene scene = made(name, count, seed);
  scene.name = name == "incline" ? name : fmt::format("{} {}", name, count);
  return scene;
}
