#include "abut/shape/field/triangle_point.h"

namespace abut {

TrianglePoint nearest_on_triangle(const std::array<Vec3, 3>& corners, const Vec3& x) {
  using enum TrianglePart;
  const auto& [a, b, c] = corners;
  const Vec3 ab = b - a, ac = c - a, ax = x - a;
  const double d1 = ab.dot(ax), d2 = ac.dot(ax);
  if (d1 <= 0 && d2 <= 0) return {a, corner0};
  const Vec3 bx = x - b;
  const double d3 = ab.dot(bx), d4 = ac.dot(bx);
  if (d3 >= 0 && d4 <= d3) return {b, corner1};
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return {a + d1 / (d1 - d3) * ab, side01};
  const Vec3 cx = x - c;
  const double d5 = ab.dot(cx), d6 = ac.dot(cx);
  if (d6 >= 0 && d5 <= d6) return {c, corner2};
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return {a + d2 / (d2 - d6) * ac, side20};
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0)
    return {b + (d4 - d3) / ((d4 - d3) + (d5 - d6)) * (c - b), side12};
  const double sum = va + vb + vc;
  if (!(sum > 0)) return {a, corner0};  // a triangle without area
  return {a + vb / sum * ab + vc / sum * ac, inside};
}

}  // namespace abut
