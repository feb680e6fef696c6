// InnerBalls: balls inside a polyhedron, one close under each vertex, each as large as the surface
// around the vertex allows. Along any direction the solid reaches at least as far as a ball inside
// it. This lower bound costs one dot product and holds in every pose. cap_certificate.h uses it to
// rule out all directions that are not close to a normal.
//
// A solid of up to 400 vertices has one ball per vertex; in larger solids neighbouring vertices
// share balls.
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
  // `center` and `radius` describe a ball inside the solid. It sets the length scale, and it serves
  // vertices for which no other ball is better.
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
