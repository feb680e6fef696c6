#include "abut/collide/volume/round_part.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "abut/collide/volume/intersection.h"

namespace abut {

namespace {

constexpr double kPi = std::numbers::pi;

// A stretched ball: x = center + D u, |u| <= 1. In the world's axes, relative to a common origin.
struct Stretched {
  Vec3 center;
  Mat3 D;
  double volume;  // det D
  bool is_ball;
  Vec3 ends = Vec3::Zero();  // of a capsule's end: unit, towards the round side; else 0
};

// The part of the unit ball where m . u <= tau.
struct UnitCap {
  Vec3 m;
  double tau, rho;

  UnitCap(const Vec3& axis, double cut)
      : m(axis), tau(cut), rho(std::sqrt(std::max(0.0, 1 - cut * cut))) {}
  double depth() const { return 1 + tau; }
  double volume() const { return kPi / 3 * depth() * depth() * (3 - depth()); }
  // Distance of the centroid from the ball's centre, towards the cap.
  double centroid() const { return 0.75 * (2 - depth()) * (2 - depth()) / (3 - depth()); }
  // Largest g . u over the cap.
  double support(const Vec3& g) const {
    const double length = g.norm(), along = m.dot(g);
    if (along <= tau * length) return length;
    return tau * along + rho * std::sqrt(std::max(0.0, length * length - along * along));
  }
};

bool is_round(const Convex& c) {
  return c.kind == ShapeKind::sphere || c.kind == ShapeKind::ellipsoid ||
         c.kind == ShapeKind::capsule;
}

// The part of a solid that reaches farthest along `way` (world), relative to `origin`.
Stretched stretched(const Convex& c, const Pose& X_W, const Vec3& origin, const Vec3& way) {
  const double r = c.dimensions[0];
  Stretched s{X_W.p - origin, r * Mat3::Identity(), r * r * r, true};
  if (c.kind == ShapeKind::ellipsoid) {
    s.D = X_W.q.toRotationMatrix() * c.dimensions.asDiagonal();
    s.volume = c.dimensions.prod();
    s.is_ball = false;
  } else if (c.kind == ShapeKind::capsule) {
    const Vec3 axis = X_W.q * Vec3::UnitZ();
    s.ends = axis.dot(way) >= 0 ? axis : Vec3(-axis);
    s.center += c.dimensions[1] * s.ends;
  }
  return s;
}

// The part of `s` below the plane eta . x = o (relative to the same origin), a face of another
// solid. Sets all members but the reaches and the normal. `across`: a direction in the plane.
bool cut_by_plane(const Stretched& s, const Vec3& eta, double o, const Vec3& across,
                  std::optional<UnitCap>& cap, RoundPart& out) {
  const Vec3 g = s.D.transpose() * eta;
  const double h = g.norm(), tau = (o - eta.dot(s.center)) / h;
  if (!(tau > -1)) return false;
  cap.emplace(g / h, std::min(tau, 1.0));
  // if the centre is below the plane, the projection is that of the whole ball
  const bool deep = s.is_ball && cap->tau > 0;
  if (!s.is_ball && cap->support(s.D.inverse() * eta) > 0) return false;
  if (!s.ends.isZero() && cap->support(-s.ends) > 0) return false;
  out.volume = cap->volume() * s.volume;
  out.centroid = s.center - cap->centroid() * (s.D * cap->m);
  out.rim = kPi * cap->rho * cap->rho * s.volume / h;
  out.surface = s.is_ball ? 2 * kPi * cap->depth() * h * h + out.rim : 2 * out.rim;
  const double rho = deep ? 1 : cap->rho;
  out.area = deep ? kPi * h * h : out.rim;
  const Vec3 along = s.D * cap->m;
  out.middle = s.center + cap->tau * along;
  out.lean = -cap->depth() * (along - eta.dot(along) * eta);
  const Vec3 v = (across - cap->m.dot(across) * cap->m).normalized();
  out.axes[0] = rho * (s.D * v);
  out.axes[1] = rho * (s.D * cap->m.cross(v));
  return true;
}

// Whether the cap is below all planes of a polyhedron but plane `own`.
bool is_inside(const Stretched& s, const UnitCap& cap, const Convex& solid, const Pose& X_WS,
               const Vec3& origin, int own) {
  const Mat3 R = X_WS.q.toRotationMatrix();
  const Mat3 D = R.transpose() * s.D;
  const Vec3 center = R.transpose() * (s.center - (X_WS.p - origin));
  const std::span<const Polyhedron::Face> planes = face_planes(solid);
  for (std::size_t k = 0; k < planes.size(); ++k) {
    if (static_cast<int>(k) == own) continue;
    const double room = planes[k].offset - planes[k].eta.dot(center);
    if (s.is_ball && room >= s.D(0, 0)) continue;
    if (cap.support(D.transpose() * planes[k].eta) > room) return false;
  }
  return true;
}

// A stretched ball and a solid with a plane; `sign` is 1 if the plane is A's.
bool with_plane(const Convex& round, const Pose& X_WR, const Convex& flat, const Pose& X_WF,
                const Feature& feature, double sign, RoundPart& out) {
  Vec3 eta = Vec3::UnitZ();
  double offset = 0;
  int own = 0;
  if (!flat.is_half_space()) {
    if (!flat.is_polyhedron() || feature.kind != FeatureKind::face || feature.index < 0)
      return false;
    own = feature.index;
    const Polyhedron::Face& face = flat.polyhedron->faces[static_cast<std::size_t>(own)];
    eta = face.eta;
    offset = face.offset;
  }
  const Vec3 across = X_WF.q * eta.unitOrthogonal();
  const Vec3 eta_W = X_WF.q * eta, origin = X_WR.p;
  const double o = offset - eta.dot(X_WF.q.conjugate() * (origin - X_WF.p));
  const Stretched s = stretched(round, X_WR, origin, -eta_W);
  std::optional<UnitCap> cap;
  if (!cut_by_plane(s, eta_W, o, across, cap, out)) return false;
  if (!flat.is_half_space() && !is_inside(s, *cap, flat, X_WF, origin, own)) return false;
  out.normal = sign * eta_W;
  const double depth = cap->depth() * (s.D.transpose() * eta_W).norm();
  out.reach_A = sign > 0 ? 0 : depth;
  out.reach_B = sign > 0 ? depth : 0;
  out.centroid += origin;
  out.middle += origin;
  return true;
}

// Largest g . (x - center) over one side of the lens, for the ends of capsules.
double side_support(const UnitCap& cap, double r, const Vec3& g) { return r * cap.support(g); }

// Two balls: caps on both sides of the plane in which their surfaces intersect.
bool lens(const Stretched& a, const Stretched& b, RoundPart& out) {
  const double ra = a.D(0, 0), rb = b.D(0, 0);
  const Vec3 ab = b.center - a.center;
  const double distance = ab.norm();
  if (!(distance > std::abs(ra - rb)) || distance >= ra + rb) return false;
  const Vec3 n = ab / distance;
  const double to_a = (distance * distance + ra * ra - rb * rb) / (2 * distance);
  const double to_b = distance - to_a;
  // A's cap is beyond the plane, seen from A
  const UnitCap ca(-n, -to_a / ra), cb(n, -to_b / rb);
  // a centre is beyond the plane: the projection is not that of the rim
  if (to_a < 0 || to_b < 0) return false;
  const auto reaches_behind = [&](const Stretched& own, const Stretched& other,
                                  const UnitCap& c_own, const UnitCap& c_other, double r_own,
                                  double r_other) {
    if (own.ends.isZero()) return false;
    return side_support(c_own, r_own, -own.ends) > 0 ||
           side_support(c_other, r_other, -own.ends) - own.ends.dot(other.center - own.center) > 0;
  };
  if (reaches_behind(a, b, ca, cb, ra, rb) || reaches_behind(b, a, cb, ca, rb, ra)) return false;
  const double va = ca.volume() * a.volume, vb = cb.volume() * b.volume;
  out.volume = va + vb;
  if (!(out.volume > 0)) return false;
  out.centroid =
      a.center + (va * ca.centroid() * ra + vb * (distance - cb.centroid() * rb)) / out.volume * n;
  const double rho = ra * ca.rho;
  out.rim = out.area = kPi * rho * rho;
  out.surface = 2 * kPi * (ca.depth() * ra * ra + cb.depth() * rb * rb);
  out.middle = a.center + to_a * n;
  out.lean.setZero();
  out.axes[0] = rho * n.unitOrthogonal();
  out.axes[1] = n.cross(out.axes[0]);
  out.reach_A = ca.depth() * ra;
  out.reach_B = cb.depth() * rb;
  out.normal = n;
  return true;
}

// The end of a capsule that is nearer to the other's centre, or to its nearer end.
bool two_balls(const Convex& A, const Pose& X_WA, const Convex& B, const Pose& X_WB,
               RoundPart& out) {
  if (A.kind == ShapeKind::ellipsoid || B.kind == ShapeKind::ellipsoid) return false;
  const Vec3 ab = X_WB.p - X_WA.p;
  const Stretched first = stretched(A, X_WA, X_WA.p, ab);
  const Stretched b = stretched(B, X_WB, X_WA.p, first.center - ab);
  const Stretched a = stretched(A, X_WA, X_WA.p, b.center);
  if (!lens(a, b, out)) return false;
  out.centroid += X_WA.p;
  out.middle += X_WA.p;
  return true;
}

}  // namespace

double RoundPart::arm() const {
  // |y| = r |e(t)| with e(t) on the rim: two thirds of the mean over t, here over eight places
  constexpr int kPlaces = 4;
  static const double kCos = std::cos(kPi / (2 * kPlaces)), kSin = std::sin(kPi / (2 * kPlaces));
  const double aa = axes[0].squaredNorm(), bb = axes[1].squaredNorm(), ab = axes[0].dot(axes[1]);
  double sum = 0;
  double c = kCos, s = kSin;
  for (int k = 0; k < kPlaces; ++k) {
    sum += std::sqrt(std::max(0.0, c * c * aa + s * s * bb + 2 * c * s * ab));
    const double turned = c * (kCos * kCos - kSin * kSin) - s * 2 * kSin * kCos;
    s = s * (kCos * kCos - kSin * kSin) + c * 2 * kSin * kCos;
    c = turned;
  }
  return 2 * sum / (3 * kPlaces);
}

bool find_round_part(const Convex& A, const Pose& X_WA, const Convex& B, const Pose& X_WB,
                     const Feature& a, const Feature& b, RoundPart& out) {
  const bool round_a = is_round(A), round_b = is_round(B);
  if (round_a && round_b) return two_balls(A, X_WA, B, X_WB, out);
  if (round_a) return with_plane(A, X_WA, B, X_WB, b, -1, out);
  if (round_b) return with_plane(B, X_WB, A, X_WA, a, 1, out);
  return false;
}

}  // namespace abut
