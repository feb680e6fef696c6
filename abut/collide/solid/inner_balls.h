// InnerBalls: balls inside a polyhedron, one close under each vertex, as large as the surface
// around it lets them be. Along any direction the solid reaches at least as far as a ball inside
// it does: a bound from below that costs one dot product and holds whatever the solid's pose
// (cap_certificate.h uses it to rule out all directions but those near a normal).
//
// Up to 400 vertices have a ball of their own; of more, neighbours share.
//
//   abut::InnerBalls balls(hull, center, radius);
//   const abut::InnerBall& ball = balls.under(vertex);
#pragma once

#include <cstdint>
#include <vector>

#include "abut/shape/polyhedron.h"

namespace abut {

struct InnerBall {
  Vec3 center;
  double radius;  // m
};

class InnerBalls {
 public:
  InnerBalls() = default;
  // `center`, `radius`: of a ball inside, which sets the scale and is taken where none is better.
  InnerBalls(const Polyhedron& p, const Vec3& center, double radius);

  const InnerBall& under(int vertex) const {
    return balls_[static_cast<std::size_t>(of_vertex_[static_cast<std::size_t>(vertex)])];
  }
  int count() const { return static_cast<int>(balls_.size()); }

 private:
  std::int32_t best_of_neighbours(const Polyhedron& p, int v) const;

  std::vector<InnerBall> balls_;
  std::vector<std::int32_t> of_vertex_;
};

}  // namespace abut
