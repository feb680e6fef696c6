#include "abut/collide/core_proximity.h"

#include <algorithm>
#include <cmath>

#include "abut/collide/expansion.h"
#include "abut/collide/gjk.h"
#include "abut/collide/remember.h"
#include "abut/collide/sat.h"

namespace abut {
namespace {

// Relative to L. Nearer than this, GJK's own vector is rounding: the expanding polytope
// knows the normal better.
constexpr double kTouch = 2e-10;
// Relative to L: when the bounds of the least translation agree.
constexpr double kAgree = 1e-12;
// A face whose normal is within this of the one found (1 - cosine) may be the one meant.
constexpr double kAligned = 1e-7;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// The different vertices of one solid in a simplex or a face of the difference.
struct VertexSet {
  std::array<int, 4> vertex{};
  int count = 0;

  void add(int v) {
    for (int i = 0; i < count; ++i)
      if (vertex[at(i)] == v) return;
    vertex[at(count++)] = v;
  }
};

bool has_face(const Polyhedron& p, int vertex, int face) {
  const std::span<const int> faces = p.faces_around(vertex);
  return std::find(faces.begin(), faces.end(), face) != faces.end();
}

// A face that holds all the vertices, -1: none.
int common_face(const Polyhedron& p, const VertexSet& set) {
  for (const int f : p.faces_around(set.vertex[0])) {
    bool all = true;
    for (int i = 1; i < set.count && all; ++i) all = has_face(p, set.vertex[at(i)], f);
    if (all) return f;
  }
  return -1;
}

// The edge between two vertices, -1: none.
int common_edge(const Polyhedron& p, int u, int v) {
  const std::span<const int> near = p.neighbours(u);
  for (std::size_t k = 0; k < near.size(); ++k)
    if (near[k] == v) return p.edges_around(u)[k];
  return -1;
}

// The least feature that holds the vertices.
Feature spanned(const Convex& c, const VertexSet& set) {
  if (!c.polyhedron) return {FeatureKind::surface, 0};
  if (set.count == 1) return {FeatureKind::vertex, set.vertex[0]};
  if (set.count == 2) {
    const int e = common_edge(*c.polyhedron, set.vertex[0], set.vertex[1]);
    if (e >= 0) return {FeatureKind::edge, e};
  }
  const int f = common_face(*c.polyhedron, set);
  if (f >= 0) return {FeatureKind::face, f};
  return {FeatureKind::vertex, set.vertex[0]};
}

Vec3 edge_vector(const Polyhedron& p, int e) {
  return p.vertices[at(p.edges[at(e)].head)] - p.vertices[at(p.edges[at(e)].tail)];
}

struct Pair {
  const Convex& A;
  const Convex& B;
  const Transform& X_AB;
  double L;

  // Gap of the planes across n that hold the two cores between them: > 0 parts them.
  double separation(const Vec3& n) const {
    const int a = A.support->farthest(n);
    const int b = B.support->farthest(-(X_AB.R.transpose() * n));
    return n.dot(X_AB * B.support->vertex(b) - A.support->vertex(a));
  }
  // The normal a pair of features defines, from A to B, on the side of `near`; false if
  // it defines none.
  bool normal_of(const Feature& a, const Feature& b, const Vec3& near, Vec3& n) const {
    if (a.kind == FeatureKind::face) {
      n = A.polyhedron->faces[at(a.index)].eta;
    } else if (b.kind == FeatureKind::face) {
      n = -(X_AB.R * B.polyhedron->faces[at(b.index)].eta);
    } else if (a.kind == FeatureKind::edge && b.kind == FeatureKind::edge) {
      const Vec3 e = edge_vector(*A.polyhedron, a.index);
      const Vec3 f = X_AB.R * edge_vector(*B.polyhedron, b.index);
      const Vec3 cross = e.cross(f);
      const double length = cross.norm();
      if (length <= 1e-9 * e.norm() * f.norm()) return false;
      n = cross / (cross.dot(near) < 0 ? -length : length);
    } else {
      return false;
    }
    return true;
  }
};

// Grows the cores' answer to the solids'.
void add_rounding(const Convex& A, const Convex& B, Proximity& d) {
  d.p_A += A.rounding * d.normal;
  d.p_B -= B.rounding * d.normal;
  d.distance -= A.rounding + B.rounding;
}

Proximity apart(const Pair& pair, const GjkAnswer& g) {
  const Simplex& s = g.simplex;
  VertexSet of_a, of_b;
  for (int i = 0; i < s.count; ++i) {
    of_a.add(s.vertex[at(i)].a);
    of_b.add(s.vertex[at(i)].b);
  }
  Proximity d;
  d.a = spanned(pair.A, of_a);
  d.b = spanned(pair.B, of_b);

  // GJK's vector, freed of what rounding left along the simplex
  Vec3 n = g.v;
  if (s.count == 2) {
    const Vec3 e = s.vertex[1].w - s.vertex[0].w;
    n -= e * (n.dot(e) / e.squaredNorm());
  }
  n.normalize();
  // the normal of the features, if that is what it means
  Vec3 exact;
  if (s.count == 3 && pair.normal_of(d.a, d.b, n, exact) && exact.dot(n) > 1 - kAligned) n = exact;

  d.normal = n;
  for (int i = 0; i < s.count; ++i)
    d.p_A += s.weight[at(i)] * pair.A.support->vertex(s.vertex[at(i)].a);
  // the vertex nearest along n: for a face the others differ by rounding only
  double distance = std::numeric_limits<double>::infinity();
  for (int i = 0; i < s.count; ++i) distance = std::min(distance, n.dot(s.vertex[at(i)].w));
  d.distance = s.count == 1 ? g.v.norm() : distance;
  d.p_B = d.p_A + d.distance * n;
  return d;
}

// Weights of the origin's projection on a triangle, made to lie in it.
std::array<double, 3> weights_in(const std::array<DifferenceVertex, 3>& t, const Vec3& n) {
  std::array<double, 3> w{};
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    const Vec3 &q = t[at((i + 1) % 3)].w, &r = t[at((i + 2) % 3)].w;
    w[at(i)] = std::max(0.0, n.dot(r.cross(q)));
    sum += w[at(i)];
  }
  if (!(sum > 0)) return {1, 0, 0};
  for (double& x : w) x /= sum;
  return w;
}

// The feature pair whose plane is the nearest face of the difference, and its normal.
struct Reference {
  Feature a, b;
  Vec3 normal;
  double distance = -std::numeric_limits<double>::infinity();
};

// Tries the face of one solid that holds the vertices and has the normal `near`.
void try_face(const Pair& pair, bool of_a, const VertexSet& set, const Vec3& near,
              Reference& best) {
  const Convex& owner = of_a ? pair.A : pair.B;
  if (!owner.polyhedron || set.count < 2) return;
  const Polyhedron& p = *owner.polyhedron;
  const Vec3 outward = of_a ? near : Vec3(-(pair.X_AB.R.transpose() * near));
  int face = -1;
  double aligned = 1 - kAligned;
  for (const int f : p.faces_around(set.vertex[0])) {
    const double c = p.faces[at(f)].eta.dot(outward);
    if (c > aligned && has_face(p, set.vertex[1], f)) {
      aligned = c;
      face = f;
    }
  }
  if (face < 0) return;

  const Vec3& eta = p.faces[at(face)].eta;
  const double offset = p.faces[at(face)].offset;
  Vec3 n;
  double distance;
  if (of_a) {
    n = eta;
    const Vec3 into_b = pair.X_AB.R.transpose() * eta;
    const SupportMap& B = *pair.B.support;
    distance = n.dot(pair.X_AB.p) + into_b.dot(B.vertex(B.farthest(-into_b))) - offset;
  } else {
    n = -(pair.X_AB.R * eta);
    const SupportMap& A = *pair.A.support;
    distance = n.dot(pair.X_AB.p) - offset - n.dot(A.vertex(A.farthest(n)));
  }
  if (distance > best.distance) {
    best.distance = distance;
    best.normal = n;
    best.a = best.b = {};
    (of_a ? best.a : best.b) = {FeatureKind::face, face};
  }
}

Proximity overlapping(const Pair& pair, const Expansion& e) {
  const std::array<DifferenceVertex, 3> t = e.nearest_vertices();
  const Vec3& near = e.nearest_normal();
  VertexSet of_a, of_b;
  for (const DifferenceVertex& v : t) {
    of_a.add(v.a);
    of_b.add(v.b);
  }
  Reference best;
  try_face(pair, true, of_a, near, best);
  try_face(pair, false, of_b, near, best);
  const Feature a = spanned(pair.A, of_a), b = spanned(pair.B, of_b);
  const bool edges = a.kind == FeatureKind::edge && b.kind == FeatureKind::edge;
  if (Vec3 n; edges && pair.normal_of(a, b, near, n)) {
    const double distance = pair.separation(n);
    // a face that does as well is the better reference (K-N2)
    if (distance > best.distance + 1e-12 * pair.L) best = {{}, {}, n, distance};
  }
  if (-e.nearest_height() > best.distance + 1e-11 * pair.L)
    best = {{}, {}, near, -e.nearest_height()};

  Proximity d;
  d.distance = best.distance;
  d.normal = best.normal;
  d.a = best.a.kind == FeatureKind::none ? a : best.a;
  d.b = best.b.kind == FeatureKind::none ? b : best.b;
  const std::array<double, 3> w = weights_in(t, near);
  for (int i = 0; i < 3; ++i) d.p_A += w[at(i)] * pair.A.support->vertex(t[at(i)].a);
  d.p_B = d.p_A + d.distance * d.normal;
  return d;
}

// For what broke the polytope: slow and sure. A core without faces is the hull's
// business no more than any other: a segment or point can't be thinner than rounding.
Proximity by_separating_axes(const Convex& A, const Convex& B, const Transform& X_AB) {
  if (!A.polyhedron || !B.polyhedron) return {};
  thread_local SatScratch scratch;
  return sat_proximity(*A.polyhedron, *B.polyhedron, X_AB, scratch);
}

}  // namespace

CoreCounts& core_counts() {
  thread_local CoreCounts counts;
  return counts;
}

Proximity core_proximity(const Convex& A, const Convex& B, const Transform& X_AB, PairHint* hint,
                         double limit) {
  CoreCounts& counts = core_counts();
  ++counts.queries;
  const Pair pair{A, B, X_AB, pair_size(A, B)};
  const double rounding = A.rounding + B.rounding;
  // Hints are for polyhedra: the cores of the others are no work.
  if (!A.polyhedron || !B.polyhedron) hint = nullptr;
  Remembered last;
  if (hint) {
    last = recall(A, B, X_AB, *hint);
    if (last.answered) {
      ++counts.same_features;
      return last.proximity;
    }
  }

  GjkOptions options;
  options.limit = limit + rounding;
  options.touch = kTouch * pair.L;
  Vec3 start = X_AB * B.center - A.center;
  if (!(start.squaredNorm() > 0)) start = Vec3::UnitX();
  const GjkAnswer g = gjk(*A.support, *B.support, X_AB, start, options);
  counts.gjk_iterations += g.iterations;

  Proximity d;
  if (g.status == GjkStatus::beyond_limit) {
    d.beyond_limit = true;
    d.distance = g.lower_bound - rounding;
    if (hint) forget(*hint);
    return d;
  }
  if (g.status == GjkStatus::apart) {
    d = apart(pair, g);
    if (hint) remember_apart(d, *hint);
  } else {
    ++counts.expansions;
    Expansion& e = thread_expansion();
    const double tolerance = kAgree * pair.L;
    if (e.begin(*A.support, *B.support, X_AB, g.simplex, pair.L) &&
        e.grow(tolerance) == Expansion::Status::certain) {
      d = overlapping(pair, e);
      counts.expansion_iterations += e.iterations();
      if (hint) {
        keep_steady(A, B, X_AB, *hint, d);
        const double wanted = -d.distance + std::max(4 * last.moved, 1e-3 * pair.L);
        remember_overlap(d, e.bound_of_others(wanted, tolerance), X_AB, *hint);
      }
    } else {
      ++counts.fallbacks;
      d = by_separating_axes(A, B, X_AB);
      if (hint) remember_overlap(d, 0, X_AB, *hint);
    }
  }
  add_rounding(A, B, d);
  return d;
}

}  // namespace abut
