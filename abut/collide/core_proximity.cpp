#include "abut/collide/core_proximity.h"
#include "abut/collide/parallel_edges.h"

#include <algorithm>
#include <cmath>

#include "abut/collide/axis_search.h"
#include "abut/collide/edge_pair.h"
#include "abut/collide/expansion.h"
#include "abut/collide/face_witness.h"
#include "abut/collide/gjk.h"
#include "abut/collide/manifold.h"
#include "abut/collide/remember.h"
#include "abut/collide/sat.h"
#include "abut/collide/vclip.h"

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

  bool polyhedra() const { return A.polyhedron && B.polyhedron; }

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
  if (s.count == 3 && pair.normal_of(d.a, d.b, n, exact) && exact.dot(n) > 1 - kAligned) {
    const double h0 = exact.dot(s.vertex[0].w), h1 = exact.dot(s.vertex[1].w),
                 h2 = exact.dot(s.vertex[2].w);
    if (std::max({h0, h1, h2}) - std::min({h0, h1, h2}) < 1e-12 * pair.L) n = exact;
  }

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

// How far a point is from a feature (m).
double distance_from(const Polyhedron& p, const Feature& f, const Vec3& point) {
  if (f.kind == FeatureKind::vertex) return (p.vertices[at(f.index)] - point).norm();
  if (f.kind == FeatureKind::face)
    return std::max(std::abs(p.height_above(f.index, point)), -inside_face(p, f.index, point));
  const Vec3& tail = p.vertices[at(p.edges[at(f.index)].tail)];
  const Vec3 along = edge_vector(p, f.index);
  const double t = std::clamp(along.dot(point - tail) / along.squaredNorm(), 0.0, 1.0);
  return (tail + t * along - point).norm();
}

// How far the points of an answer are from its features, and from being the distance
// apart along the normal (m).
double points_off(const Pair& pair, const Proximity& d) {
  const Vec3 p_B = pair.X_AB.R.transpose() * (d.p_B - pair.X_AB.p);
  return std::max({(d.p_A + d.distance * d.normal - d.p_B).norm(),
                   distance_from(*pair.A.polyhedron, d.a, d.p_A),
                   distance_from(*pair.B.polyhedron, d.b, p_B)});
}

bool points_hold_up(const Pair& pair, const Proximity& d) {
  return points_off(pair, d) < 4e-10 * pair.L;
}

// And whether the normal parts the two by no less than the distance.
bool holds_up(const Pair& pair, const Proximity& d) {
  return pair.separation(d.normal) > d.distance - 4e-10 * pair.L && points_hold_up(pair, d);
}

// Distance, points and features from what GJK ended with. So near, or where it stopped
// short, V-Clip has the last word. False: they are all but touching, and features that
// are all but parallel have no good normal of their own; the polytope will find one.
bool surely_apart(const Pair& pair, const GjkAnswer& g, Proximity& d) {
  d = apart(pair, g);
  if (!pair.polyhedra() || (d.distance > kNear * pair.L && g.converged)) return true;
  ++core_counts().polished;
  const VClipAnswer v = vclip(*pair.A.polyhedron, *pair.B.polyhedron, pair.X_AB, d.a, d.b);
  if (v.status == VClipStatus::disjoint) d = v.proximity;
  return v.status != VClipStatus::overlapping && (d.distance > kNear * pair.L || holds_up(pair, d));
}

// The feature pair whose plane is the nearest face of the difference.
struct Reference {
  Feature a, b;
  Vec3 normal;
  double distance = -std::numeric_limits<double>::infinity();
  int lowest = -1;  // on a face: the deepest vertex of the other solid
};

// Whether the exact normal of features is the one that the polytope is certain about: then
// its own vertices are the farthest, to 1e-13 L, and need not be looked for again.
bool is_certified(const Vec3& exact, const Vec3& near) {
  return (exact - near).squaredNorm() < 1e-26;
}

// Of some vertices of a solid, the farthest along a direction.
int farthest_of(const SupportMap& m, const VertexSet& set, const Vec3& direction) {
  int best = set.vertex[0];
  double most = direction.dot(m.vertex(best));
  for (int i = 1; i < set.count; ++i) {
    const double h = direction.dot(m.vertex(set.vertex[at(i)]));
    if (h > most) {
      most = h;
      best = set.vertex[at(i)];
    }
  }
  return best;
}

// The axis of a face of one solid. `others`: if it is known, some vertices of the other solid one
// of which is the deepest.
Reference on_face(const Pair& pair, bool of_a, int face, const VertexSet* others = nullptr) {
  const Convex &owner = of_a ? pair.A : pair.B, &other = of_a ? pair.B : pair.A;
  const Polyhedron::Face& f = owner.polyhedron->faces[at(face)];
  const SupportMap& deep = *other.support;
  Reference r;
  (of_a ? r.a : r.b) = {FeatureKind::face, face};
  r.normal = of_a ? f.eta : Vec3(-(pair.X_AB.R * f.eta));
  const Vec3 down = of_a ? Vec3(-(pair.X_AB.R.transpose() * f.eta)) : r.normal;
  r.lowest = others ? farthest_of(deep, *others, down) : deep.farthest(down);
  r.distance = (of_a ? f.eta.dot(pair.X_AB.p) : r.normal.dot(pair.X_AB.p)) - f.offset -
               down.dot(deep.vertex(r.lowest));
  return r;
}

// Tries the face of one solid that holds the vertices and has the normal `near`; `others` are
// those of the other solid.
void try_face(const Pair& pair, bool of_a, const VertexSet& set, const VertexSet& others,
              const Vec3& near, Reference& best) {
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

  const bool certified = is_certified(
      of_a ? p.faces[at(face)].eta : Vec3(-(pair.X_AB.R * p.faces[at(face)].eta)), near);
  const Reference r = on_face(pair, of_a, face, certified ? &others : nullptr);
  if (r.distance > best.distance) best = r;
}

// The point of a face of P that the other solid Q is deepest under, and by which feature.
FaceWitness witness(const Convex& P, int face, const Convex& Q, const Transform& X_PQ, int lowest,
                    double L) {
  if (Q.polyhedron) return face_witness(*P.polyhedron, face, *Q.polyhedron, X_PQ, L, lowest);
  std::array<Vec3, 2> core;
  const int count = Q.support->vertex_count();
  for (int i = 0; i < count; ++i) core[at(i)] = X_PQ * Q.support->vertex(i);
  FaceWitness w = face_witness(*P.polyhedron, face, std::span(core.data(), at(count)), L);
  w.other = {FeatureKind::surface, 0};
  return w;
}

// Fills in points and features from the reference. False if no part of the other solid
// that is deepest lies under the face: another axis is as good, and the right one.
bool show(const Pair& pair, const Reference& best, Proximity& d) {
  d.distance = best.distance;
  d.normal = best.normal;
  if (best.a.kind == FeatureKind::face) {
    const FaceWitness w = witness(pair.A, best.a.index, pair.B, pair.X_AB, best.lowest, pair.L);
    d.a = best.a;
    d.b = w.other;
    d.p_A = w.on_face;
    d.p_B = d.p_A + d.distance * d.normal;
    return w.inside;
  }
  if (best.b.kind == FeatureKind::face) {
    const FaceWitness w =
        witness(pair.B, best.b.index, pair.A, pair.X_AB.inverse(), best.lowest, pair.L);
    d.a = w.other;
    d.b = best.b;
    d.p_B = pair.X_AB * w.on_face;
    d.p_A = d.p_B - d.distance * d.normal;
    return w.inside;
  }
  const EdgeArc a = edge_arc(*pair.A.polyhedron, best.a.index);
  const EdgeArc b = edge_arc(*pair.B.polyhedron, best.b.index, pair.X_AB);
  const LineParameters t = closest_on_lines(a, b);
  d.a = best.a;
  d.b = best.b;
  d.p_A = a.tail + std::clamp(t.ta, 0.0, 1.0) * a.direction;
  d.p_B = d.p_A + d.distance * d.normal;
  const double beyond = kWitness * pair.L;
  return std::abs(t.ta - 0.5) * a.direction.norm() < 0.5 * a.direction.norm() + beyond &&
         std::abs(t.tb - 0.5) * b.direction.norm() < 0.5 * b.direction.norm() + beyond;
}

// Points of a segment's own axis: those of the origin's projection on the triangle.
void show_triangle(const Pair& pair, const std::array<DifferenceVertex, 3>& t,
                   const Reference& best, Proximity& d) {
  std::array<double, 3> weight{};
  double sum = 0;
  for (int i = 0; i < 3; ++i) {
    const Vec3 &q = t[at((i + 1) % 3)].w, &r = t[at((i + 2) % 3)].w;
    sum += weight[at(i)] = std::max(0.0, best.normal.dot(r.cross(q)));
  }
  if (!(sum > 0)) weight[0] = sum = 1;
  d.distance = best.distance;
  d.normal = best.normal;
  for (int i = 0; i < 3; ++i) d.p_A += weight[at(i)] / sum * pair.A.support->vertex(t[at(i)].a);
  d.p_B = d.p_A + d.distance * d.normal;
  VertexSet of_a, of_b;
  for (const DifferenceVertex& v : t) of_a.add(v.a), of_b.add(v.b);
  d.a = spanned(pair.A, of_a);
  d.b = spanned(pair.B, of_b);
}

// False if the nearest face of the polytope is none of the difference's.
bool overlapping(const Pair& pair, const Expansion& e, Proximity& d) {
  const std::array<DifferenceVertex, 3> t = e.nearest_vertices();
  const Vec3 near = e.nearest_normal();
  VertexSet of_a, of_b;
  for (const DifferenceVertex& v : t) {
    if (v.a < 0) return false;  // the point inside that it was begun from
    of_a.add(v.a);
    of_b.add(v.b);
  }
  Reference best, other;
  try_face(pair, true, of_a, of_b, near, best);
  try_face(pair, false, of_b, of_a, near, other);
  if (other.distance > best.distance) std::swap(best, other);
  if (of_a.count == 2 && of_b.count == 2) {
    const Feature a = spanned(pair.A, of_a), b = spanned(pair.B, of_b);
    const bool edges = a.kind == FeatureKind::edge && b.kind == FeatureKind::edge;
    if (Vec3 n; edges && pair.normal_of(a, b, near, n)) {
      const double distance = is_certified(n, near)
                                  ? std::min({n.dot(t[0].w), n.dot(t[1].w), n.dot(t[2].w)})
                                  : pair.separation(n);
      // a face that does as well is the better reference (K-N2)
      if (distance > best.distance + 1e-12 * pair.L) best = {a, b, n, distance, -1};
    }
  }
  if (!(pair.A.polyhedron && pair.B.polyhedron) &&
      -e.nearest_height() > best.distance + 1e-12 * pair.L) {
    show_triangle(pair, t, {{}, {}, near, -e.nearest_height(), -1}, d);
    return true;
  }
  // what the polytope promised, it must keep
  if (!(best.distance >= -e.nearest_height() - 1e-10 * pair.L)) return false;
  if (show(pair, best, d)) return true;
  return other.distance > best.distance - 1e-10 * pair.L && show(pair, other, d);
}

// The same, if its points hold up.
bool surely_overlapping(const Pair& pair, const Expansion& e, Proximity& d) {
  if (!overlapping(pair, e, d)) return false;
  return !pair.polyhedra() || points_hold_up(pair, d);
}

// For what broke the polytope: slow and sure. Of a point or a segment the axes are the
// faces and the edges with the segment.
Proximity by_separating_axes(const Pair& pair) {
  const Polyhedron *A = pair.A.polyhedron, *B = pair.B.polyhedron;
  if (A && B) {
    thread_local SatScratch scratch;
    return sat_proximity(*A, *B, pair.X_AB, scratch);
  }
  const Convex &owner = A ? pair.A : pair.B, &core = A ? pair.B : pair.A;
  Reference best;
  const auto try_normal = [&](const Vec3& n_owner, int face) {
    const Vec3 n = A ? n_owner : Vec3(-(pair.X_AB.R * n_owner));
    const double distance = pair.separation(n);
    if (distance <= best.distance + (face < 0 ? 1e-12 * pair.L : 0)) return;
    best = {{}, {}, n, distance, -1};
    if (face >= 0) (A ? best.a : best.b) = {FeatureKind::face, face};
  };
  const Polyhedron& p = *owner.polyhedron;
  for (int f = 0; f < p.face_count(); ++f) try_normal(p.faces[at(f)].eta, f);
  if (core.support->vertex_count() == 2) {
    const Vec3 along = core.support->vertex(1) - core.support->vertex(0);
    const Vec3 segment = A ? Vec3(pair.X_AB.R * along) : Vec3(pair.X_AB.R.transpose() * along);
    for (int e = 0; e < p.edge_count(); ++e) {
      const Vec3 cross = edge_vector(p, e).cross(segment);
      if (cross.norm() <= 1e-9 * pair.L * pair.L) continue;
      try_normal(cross.normalized(), -1);
      try_normal(-cross.normalized(), -1);
    }
  }
  Proximity d;
  if (best.a.kind == FeatureKind::face || best.b.kind == FeatureKind::face) {
    show(pair, best, d);
  } else {
    const DifferenceVertex w =
        difference_support(*pair.A.support, *pair.B.support, pair.X_AB, -best.normal);
    show_triangle(pair, {w, w, w}, best, d);
  }
  return d;
}

// From a face to the one that a point in its plane is on: across faces that are all but
// in one plane.
Feature face_at(const Polyhedron& p, const Feature& f, const Vec3& point) {
  if (f.kind != FeatureKind::face) return f;
  int face = f.index;
  for (int step = 0; step < p.face_count(); ++step) {
    int beyond = -1;
    double most = 0;
    for (const int e : p.face_edge_ring(face)) {
      const Polyhedron::Edge& edge = p.edges[at(e)];
      const Vec3& tail = p.vertices[at(edge.tail)];
      const double side = edge.f1 == face ? 1 : -1;  // f1 has the edge the right way round
      const Vec3 inward = side * p.faces[at(face)].eta.cross(edge_vector(p, e)).normalized();
      const double inside = inward.dot(point - tail);
      if (inside < most) {
        most = inside;
        beyond = edge.f1 == face ? edge.f2 : edge.f1;
      }
    }
    if (beyond < 0 || p.faces[at(beyond)].eta.dot(p.faces[at(face)].eta) < 1 - kAligned) break;
    face = beyond;
  }
  return {FeatureKind::face, face};
}

// Points of an axis where many features are as good as each other to rounding: a corner of
// what the two have in common once moved together along it.
void show_corner(const Pair& pair, Proximity& d) {
  thread_local ManifoldScratch scratch;
  thread_local KissingManifold manifold;
  kissing_manifold(pair.A, pair.B, pair.X_AB, d, {}, scratch, manifold);
  if (manifold.points.empty()) return;
  const Vec3& corner = manifold.points.front();
  const std::uint64_t id = manifold.ids.front();
  d.p_A = corner - 0.5 * d.distance * d.normal;
  d.p_B = corner + 0.5 * d.distance * d.normal;
  d.a = face_at(*pair.A.polyhedron, unpacked_feature(static_cast<std::int32_t>(id >> 32)), d.p_A);
  d.b = face_at(*pair.B.polyhedron, unpacked_feature(static_cast<std::int32_t>(id & 0xffffffff)),
                pair.X_AB.R.transpose() * (d.p_B - pair.X_AB.p));
}

// What to say where the quick ways fail: the separating axes are right about distance and
// normal; of all the points that were found, take those that fit the best. `tried` is what
// did not hold up.
Proximity slow_and_sure(const Pair& pair, const Proximity& tried) {
  Proximity best = by_separating_axes(pair);
  if (!pair.polyhedra() || points_hold_up(pair, best)) return best;
  Proximity corner = best;
  show_corner(pair, corner);
  double off = points_off(pair, best);
  for (const Proximity& d : {corner, tried}) {
    if (d.a.kind == FeatureKind::none || std::abs(d.distance - best.distance) > 1e-10 * pair.L ||
        pair.separation(d.normal) < d.distance - 1e-10 * pair.L || points_off(pair, d) >= off)
      continue;
    best = d;
    off = points_off(pair, d);
  }
  return best;
}

// V-Clip's walk, and its answer only if it certifies itself: features that are all but parallel
// can end the walk 1e-7 L short. False: they are not surely apart.
bool apart_by_walk(const Pair& pair, const Feature& a, const Feature& b, Proximity& d) {
  const VClipAnswer v = vclip_walk(*pair.A.polyhedron, *pair.B.polyhedron, pair.X_AB, a, b, false);
  d = v.proximity;
  name_parallel_edges(*pair.A.polyhedron, *pair.B.polyhedron, pair.X_AB, d);
  return v.status == VClipStatus::disjoint && d.distance > kNear * pair.L && holds_up(pair, d);
}

// A guess of the normal, from A to B, of any length: that of the difference if the two were
// ellipsoids of the same spread. The way between the centres would be the guess for balls,
// and far off for a small thing on the end of a plank.
Vec3 likely_normal(const Pair& pair) {
  const Vec3 c = pair.X_AB * pair.B.center - pair.A.center;
  const Mat3& S_A = pair.A.spread;
  const Mat3 S_B = pair.X_AB.R * pair.B.spread * pair.X_AB.R.transpose();
  // the sum of two ellipsoids is within this one
  const double a = S_A.trace(), b = S_B.trace(), root = std::sqrt(a * b);
  const Mat3 S = (a + root) * b * S_A + (b + root) * a * S_B;
  // S^-1 c, but for its length
  const Vec3 s0 = S.col(0), s1 = S.col(1), s2 = S.col(2);
  return {s1.cross(s2).dot(c), s2.cross(s0).dot(c), s0.cross(s1).dot(c)};
}

// Relative to L: about as far as a coherent pair moves from query to query.
constexpr double kMargin = 3e-3;
// From this many vertices on (of both), a cap of the difference is a better start than what
// GJK ends with.
constexpr int kManyVertices = 100;
// Below this many, a second try at parting the two costs less than to start a polytope in vain.
constexpr int kFewVertices = 256;

// A face of the difference, more or less, around the direction `u`: three of its vertices, some
// way apart.
std::array<DifferenceVertex, 3> cap_of(const Pair& pair, const Vec3& u) {
  const Vec3 t = (std::abs(u[0]) < 0.7 ? Vec3(0, u[2], -u[1]) : Vec3(-u[2], 0, u[0])).normalized();
  const Vec3 s = u.cross(t);
  const double width = 0.5 * (pair.A.support->spacing() + pair.B.support->spacing());
  const auto support = [&](double along_t, double along_s) {
    return difference_support(*pair.A.support, *pair.B.support, pair.X_AB,
                              -(u + width * (along_t * t + along_s * s)));
  };
  const double half_root_3 = 0.8660254037844386;
  return {support(1, 0), support(-0.5, half_root_3), support(-0.5, -half_root_3)};
}

bool apart_by_walk(const Pair& pair, const DifferenceVertex& w, Proximity& d) {
  return apart_by_walk(pair, {FeatureKind::vertex, w.a}, {FeatureKind::vertex, w.b}, d);
}

// Of small solids: the best of the separating axes, or where it leads V-Clip to. `bound`: what some
// direction needs (m), `w0` and `w1` vertices that reach far. `others`: what any other axis needs
// at least, of those within `margin` (m). False: not sure.
bool by_few_axes(const Pair& pair, double bound, const DifferenceVertex& w0,
                 const DifferenceVertex& w1, double margin, double& others, Proximity& d) {
  AxisProblem q;
  q.a = pair.A.axes;
  q.b = pair.B.axes;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) q.R[i][j] = pair.X_AB.R(i, j);
    q.p[i] = pair.X_AB.p[i];
    q.center_a[i] = pair.A.center[i];
    q.center_b[i] = pair.B.center[i];
  }
  q.inner_a = pair.A.inner;
  q.inner_b = pair.B.inner;
  q.deep_a[0] = w0.a, q.deep_a[1] = w1.a;
  q.deep_b[0] = w0.b, q.deep_b[1] = w1.b;
  q.bound = bound;
  q.slack = 1e-8 * pair.L;
  q.face_bias = kFaceBias * pair.L;
  q.margin = margin;
  const AxisFound found = search_axes(q);
  others = found.others;
  Reference best;
  if (found.kind == AxisFound::face_a || found.kind == AxisFound::face_b) {
    const bool of_a = found.kind == AxisFound::face_a;
    best = on_face(pair, of_a, of_a ? found.a : found.b);
  } else if (found.kind == AxisFound::edges) {
    best.a = {FeatureKind::edge, found.a};
    best.b = {FeatureKind::edge, found.b};
    const Polyhedron::Edge& e = pair.A.polyhedron->edges[at(found.a)];
    const std::vector<Polyhedron::Face>& faces = pair.A.polyhedron->faces;
    if (!pair.normal_of(best.a, best.b, faces[at(e.f1)].eta + faces[at(e.f2)].eta, best.normal))
      return false;
    best.distance = pair.separation(best.normal);
  } else {
    return false;
  }
  // what was found must be so, and have points to show
  if (best.distance >= -found.depth - 1e-10 * pair.L && std::abs(best.distance) > kNear * pair.L &&
      show(pair, best, d) && points_hold_up(pair, d))
    return true;
  if (best.distance <= 0) return false;
  const auto or_lowest = [&](const Feature& f) {
    return f.kind == FeatureKind::none ? Feature{FeatureKind::vertex, best.lowest} : f;
  };
  return apart_by_walk(pair, or_lowest(best.a), or_lowest(best.b), d);
}

// The quick ways, from a guess of the normal. If it parts the two, V-Clip finds the distance
// faster than GJK. If not, most likely they overlap, and the least translation is somewhere
// around it. False: neither was sure.
bool from_guess(const Pair& pair, double limit, const Vec3& u, Expansion& e, Proximity& d,
                double margin, double& others) {
  DifferenceVertex w = difference_support(*pair.A.support, *pair.B.support, pair.X_AB, -u);
  const DifferenceVertex first = w;
  double gap = u.dot(w.w), bound = -gap;
  if (gap > limit) return false;
  const int vertices = pair.A.support->vertex_count() + pair.B.support->vertex_count();
  const double squared = w.w.squaredNorm();
  if (gap < 0 && vertices < kFewVertices && squared > 1e-18 * pair.L * pair.L) {
    // mirrored, so that at least this vertex is on the right side (Chung and Wang 1996)
    const Vec3 tilted = u - 2 * gap / squared * w.w;
    w = difference_support(*pair.A.support, *pair.B.support, pair.X_AB, -tilted);
    gap = tilted.dot(w.w);
    bound = std::min(bound, -gap);
  }
  if (gap > 0) return apart_by_walk(pair, w, d);
  if (pair.A.axes && pair.B.axes) return by_few_axes(pair, bound, first, w, margin, others, d);
  if (vertices < kManyVertices) return false;
  if (!e.begin_at(*pair.A.support, *pair.B.support, pair.X_AB, cap_of(pair, u),
                  pair.A.center - pair.X_AB * pair.B.center, pair.L))
    return false;
  const Expansion::Status status = e.grow(kAgree * pair.L, true);
  if (status == Expansion::Status::parted) return apart_by_walk(pair, e.last(), d);
  core_counts().expansion_iterations += e.iterations();
  ++core_counts().expansions;
  return status == Expansion::Status::certain && e.nearest_distance() > kNear * pair.L &&
         surely_overlapping(pair, e, d);
}

// Keeps last time's features if they are as good, and leaves a certificate for next time: all
// others need at least `others` (m).
void remember_overlap_of(const Pair& pair, double others, Proximity& d, PairHint& hint) {
  // if it keeps to them, the least translation is one of the others
  const double least = -d.distance;
  const bool kept = keep_steady(pair.A, pair.B, pair.X_AB, hint, d);
  remember_overlap(d, kept ? least : others, pair.X_AB, hint);
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
  if (!pair.polyhedra()) hint = nullptr;
  if (hint)
    if (const Remembered last = recall(A, B, X_AB, *hint); last.answered) {
      ++counts.same_features;
      if (hint->bound < 0) remember_apart(last.proximity, *hint);
      return last.proximity;
    }

  Proximity d;
  Expansion& e = thread_expansion();
  const double tolerance = kAgree * pair.L;
  // from last time's face of the difference, which is the nearest still or near it
  const bool small = A.axes && B.axes;
  std::array<DifferenceVertex, 3> face;
  if (hint && !small && last_face(A, B, X_AB, *hint, face) &&
      e.begin_at(*A.support, *B.support, X_AB, face, A.center - X_AB * B.center, pair.L) &&
      e.grow(tolerance) == Expansion::Status::certain && e.nearest_distance() > kNear * pair.L &&
      surely_overlapping(pair, e, d)) {
    ++counts.expansions;
    counts.expansion_iterations += e.iterations();
    remember_overlap_of(pair, e.bound_of_others(), d, *hint);
    return d;
  }

  // with few vertices a good guess costs more than it saves
  const bool guess = pair.polyhedra();
  Vec3 start;
  if (!(hint && small && last_normal(A, B, X_AB, *hint, start)))
    start = guess && A.support->vertex_count() + B.support->vertex_count() > 24
                ? likely_normal(pair)
                : Vec3(X_AB * B.center - A.center);
  const double length = start.norm();
  const bool guessed = length > 0 && std::isfinite(length);
  start = guessed ? Vec3(start / length) : Vec3::UnitX();
  // axes that motion may bring to the front are of interest only if anything is remembered
  double others = -1;
  if (guess && guessed &&
      from_guess(pair, limit + rounding, start, e, d, hint ? kMargin * pair.L : 0, others)) {
    if (hint && d.distance > 0) remember_apart(d, *hint);
    if (hint && d.distance <= 0)
      remember_overlap_of(pair, others < 0 ? e.bound_of_others() : others, d, *hint);
    add_rounding(A, B, d);
    return d;
  }

  GjkOptions options;
  options.limit = limit + rounding;
  options.touch = kTouch * pair.L;
  const GjkAnswer g = gjk(*A.support, *B.support, X_AB, start, options);
  counts.gjk_iterations += g.iterations;

  if (g.status == GjkStatus::beyond_limit) {
    d.beyond_limit = true;
    d.distance = g.lower_bound - rounding;
    if (hint) forget(*hint);
    return d;
  }
  if (g.status == GjkStatus::apart && surely_apart(pair, g, d)) {
    if (hint) remember_apart(d, *hint);
  } else {
    ++counts.expansions;
    if (e.begin(*A.support, *B.support, X_AB, g.simplex, pair.L) &&
        e.grow(tolerance) == Expansion::Status::certain && surely_overlapping(pair, e, d)) {
      counts.expansion_iterations += e.iterations();
      if (hint) remember_overlap_of(pair, e.bound_of_others(), d, *hint);
    } else {
      ++counts.fallbacks;
      d = slow_and_sure(pair, d);
      if (hint) remember_overlap(d, 0, X_AB, *hint);
    }
  }
  add_rounding(A, B, d);
  return d;
}

}  // namespace abut
