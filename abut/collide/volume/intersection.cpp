#include "abut/collide/volume/intersection.h"

#include <algorithm>
#include <cmath>

#include "abut/collide/proximity/proximity_answer.h"
#include "abut/collide/solid/convex.h"
#include "abut/collide/tolerances.h"

namespace abut {

const char* name(OverlapKind overlap) {
  switch (overlap) {
    case OverlapKind::none:
      return "none";
    case OverlapKind::touching:
      return "touching";
    case OverlapKind::solid:
      return "solid";
  }
  return "";
}

void Intersection::clear() {
  overlap = OverlapKind::none;
  origin = centroid = area_A = area_B = Vec3::Zero();
  volume = area = 0;
  vertices.clear();
  faces.clear();
  loops.clear();
}

void measure(Intersection& common, double L) {
  common.volume = common.area = 0;
  common.centroid = common.area_A = common.area_B = Vec3::Zero();
  common.overlap = OverlapKind::none;
  if (common.vertices.empty()) return;

  // from the mean of the vertices: then all tetrahedra of a thin volume are thin, and none cancels
  // another
  Vec3 middle = Vec3::Zero();
  for (const Vec3& v : common.vertices) middle += v;
  middle /= static_cast<double>(common.vertices.size());

  double volume6 = 0;
  Vec3 first = Vec3::Zero(), surface_first = Vec3::Zero();
  for (Intersection::Face& face : common.faces) {
    const std::span<const int> loop = common.loop(face);
    const Vec3 p = common.vertices[loop[0]] - middle;
    Vec3 q = common.vertices[loop[1]] - middle;
    face.area.setZero();
    for (std::size_t k = 2; k < loop.size(); ++k) {
      const Vec3 r = common.vertices[loop[k]] - middle;
      const Vec3 twice = (q - p).cross(r - p);
      const double six = p.dot(twice);
      const Vec3 sum = p + q + r;
      volume6 += six;
      first += six * sum;
      surface_first += twice.norm() * sum;
      face.area += 0.5 * twice;
      q = r;
    }
    common.area += face.area.norm();
    (face.side == Side::a ? common.area_A : common.area_B) += face.area;
  }
  common.volume = std::max(0.0, volume6 / 6);

  // rounding may leave a tiny volume with a centroid anywhere: keep the centroid inside
  Vec3 reach = Vec3::Zero();
  for (const Vec3& v : common.vertices) reach = reach.cwiseMax((v - middle).cwiseAbs());
  const Vec3 from_volume = first / (4 * volume6);
  if (volume6 > 0 && (from_volume.cwiseAbs().array() <= reach.array()).all())
    common.centroid = middle + from_volume;
  else if (common.area > 0)
    common.centroid = middle + surface_first / (6 * common.area);
  else
    common.centroid = middle;
  common.overlap =
      common.volume <= kKissing * L * common.area ? OverlapKind::touching : OverlapKind::solid;
}

double projected_area(const Intersection& common, const Vec3& n) {
  double sum = 0;
  for (const Intersection::Face& face : common.faces) sum += std::abs(face.area.dot(n));
  return 0.5 * sum;
}

void place(Intersection& common, const Pose& X_WA) {
  const Mat3 R = X_WA.q.toRotationMatrix();
  const auto turn = [&](Vec3& v) { v = R * v; };
  for (Vec3& v : common.vertices) turn(v);
  for (Intersection::Face& face : common.faces) turn(face.area);
  for (Vec3* v : {&common.centroid, &common.area_A, &common.area_B}) turn(*v);
  common.origin = X_WA * common.origin;
}

HeightIntegral triangle_integral(const Vec3& p, const Vec3& a, const Vec3& b, double h, double h_a,
                                 double h_b) {
  const Vec3 N = a.cross(b);
  HeightIntegral sum;
  sum.force = N * (h / 2 + h_a / 6 + h_b / 6);
  sum.moment = p.cross(sum.force) + a.cross(N) * (h / 6 + h_a / 12 + h_b / 24) +
               b.cross(N) * (h / 6 + h_a / 24 + h_b / 12);
  return sum;
}

HeightIntegral surface_integral(const Intersection& common, const Vec3& n) {
  HeightIntegral sum;
  for_each_triangle(common, [&](const Vec3& p, const Vec3& q, const Vec3& r, const auto&) {
    const Vec3 a = q - p, b = r - p;
    const HeightIntegral one = triangle_integral(p, a, b, p.dot(n), a.dot(n), b.dot(n));
    sum.force += one.force;
    sum.moment += one.moment;
  });
  return sum;
}

HeightIntegral volume_integral(const Intersection& common, const Vec3& n) {
  const Vec3 force = common.volume * n;
  return {force, common.centroid.cross(force)};
}

std::span<const Polyhedron::Face> face_planes(const Convex& solid) {
  static const Polyhedron::Face half_space{Vec3::UnitZ(), 0, 0, 0};
  if (solid.is_half_space()) return {&half_space, 1};
  if (solid.tessellation) return solid.tessellation->faces;
  return {};
}

}  // namespace abut
