#include "abut/collide/proximity/cold/gjk.h"

#include <cmath>

#include "abut/collide/proximity/tolerances.h"

namespace abut {
namespace {

constexpr int kMostIterations = 256;
// The point nearest to the origin in a part of the simplex: the vertices (ascending) and their
// weights.
struct Nearest {
  Vec3 v;
  double squared = std::numeric_limits<double>::infinity();
  int count = 0;
  std::array<int, 3> index{};
  std::array<double, 3> weight{};
};

void try_vertex(const Simplex& s, int i, Nearest& best) {
  const Vec3& p = s.vertex[static_cast<std::size_t>(i)].w;
  const double squared = p.squaredNorm();
  if (squared >= best.squared) return;
  best = {p, squared, 1, {i, 0, 0}, {1, 0, 0}};
}

void try_segment(const Simplex& s, int i, int j, Nearest& best) {
  const Vec3& p = s.vertex[static_cast<std::size_t>(i)].w;
  const Vec3& q = s.vertex[static_cast<std::size_t>(j)].w;
  const Vec3 e = q - p;
  // measured from the nearer end, which loses fewer digits
  const double from_p = -e.dot(p), from_q = e.dot(q);
  if (from_p <= 0) return try_vertex(s, i, best);
  if (from_q <= 0) return try_vertex(s, j, best);
  const double sum = from_p + from_q;
  const double t = from_p / sum, u = from_q / sum;
  const Vec3 v = t < u ? Vec3(p + t * e) : Vec3(q - u * e);
  const double squared = v.squaredNorm();
  if (squared >= best.squared) return;
  best = {v, squared, 2, {i, j, 0}, {u, t, 0}};
}

void try_triangle(const Simplex& s, int i, int j, int k, Nearest& best) {
  const Vec3& p = s.vertex[static_cast<std::size_t>(i)].w;
  const Vec3& q = s.vertex[static_cast<std::size_t>(j)].w;
  const Vec3& r = s.vertex[static_cast<std::size_t>(k)].w;
  const Vec3 n = (q - p).cross(r - p);
  const double nn = n.squaredNorm();
  // twice the areas, times |n|, of the triangles with the projected origin
  const double at_p = n.dot(q.cross(r)), at_q = n.dot(r.cross(p)), at_r = n.dot(p.cross(q));
  if (at_p > 0 && at_q > 0 && at_r > 0) {
    const double sum = at_p + at_q + at_r;
    // the height over the plane, from the nearest of the three vertices
    const double pp = p.squaredNorm(), qq = q.squaredNorm(), rr = r.squaredNorm();
    const Vec3& near = pp <= qq ? (pp <= rr ? p : r) : (qq <= rr ? q : r);
    const Vec3 v = n * (n.dot(near) / nn);
    const double squared = v.squaredNorm();
    if (squared >= best.squared) return;
    best = {v, squared, 3, {i, j, k}, {at_p / sum, at_q / sum, at_r / sum}};
    return;
  }
  if (at_r <= 0) try_segment(s, i, j, best);
  if (at_p <= 0) try_segment(s, j, k, best);
  if (at_q <= 0) try_segment(s, i, k, best);
}

// Returns whether the origin is inside the tetrahedron. Otherwise finds the nearest of its faces
// that contain the last vertex (the opposite face cannot be nearer: the search moved away from it).
bool tetrahedron(const Simplex& s, Nearest& best) {
  const Vec3& a = s.vertex[0].w;
  const Vec3& b = s.vertex[1].w;
  const Vec3& c = s.vertex[2].w;
  const Vec3& d = s.vertex[3].w;
  const Vec3 cd = c.cross(d), ab = a.cross(b);
  // volumes of the origin with three vertices, each with the sign of the total if the origin is on
  // the inner side
  const double A = b.dot(cd), B = -a.dot(cd), C = d.dot(ab), D = -c.dot(ab);
  const double sign = A + B + C + D > 0 ? 1 : -1;
  const bool in_A = sign * A > 0, in_B = sign * B > 0, in_C = sign * C > 0, in_D = sign * D > 0;
  if (in_A && in_B && in_C && in_D) return true;
  if (!in_A) try_triangle(s, 1, 2, 3, best);
  if (!in_B) try_triangle(s, 0, 2, 3, best);
  if (!in_C) try_triangle(s, 0, 1, 3, best);
  if (!in_D) try_triangle(s, 0, 1, 2, best);
  return false;
}

// The nearest part of a simplex with a new last vertex; false if the origin is inside.
bool nearest_part(const Simplex& s, Nearest& best) {
  switch (s.count) {
    case 2:
      try_segment(s, 0, 1, best);
      return true;
    case 3:
      try_triangle(s, 0, 1, 2, best);
      return true;
    default:
      return !tetrahedron(s, best);
  }
}

void keep_part(Simplex& s, const Nearest& best) {
  for (int i = 0; i < best.count; ++i) {
    const auto to = static_cast<std::size_t>(i);
    if (best.index[to] != i) s.vertex[to] = s.vertex[static_cast<std::size_t>(best.index[to])];
    s.weight[to] = best.weight[to];
  }
  s.count = best.count;
}

bool holds(const Simplex& s, const DifferenceVertex& w) {
  for (int i = 0; i < s.count; ++i) {
    const DifferenceVertex& x = s.vertex[static_cast<std::size_t>(i)];
    if (x.a == w.a && x.b == w.b) return true;
  }
  return false;
}

}  // namespace

GjkAnswer gjk(const SupportMap& A, const SupportMap& B, const Transform& X_AB, const Vec3& start,
              const GjkOptions& options) {
  GjkAnswer g;
  Simplex& s = g.simplex;
  s.vertex[0] = difference_support(A, B, X_AB, -start);
  s.weight[0] = 1;
  s.count = 1;
  g.v = s.vertex[0].w;
  double squared = g.v.squaredNorm();
  const double touch = options.touch * options.touch;
  const double limit = options.limit * options.limit;

  for (g.iterations = 1; g.iterations < kMostIterations; ++g.iterations) {
    if (squared <= touch) return g;
    const DifferenceVertex w = difference_support(A, B, X_AB, -g.v);
    const double along = g.v.dot(w.w);  // |v| times a lower bound of the distance
    if (along > 0 && along * along > limit * squared) {
      g.status = GjkStatus::beyond_limit;
      g.lower_bound = along / std::sqrt(squared);
      return g;
    }
    g.converged = squared - along <= kGjkGood * squared;
    if (squared - along <= kGjkConverged * squared || holds(s, w)) break;

    // the new vertex is last, and is dropped again if it does not help
    s.vertex[static_cast<std::size_t>(s.count)] = w;
    const int before = s.count++;
    Nearest best;
    if (!nearest_part(s, best)) return g;
    if (!(best.squared < squared)) {  // no progress: the rest is rounding
      s.count = before;
      break;
    }
    keep_part(s, best);
    g.v = best.v;
    squared = best.squared;
  }
  g.status = squared <= touch ? GjkStatus::touching : GjkStatus::apart;
  g.lower_bound = std::sqrt(squared);
  return g;
}

}  // namespace abut
