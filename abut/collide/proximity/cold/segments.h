// Closest points of points and segments: edges of polyhedra (V-Clip), axes of capsules.
//
//   abut::SegmentPair q = abut::closest_points(e, f);
//   double distance = (q.y - q.x).norm();
#pragma once

#include <algorithm>

#include "abut/collide/proximity/tolerances.h"
#include "abut/math/transform.h"

namespace abut {

struct Segment {
  Vec3 tail, along;  // points tail + s along, s in [0, 1]

  Vec3 at(double s) const { return tail + s * along; }
};

inline Segment placed(const Transform& X, const Segment& line) {
  return {X * line.tail, X.R * line.along};
}

// The segment must not have length 0.
inline double parameter_of_nearest(const Segment& line, const Vec3& point) {
  return std::clamp(line.along.dot(point - line.tail) / line.along.squaredNorm(), 0.0, 1.0);
}

struct SegmentPair {
  double s, t;   // parameters of the closest points
  Vec3 x, y;     // the points
  Vec3 cross;    // of the two directions
  double sine2;  // squared sine of the angle between them
};

// Closest points of two segments of nonzero length. Computed from the cross product and not from
// a*c - b*b, which has no correct digit left at an angle of 1e-8. For parallel segments the answer
// is the middle of their overlap.
inline SegmentPair closest_points(const Segment& e, const Segment& f) {
  SegmentPair q;
  const double ee = e.along.squaredNorm(), ff = f.along.squaredNorm();
  const Vec3 r = f.tail - e.tail;
  q.cross = e.along.cross(f.along);
  const double cc = q.cross.squaredNorm();
  q.sine2 = cc / (ee * ff);
  if (q.sine2 > kParallelSegments2) {
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

// The unit direction perpendicular to both segments, from their cross product. The cross product
// alone is wrong by rounding / sine. After making it perpendicular to each segment again, the error
// along the segments, which is what matters, is rounding alone.
inline Vec3 common_perpendicular(const Segment& e, const Segment& f, const Vec3& cross) {
  Vec3 n = cross.normalized();
  n -= e.along * (n.dot(e.along) / e.along.squaredNorm());
  n -= f.along * (n.dot(f.along) / f.along.squaredNorm());
  return n;
}

}  // namespace abut
