#include "abut/collide/solid/inner_balls.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "abut/collide/solid/tolerances.h"
#include "abut/math/index.h"

namespace abut {
namespace {

// Depths of the centre below the vertex that are tried, relative to the radius of the given ball.
constexpr std::array<double, 6> kDepths{0.12, 0.25, 0.5, 0.8, 1.2, 1.8};
// Relative to the same radius: a typical depth of overlap. A ball smaller than that is useless.
constexpr double kOverlap = 0.08;
// Finding a ball is a scan over all faces. At most kMostBalls vertices get their own ball, and
// fewer for a million faces.
constexpr int kMostBalls = 400;
constexpr std::int64_t kMostLooks = 40'000'000;

// Measure of a ball: how far it ends below the vertex, relative to its size. Beyond an angle x from
// the normal, where x^2 / 2 is about this value, the ball reaches farther than the plane at the
// vertex.
double worth(double below, double radius, double overlap) {
  return radius > overlap ? below / (radius - overlap) : std::numeric_limits<double>::infinity();
}

Vec3 mean_normal(const Polyhedron& p, int v) {
  Vec3 sum = Vec3::Zero();
  for (const int f : p.faces_around(v)) sum += p.faces[at(f)].eta;
  return sum.normalized();
}

// The best ball with its centre straight below a vertex.
InnerBall ball_under(const Polyhedron& p, int v, const Vec3& m, const InnerBall& given) {
  std::array<double, kDepths.size()> depth, radius;
  for (std::size_t i = 0; i < depth.size(); ++i) depth[i] = kDepths[i] * given.radius;
  radius.fill(std::numeric_limits<double>::infinity());
  const Vec3 top = p.vertices[at(v)];
  for (const Polyhedron::Face& f : p.faces) {
    const double room = f.offset - f.eta.dot(top), slope = f.eta.dot(m);
    for (std::size_t i = 0; i < depth.size(); ++i) {
      const double r = room + depth[i] * slope;
      radius[i] = r < radius[i] ? r : radius[i];
    }
  }
  const double overlap = kOverlap * given.radius;
  InnerBall best = given;
  double least = worth(m.dot(top - given.center) - given.radius, given.radius, overlap);
  for (std::size_t i = 0; i < depth.size(); ++i)
    if (const double w = worth(depth[i] - radius[i], radius[i], overlap); w < least) {
      least = w;
      best = {top - depth[i] * m, radius[i]};
    }
  return best;
}

}  // namespace

InnerBalls::InnerBalls(const Polyhedron& p, const Vec3& center, double radius)
    : of_vertex_(p.vertices.size(), -1) {
  // rounding of the planes must not let a ball reach out of the solid
  const double rounding = kInnerBallRounding * p.size + kInnerBallOffsetRounding * center.norm();
  const InnerBall given{center, std::max(0.0, radius - rounding)};
  const auto most = static_cast<int>(
      std::clamp<std::int64_t>(kMostLooks / std::max(1, p.face_count()), 1, kMostBalls));
  const int stride = (p.vertex_count() + most - 1) / most;
  std::vector<std::int32_t> order;  // vertices with a ball
  for (int v = 0; v < p.vertex_count(); v += stride) {
    of_vertex_[at(v)] = count();
    balls_.push_back(ball_under(p, v, mean_normal(p, v), given));
    balls_.back().radius = std::max(0.0, balls_.back().radius - rounding);
    order.push_back(v);
  }
  // the other vertices take the best ball of their neighbours, outwards from those that have one
  for (std::size_t k = 0; k < order.size(); ++k)
    for (const int v : p.neighbours(order[k]))
      if (of_vertex_[at(v)] < 0) {
        of_vertex_[at(v)] = best_of_neighbours(p, v);
        order.push_back(v);
      }
}

std::int32_t InnerBalls::best_of_neighbours(const Polyhedron& p, int v) const {
  const Vec3 m = mean_normal(p, v);
  std::int32_t best = -1;
  double least = std::numeric_limits<double>::infinity();
  for (const int u : p.neighbours(v)) {
    const std::int32_t i = of_vertex_[at(u)];
    if (i < 0) continue;
    const InnerBall& b = balls_[at(i)];
    const double w = worth(m.dot(p.vertices[at(v)] - b.center) - b.radius, b.radius, 0);
    if (best >= 0 && !(w < least)) continue;
    least = w;
    best = i;
  }
  return best;
}

}  // namespace abut
