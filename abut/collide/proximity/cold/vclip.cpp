#include "abut/collide/proximity/cold/vclip.h"

#include <limits>

#include "abut/collide/proximity/cold/vclip_parts.h"
#include "abut/collide/proximity/tolerances.h"

namespace abut {
namespace {

using namespace vclip_parts;
using enum FeatureKind;

enum class Step { moved, closest, overlapping };

// The state of the walk. Side 0 is A, side 1 is B; the same code handles both sides. A step down
// (to an edge of a face, to a vertex of an edge) only needs a point beyond a Voronoi plane. A step
// up needs the point to be beyond by more than rounding, so that the walk does not alternate.
struct Walk {
  const Polyhedron* P[2];
  Transform X[2];  // X[i] transforms points of the other side to side i
  Feature f[2];
  double grain;  // rounding, m
  int steps = 0;

  const Vec3& vertex_of(int i) const { return P[i]->vertices[f[i].index]; }
  Segment edge_of(int i) const { return line_of(*P[i], f[i].index); }
  Step move(int i, FeatureKind kind, int index) {
    f[i] = {kind, index};
    return Step::moved;
  }
};

// Moves from a vertex of side i to the edge that comes nearer to the point most steeply, if one
// does.
bool climb_from_vertex(Walk& w, int i, const Vec3& point) {
  const Polyhedron& P = *w.P[i];
  const int v = w.f[i].index;
  const Vec3 to_point = point - P.vertices[v];
  double most = w.grain * w.grain;
  int best = -1;
  const auto neighbours = P.neighbours(v);
  for (std::size_t k = 0; k < neighbours.size(); ++k) {
    const Vec3 u = P.vertices[neighbours[k]] - P.vertices[v];
    const double along = u.dot(to_point);
    if (along > 0 && along * along > most * u.squaredNorm()) {
      most = along * along / u.squaredNorm();
      best = static_cast<int>(k);
    }
  }
  if (best < 0) return false;
  w.move(i, edge, P.edges_around(v)[static_cast<std::size_t>(best)]);
  return true;
}

// Moves from an edge of side i to a face if the point lies over the face rather than over the edge.
// `n` is the direction to the point, `noise` its rounding error.
bool climb_from_edge(Walk& w, int i, const Vec3& along, const Vec3& n, double noise) {
  const Polyhedron& P = *w.P[i];
  const Polyhedron::Edge& e = P.edges[w.f[i].index];
  const double over_1 = n.dot(into_f1(P, e, along)), over_2 = n.dot(into_f2(P, e, along));
  const double over = std::max(over_1, over_2);
  if (!(over > 0 && over * over > noise * noise * along.squaredNorm())) return false;
  w.move(i, face, over_1 > over_2 ? e.f1 : e.f2);
  return true;
}

Step vertex_vertex(Walk& w) {
  for (int i = 0; i < 2; ++i)
    if (climb_from_vertex(w, i, w.X[i] * w.vertex_of(1 - i))) return Step::moved;
  return Step::closest;
}

Step vertex_edge(Walk& w, int i /* has the edge */) {
  const int j = 1 - i;
  const Polyhedron::Edge& e = w.P[i]->edges[w.f[i].index];
  const Segment line = w.edge_of(i);
  const Vec3 v = w.X[i] * w.vertex_of(j);
  if (line.along.dot(v - line.tail) < 0) return w.move(i, vertex, e.tail);
  if (line.along.dot(v - w.P[i]->vertices[e.head]) > 0) return w.move(i, vertex, e.head);
  if (climb_from_edge(w, i, line.along, v - line.tail, w.grain)) return Step::moved;
  if (climb_from_vertex(w, j, w.X[j] * line.at(parameter_of_nearest(line, v)))) return Step::moved;
  return Step::closest;
}

Step edge_edge(Walk& w) {
  const Segment e = w.edge_of(0), f_B = w.edge_of(1), f = placed(w.X[0], f_B);
  const SegmentPair q = closest_points(e, f);
  const Vec3 way = q.y - q.x;
  const double gap = way.norm();
  if (gap <= 8 * w.grain) return Step::overlapping;

  // beyond an end: move to the vertex there
  const Polyhedron::Edge& edge_A = w.P[0]->edges[w.f[0].index];
  const Polyhedron::Edge& edge_B = w.P[1]->edges[w.f[1].index];
  if (q.s <= 0 && e.along.dot(way) < 0) return w.move(0, vertex, edge_A.tail);
  if (q.s >= 1 && e.along.dot(way) > 0) return w.move(0, vertex, edge_A.head);
  if (q.t <= 0 && f.along.dot(way) > 0) return w.move(1, vertex, edge_B.tail);
  if (q.t >= 1 && f.along.dot(way) < 0) return w.move(1, vertex, edge_B.head);

  // the cross product is the more accurate direction for a small gap, the difference of the points
  // for a small angle
  Vec3 n = way / gap;
  double noise = w.grain / gap;
  const bool inside = q.s > 0 && q.s < 1 && q.t > 0 && q.t < 1;
  if (inside && q.sine2 * noise * noise > kUnitRounding2) {
    const double sine = std::sqrt(q.sine2);
    n = q.cross.dot(way) < 0 ? Vec3(-q.cross.normalized()) : Vec3(q.cross.normalized());
    noise = kUnitRounding / sine;
  }
  if (climb_from_edge(w, 0, e.along, n, noise)) return Step::moved;
  if (climb_from_edge(w, 1, f_B.along, -(w.X[0].R.transpose() * n), noise)) return Step::moved;
  return Step::closest;
}

// The edge of the face nearest to the point, if the point is not over the face.
int edge_past(const Walk& w, int i, const Vec3& point) {
  const Polyhedron& P = *w.P[i];
  const int f = w.f[i].index;
  double nearest = std::numeric_limits<double>::infinity();
  int best = -1;
  for (const int k : P.face_edge_ring(f)) {
    const Polyhedron::Edge& e = P.edges[k];
    const Segment line = line_of(P, k);
    const Vec3 into = e.f1 == f ? into_f1(P, e, line.along) : into_f2(P, e, line.along);
    if (into.dot(point - line.tail) >= 0) continue;
    const double d = (line.at(parameter_of_nearest(line, point)) - point).squaredNorm();
    if (d < nearest) {
      nearest = d;
      best = k;
    }
  }
  return best;
}

// A vertex under the plane of a face, without an edge that leads back to the plane: Mirtich's local
// minimum. Either the vertex is inside, or another face sees it.
Step escape(Walk& w, int i, const Vec3& v) {
  const Polyhedron& P = *w.P[i];
  int best = 0;
  double highest = P.height_above(0, v);
  for (int f = 1; f < P.face_count(); ++f) {
    const double height = P.height_above(f, v);
    if (height > highest) {
      highest = height;
      best = f;
    }
  }
  w.move(i, face, best);
  return highest <= 0 ? Step::overlapping : Step::moved;
}

Step vertex_face(Walk& w, int i /* has the face */) {
  const int j = 1 - i;
  const Vec3 v = w.X[i] * w.vertex_of(j);
  if (const int k = edge_past(w, i, v); k >= 0) return w.move(i, edge, k);

  // the edge that approaches the plane most steeply
  const Polyhedron& Q = *w.P[j];
  const double height = w.P[i]->height_above(w.f[i].index, v);
  Vec3 away = w.X[j].R * w.P[i]->faces[w.f[i].index].eta;
  if (height < 0) away = -away;
  const int at = w.f[j].index;
  double most = 0;
  int best = -1;
  const auto neighbours = Q.neighbours(at);
  for (std::size_t k = 0; k < neighbours.size(); ++k) {
    const Vec3 u = Q.vertices[neighbours[k]] - Q.vertices[at];
    const double nearer = -away.dot(u);
    if (nearer > w.grain && nearer * nearer > most * u.squaredNorm()) {
      most = nearer * nearer / u.squaredNorm();
      best = static_cast<int>(k);
    }
  }
  if (best >= 0) return w.move(j, edge, Q.edges_around(at)[static_cast<std::size_t>(best)]);
  return height > 0 ? Step::closest : escape(w, i, v);
}

Step edge_face(Walk& w, int i /* has the face */) {
  const int j = 1 - i, f = w.f[i].index;
  const Polyhedron& P = *w.P[i];
  const Segment e = placed(w.X[i], w.edge_of(j));

  // the part of the edge that is over the face, and the face's edges that bound it
  double low = 0, high = 1;
  int cut_low = -1, cut_high = -1;
  bool over = true;
  for (const int k : P.face_edge_ring(f)) {
    const Segment line = line_of(P, k);
    const Polyhedron::Edge& side = P.edges[k];
    const Vec3 into = side.f1 == f ? into_f1(P, side, line.along) : into_f2(P, side, line.along);
    const double d0 = into.dot(e.tail - line.tail), d1 = d0 + into.dot(e.along);
    if (d0 < 0 && d1 < 0) {
      over = false;
    } else if (d0 < 0) {
      if (const double s = d0 / (d0 - d1); s > low) low = s, cut_low = k;
    } else if (d1 < 0) {
      if (const double s = d0 / (d0 - d1); s < high) high = s, cut_high = k;
    }
  }

  // not over the face: move to the nearest of its edges
  if (!over || low > high) {
    double nearest = std::numeric_limits<double>::infinity();
    int best = -1;
    for (const int k : P.face_edge_ring(f)) {
      const SegmentPair q = closest_points(line_of(P, k), e);
      const double d = (q.x - q.y).squaredNorm();
      if (d < nearest) {
        nearest = d;
        best = k;
      }
    }
    return w.move(i, edge, best);
  }

  const double h_low = P.height_above(f, e.at(low)), h_high = P.height_above(f, e.at(high));
  if ((h_low <= 0) != (h_high <= 0)) return Step::overlapping;  // the edge passes through the face
  const Polyhedron::Edge& ends = w.P[j]->edges[w.f[j].index];
  // move down to the lower end; for a level edge, to an end of the edge itself
  const double rise = std::abs(h_high) - std::abs(h_low);
  const bool level = std::abs(rise) <= w.grain;
  const bool to_low = level ? cut_low < 0 || cut_high >= 0 : rise > 0;
  if (to_low) return cut_low < 0 ? w.move(j, vertex, ends.tail) : w.move(i, edge, cut_low);
  return cut_high < 0 ? w.move(j, vertex, ends.head) : w.move(i, edge, cut_high);
}

Step step(Walk& w) {
  const FeatureKind a = w.f[0].kind, b = w.f[1].kind;
  if (a == vertex) {
    if (b == vertex) return vertex_vertex(w);
    return b == edge ? vertex_edge(w, 1) : vertex_face(w, 1);
  }
  if (a == edge) {
    if (b == edge) return edge_edge(w);
    return b == vertex ? vertex_edge(w, 0) : edge_face(w, 1);
  }
  return b == vertex ? vertex_face(w, 0) : edge_face(w, 0);
}

bool names_a_feature(const Polyhedron& P, Feature f) {
  if (f.index < 0) return false;
  return f.kind == vertex ? f.index < P.vertex_count()
         : f.kind == edge ? f.index < P.edge_count()
                          : f.kind == face && f.index < P.face_count();
}

// A vertex on the side of the other solid: the best of a few that are spread over all vertices.
Feature first_vertex(const Polyhedron& P, const Vec3& toward) {
  const int n = P.vertex_count();
  const int stride = std::max(1, n / (8 + static_cast<int>(std::sqrt(n))));
  int best = 0;
  double highest = -std::numeric_limits<double>::infinity();
  for (int v = 0; v < n; v += stride) {
    const double height = toward.dot(P.vertices[v]);
    if (height > highest) {
      highest = height;
      best = v;
    }
  }
  return {vertex, best};
}

// A walk that returns to an earlier state cannot distinguish the pairs of its round because of
// rounding, or because faces are flat to 1e-9 L only. One of the pairs is closest up to that error.
bool closest_on_round(Walk& w, double slack, Proximity& out) {
  const Feature a = w.f[0], b = w.f[1];
  const double all = std::numeric_limits<double>::infinity();
  double best = all;
  do {
    Proximity d;
    if (is_closest(*w.P[0], *w.P[1], w.X[0], w.f[0], w.f[1], {slack, 8 * w.grain, kLeastSine}, d) &&
        d.distance < best) {
      best = d.distance;
      out = d;
    }
    if (step(w) != Step::moved) break;
    ++w.steps;
  } while (w.f[0] != a || w.f[1] != b);
  return best < all;
}

bool parts(const Polyhedron& A, const Polyhedron& B, const Transform& X_AB, const Vec3& n) {
  const Vec3 n_B = X_AB.R.transpose() * n;
  const Vec3& top_A = A.vertices[support_brute_force(A, n)];
  return n.dot(X_AB * B.vertices[support_brute_force(B, -n_B)] - top_A) > 0;
}

}  // namespace

VClipAnswer vclip(const Polyhedron& A, const Polyhedron& B, const Transform& X_AB, Feature start_a,
                  Feature start_b) {
  VClipAnswer d;
  if (names_a_feature(A, start_a) && names_a_feature(B, start_b)) {
    if (still_closest(A, B, X_AB, start_a, start_b, d.proximity)) {
      d.status = VClipStatus::disjoint;
      return d;
    }
  } else {
    const Vec3 toward = X_AB * B.center - A.center;
    start_a = first_vertex(A, toward);
    start_b = first_vertex(B, -(X_AB.R.transpose() * toward));
  }
  return vclip_walk(A, B, X_AB, start_a, start_b, true);
}

VClipAnswer vclip_walk(const Polyhedron& A, const Polyhedron& B, const Transform& X_AB,
                       Feature start_a, Feature start_b, bool to_the_end) {
  VClipAnswer d;
  const double grain = rounding(A, B, X_AB.p);
  if (!std::isfinite(grain) || !X_AB.R.allFinite()) return d;

  Walk w{{&A, &B}, {X_AB, X_AB.inverse()}, {start_a, start_b}, grain};
  if (start_a.kind == FeatureKind::face && start_b.kind == FeatureKind::face)
    // the walk does not handle face-face pairs
    w.f[0] = {FeatureKind::vertex, A.face_loop(start_a.index)[0]};

  // The walk. A state that is stored at a power of two steps and met again is a cycle (R. Brent).
  const int limit = 4 * (A.vertex_count() + A.edge_count() + A.face_count() + B.vertex_count() +
                         B.edge_count() + B.face_count());
  Feature seen_a, seen_b;
  int mark = 8;
  bool round = false;
  Step last = Step::moved;
  while (w.steps < limit && !round && (last = step(w)) == Step::moved) {
    ++w.steps;
    round = w.f[0] == seen_a && w.f[1] == seen_b;
    if (w.steps == mark) {
      seen_a = w.f[0], seen_b = w.f[1];
      mark *= 2;
    }
  }
  d.status = VClipStatus::overlapping;
  Feature a = w.f[0], b = w.f[1];
  if (last == Step::moved && !to_the_end) {
    d.status = VClipStatus::gave_up;
    return d;
  }
  if (last == Step::moved) {
    const double L = A.size + B.size;
    if (round && (closest_on_round(w, kRoundTight * L, d.proximity) ||
                  closest_on_round(w, kRoundLoose * L, d.proximity))) {
      a = d.proximity.a, b = d.proximity.b;
    } else {
      d.exhaustive = true;
      closest_by_exhaustion(A, B, X_AB, a, b);
    }
  }
  d.steps = w.steps;
  if (last == Step::overlapping) {
    d.proximity.a = a;
    d.proximity.b = b;
    return d;
  }
  if (!answer(A, B, X_AB, a, b, d.proximity)) return d;
  // overlapping solids also have nearest features, but those do not separate them
  if (d.exhaustive && !parts(A, B, X_AB, d.proximity.normal)) return d;
  d.status = VClipStatus::disjoint;
  return d;
}

}  // namespace abut
