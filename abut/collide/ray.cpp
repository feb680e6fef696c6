#include "abut/collide/ray.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "abut/math/index.h"

namespace abut {

namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();

struct Ray {
  Vec3 from, along;
};

// The part of a line that lies in a convex solid; empty if in > out.
struct Chord {
  double in = -kEndless, out = kEndless;

  void cut(const Chord& other) {
    in = std::max(in, other.in);
    out = std::min(out, other.out);
  }
  void join(const Chord& other) {
    if (other.in > other.out) return;
    if (in > out) *this = other;
    in = std::min(in, other.in);
    out = std::max(out, other.out);
  }
};

constexpr Chord kNone{kEndless, -kEndless};

using Meets = std::optional<double>;

Meets first_of(const Chord& chord) {
  if (chord.in > chord.out || chord.out < 0) return {};
  return chord.in >= 0 ? chord.in : chord.out;
}

// Where n . x <= offset.
Chord half_space(const Vec3& n, double offset, const Ray& ray) {
  const double rate = n.dot(ray.along), gap = offset - n.dot(ray.from);
  if (rate == 0) return gap >= 0 ? Chord() : kNone;
  return rate > 0 ? Chord{-kEndless, gap / rate} : Chord{gap / rate, kEndless};
}

// Where |x_k| <= half.
Chord slab(int k, double half, const Ray& ray) {
  Chord chord = half_space(Vec3::Unit(k), half, ray);
  chord.cut(half_space(-Vec3::Unit(k), half, ray));
  return chord;
}

// Where |x| <= 1, of coordinates that are divided by the semi-axes; 0 for a coordinate that does
// not count.
Chord quadric(const Vec3& inverse_axes, const Vec3& center, const Ray& ray) {
  const Vec3 p = (ray.from - center).cwiseProduct(inverse_axes),
             d = ray.along.cwiseProduct(inverse_axes);
  const double a = d.squaredNorm(), b = p.dot(d), c = p.squaredNorm() - 1;
  if (a == 0) return c <= 0 ? Chord() : kNone;
  const double discriminant = b * b - a * c;
  if (discriminant < 0) return kNone;
  const double root = std::sqrt(discriminant);
  return {(-b - root) / a, (-b + root) / a};
}

Chord ball(double radius, const Vec3& center, const Ray& ray) {
  return quadric(Vec3::Constant(1 / radius), center, ray);
}

Chord cylinder(double radius, double half, const Ray& ray) {
  Chord chord = quadric({1 / radius, 1 / radius, 0}, Vec3::Zero(), ray);
  chord.cut(slab(2, half, ray));
  return chord;
}

Chord capsule(double radius, double half, const Ray& ray) {
  Chord chord = cylinder(radius, half, ray);
  chord.join(ball(radius, half * Vec3::UnitZ(), ray));
  chord.join(ball(radius, -half * Vec3::UnitZ(), ray));
  return chord;
}

Chord box(const Vec3& half, const Ray& ray) {
  Chord chord;
  for (int k = 0; k < 3; ++k) chord.cut(slab(k, half[k], ray));
  return chord;
}

Chord hull(const Polyhedron& solid, const Ray& ray) {
  Chord chord;
  for (const Polyhedron::Face& f : solid.faces) chord.cut(half_space(f.eta, f.offset, ray));
  return chord;
}

// A plane is met from above, inside its rectangle.
Meets plane(const Vec3& half, const Ray& ray) {
  if (ray.along.z() >= 0 || ray.from.z() < 0) return {};
  const double t = -ray.from.z() / ray.along.z();
  const Vec3 at_plane = ray.from + t * ray.along;
  for (int k = 0; k < 2; ++k)
    if (half[k] > 0 && std::abs(at_plane[k]) > half[k]) return {};
  return t;
}

// Möller and Trumbore.
void meet_triangle(const Vec3& a, const Vec3& b, const Vec3& c, const Ray& ray, Meets& nearest) {
  const Vec3 ab = b - a, ac = c - a, n = ray.along.cross(ac);
  const double det = ab.dot(n);
  if (det == 0) return;
  const Vec3 from = ray.from - a, m = from.cross(ab);
  const double u = from.dot(n) / det, v = ray.along.dot(m) / det, t = ac.dot(m) / det;
  if (u < 0 || v < 0 || u + v > 1 || t < 0) return;
  if (!nearest || t < *nearest) nearest = t;
}

Meets mesh(const TriangleMesh& mesh, const Ray& ray) {
  Meets nearest;
  for (const auto& [a, b, c] : mesh.triangles)
    meet_triangle(mesh.vertices[at(a)], mesh.vertices[at(b)], mesh.vertices[at(c)], ray, nearest);
  return nearest;
}

Meets field(const HeightField& field, const Ray& ray) {
  Meets nearest;
  for (int r = 0; r + 1 < field.rows; ++r)
    for (int c = 0; c + 1 < field.cols; ++c) {
      const Vec3 low = vertex(field, r, c), high = vertex(field, r + 1, c + 1);
      meet_triangle(low, vertex(field, r, c + 1), high, ray, nearest);
      meet_triangle(low, high, vertex(field, r + 1, c), ray, nearest);
    }
  return nearest;
}

}  // namespace

Meets ray_distance(const Shape& shape, const ShapeAssets& assets, const Vec3& from,
                   const Vec3& direction) {
  const Ray ray{from, direction};
  const Vec3& s = shape.size;
  switch (shape.kind) {
    case ShapeKind::plane:
      return plane(s, ray);
    case ShapeKind::hfield:
      return field(assets.hfields[at(shape.asset)], ray);
    case ShapeKind::sphere:
      return first_of(ball(s.x(), Vec3::Zero(), ray));
    case ShapeKind::capsule:
      return first_of(capsule(s.x(), s.y(), ray));
    case ShapeKind::ellipsoid:
      return first_of(quadric(s.cwiseInverse(), Vec3::Zero(), ray));
    case ShapeKind::cylinder:
      return first_of(cylinder(s.x(), s.y(), ray));
    case ShapeKind::box:
      return first_of(box(s, ray));
    case ShapeKind::mesh:
      break;
  }
  const TriangleMesh& surface = assets.meshes[at(shape.asset)];
  if (!surface.triangles.empty()) return mesh(surface, ray);
  return first_of(hull(assets.hulls[at(shape.asset)], ray));
}

RayHit cast_ray(const Model& model, const Derived& d, const Vec3& from, const Vec3& direction,
                int without) {
  RayHit hit;
  const Vec3 along = direction.normalized();
  for (std::size_t g = 0; g < model.geoms.size(); ++g) {
    const Geom& geom = model.geoms[g];
    if (geom.body == without || geom.rgba[3] == 0) continue;
    const Pose X_GW = geom_pose(model, d, static_cast<int>(g)).inverse();
    const Meets t = ray_distance(geom.shape, model.assets, X_GW * from, X_GW.q * along);
    if (t && (hit.geom < 0 || *t < hit.distance)) hit = {static_cast<int>(g), *t};
  }
  return hit;
}

}  // namespace abut
