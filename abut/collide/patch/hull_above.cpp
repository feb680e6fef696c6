#include "abut/collide/patch/hull_above.h"

#include <algorithm>
#include <cmath>

#include "abut/collide/patch/tolerances.h"

namespace abut {
namespace {

constexpr int kMostRounds = 64;

struct Nearest {
  Vec3 v;
  std::array<Vec3, 4> points;
  int count;
};

Nearest nearest_of_segment(const Vec3& a, const Vec3& b) {
  const Vec3 ab = b - a;
  const double along = -a.dot(ab), length = ab.squaredNorm();
  if (!(along > 0)) return {a, {a}, 1};
  if (along >= length) return {b, {b}, 1};
  return {a + along / length * ab, {a, b}, 2};
}

// Nearer of two answers; the first of equals.
const Nearest& nearer(const Nearest& p, const Nearest& q) {
  return q.v.squaredNorm() < p.v.squaredNorm() ? q : p;
}

Nearest nearest_of_triangle(const Vec3& a, const Vec3& b, const Vec3& c) {
  const Vec3 n = (b - a).cross(c - a);
  const double area = n.squaredNorm();
  // signed areas of the parts that the origin's projection cuts the triangle into
  const double part_a = n.dot(b.cross(c)), part_b = n.dot(c.cross(a)), part_c = n.dot(a.cross(b));
  if (area > 0 && part_a > 0 && part_b > 0 && part_c > 0)
    return {n.dot(a) / area * n, {a, b, c}, 3};
  return nearer(nearer(nearest_of_segment(a, b), nearest_of_segment(b, c)),
                nearest_of_segment(c, a));
}

bool holds_origin(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  const auto same_side = [](const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& other) {
    const Vec3 n = (q - p).cross(r - p);
    return -n.dot(p) * n.dot(other - p) > 0;
  };
  return same_side(a, b, c, d) && same_side(b, c, d, a) && same_side(c, d, a, b) &&
         same_side(d, a, b, c);
}

Nearest nearest_of_tetrahedron(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& d) {
  if (holds_origin(a, b, c, d)) return {Vec3::Zero(), {a, b, c, d}, 4};
  return nearer(nearer(nearest_of_triangle(a, b, c), nearest_of_triangle(a, b, d)),
                nearer(nearest_of_triangle(a, c, d), nearest_of_triangle(b, c, d)));
}

}  // namespace

Vec3 nearest_of_simplex(std::array<Vec3, 4>& points, int& count) {
  const auto& [a, b, c, d] = points;
  const Nearest best = count == 1   ? Nearest{a, {a}, 1}
                       : count == 2 ? nearest_of_segment(a, b)
                       : count == 3 ? nearest_of_triangle(a, b, c)
                                    : nearest_of_tetrahedron(a, b, c, d);
  points = best.points;
  count = best.count;
  return best.v;
}

Vec3 HullAbove::support(const Vec3& direction) const {
  const Vec3* best = &points_[0];
  double most = direction.dot(*best);
  for (int i = 1; i < count_; ++i) {
    const Vec3& p = points_[static_cast<std::size_t>(i)];
    const double far = direction.dot(p);
    if (far <= most) continue;
    most = far;
    best = &p;
  }
  return direction.z() > 0 ? Vec3(*best + rise_ * Vec3::UnitZ()) : *best;
}

double HullAbove::distance(const Vec3& x, double near) const {
  std::array<Vec3, 4> simplex{support(x - middle()) - x};
  int count = 1;
  Vec3 v = simplex[0];
  double far = v.squaredNorm();
  for (int round = 0; round < kMostRounds && far > near * near; ++round) {
    const Vec3 w = support(-v) - x;
    if (far - v.dot(w) <= kHullRefined * far) break;
    simplex[static_cast<std::size_t>(count++)] = w;
    const Vec3 next = nearest_of_simplex(simplex, count);
    if (count == 4) return 0;
    // rounding leaves nothing to gain
    if (!(next.squaredNorm() < far)) break;
    v = next;
    far = v.squaredNorm();
  }
  return std::sqrt(far);
}

}  // namespace abut
