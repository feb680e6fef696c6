#include "abut/simulate/derive/contact_slopes.h"

#include <algorithm>

#include "abut/math/index.h"
#include "abut/simulate/derive/tolerances.h"

namespace abut {

namespace {

// Whether p is a corner, the centre of a sphere, or an end of a capsule's segment.
bool is_corner(const Convex& solid, const Pose& X, const Vec3& p_W, double tolerance) {
  const Vec3 p = X.inverse() * p_W;
  const auto same = [&](const Vec3& corner) { return (p - corner).norm() <= tolerance; };
  if (solid.kind == ShapeKind::sphere) return same(Vec3::Zero());
  if (solid.kind == ShapeKind::capsule)
    return same({0, 0, solid.dimensions[1]}) || same({0, 0, -solid.dimensions[1]});
  if (!solid.is_polyhedron()) return false;
  const std::vector<Vec3>& corners = solid.polyhedron->vertices;
  return std::any_of(corners.begin(), corners.end(), same);
}

// Whether the solid has a face in the plane through p with this outward normal.
bool has_face(const Convex& solid, const Pose& X, const Vec3& normal_W, const Vec3& p_W,
              double tolerance) {
  const Vec3 n = X.q.conjugate() * normal_W, p = X.inverse() * p_W;
  const auto same = [&](const Vec3& eta, double offset) {
    return (n - eta).norm() <= kSameCorner && std::abs(eta.dot(p) - offset) <= tolerance;
  };
  if (solid.is_half_space()) return same(Vec3::UnitZ(), 0);
  if (!solid.is_polyhedron()) return false;
  const auto& faces = solid.polyhedron->faces;
  return std::any_of(faces.begin(), faces.end(),
                     [&](const Polyhedron::Face& f) { return same(f.eta, f.offset); });
}

}  // namespace

std::optional<ContactFeature> ContactFeature::find(const ConvexSet& solids, const ContactData& data,
                                                   const Patch& patch, int point, const Pose& X_WA,
                                                   const Pose& X_WB) {
  if (patch.of_field || patch.part_a >= 0 || patch.part_b >= 0) return {};
  const Convex &A = solids[patch.geom_a], &B = solids[patch.geom_b];
  const Vec3 &n = patch.normal, &p_A = data.points.p_A[at(point)],
             &p_B = data.points.p_B[at(point)];
  ContactFeature f;
  f.n_ = n;
  f.size_ = (A.is_half_space() ? 0 : A.size) + (B.is_half_space() ? 0 : B.size);
  f.r_A_ = A.rounding, f.r_B_ = B.rounding;
  f.x_A_ = p_A - f.r_A_ * n, f.x_B_ = p_B + f.r_B_ * n;
  const double near = kSameCorner * f.size_;
  // of a contact that was found at the end of the step, each point has gone back with its own solid
  if ((p_B - p_A).cross(n).norm() > near) return {};
  const bool corner_A = is_corner(A, X_WA, f.x_A_, near),
             corner_B = is_corner(B, X_WB, f.x_B_, near);
  const bool face_A = corner_B && has_face(A, X_WA, n, p_A, near);
  const bool face_B = corner_A && has_face(B, X_WB, -n, p_B, near);
  if (face_A)
    f.kind_ = Kind::face_of_a;
  else if (face_B)
    f.kind_ = Kind::face_of_b;
  else if (!corner_A || !corner_B || (f.x_B_ - f.x_A_).dot(n) <= near)
    return {};
  f.ambiguous_ =
      face_A && !A.is_half_space() && !B.is_half_space() && has_face(B, X_WB, -n, p_B, near);
  return f;
}

double ContactFeature::psi() const { return n_.dot(x_B_ - x_A_) - r_A_ - r_B_; }

Vec3 ContactFeature::position() const { return 0.5 * (x_A_ + r_A_ * n_ + x_B_ - r_B_ * n_); }

ContactRate ContactFeature::rate(const RigidRate& A, const RigidRate& B) const {
  ContactRate out;
  const double psi = this->psi();
  if (kind_ == Kind::face_of_a) {
    const Vec3 dx = B.velocity(x_B_);
    out.normal = A.twist.ang.cross(n_);
    out.psi = n_.dot(dx - A.velocity(x_B_));
    out.position = dx - (r_B_ + 0.5 * psi) * out.normal - 0.5 * out.psi * n_;
  } else if (kind_ == Kind::face_of_b) {
    const Vec3 dx = A.velocity(x_A_);
    out.normal = B.twist.ang.cross(n_);
    out.psi = n_.dot(B.velocity(x_A_) - dx);
    out.position = dx + (r_A_ + 0.5 * psi) * out.normal + 0.5 * out.psi * n_;
  } else {
    const Vec3 dA = A.velocity(x_A_), dB = B.velocity(x_B_), d = dB - dA;
    out.normal = (d - n_ * n_.dot(d)) / (x_B_ - x_A_).norm();
    out.psi = n_.dot(d);
    out.position = 0.5 * (dA + dB + (r_A_ - r_B_) * out.normal);
  }
  return out;
}

}  // namespace abut
