#include "abut/shape/mass_properties.h"

#include <array>
#include <cmath>
#include <numbers>

namespace abut {
namespace {

constexpr double kPi = std::numbers::pi;

// Moves the reference point by d away from the centre of mass (parallel axes).
Mat3 parallel_axis(double mass, const Vec3& d) {
  return mass * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
}

// A centred body, by the mean squares <x^2>, <y^2>, <z^2> of its points.
MassProperties centred(double mass, const Vec3& mean_squares) {
  MassProperties out;
  out.mass = mass;
  out.inertia.diagonal() = mass * (Vec3::Constant(mean_squares.sum()) - mean_squares);
  return out;
}

}  // namespace

MassProperties transformed(const MassProperties& in_B, const Pose& X_AB) {
  const Mat3 R_AB = X_AB.q.toRotationMatrix();
  return {in_B.mass, X_AB * in_B.com, R_AB * in_B.inertia * R_AB.transpose()};
}

MassProperties combined(std::span<const MassProperties> parts) {
  MassProperties sum;
  Vec3 first = Vec3::Zero();
  for (const MassProperties& part : parts) {
    sum.mass += part.mass;
    first += part.mass * part.com;
  }
  if (sum.mass > 0) sum.com = first / sum.mass;
  for (const MassProperties& part : parts) {
    sum.inertia += part.inertia + parallel_axis(part.mass, part.com - sum.com);
  }
  return sum;
}

MassProperties combined(const MassProperties& a, const MassProperties& b) {
  return combined(std::array{a, b});
}

MassProperties scaled(const MassProperties& unit_density, double density) {
  return {density * unit_density.mass, unit_density.com, density * unit_density.inertia};
}

MassProperties from_moments(double mass, const Vec3& first, const Mat3& second,
                            const Vec3& origin) {
  if (mass == 0) return {0, origin, second.trace() * Mat3::Identity() - second};
  const Vec3 com = first / mass;
  const Mat3 central = second - mass * com * com.transpose();
  return {mass, origin + com, central.trace() * Mat3::Identity() - central};
}

// ---- solids -------------------------------------------------------------------

MassProperties solid_ellipsoid(const Vec3& a) {
  return centred(4.0 / 3.0 * kPi * a.prod(), a.cwiseAbs2() / 5);
}

MassProperties solid_sphere(double r) { return solid_ellipsoid(Vec3::Constant(r)); }

MassProperties solid_box(const Vec3& a) { return centred(8 * a.prod(), a.cwiseAbs2() / 3); }

MassProperties solid_cylinder(double r, double h) {
  return centred(2 * kPi * r * r * h, {r * r / 4, r * r / 4, h * h / 3});
}

MassProperties solid_capsule(double r, double h) {
  const MassProperties cylinder = solid_cylinder(r, h);
  MassProperties out = solid_sphere(r);  // the two caps
  // pushed apart by h each: <(|z| + h)^2> = <z^2> + 2 h <|z|> + h^2, and the mean
  // height of a half ball is 3/8 r
  const double spread = out.mass * (2 * h * (3.0 / 8.0 * r) + h * h);
  out.inertia(0, 0) += spread;
  out.inertia(1, 1) += spread;
  out.mass += cylinder.mass;
  out.inertia += cylinder.inertia;
  return out;
}

// ---- shells -------------------------------------------------------------------

MassProperties shell_sphere(double r) {
  return centred(4 * kPi * r * r, Vec3::Constant(r * r / 3));
}

namespace {

// The lateral surface of a cylinder, without its discs.
MassProperties shell_tube(double r, double h) {
  return centred(4 * kPi * r * h, {r * r / 2, r * r / 2, h * h / 3});
}

}  // namespace

MassProperties shell_cylinder(double r, double h) {
  const MassProperties discs = centred(2 * kPi * r * r, {r * r / 4, r * r / 4, h * h});
  return combined(shell_tube(r, h), discs);
}

MassProperties shell_capsule(double r, double h) {
  // as for the solid; Archimedes: the mean height of a half sphere is r / 2
  const MassProperties caps =
      centred(4 * kPi * r * r, {r * r / 3, r * r / 3, r * r / 3 + h * r + h * h});
  return combined(shell_tube(r, h), caps);
}

MassProperties shell_box(const Vec3& a) {
  std::array<MassProperties, 3> sides;  // pairs of opposite sides, by their normal
  for (int k = 0; k < 3; ++k) {
    Vec3 mean_squares = a.cwiseAbs2() / 3;
    mean_squares[k] = a[k] * a[k];
    sides[k] = centred(8 * a[(k + 1) % 3] * a[(k + 2) % 3], mean_squares);
  }
  return combined(sides);
}

MassProperties shell_ellipsoid(const Vec3& a) {
  const double p = 1.6075;  // Thomsen's exponent
  const Vec3 products(a.y() * a.z(), a.z() * a.x(), a.x() * a.y());
  const double area = 4 * kPi * std::pow(products.array().pow(p).mean(), 1 / p);
  // d(V <x^2>) / dV for V = 4/3 pi abc and <x^2> = a^2/5, along da = db = dc
  const Vec3 mean_squares = a.cwiseAbs2() / 5 + (2.0 / 5.0 * a.prod() / products.sum()) * a;
  return centred(area, mean_squares);
}

}  // namespace abut
