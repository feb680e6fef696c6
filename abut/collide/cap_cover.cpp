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

struct Gap {
  Vec3 v, w;
  int edge;
};

}  // namespace

CapCover cover(const PolyhedronPair& pair, const DifferenceFace& face, double depth) {
  CapCover result;
  for (int k = 0; k < face.count; ++k) {
    const Vec3 along = face.next(k).v - face.corner[at(k)].v;
    if (along.cross(face.normal).dot(face.corner[at(k)].v) <= 0) {
      // the projection is beyond this edge: so is something nearer
      result.answer = CapCover::better;
      result.edge = k;
      return result;
    }
  }
  const Ball ball = ball_under(pair, face);
  if (!(ball.radius > depth)) return result;

  std::array<Gap, DifferenceFace::kMostCorners + kMostInserted> gaps;
  int count = 0;
  for (int k = 0; k < face.count; ++k)
    gaps[at(count++)] = {face.corner[at(k)].v, face.next(k).v, k};
  int of_face = count;  // gaps that are edges of the face
  while (count > 0) {
    const Gap gap = gaps[at(--count)];
    Crossing corner;
    if (!cross(gap.v, gap.w, depth, corner)) return result;
    if (count < of_face) {
      of_face = count;
      // the point on the circles of both that is covered and in K
      if (!(ball.reach(corner.inner) < depth)) return result;
    }
    if (ball.reach(corner.outer) >= depth) continue;
    if (result.inserted == kMostInserted) return result;
    const Vec3 x =
        -difference_support(*pair.A.support, *pair.B.support, pair.X_AB, -corner.outer).w;
    if (x.dot(corner.outer) < depth) {
      result.answer = CapCover::better;
      result.edge = gap.edge;
      return result;
    }
    // its circle must pass between the two corners, and its arc in K be on the covered side
    if (!(x.dot(corner.inner) < depth)) return result;
    const Vec3 u = least_ruled_out(x, ball, depth);
    if (ball.reach(u) < depth && gap.v.dot(u) < depth && gap.w.dot(u) < depth) return result;
    ++result.inserted;
    gaps[at(count++)] = {gap.v, x, gap.edge};
    gaps[at(count++)] = {x, gap.w, gap.edge};
  }
  result.answer = CapCover::covered;
  return result;
}

}  // namespace abut
