#include "scene_parts.h"

#include <algorithm>
#include <cmath>

Turn turned(const Three& by) {
  const double angle = std::hypot(by[0], by[1], by[2]);
  const double s = angle > 0 ? std::sin(angle / 2) / angle : 0;
  return {std::cos(angle / 2), s * by[0], s * by[1], s * by[2]};
}

Turn operator*(const Turn& a, const Turn& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
          a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3],
          a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1]};
}

Turn conjugate(const Turn& a) { return {a[0], -a[1], -a[2], -a[3]}; }

Three rotate(const Turn& by, const Three& v) {
  const Turn r = by * Turn{0, v[0], v[1], v[2]} * conjugate(by);
  return {r[1], r[2], r[3]};
}

Three operator+(const Three& a, const Three& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Three operator-(const Three& a, const Three& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

Solid ground() { return {.shapes = {{.kind = ShapeKind::plane}}}; }

Solid box(const Three& position, double mass, const Three& half) {
  Solid s{.shapes = {{.half = half}}, .position = position, .mass = mass};
  for (std::size_t k = 0; k < 3; ++k) {
    const double b = half[(k + 1) % 3], c = half[(k + 2) % 3];
    s.inertia[k] = mass * (b * b + c * c) / 3;
  }
  return s;
}

Solid wall(const Three& half, const Three& position) {
  return {.shapes = {{.half = half}}, .position = position};
}

Three gravity_at(const EngineScene& scene, double time) {
  return {-scene.shake * std::sin(2 * kPi * kShakeHz * time), 0, -9.81};
}

bool uses(const EngineScene& scene, ShapeKind kind) {
  return std::any_of(scene.solids.begin(), scene.solids.end(), [&](const Solid& s) {
    return std::any_of(s.shapes.begin(), s.shapes.end(),
                       [&](const Shape& shape) { return shape.kind == kind; });
  });
}
