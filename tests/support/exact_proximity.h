// Signed distance of two polyhedra by plain and slow means, as a referee for the fast
// ones: in long double, by looking at everything, sharing no code with abut/collide.
//
//   apart        the point of least norm in the Minkowski difference, by trying all
//                subsets of at most four points; if its bounds do not meet, all pairs
//                of a vertex and a face and of two edges
//   overlapping  least width over the faces of A, the faces of B and all pairs of edges
//                whose arcs cross on the Gauss map. Edges that can't hold the answer are
//                left out first, so that 2,048 vertices near contact take milliseconds
//
//   const abut::test::Exact e = abut::test::exact_proximity(A, B, X_AB);
//   EXPECT_NEAR(d.distance, e.distance(), 1e-9 * L);
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "abut/math/transform.h"
#include "abut/shape/polyhedron.h"

namespace abut::test {

using Long = long double;
using LongVec3 = Eigen::Matrix<Long, 3, 1>;

// The true distance lies in [lower, upper].
struct Exact {
  Long lower = 0, upper = 0;
  Vec3 normal = Vec3::Zero();  // from A to B, A's frame

  double distance() const { return static_cast<double>(upper); }
  double doubt() const { return static_cast<double>(upper - lower); }
};

namespace exact {

inline std::vector<LongVec3> vertices_of(const Polyhedron& p, const Transform& X) {
  std::vector<LongVec3> out;
  out.reserve(p.vertices.size());
  for (const Vec3& v : p.vertices)
    out.push_back(X.p.cast<Long>() + X.R.cast<Long>() * v.cast<Long>());
  return out;
}

// The vertex farthest along `direction`, by looking at all of them.
template <typename Vector>
inline std::size_t farthest(const std::vector<Vector>& points, const Vector& direction) {
  std::size_t best = 0;
  auto most = points[0].dot(direction);
  for (std::size_t i = 1; i < points.size(); ++i) {
    const auto height = points[i].dot(direction);
    if (height > most) most = height, best = i;
  }
  return best;
}

struct Pair {
  std::vector<LongVec3> A, B;  // vertices, both in A's frame
  std::vector<Vec3> a, b;      // the same in double

  Pair(const Polyhedron& p, const Polyhedron& q, const Transform& X_AB)
      : A(vertices_of(p, {})), B(vertices_of(q, X_AB)) {
    for (const LongVec3& v : A) a.push_back(v.cast<double>());
    for (const LongVec3& v : B) b.push_back(v.cast<double>());
  }

  // The point of {a - b} farthest along d. Its height is how far B must go along d to be
  // clear of A, if d is a unit vector.
  LongVec3 support(const LongVec3& d) const {
    return A[farthest<LongVec3>(A, d)] - B[farthest<LongVec3>(B, -d)];
  }
  Vec3 support(const Vec3& d) const { return a[farthest<Vec3>(a, d)] - b[farthest<Vec3>(b, -d)]; }
  Long overlap(const LongVec3& d) const { return support(d).dot(d); }
  double overlap(const Vec3& d) const { return support(d).dot(d); }
};

// The point of least norm in the hull of at most four points, and which of them carry it.
struct Least {
  LongVec3 point;
  std::vector<LongVec3> carriers;
};

inline Least least_norm(std::span<const LongVec3> points) {
  Least best;
  Long shortest = std::numeric_limits<Long>::infinity();
  const auto count = static_cast<unsigned>(points.size());
  for (unsigned subset = 1; subset < 1u << count; ++subset) {
    std::vector<LongVec3> chosen;
    for (unsigned i = 0; i < count; ++i)
      if (subset >> i & 1) chosen.push_back(points[i]);
    // least norm on the affine hull, p0 + sum t_i e_i
    const LongVec3& p0 = chosen[0];
    LongVec3 w = p0, t = LongVec3::Zero(), e[3];
    for (std::size_t i = 1; i < chosen.size(); ++i) e[i - 1] = chosen[i] - p0;
    if (chosen.size() == 2) {
      t[0] = -p0.dot(e[0]) / e[0].squaredNorm();
      w += t[0] * e[0];
    } else if (chosen.size() == 3) {
      const LongVec3 n = e[0].cross(e[1]) / e[0].cross(e[1]).squaredNorm();
      t[0] = -p0.cross(e[1]).dot(n);
      t[1] = -e[0].cross(p0).dot(n);
      w = n.normalized() * n.normalized().dot(p0);
    } else if (chosen.size() == 4) {
      const LongVec3 n = e[1].cross(e[2]);
      t[0] = -p0.dot(n), t[1] = -e[0].dot(p0.cross(e[2])), t[2] = -e[0].dot(e[1].cross(p0));
      t /= e[0].dot(n);
      w.setZero();
    }
    if (!t.allFinite() || !w.allFinite() || t.minCoeff() < 0 || t.sum() > 1) continue;
    if (w.norm() < shortest) shortest = w.norm(), best = {w, chosen};
  }
  return best;
}

// Bounds of the distance when apart; 0 and 0 when they overlap.
inline Exact apart(const Pair& pair) {
  Exact e;
  // x runs over {b - a}: what is nearest to 0 there is the way from A to B
  std::vector<LongVec3> simplex{-pair.support(LongVec3(1, 0, 0))};
  Least now = least_norm(simplex);
  e.lower = -std::numeric_limits<Long>::infinity();
  e.upper = std::numeric_limits<Long>::infinity();
  for (int round = 0; round < 1000; ++round) {
    const Long length = now.point.norm();
    if (length < e.upper) e.upper = length;
    if (length <= 1e-18L * simplex.back().norm()) return {0, 0, Vec3::Zero()};
    const LongVec3 n = now.point / length;
    const LongVec3 x = -pair.support(n);
    const Long bound = x.dot(n);
    if (bound > e.lower) e.lower = bound, e.normal = n.cast<double>();
    const bool known = std::find(now.carriers.begin(), now.carriers.end(), x) != now.carriers.end();
    if (known || e.upper - e.lower < 1e-18L * (1 + e.upper)) break;
    simplex = now.carriers;
    simplex.push_back(x);
    now = least_norm(simplex);
  }
  return e;
}

// The least distance of a vertex from a face and of an edge from an edge: that of the
// solids, if they do not overlap.
inline Long feature_distance(const Polyhedron& p, const Polyhedron& q, const Pair& pair) {
  Long least = std::numeric_limits<Long>::infinity();
  const auto vertices_to_faces = [&](const std::vector<LongVec3>& points, const Polyhedron& poly,
                                     const std::vector<LongVec3>& corners) {
    const auto corner = [&](int v) -> const LongVec3& {
      return corners[static_cast<std::size_t>(v)];
    };
    for (int f = 0; f < poly.face_count(); ++f) {
      const std::span<const int> loop = poly.face_loop(f);
      for (std::size_t k = 2; k < loop.size(); ++k)
        for (const LongVec3& x : points) {
          const std::array triangle{LongVec3(corner(loop[0]) - x),
                                    LongVec3(corner(loop[k - 1]) - x),
                                    LongVec3(corner(loop[k]) - x)};
          least = std::min(least, least_norm(triangle).point.norm());
        }
    }
  };
  vertices_to_faces(pair.A, q, pair.B);
  vertices_to_faces(pair.B, p, pair.A);
  for (const Polyhedron::Edge& e : p.edges)
    for (const Polyhedron::Edge& f : q.edges) {
      // between their inner points; the ends were looked at above
      const LongVec3& a = pair.A[static_cast<std::size_t>(e.tail)];
      const LongVec3& b = pair.B[static_cast<std::size_t>(f.tail)];
      const LongVec3 u = pair.A[static_cast<std::size_t>(e.head)] - a;
      const LongVec3 v = pair.B[static_cast<std::size_t>(f.head)] - b;
      const LongVec3 n = u.cross(v), way = b - a;
      const Long s = way.cross(v).dot(n) / n.squaredNorm(),
                 t = way.cross(u).dot(n) / n.squaredNorm();
      if (s >= 0 && s <= 1 && t >= 0 && t <= 1)
        least = std::min(least, std::abs(way.dot(n.normalized())));
    }
  return least;
}

// A width that some direction has: first of a few, then by stepping about at random.
inline Vec3 narrow_direction(const Pair& pair, const Vec3& guess) {
  Vec3 best = Vec3::UnitX();
  double least = std::numeric_limits<double>::infinity();
  const auto look = [&](const Vec3& d) {
    const double length = d.norm();
    if (!(length > 0)) return false;
    const double width = pair.overlap(Vec3(d / length));
    if (width >= least) return false;
    least = width, best = d / length;
    return true;
  };
  for (int i = 0; i < 27; ++i) look(Vec3(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1));
  look(guess);
  std::uint64_t state = 12345;
  const auto random = [&] {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state >> 11) * 0x1p-52 - 1;
  };
  for (double step = 0.3; step > 1e-7;) {
    bool better = false;
    for (int i = 0; i < 6; ++i) better |= look(best + step * Vec3(random(), random(), random()));
    step *= better ? 1.2 : 0.5;
  }
  return best;
}

inline Exact overlapping(const Polyhedron& p, const Polyhedron& q, const Transform& X_AB,
                         const Pair& pair, const Vec3& guess) {
  Long depth = std::numeric_limits<Long>::infinity();
  LongVec3 normal = LongVec3::UnitX();
  // Points of {a - b} that were met: each bounds every width from below.
  std::vector<Vec3> met;
  const auto look = [&](const LongVec3& d) {
    const LongVec3 x = pair.support(d);
    if (met.size() < 256) met.push_back(x.cast<double>());
    const Long width = x.dot(d);
    if (width < depth) depth = width, normal = d;
  };
  for (int i = 0; i < 27; ++i)
    if (i != 13) met.push_back(pair.support(Vec3(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1)));
  const Vec3 start = narrow_direction(pair, guess);
  look(start.cast<Long>().normalized());
  const Vec3 side = start.unitOrthogonal(), other = start.cross(side);
  for (const double tilt : {0.01, 0.05, 0.2})
    for (int i = 0; i < 8; ++i)
      met.push_back(pair.support(
          Vec3(start + tilt * (std::cos(0.7854 * i) * side + std::sin(0.7854 * i) * other))));

  const double slack = 1e-12 * (p.size + q.size);
  // Widths of all directions between two unit normals are at least this: for one point,
  // d . x is at least the smaller of the two, if that is positive (d is shorter than 1
  // before it is made a unit vector).
  const auto too_wide = [&](const Vec3& eta1, const Vec3& eta2) {
    const double limit = static_cast<double>(depth) + slack;
    return std::any_of(met.begin(), met.end(),
                       [&](const Vec3& x) { return std::min(eta1.dot(x), eta2.dot(x)) > limit; });
  };
  const auto normals = [](const Polyhedron& poly, const Mat3& R) {
    std::vector<Vec3> out;
    for (const Polyhedron::Face& face : poly.faces) out.push_back((R * face.eta).normalized());
    return out;
  };
  const std::vector<Vec3> eta_A = normals(p, Mat3::Identity()), eta_B = normals(q, -X_AB.R);
  for (const auto* etas : {&eta_A, &eta_B})
    for (const Vec3& eta : *etas)
      if (!too_wide(eta, eta)) look(eta.cast<Long>().normalized());

  struct Arc {
    LongVec3 from, to, along;  // unit normals of the two faces; the edge
  };
  const auto arcs = [&](const Polyhedron& poly, const std::vector<Vec3>& eta,
                        const std::vector<LongVec3>& vertices) {
    std::vector<Arc> out;
    for (const Polyhedron::Edge& e : poly.edges) {
      const auto f1 = static_cast<std::size_t>(e.f1), f2 = static_cast<std::size_t>(e.f2);
      if (too_wide(eta[f1], eta[f2])) continue;
      const LongVec3 along =
          vertices[static_cast<std::size_t>(e.head)] - vertices[static_cast<std::size_t>(e.tail)];
      out.push_back({eta[f1].cast<Long>(), eta[f2].cast<Long>(), along.normalized()});
    }
    return out;
  };
  const std::vector<Arc> of_A = arcs(p, eta_A, pair.A), of_B = arcs(q, eta_B, pair.B);
  // A direction between two normals, with some slack: looking once too often does no harm.
  const auto between = [](const Arc& arc, const LongVec3& d) {
    const LongVec3 middle = arc.from + arc.to;
    const Long least = std::min(arc.from.dot(middle), arc.to.dot(middle));
    return d.dot(middle) >= least - 1e-9L;
  };
  for (const Arc& s : of_A)
    for (const Arc& t : of_B) {
      const LongVec3 across = s.along.cross(t.along);
      const Long length = across.norm();
      if (length < 1e-15L) continue;  // parallel: the faces beside them are candidates
      LongVec3 d = across / length;
      if (d.dot(s.from + s.to) < 0) d = -d;
      if (between(s, d) && between(t, d)) look(d);
    }
  return {-depth, -depth, normal.cast<double>()};
}

}  // namespace exact

// `guess`: a direction that may be near the normal; it only saves time.
inline Exact exact_proximity(const Polyhedron& A, const Polyhedron& B, const Transform& X_AB,
                             const Vec3& guess = Vec3::Zero()) {
  const exact::Pair pair(A, B, X_AB);
  Exact e = exact::apart(pair);
  const Long sure = 1e-14L * (A.size + B.size);
  if (e.lower > 0 && e.upper - e.lower <= sure) return e;
  const Exact widths = exact::overlapping(A, B, X_AB, pair, guess);
  if (widths.upper < 0) return widths;
  // so near, or so flat, that rounding ended the search: look at everything
  e.upper = std::min(e.upper, exact::feature_distance(A, B, pair));
  if (widths.upper > e.lower) e.lower = widths.upper, e.normal = widths.normal;
  return e;
}

}  // namespace abut::test
