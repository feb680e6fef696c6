#include "abut/collide/contact_drawing.h"

#include <algorithm>

#include "abut/collide/tolerances.h"

namespace abut {
namespace {

// A part of the half-space's surface below the other solid.
Drawing::Sheet sheet(const Pose& X_W, const Vec3& below, double half, Role role) {
  const Vec3 n = X_W.q * Vec3::UnitZ(), x = X_W.q * Vec3::UnitX(), y = X_W.q * Vec3::UnitY();
  const Vec3 middle = below - n.dot(below - X_W.p) * n;
  return {{middle - half * x - half * y, middle + half * x - half * y, middle + half * x + half * y,
           middle - half * x + half * y},
          role,
          ""};
}

void add(Drawing& drawing, const Convex& solid, const Pose& X_W, const Convex& other,
         const Pose& X_WO, Role role) {
  if (solid.is_half_space())
    drawing.sheets.push_back(sheet(X_W, X_WO.p, 0.75 * other.size, role));
  else if (solid.tessellation)
    drawing.solids.push_back({transformed(*solid.tessellation, X_W), role, ""});
}

}  // namespace

Drawing contact_drawing(const Convex& A, const Pose& X_WA, const Convex& B, const Pose& X_WB,
                        const Proximity& d, std::span<const Vec3> points) {
  Drawing drawing;
  add(drawing, A, X_WA, B, X_WB, Role::a);
  add(drawing, B, X_WB, A, X_WA, Role::b);

  for (const Vec3& p : points) drawing.dots.push_back({p, ""});
  if (points.size() > 1) drawing.outlines.emplace_back(points.begin(), points.end());

  if (d.normal.norm() > 0 && !d.indeterminate) {
    Vec3 middle = 0.5 * (d.p_A + d.p_B);
    if (!points.empty()) {
      middle.setZero();
      for (const Vec3& p : points) middle += p / static_cast<double>(points.size());
    }
    const double smaller = A.is_half_space()   ? B.size
                           : B.is_half_space() ? A.size
                                               : std::min(A.size, B.size);
    drawing.arrows.push_back({middle, middle + 0.3 * smaller * d.normal, "n", Role::other});
    if (d.distance > kDrawnGap * smaller) drawing.outlines.push_back({d.p_A, d.p_B});
  }
  return drawing;
}

}  // namespace abut
