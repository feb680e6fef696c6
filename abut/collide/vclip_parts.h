// What the parts of V-Clip share: edges as lines, the closest points of two segments,
// the check that two features are closest, the search over all pairs, and the answer.
#pragma once

#include <algorithm>
#include <cmath>

#include "abut/collide/vclip.h"

namespace abut::vclip_parts {

struct Line {
  Vec3 tail, along;  // points tail + s along, s in [0, 1]

  Vec3 at(double s) const { return tail + s * along; }
};

inline Line line_of(const Polyhedron& P, int edge) {
  const Polyhedron::Edge& e = P.edges[edge];
  return {P.vertices[e.tail], P.vertices[e.head] - P.vertices[e.tail]};
}
inline Line placed(const Transform& X, const Line& line) {
  return {X * line.tail, X.R * line.along};
}

// Into face f across its edge, in the face's plane, as long as the edge (spec 0.5).
inline Vec3 into_f1(const Polyhedron& P, const Polyhedron::Edge& e, const Vec3& along) {
  return P.faces[e.f1].eta.cross(along);
}
inline Vec3 into_f2(const Polyhedron& P, const Polyhedron::Edge& e, const Vec3& along) {
  return along.cross(P.faces[e.f2].eta);
}

// How far numbers of this pair can be off by rounding alone (m).
inline double rounding(const Polyhedron& A, const Polyhedron& B, const Transform& X_AB) {
  return 1e-15 * (A.size + B.size + A.center.lpNorm<1>() + X_AB.p.lpNorm<1>());
}

inline double parameter_of_nearest(const Line& line, const Vec3& point) {
  return std::clamp(line.along.dot(point - line.tail) / line.along.squaredNorm(), 0.0, 1.0);
}

struct SegmentPair {
  double s, t;   // parameters of the closest points
  Vec3 x, y;     // the points
  Vec3 cross;    // of the two directions
  double sine2;  // squared sine of the angle between them
};

// Closest points of two segments. Through the cross product, not through a*c - b*b,
// which has lost everything at an angle of 1e-8. Parallel ones answer with the middle of
// what they have side by side.
inline SegmentPair closest_points(const Line& e, const Line& f) {
  SegmentPair q;
  const double ee = e.along.squaredNorm(), ff = f.along.squaredNorm();
  const Vec3 r = f.tail - e.tail;
  q.cross = e.along.cross(f.along);
  const double cc = q.cross.squaredNorm();
  q.sine2 = cc / (ee * ff);
  if (q.sine2 > 1e-24) {
    q.s = std::clamp(r.cross(f.along).dot(q.cross) / cc, 0.0, 1.0);
  } else {
    const double s0 = e.along.dot(r) / ee, s1 = e.along.dot(r + f.along) / ee;
    const double low = std::clamp(std::min(s0, s1), 0.0, 1.0);
    const double high = std::clamp(std::max(s0, s1), 0.0, 1.0);
    q.s = 0.5 * (low + high);
  }
  const double t = f.along.dot(e.at(q.s) - f.tail) / ff;
  q.t = std::clamp(t, 0.0, 1.0);
  if (q.t != t) q.s = parameter_of_nearest(e, f.at(q.t));
  q.x = e.at(q.s);
  q.y = f.at(q.t);
  return q;
}

// What a pair must keep to be called closest.
struct Strictness {
  double slack;       // m: outside a Voronoi region, or beyond a supporting plane
  double least_gap;   // m: of vertex-vertex and vertex-edge
  double least_sine;  // of edge-edge
};

bool is_closest(const Polyhedron& A, const Polyhedron& B, const Transform& X_AB, Feature a,
                Feature b, const Strictness& strictness, Proximity& out);

// Looks at every vertex-face and edge-edge pair. False: overlapping.
bool closest_by_exhaustion(const Polyhedron& A, const Polyhedron& B, const Transform& X_AB,
                           Feature& a, Feature& b);

// Distance, points and normal of two features known to be closest. False: they touch to
// rounding, and no normal can be told from them.
bool answer(const Polyhedron& A, const Polyhedron& B, const Transform& X_AB, Feature a, Feature b,
            Proximity& out);

}  // namespace abut::vclip_parts
