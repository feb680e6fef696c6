#include "abut/collide/manifold/contact_plane.h"

#include <cmath>
#include <limits>

#include "abut/collide/manifold/tolerances.h"
#include "abut/collide/tolerances.h"

namespace abut {
namespace {

// The least n.x of a solid; a half-space has one only along its own inward normal.
double lowest(const Convex& solid, const Transform& X, const Vec3& n) {
  if (solid.is_half_space()) {
    const bool facing = (n + X.R.col(2)).norm() <= kSameDirection;
    return facing ? n.dot(X.p) : -std::numeric_limits<double>::infinity();
  }
  const Vec3 local = X.R.transpose() * n;
  double least = std::numeric_limits<double>::infinity();
  for (const Vec3& v : solid.tessellation->vertices) least = std::min(least, local.dot(v));
  return least + n.dot(X.p);
}

// Calls fn(eta, offset) for every face, placed by X.
template <class Fn>
void over_faces(const Convex& solid, const Transform& X, const Fn& fn) {
  if (solid.is_half_space()) return fn(X.R.col(2), X.R.col(2).dot(X.p));
  for (const Polyhedron::Face& f : solid.tessellation->faces) {
    const Vec3 eta = X.R * f.eta;
    fn(eta, f.offset + eta.dot(X.p));
  }
}

}  // namespace

ContactPlane contact_plane(const Convex& A, const Convex& B, const Transform& X_AB,
                           const Vec3& common_point) {
  const Transform X_AA;
  const double L = pair_size(A, B);
  ContactPlane plane;
  for (double width = kFirstPlaneWidth; !plane.found && width < 2 * kLastPlaneWidth; width *= 10) {
    plane.tolerance = width * L;
    const auto look = [&](const Convex& mine, const Transform& X_mine, const Convex& other,
                          const Transform& X_other, double sign) {
      over_faces(mine, X_mine, [&](const Vec3& eta, double offset) {
        if (std::abs(eta.dot(common_point) - offset) > plane.tolerance) return;
        if (lowest(other, X_other, eta) < offset - 2 * plane.tolerance) return;
        const Vec3 n = sign * eta;
        if (!plane.found) {
          plane.found = true;
          plane.normal = n;
        } else if ((n - plane.normal).norm() > kSameDirection) {
          plane.indeterminate = true;
        }
      });
    };
    look(A, X_AA, B, X_AB, 1);
    look(B, X_AB, A, X_AA, -1);
  }
  plane.offset = plane.normal.dot(common_point);
  return plane;
}

}  // namespace abut
