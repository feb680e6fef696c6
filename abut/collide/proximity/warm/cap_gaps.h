// The certificate of cap_certificate.h for one edge of a face, in axes of the caller's choice
// (pair_axes.h). Vertices of the difference A - B rule out caps of the sphere of directions. A ball
// inside the difference rules out all but a cap K. The gap beyond two neighbouring caps is closed
// by vertices in between.
//
//   abut::CapGaps gaps(A, B, axes, ball, depth, 0);
//   if (gaps.close({v, w, edge}, {outer, n})) edge_is_done();
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "abut/collide/proximity/warm/difference_face.h"
#include "abut/collide/solid/convex.h"

namespace abut {

// A ball inside the difference.
struct DifferenceBall {
  Vec3 center;
  double radius;  // m

  double reach(const Vec3& u) const { return center.dot(u) + radius; }
};

// Where the circles of two caps cross: v . u = w . u = depth.
struct CapCrossing {
  Vec3 outer, inner;  // away from the face and towards it; v, w counter-clockwise
};
inline bool cross_caps(const Vec3& v, const Vec3& w, double depth, CapCrossing& out) {
  const Vec3 c = v.cross(w);
  const double squared = c.squaredNorm();
  if (!(squared > 0)) return false;
  const double vv = v.squaredNorm(), ww = w.squaredNorm(), vw = v.dot(w);
  const double scale = depth / squared;
  const double p = scale * (ww - vw), q = scale * (vv - vw);
  const double rest = (1 - depth * (p + q)) / squared;
  if (!(rest > 0)) return false;
  const Vec3 middle = p * v + q * w, side = std::sqrt(rest) * c;
  out = {middle - side, middle + side};
  return true;
}

// The point of a cap's circle that is farthest from the directions that the ball rules out.
inline Vec3 least_ruled_out(const Vec3& v, const DifferenceBall& ball, double depth) {
  const double vv = v.squaredNorm();
  const Vec3 across = ball.center - v * (v.dot(ball.center) / vv);
  const double open = std::max(0.0, 1 - depth * depth / vv), length = across.norm();
  const Vec3 middle = v * (depth / vv);
  return length > 0 ? Vec3(middle - across * (std::sqrt(open) / length)) : middle;
}

template <typename Axes>
class CapGaps {
 public:
  using Corner = DifferenceFace::Corner;
  // The gap between two neighbouring caps, beyond an edge of the face.
  struct Gap {
    Corner v, w;
    int edge;
  };

  // After this many vertices the answer is no: if one or two vertices do not close a gap, more
  // seldom do.
  static constexpr int kMostInserted = 4;

  // The ball must not reach `depth` along the face's normal: K must contain the normal. A direction
  // is better if its translation is less than depth - slack (m).
  CapGaps(const Convex& A, const Convex& B, const Axes& axes, const DifferenceBall& ball,
          double depth, double slack)
      : A_(A), B_(B), axes_(axes), ball_(ball), depth_(depth), slack_(slack) {}

  // Closes a gap whose corner the ball does not rule out. False: the gap stays open.
  bool close(const Gap& first, const CapCrossing& corner) {
    gaps_ = 0;
    if (!divide(first, corner)) return false;
    while (gaps_ > 0) {
      const Gap gap = waiting_[static_cast<std::size_t>(--gaps_)];
      CapCrossing next;
      if (!cross_caps(gap.v.v, gap.w.v, depth_, next)) return false;
      if (ball_.reach(next.outer) < depth_ && !divide(gap, next)) return false;
    }
    return true;
  }

  int inserted() const { return inserted_; }
  // The edge beyond which a better direction was found; -1: none.
  int better() const { return better_; }

 private:
  // Inserts the vertex that is farthest along a corner that nothing rules out. Returns false if it
  // cannot, or if a better direction exists.
  bool divide(const Gap& gap, const CapCrossing& corner) {
    if (inserted_ == kMostInserted) return false;
    const Corner x = farthest(corner.outer);
    const double reach = x.v.dot(corner.outer);
    // no vertex is farther than the two that meet here: directions a little beyond are better
    if (reach < depth_ - slack_ || same(x, gap.v) || same(x, gap.w)) {
      better_ = gap.edge;
      return false;
    }
    // its circle must pass between the two corners, and its arc in K must be on the covered side
    if (reach < depth_ || !(x.v.dot(corner.inner) < depth_)) return false;
    const Vec3 u = least_ruled_out(x.v, ball_, depth_);
    if (ball_.reach(u) < depth_ && gap.v.v.dot(u) < depth_ && gap.w.v.dot(u) < depth_) return false;
    ++inserted_;
    waiting_[static_cast<std::size_t>(gaps_++)] = {gap.v, x, gap.edge};
    waiting_[static_cast<std::size_t>(gaps_++)] = {x, gap.w, gap.edge};
    return true;
  }

  Corner farthest(const Vec3& u) const {
    const int a = A_.support->farthest(axes_.template local_direction<0>(u));
    const int b = B_.support->farthest(-axes_.template local_direction<1>(u));
    return {axes_.template point<0>(A_.support->vertex(a)) -
                axes_.template point<1>(B_.support->vertex(b)),
            a, b};
  }
  static bool same(const Corner& p, const Corner& q) { return p.a == q.a && p.b == q.b; }

  const Convex &A_, &B_;
  const Axes& axes_;
  const DifferenceBall& ball_;
  double depth_, slack_;
  std::array<Gap, kMostInserted + 1> waiting_;
  int gaps_ = 0, inserted_ = 0, better_ = -1;
};

}  // namespace abut
