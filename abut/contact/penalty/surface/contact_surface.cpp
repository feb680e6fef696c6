#include "abut/contact/penalty/surface/contact_surface.h"

#include <algorithm>
#include <cmath>

#include "abut/collide/volume/dual_volume.h"
#include "abut/contact/penalty/friction/rolling.h"
#include "abut/contact/penalty/tolerances.h"
#include "abut/math/index.h"

namespace abut {

namespace {

// Integral of |y| over the triangle (0, p, q) in the plane, signed: counter-clockwise is positive.
// With the line p q at distance d: d/3 times the integral of sqrt(d^2 + t^2) along it.
double arm_integral(const Vec2& p, const Vec2& q) {
  const Vec2 e = q - p;
  const double length = e.norm();
  const double twice = p.x() * q.y() - p.y() * q.x();
  if (!(length > 0) || twice == 0) return 0;
  const double d = twice / length, d2 = d * d;
  const double from = p.dot(e) / length, to = q.dot(e) / length, r = p.norm(), s = q.norm();
  // asinh(to / |d|) - asinh(from / |d|) as one
  const double turned = d2 > 0 ? d2 * std::asinh((to * r - from * s) / d2) : 0;
  return d / 6 * (to * s - from * r + turned);
}

// The points of the pair's patch, as if they were the shadow's: enough to push on. Where the pair
// has its witnesses alone, the patch is made here: there are few that thin.
void from_points(const PairView& pair, SurfaceBuffers& buffers, ContactSurface& s) {
  const bool alone = pair.patch.count() == 1;
  if (alone) {
    const std::size_t i = at(pair.patch.begin);
    const Proximity d{.distance = pair.patch.distance,
                      .normal = pair.patch.normal,
                      .p_A = pair.points().p_A[i],
                      .p_B = pair.points().p_B[i],
                      .a = pair.patch.a,
                      .b = pair.patch.b,
                      .indeterminate = pair.patch.indeterminate};
    buffers.thin.clear();
    append_patch(pair.solid_a(), pair.pose_a(), pair.solid_b(), pair.pose_b(), d,
                 {.reach = std::max(d.distance, 0.0)}, buffers.scratch, buffers.thin);
  }
  const Patch& patch = alone ? buffers.thin.patches.front() : pair.patch;
  const ContactPoints& points = alone ? buffers.thin.points : pair.points();
  s.normal = pair.patch.normal;
  s.center.setZero();
  s.second.setZero();
  s.arm = 0;
  const double count = std::max(patch.count(), 1);
  for (int i = patch.begin; i < patch.end; ++i)
    s.center += 0.5 / count * (points.p_A[at(i)] + points.p_B[at(i)]);
  for (int i = patch.begin; i < patch.end; ++i) {
    Vec3 y = 0.5 * (points.p_A[at(i)] + points.p_B[at(i)]) - s.center;
    y -= y.dot(s.normal) * s.normal;
    s.second += 1 / (3 * count) * y * y.transpose();
    s.arm += 0.5 / count * y.norm();
  }
}

}  // namespace

void measure_shadow(const Intersection& common, const Vec3& n, const Vec3& center,
                    ContactSurface& out) {
  Mat3 axes;
  axes.col(2) = n;
  axes.col(0) = n.unitOrthogonal();
  axes.col(1) = n.cross(axes.col(0));
  const auto flat = [&](const Vec3& v) {
    const Vec3 y = v - center;
    return Vec2(axes.col(0).dot(y), axes.col(1).dot(y));
  };
  double area = 0, arm = 0;
  Vec2 first = Vec2::Zero();
  Eigen::Matrix2d second = Eigen::Matrix2d::Zero();
  for (const Intersection::Face& face : common.faces) {
    // each of the two sheets covers the shadow once: half of both
    const bool up = face.area.dot(n) > 0;
    const std::span<const int> loop = common.loop(face);
    const Vec2 p = flat(common.vertices[at(loop[0])]);
    Vec2 q = flat(common.vertices[at(loop[1])]);
    if (up) arm += arm_integral(p, q);
    for (std::size_t k = 2; k < loop.size(); ++k) {
      const Vec2 r = flat(common.vertices[at(loop[k])]);
      const Vec2 a = q - p, b = r - p, sum = p + q + r;
      const double weight = 0.25 * std::abs(a.x() * b.y() - a.y() * b.x());
      area += weight;
      first += weight / 3 * sum;
      second += weight / 12 *
                (p * p.transpose() + q * q.transpose() + r * r.transpose() + sum * sum.transpose());
      if (up) arm += arm_integral(q, r);
      q = r;
    }
    if (up) arm += arm_integral(q, p);
  }
  out.area = area;
  if (!(area > 0)) return;
  const Eigen::Matrix<double, 3, 2> plane = axes.leftCols<2>();
  out.first = plane * (first / area);
  out.second = plane * (second / area) * plane.transpose();
  out.arm = arm / area;
}

void clip_pair(const PairView& pair, SurfaceBuffers& buffers, Intersection& common, CommonBy by) {
  const Convex &A = pair.solid_a(), &B = pair.solid_b();
  const Pose X_WA = pair.pose_a(), X_WB = pair.pose_b();
  const Vec3& n = pair.patch.normal;
  const double depth = std::max(-pair.patch.distance, 0.0);
  // where rings begin: fixed to the other, so that nothing turns with a ball
  const Vec3 n_A = X_WA.q.conjugate() * n, n_B = X_WB.q.conjugate() * -n;
  const Vec3 across_A = X_WA.q.conjugate() * (X_WB.q * n_B.unitOrthogonal());
  const Vec3 across_B = X_WB.q.conjugate() * (X_WA.q * n_A.unitOrthogonal());
  const Convex &flat_A = buffers.facets_A.around(A, n_A, across_A, depth),
               &flat_B = buffers.facets_B.around(B, n_B, across_B, depth);
  const Transform X_AB = relative(X_WA, X_WB);
  if (by == CommonBy::dual)
    common = dual_volume(flat_A, flat_B, X_AB);
  else
    clip_volume(flat_A, flat_B, X_AB, buffers.clip, common);
}

void find_common_part(const PairView& pair, const Vec3& last, const SurfaceOptions& options,
                      SurfaceBuffers& buffers, CommonPart& out) {
  out.X_WA = pair.pose_a();
  Intersection& common = out.common;
  const RoundPart& round = out.round;
  out.is_round =
      options.closed_forms && find_round_part(pair.solid_a(), out.X_WA, pair.solid_b(),
                                              pair.pose_b(), pair.patch.a, pair.patch.b, out.round);
  if (out.is_round)
    common.clear();
  else
    clip_pair(pair, buffers, common, options.by);

  const Vec3 side = last.isZero() ? pair.patch.normal : last;
  const double surface = out.is_round ? round.surface : common.area;
  out.area = out.is_round ? Vec3(round.rim * round.normal) : out.X_WA.q * common.area_A;
  // of prisms beside each other in a planar world, volume and shadow grow alike with the thickness
  if (options.plane) out.area[options.plane->n] = 0;
  out.of_area = options.normal == SurfaceNormal::area && out.area.norm() > kAreaCancels * surface;
  if (out.area.dot(side) < 0) out.area = -out.area;
  // walls between the parts of a geom are no surface of it: their area vectors mean nothing
  if (pair.patch.part_a >= 0 || pair.patch.part_b >= 0) {
    out.of_area = false;
    out.normal = pair.patch.normal;
    return;
  }
  if (out.of_area) {
    out.normal = out.area.normalized();
  } else {
    out.normal = options.normal == SurfaceNormal::area ? side : pair.patch.normal;
    if (out.normal.dot(side) < 0) out.normal = -out.normal;
  }
}

namespace {

// The shadow of a round part is an ellipse in the plane of its rim; along a normal that pieces of a
// body share, a part as thin as this has the shadow of that.
void from_round_part(const RoundPart& round, const Vec3& normal, ContactSurface& s) {
  const Mat3 flat = Mat3::Identity() - normal * normal.transpose();
  s.volume = round.volume;
  s.area = round.area * std::abs(round.normal.dot(normal));
  s.center = round.centroid;
  s.first = flat * (round.middle - round.centroid);
  s.second = flat * round.second() * flat + s.first * s.first.transpose();
  s.arm = round.arm();
}

}  // namespace

bool spread_surface(const CommonPart& part, const Vec3& normal, double L, ContactSurface& out) {
  const Intersection& common = part.common;
  const Mat3 R_WA = part.X_WA.q.toRotationMatrix();
  measure_shadow(common, R_WA.transpose() * normal, common.centroid, out);
  if (!(out.area > kNoShadow * L * L)) return false;
  out.normal = normal;
  out.volume = common.volume;
  out.center = part.X_WA * (common.origin + common.centroid);
  out.first = R_WA * out.first;
  out.second = R_WA * out.second * R_WA.transpose();
  return true;
}

ContactSurface contact_surface(const PairView& pair, const CommonPart& part, const Vec3& normal,
                               SurfaceBuffers& buffers) {
  ContactSurface s;
  s.depth = std::max(-pair.patch.distance, 0.0);
  s.normal = normal;
  const double L = pair_size(pair.solid_a(), pair.solid_b());
  s.grazes = s.depth <= kGrazingOverlap * L;
  if (part.is_round) {
    from_round_part(part.round, normal, s);
    if (s.area > kNoShadow * L * L) {
      s.tilting = tilting_part(pair, normal, s.second);
      return s;
    }
  } else if (part.common.volume > 0 && spread_surface(part, normal, L, s)) {
    s.tilting = tilting_part(pair, normal, s.second);
    return s;
  }
  // inscribed polyhedra may still be apart where the curved solids touch
  const auto is_exact = [](const Convex& c) { return c.is_half_space() || c.is_polyhedron(); };
  s.thin = true;
  s.area = 0;
  if (is_exact(pair.solid_a()) && is_exact(pair.solid_b()))
    from_points(pair, buffers, s);
  else
    s.depth = 0;
  return s;
}

}  // namespace abut
