#include "abut/collide/cap_cover.h"

#include <cmath>

#include "abut/collide/gjk.h"

namespace abut {
namespace {

// After so many vertices the expanding polytope is as fast.
constexpr int kMostInserted = 12;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// A ball inside the difference, close under the face.
struct Ball {
  Vec3 center;
  double radius;

  double reach(const Vec3& u) const { return center.dot(u) + radius; }
};

// Of some vertices of a solid, all as far along `n`, the ball that ends the least below them,
// relative to its size.
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

Ball ball_under(const PolyhedronPair& pair, const DifferenceFace& face) {
  BestBall a(pair.A, face.normal), b(pair.B, -(pair.X_AB.R.transpose() * face.normal));
  for (int k = 0; k < face.count; ++k) {
    a.try_under(face.corner[at(k)].a);
    b.try_under(face.corner[at(k)].b);
  }
  return {a.ball().center - pair.X_AB * b.ball().center, a.ball().radius + b.ball().radius};
}

// Where the circles of two caps cross: v . u = w . u = depth.
struct Crossing {
  Vec3 outer, inner;  // away from the face and towards it, for v, w counter-clockwise around it
};
bool cross(const Vec3& v, const Vec3& w, double depth, Crossing& out) {
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

// Where the circle of a cap is farthest from what the ball rules out.
Vec3 least_ruled_out(const Vec3& v, const Ball& ball, double depth) {
  const double vv = v.squaredNorm();
  const Vec3 across = ball.center - v * (v.dot(ball.center) / vv);
  const double open = std::max(0.0, 1 - depth * depth / vv), length = across.norm();
  const Vec3 middle = v * (depth / vv);
  return length > 0 ? Vec3(middle - across * (std::sqrt(open) / length)) : middle;
}

// Between two neighbours, beyond an edge of the face.
struct Gap {
  DifferenceFace::Corner v, w;
  int edge;
};

bool same(const DifferenceFace::Corner& p, const DifferenceFace::Corner& q) {
  return p.a == q.a && p.b == q.b;
}

// The corner of two neighbours' caps at the depth of the face itself: the normal, mirrored.
// `x` = v x w. Whether the ball rules it out.
struct Mirrored {
  Vec3 n;
  double depth;

  bool is_ruled_out(const Vec3& x, const Ball& ball) const {
    return (ball.reach(n) - depth) * x.squaredNorm() >= 2 * n.dot(x) * x.dot(ball.center);
  }
  Vec3 corner(const Vec3& x) const { return n - (2 * n.dot(x) / x.squaredNorm()) * x; }
};

class Cover {
 public:
  Cover(const PolyhedronPair& pair, const DifferenceFace& face) : pair_(pair), face_(face) {
    for (int k = 0; k < face.count; ++k)
      crosses_[at(k)] = face.corner[at(k)].v.cross(face.next(k).v);
  }

  // An edge that the origin's projection is beyond, -1: none.
  int edge_before_projection() const {
    for (int k = 0; k < face_.count; ++k)
      if (crosses_[at(k)].dot(face_.normal) <= 0) return k;
    return -1;
  }

  CapCover at_own_depth(double slack) {
    const Mirrored mirrored{face_.normal, face_.distance};
    // the ball that leaves the fewest edges to do
    Ball ball = ball_under(pair_, face_);
    std::array<int, DifferenceFace::kMostCorners> left, others;
    int count = left_by(ball, mirrored, left);
    if (count > 0) {
      const Ball center{pair_.A.center - pair_.X_AB * pair_.B.center,
                        pair_.A.inner + pair_.B.inner};
      if (const int fewer = left_by(center, mirrored, others); fewer < count) {
        count = fewer;
        left = others;
        ball = center;
      }
    }
    // a ball that ends at the face's plane has no arc to start from
    if (!(ball.reach(face_.normal) < face_.distance)) return {};
    CapCover result;
    gaps_ = 0;
    for (int i = 0; i < count; ++i) {
      const int k = left[at(i)];
      const Gap gap{face_.corner[at(k)], face_.next(k), k};
      if (!divide(gap, {mirrored.corner(crosses_[at(k)]), face_.normal}, ball, face_.distance,
                  slack, result) ||
          !close_gaps(ball, face_.distance, slack, result))
        return result;
    }
    result.answer = CapCover::covered;
    return result;
  }

  CapCover at_depth(double depth) {
    CapCover result;
    const Ball ball = ball_under(pair_, face_);
    gaps_ = 0;
    for (int k = 0; k < face_.count; ++k) {
      const Gap gap{face_.corner[at(k)], face_.next(k), k};
      Crossing corner;
      // the point on the circles of both that is covered is in K
      if (!cross(gap.v.v, gap.w.v, depth, corner) || !(ball.reach(corner.inner) < depth))
        return result;
      if (ball.reach(corner.outer) >= depth) continue;
      if (!divide(gap, corner, ball, depth, 0, result) || !close_gaps(ball, depth, 0, result))
        return result;
    }
    result.answer = CapCover::covered;
    return result;
  }

 private:
  // The edges whose corner a ball does not rule out.
  int left_by(const Ball& ball, const Mirrored& mirrored,
              std::array<int, DifferenceFace::kMostCorners>& left) const {
    int count = 0;
    for (int k = 0; k < face_.count; ++k)
      if (!mirrored.is_ruled_out(crosses_[at(k)], ball)) left[at(count++)] = k;
    return count;
  }

  // Takes in the farthest vertex along a corner that nothing rules out. False: it can't, or there
  // is a direction that needs less than depth - slack.
  bool divide(const Gap& gap, const Crossing& corner, const Ball& ball, double depth, double slack,
              CapCover& result) {
    if (result.inserted == kMostInserted) return false;
    const DifferenceVertex farthest =
        difference_support(*pair_.A.support, *pair_.B.support, pair_.X_AB, -corner.outer);
    const DifferenceFace::Corner x{-farthest.w, farthest.a, farthest.b};
    const double reach = x.v.dot(corner.outer);
    // nothing is farther than the two that meet here: a little beyond, all need less
    if (reach < depth - slack || same(x, gap.v) || same(x, gap.w)) {
      result.answer = CapCover::better;
      result.edge = gap.edge;
      return false;
    }
    // its circle must pass between the two corners, and its arc in K be on the covered side
    if (reach < depth || !(x.v.dot(corner.inner) < depth)) return false;
    const Vec3 u = least_ruled_out(x.v, ball, depth);
    if (ball.reach(u) < depth && gap.v.v.dot(u) < depth && gap.w.v.dot(u) < depth) return false;
    ++result.inserted;
    waiting_[at(gaps_++)] = {gap.v, x, gap.edge};
    waiting_[at(gaps_++)] = {x, gap.w, gap.edge};
    return true;
  }

  bool close_gaps(const Ball& ball, double depth, double slack, CapCover& result) {
    while (gaps_ > 0) {
      const Gap gap = waiting_[at(--gaps_)];
      Crossing corner;
      if (!cross(gap.v.v, gap.w.v, depth, corner)) return false;
      if (ball.reach(corner.outer) < depth && !divide(gap, corner, ball, depth, slack, result))
        return false;
    }
    return true;
  }

  const PolyhedronPair& pair_;
  const DifferenceFace& face_;
  std::array<Vec3, DifferenceFace::kMostCorners> crosses_;
  std::array<Gap, kMostInserted + 1> waiting_;
  int gaps_ = 0;
};

}  // namespace

CapCover cover(const PolyhedronPair& pair, const DifferenceFace& face, double slack) {
  Cover c(pair, face);
  CapCover result;
  result.edge = c.edge_before_projection();
  if (result.edge >= 0) {
    // the projection is beyond this edge: so is something nearer
    result.answer = CapCover::better;
    return result;
  }
  result = c.at_own_depth(slack);
  // directions that need as much as the face rule out nothing at its own depth
  return result.answer == CapCover::unsure ? c.at_depth(face.distance - slack) : result;
}

}  // namespace abut
