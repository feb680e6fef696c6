#include "abut/collide/volume/contact_facets.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "abut/collide/volume/tolerances.h"
#include "abut/math/index.h"

namespace abut {

namespace {

constexpr double kPi = std::numbers::pi;

constexpr int kFine = 4;  // facets as wide as a third of the contact's radius, on each side
constexpr int kBallSides = 16, kBallRings = 7;
constexpr int kCylinderSides = 72;                    // enough for a standing cylinder
constexpr int kCapsuleSides = 32, kCapsuleRings = 6;  // at each end

// Half angle (rad) of a cap of this depth on a circle of this radius.
double cap_angle(double depth, double radius) {
  return std::max(kLeastCapAngle, std::acos(std::clamp(1 - depth / radius, -1.0, 1.0)));
}

// Angle k of 0 .. `count`, from 0 to `last`: the first kFine intervals have width `fine`, the
// others share the rest equally. All are equal if `fine` is at least the equal width.
double spaced(int k, int count, double fine, double last) {
  fine = std::min(fine, last / count);
  if (k <= kFine) return k * fine;
  return kFine * fine + (last - kFine * fine) * (k - kFine) / (count - kFine);
}

// Mean distance of a facet of this width (rad) below the circle, as a fraction of the radius.
double sagitta(double width) { return width * width / 12; }

// Width of the narrower of the two facets at angle k of spaced().
double narrow(int k, int count, double fine, double last) {
  return k <= kFine ? std::min(fine, last / count)
                    : spaced(count, count, fine, last) - spaced(count - 1, count, fine, last);
}

}  // namespace

ContactFacets::ContactFacets()
    : ball_(make(kBallSides, kBallRings, true)),
      cylinder_(make(kCylinderSides, 2, false)),
      capsule_(make(kCapsuleSides, 2 * kCapsuleRings, true)) {}

// The topology, with preliminary vertices: rings from the lowest to the highest, with a pole before
// and after.
ContactFacets::Rings ContactFacets::make(int sides, int count, bool poles) {
  std::vector<Vec3> vertices;
  if (poles) vertices.emplace_back(0, 0, -1);
  for (int i = 0; i < count; ++i) {
    const double angle = poles ? kPi * (i + 1) / (count + 1) : kPi / 4 + kPi / 2 * i;
    for (int k = 0; k < sides; ++k) {
      const double turn = 2 * kPi * k / sides;
      vertices.emplace_back(std::sin(angle) * std::cos(turn), std::sin(angle) * std::sin(turn),
                            -std::cos(angle));
    }
  }
  if (poles) vertices.emplace_back(0, 0, 1);
  const auto ring = [&](int i, int k) { return (poles ? 1 : 0) + i * sides + k % sides; };
  const int top = static_cast<int>(vertices.size()) - 1;
  std::vector<std::vector<int>> loops;
  for (int i = 0; i + 1 < count; ++i)
    for (int k = 0; k < sides; ++k)
      loops.push_back({ring(i, k), ring(i, k + 1), ring(i + 1, k + 1), ring(i + 1, k)});
  if (poles) {
    for (int k = 0; k < sides; ++k) loops.push_back({0, ring(0, k + 1), ring(0, k)});
    for (int k = 0; k < sides; ++k)
      loops.push_back({ring(count - 1, k), ring(count - 1, k + 1), top});
  } else {
    std::vector<int>& low = loops.emplace_back();
    for (int k = sides; k-- > 0;) low.push_back(ring(0, k));
    std::vector<int>& high = loops.emplace_back();
    for (int k = 0; k < sides; ++k) high.push_back(ring(count - 1, k));
  }
  return {make_polyhedron(std::move(vertices), loops), sides, count, poles};
}

// Plane of each facet from three corners, or from the diagonals of four; flat ends are level.
void ContactFacets::find_planes(Rings& rings) {
  Polyhedron& p = rings.polyhedron;
  for (int f = 0; f < p.face_count(); ++f) {
    const std::span<const int> loop = p.face_loop(f);
    const auto corner = [&](std::size_t k) -> const Vec3& { return p.vertices[at(loop[k])]; };
    Polyhedron::Face& face = p.faces[at(f)];
    if (loop.size() > 4)
      face.eta = Vec3(0, 0, face.eta.z() > 0 ? 1 : -1);
    else
      face.eta = (corner(2) - corner(0)).cross(corner(loop.size() - 1) - corner(1)).normalized();
    face.offset = face.eta.dot(corner(0));
  }
}

const Convex& ContactFacets::around(const Convex& solid, const Vec3& out, const Vec3& across,
                                    double depth) {
  if (solid.is_half_space() || solid.is_polyhedron() || solid.tessellation == nullptr) return solid;
  view_ = solid;
  const Vec3& size = solid.dimensions;
  switch (solid.kind) {
    case ShapeKind::sphere:
      place_ball(size[0] * Mat3::Identity(), Vec3::Zero(), out, across, depth);
      break;
    case ShapeKind::ellipsoid:
      place_ball(size.asDiagonal(), Vec3::Zero(), out, across, depth);
      break;
    case ShapeKind::capsule: {
      const double latitude = std::asin(std::clamp(std::abs(out.z()), 0.0, 1.0));
      if (latitude > kFine / 3.0 * cap_angle(depth, size[0]))
        place_ball(size[0] * Mat3::Identity(), Vec3(0, 0, std::copysign(size[1], out.z())), out,
                   across, depth);
      else
        place_barrel(capsule_, solid, out, depth);
      break;
    }
    case ShapeKind::cylinder:
      place_barrel(cylinder_, solid, out, depth);
      break;
    default:
      break;
  }
  return view_;
}

// The first pole is the middle of the contact.
void ContactFacets::place_ball(const Mat3& D, const Vec3& center, const Vec3& out,
                               const Vec3& across, double depth) {
  Polyhedron& p = ball_.polyhedron;
  const Vec3 g = D * out, pole = g.normalized();
  const Vec3 v = (across - across.dot(pole) * pole).normalized(), w = v.cross(pole);
  const double fine = cap_angle(depth, g.norm()) / 3;
  const double turn = 2 * kPi / kBallSides;
  std::array<Vec3, kBallSides> rim;
  for (int k = 0; k < kBallSides; ++k) rim[at(k)] = std::cos(turn * k) * v + std::sin(turn * k) * w;
  constexpr int kSpaces = kBallRings + 1;
  p.vertices.front() = center + D * ((1 + sagitta(narrow(0, kSpaces, fine, kPi))) * pole);
  p.vertices.back() = center - D * pole;
  for (int i = 0; i < kBallRings; ++i) {
    const double angle = spaced(i + 1, kSpaces, fine, kPi), sine = std::sin(angle);
    // vertices far from the contact need not be accurate, but must not be outside the solid
    const double grown =
        i < kFine ? 1 + sagitta(narrow(i + 1, kSpaces, fine, kPi)) + sagitta(sine * turn) : 1;
    for (int k = 0; k < kBallSides; ++k)
      p.vertices[at(1 + i * kBallSides + k)] =
          center + D * (grown * (sine * rim[at(k)] + std::cos(angle) * pole));
  }
  find_planes(ball_);
  p.center = center;
  p.size = view_.size;
  view_.tessellation = &p;
}

// The first edge is the middle of the contact. The rings of a capsule are as fine at the ends of
// its barrel as its sides are.
void ContactFacets::place_barrel(Rings& rings, const Convex& solid, const Vec3& out, double depth) {
  const double r = solid.dimensions[0], h = solid.dimensions[1];
  const int sides = rings.sides, half = sides / 2;
  const double tilt = std::hypot(out.x(), out.y());
  // where the whole end is below the other surface, the contact has no side of its own
  const bool whole = depth >= 2 * r * tilt;
  const double fine = whole ? kPi : cap_angle(depth, r * tilt) / 3;
  const double turn = whole ? 0 : std::atan2(out.y(), out.x());
  std::array<Vec2, kCylinderSides> rim;
  for (int k = 0; k <= half; ++k) {
    const double angle = spaced(k, half, fine, kPi),
                 grown = 1 + sagitta(narrow(k, half, fine, kPi));
    rim[at(k)] = grown * Vec2(std::cos(turn + angle), std::sin(turn + angle));
    if (k > 0 && k < half)
      rim[at(sides - k)] = grown * Vec2(std::cos(turn - angle), std::sin(turn - angle));
  }
  Polyhedron& p = rings.polyhedron;
  const auto place = [&](int ring, double scale, double z) {
    for (int k = 0; k < sides; ++k) {
      const Vec2 flat = r * scale * rim[at(k)];
      p.vertices[at((rings.poles ? 1 : 0) + ring * sides + k)] = Vec3(flat.x(), flat.y(), z);
    }
  };
  if (!rings.poles) {
    place(0, 1, -h);
    place(1, 1, h);
  } else {
    p.vertices.front() = Vec3(0, 0, -h - r);
    p.vertices.back() = Vec3(0, 0, h + r);
    for (int i = 0; i < kCapsuleRings; ++i) {
      const double latitude = spaced(i, kCapsuleRings, fine, kPi / 2);
      const double scale = std::cos(latitude), z = h + r * std::sin(latitude);
      place(kCapsuleRings - 1 - i, scale, -z);
      place(kCapsuleRings + i, scale, z);
    }
  }
  find_planes(rings);
  p.center.setZero();
  p.size = solid.size;
  view_.tessellation = &p;
}

}  // namespace abut
