// Links that hang in each other, and solids on joints.
#include <algorithm>
#include <cmath>

#include "scene_parts.h"

namespace {

constexpr double kRing = 0.5, kWire = 0.06;  // m: radii of a link and of its wire
constexpr int kSides = 12;                   // capsules in a link

// A ring about y of the solid: a polygon of capsules.
Solid ring(const Three& position, const Turn& turn, bool fixed) {
  Solid s{.position = position, .turn = turn, .mass = fixed ? 0.0 : 1.0};
  const double part = 2 * kPi / kSides;
  for (int i = 0; i < kSides; ++i) {
    const double middle = part * (i + 0.5);
    const double out = kRing * std::cos(part / 2), half = kRing * std::sin(part / 2);
    // the capsule's axis, z, turned about y into the direction of the side
    s.shapes.push_back({.kind = ShapeKind::capsule,
                        .half = {kWire, half, 0},
                        .position = {out * std::cos(middle), 0, out * std::sin(middle)},
                        .turn = turned({0, -middle, 0})});
  }
  const double r = kRing * kRing, w = kWire * kWire;  // as a torus
  s.inertia = {r / 2 + 0.625 * w, r + 0.75 * w, r / 2 + 0.625 * w};
  return s;
}

// A ragdoll of ten boxes and capsules, 1.8 m high, about the middle of its trunk.
class Ragdoll {
 public:
  Ragdoll(EngineScene& scene, const Three& position, const Turn& turn)
      : scene_(scene), position_(position), turn_(turn) {
    const int trunk = part({}, {0.2, 0.12, 0.3}, 30, false);
    const int head = part({0, 0, 0.5}, {0.12, 0.12, 0.12}, 5, false);
    ball(trunk, head, {0, 0, 0.34});
    for (const double side : {-1.0, 1.0}) {
      const int upper = part({side * 0.28, 0, 0.08}, {0.05, 0.11, 0}, 2.5, true);
      const int lower = part({side * 0.28, 0, -0.26}, {0.045, 0.1, 0}, 1.5, true);
      ball(trunk, upper, {side * 0.28, 0, 0.25});
      hinge(upper, lower, {side * 0.28, 0, -0.09});
      const int thigh = part({side * 0.11, 0, -0.55}, {0.07, 0.14, 0}, 8, true);
      const int shin = part({side * 0.11, 0, -0.99}, {0.06, 0.15, 0}, 4, true);
      ball(trunk, thigh, {side * 0.11, 0, -0.32});
      hinge(thigh, shin, {side * 0.11, 0, -0.77});
    }
  }

 private:
  Three placed(const Three& p) const { return position_ + rotate(turn_, p); }
  int part(const Three& position, const Three& half, double mass, bool capsule) {
    Solid s = box({}, mass, capsule ? Three{half[0], half[0], half[0] + half[1]} : half);
    if (capsule) s.shapes = {{.kind = ShapeKind::capsule, .half = half}};
    s.position = placed(position);
    s.turn = turn_;
    scene_.solids.push_back(std::move(s));
    return static_cast<int>(scene_.solids.size()) - 1;
  }
  void ball(int a, int b, const Three& where) {
    scene_.joints.push_back({.a = a, .b = b, .anchor = placed(where)});
  }
  void hinge(int a, int b, const Three& where) {
    scene_.joints.push_back(
        {.a = a, .b = b, .anchor = placed(where), .axis = rotate(turn_, {1, 0, 0})});
  }

  EngineScene& scene_;
  Three position_;
  Turn turn_;
};

}  // namespace

// Hangs from its first link, every other one turned by a quarter, 1 cm short of tight.
EngineScene chain(int count) {
  EngineScene scene{.falls = true};
  for (int i = 0; i < count; ++i)
    scene.solids.push_back(
        ring({0, 0, -i * (2 * kRing - 2 * kWire - 0.01)}, turned({0, 0, i % 2 * kPi / 2}), i == 0));
  return scene;
}

// Flat links side by side, each joined to its neighbours by an upright one; the outermost row of
// flat links all around is fixed.
EngineScene net(int side) {
  EngineScene scene{.falls = true};
  const double apart = 1.34;  // m: joining links neither touch each other nor the flat ones
  const Turn flat = turned({kPi / 2, 0, 0});
  for (int x = 0; x < side; ++x)
    for (int y = 0; y < side; ++y) {
      const bool edge = std::min({x, y, side - 1 - x, side - 1 - y}) == 0;
      const Three here{apart * x, apart * y, 0};
      scene.solids.push_back(ring(here, flat, edge));
      if (x + 1 < side)
        scene.solids.push_back(ring(here + Three{apart / 2, 0, 0}, turned({}), false));
      if (y + 1 < side)
        scene.solids.push_back(ring(here + Three{0, apart / 2, 0}, turned({0, 0, kPi / 2}), false));
    }
  return scene;
}

EngineScene ragdolls(int count, unsigned seed) {
  EngineScene scene{.falls = true, .steps = 1920, .solids = {ground()}};
  Dice dice(seed);
  const int side = std::max(1, static_cast<int>(std::lround(std::cbrt(count))));
  for (int i = 0; i < count; ++i) {
    const Three where{2.0 * (i % side - 0.5 * (side - 1)),
                      2.0 * (i / side % side - 0.5 * (side - 1)), 1.5 + 2.2 * (i / (side * side))};
    Ragdoll(scene, where, turned({dice.within(0.5), dice.within(0.5), dice.within(3)}));
  }
  return scene;
}

// Boxes of a metre in a row, let go when level; they pass through each other.
EngineScene hinges(int count) {
  EngineScene scene{.step = 1e-3, .steps = 10000, .collides = false};
  for (int i = 0; i < count; ++i) {
    scene.solids.push_back(box({i + 0.5, 0, 0}, 1, {0.5, 0.1, 0.1}));
    scene.joints.push_back(
        {.a = i - 1, .b = i, .anchor = {static_cast<double>(i), 0, 0}, .axis = {0, 1, 0}});
  }
  return scene;
}
