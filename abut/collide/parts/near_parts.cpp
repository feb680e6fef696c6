#include "abut/collide/parts/near_parts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "abut/collide/parts/tolerances.h"

namespace abut {
namespace {

// Solids of more vertices have the box of their bounding ball.
constexpr int kMostVertices = 256;

Aabb everywhere() {
  Aabb box;
  box.max.setConstant(std::numeric_limits<double>::infinity());
  box.min = -box.max;
  return box;
}

// Box of a solid in another frame, grown by `reach`.
Aabb box_of(const Convex& c, const Transform& X, double reach) {
  if (c.is_half_space()) return everywhere();
  if (c.tessellation == nullptr || c.tessellation->vertex_count() > kMostVertices) {
    const Vec3 center = X * c.center;
    return inflated(Aabb{center, center}, c.radius + reach);
  }
  Aabb box;
  for (const Vec3& v : c.tessellation->vertices) box.merge(X * v);
  return inflated(box, reach + (c.is_polyhedron() ? 0 : kInscribed * c.size));
}

// First and last of `count` cells between -half and half that touch the interval.
std::pair<int, int> cells_between(double low, double high, double half, int count) {
  const auto cell = [&](double x) {
    return static_cast<int>(std::floor(std::clamp((x / half + 1) / 2, -1.0, 2.0) * count));
  };
  return {std::max(cell(low), 0), std::min(cell(high), count - 1)};
}

void cells_near(const HeightField& field, int first, const Aabb& box, std::vector<int>& out) {
  if (box.max.z() < -field.z_bottom) return;
  const auto [c0, c1] = cells_between(box.min.x(), box.max.x(), field.size.x(), field.cols - 1);
  const auto [r0, r1] = cells_between(box.min.y(), box.max.y(), field.size.y(), field.rows - 1);
  for (int r = r0; r <= r1; ++r)
    for (int c = c0; c <= c1; ++c)
      for (int half = 0; half < 2; ++half) {
        const double other = half == 0 ? field.at(r, c + 1) : field.at(r + 1, c);
        const double top = std::max({field.at(r, c), field.at(r + 1, c + 1), other});
        if (field.z_top * top >= box.min.z())
          out.push_back(first + 2 * (r * (field.cols - 1) + c) + half);
      }
}

// Parts of a geom that come into a box in its frame.
void parts_near(const ConvexSet& solids, int geom, const Aabb& box, std::vector<int>& out) {
  out.clear();
  const SolidNumbers& numbers = solids.numbers();
  if (!numbers.is_compound(geom)) return out.push_back(geom);
  const SolidNumbers::Range parts = numbers.parts(geom);
  if (parts.begin >= numbers.first_cell())
    return cells_near(*solids.cells().place(parts.begin).field, parts.begin, box, out);
  for (int part = parts.begin; part < parts.end; ++part)
    if (overlap(box_of(solids[part], Transform(), 0), box)) out.push_back(part);
}

}  // namespace

std::span<const int> NearParts::of(ConvexSet& solids, int a, const Transform& X_WA, int b,
                                   const Transform& X_WB, double reach) {
  parts_near(solids, a, box_of(solids[b], X_WA.inverse() * X_WB, reach), of_a_);
  for (const int part : of_a_) solids.make_ready(part);
  return of_a_;
}

std::span<const std::pair<int, int>> NearParts::find(ConvexSet& solids, int a,
                                                     const Transform& X_WA, int b,
                                                     const Transform& X_WB, double reach) {
  pairs_.clear();
  const Transform X_AB = X_WA.inverse() * X_WB, X_BA = X_AB.inverse();
  parts_near(solids, a, box_of(solids[b], X_AB, reach), of_a_);
  for (const int part_a : of_a_) {
    solids.make_ready(part_a);
    parts_near(solids, b, box_of(solids[part_a], X_BA, reach), of_b_);
    for (const int part_b : of_b_) {
      solids.make_ready(part_b);
      pairs_.emplace_back(part_a, part_b);
    }
  }
  return pairs_;
}

}  // namespace abut
