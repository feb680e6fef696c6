#include "abut/collide/proximity/warm/cap_certificate.h"

#include "abut/collide/proximity/pair_axes.h"
#include "abut/collide/proximity/warm/cap_gaps.h"
#include "abut/math/index.h"

namespace abut {
namespace {

// Among some vertices of a solid that are equally far along `n`: the inner ball that ends least
// below them, relative to its size.
class BestBall {
 public:
  BestBall(const Convex& solid, const Vec3& n) : solid_(solid), n_(n) {}
  void try_under(int vertex) {
    if (vertex == last_) return;
    last_ = vertex;
    const InnerBall& b = solid_.balls->under(vertex);
    const double below = n_.dot(solid_.support->vertex(vertex) - b.center) - b.radius;
    if (ball_ && below * ball_->radius >= below_ * b.radius) return;
    ball_ = &b;
    below_ = below;
  }
  const InnerBall& ball() const { return *ball_; }

 private:
  const Convex& solid_;
  Vec3 n_;
  int last_ = -1;
  const InnerBall* ball_ = nullptr;
  double below_ = 0;
};

DifferenceBall ball_under(const PolyhedronPair& pair, const DifferenceFace& face) {
  BestBall a(pair.A, face.normal), b(pair.B, -(pair.X_AB.R.transpose() * face.normal));
  for (int k = 0; k < face.count; ++k) {
    a.try_under(face.corner[at(k)].a);
    b.try_under(face.corner[at(k)].b);
  }
  return {a.ball().center - pair.X_AB * b.ball().center, a.ball().radius + b.ball().radius};
}

// The corner of two neighbouring caps at the depth of the face itself: the normal, mirrored. `x` =
// v x w. Says whether the ball rules the corner out.
struct Mirrored {
  Vec3 n;
  double depth;

  bool is_ruled_out(const Vec3& x, const DifferenceBall& ball) const {
    return (ball.reach(n) - depth) * x.squaredNorm() >= 2 * n.dot(x) * x.dot(ball.center);
  }
  Vec3 corner(const Vec3& x) const { return n - (2 * n.dot(x) / x.squaredNorm()) * x; }
};

class Cover {
  using Gaps = CapGaps<InFrameOfA>;

 public:
  Cover(const PolyhedronPair& pair, const DifferenceFace& face)
      : pair_(pair), face_(face), axes_(pair.X_AB) {
    for (int k = 0; k < face.count; ++k)
      crosses_[at(k)] = face.corner[at(k)].v.cross(face.next(k).v);
  }

  // An edge that the origin's projection lies beyond; -1: none.
  int edge_before_projection() const {
    for (int k = 0; k < face_.count; ++k)
      if (crosses_[at(k)].dot(face_.normal) <= 0) return k;
    return -1;
  }

  CapCertificate at_own_depth(double slack) const {
    const Mirrored mirrored{face_.normal, face_.distance};
    // use the ball that leaves the fewest edges to do
    DifferenceBall ball = ball_under(pair_, face_);
    std::array<int, DifferenceFace::kMostCorners> left, others;
    int count = left_by(ball, mirrored, left);
    if (count > 0) {
      const DifferenceBall center{pair_.A.center - pair_.X_AB * pair_.B.center,
                                  pair_.A.inner + pair_.B.inner};
      if (const int fewer = left_by(center, mirrored, others); fewer < count) {
        count = fewer;
        left = others;
        ball = center;
      }
    }
    // a ball that reaches the face's plane leaves no arc to start from
    if (!(ball.reach(face_.normal) < face_.distance)) return {};
    Gaps gaps(pair_.A, pair_.B, axes_, ball, face_.distance, slack);
    for (int i = 0; i < count; ++i) {
      const int k = left[at(i)];
      if (!gaps.close({face_.corner[at(k)], face_.next(k), k},
                      {mirrored.corner(crosses_[at(k)]), face_.normal}))
        return answer(gaps, false);
    }
    return answer(gaps, true);
  }

  CapCertificate at_depth(double depth) const {
    const DifferenceBall ball = ball_under(pair_, face_);
    Gaps gaps(pair_.A, pair_.B, axes_, ball, depth, 0);
    for (int k = 0; k < face_.count; ++k) {
      const Gaps::Gap gap{face_.corner[at(k)], face_.next(k), k};
      CapCrossing corner;
      // the crossing on the covered side is in K
      if (!cross_caps(gap.v.v, gap.w.v, depth, corner) || !(ball.reach(corner.inner) < depth))
        return answer(gaps, false);
      if (ball.reach(corner.outer) < depth && !gaps.close(gap, corner)) return answer(gaps, false);
    }
    return answer(gaps, true);
  }

 private:
  // Lists the edges whose corner the ball does not rule out.
  int left_by(const DifferenceBall& ball, const Mirrored& mirrored,
              std::array<int, DifferenceFace::kMostCorners>& left) const {
    int count = 0;
    for (int k = 0; k < face_.count; ++k)
      if (!mirrored.is_ruled_out(crosses_[at(k)], ball)) left[at(count++)] = k;
    return count;
  }

  static CapCertificate answer(const Gaps& gaps, bool closed) {
    const bool better = gaps.better() >= 0;
    return {closed   ? CapCertificate::certified
            : better ? CapCertificate::better
                     : CapCertificate::unsure,
            gaps.better(), gaps.inserted()};
  }

  const PolyhedronPair& pair_;
  const DifferenceFace& face_;
  InFrameOfA axes_;
  std::array<Vec3, DifferenceFace::kMostCorners> crosses_;
};

}  // namespace

CapCertificate certify_by_caps(const PolyhedronPair& pair, const DifferenceFace& face,
                               double slack) {
  Cover c(pair, face);
  CapCertificate result;
  result.edge = c.edge_before_projection();
  if (result.edge >= 0) {
    // the projection is beyond this edge: so is a nearer face
    result.answer = CapCertificate::better;
    return result;
  }
  result = c.at_own_depth(slack);
  // directions that need as much as the face rule out nothing at the face's own depth
  return result.answer == CapCertificate::unsure ? c.at_depth(face.distance - slack) : result;
}

}  // namespace abut
