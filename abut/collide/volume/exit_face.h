// ExitFace: the face of a convex solid through which a ray from its centre to a point leaves, found
// by walking from face to face.
//
// In the dual, where face n . x = d is the point n/d, it is the point farthest along the ray, and a
// climb over neighbours finds it. For a face with many edges not all neighbours are tested: seen
// from one corner its edges are in order, and bisection finds the edge that the ray passes.
//
//   abut::ExitFace exit(solid, face_planes(solid));
//   const int face = exit.find(p, -1, 1e-14);  // -1: p is inside
#pragma once

#include <span>

#include "abut/collide/solid/convex.h"
#include "abut/math/types.h"

namespace abut {

class ExitFace {
 public:
  ExitFace(const Convex& solid, std::span<const Polyhedron::Face> planes)
      : planes_(planes), polyhedron_(solid.is_half_space() ? nullptr : solid.tessellation) {}

  // A face that `p` (in the solid's frame) is above by more than `flush` (m), or -1. `own` is a
  // face whose plane contains p; -1: unknown. Rounding may hide a face that p is above by a little
  // more.
  int find(const Vec3& p, int own, double flush);
  // Number of planes and corners examined since construction: the cost.
  long looks() const { return looks_; }

 private:
  double height(int f, const Vec3& p) {
    ++looks_;
    return planes_[f].eta.dot(p) - planes_[f].offset;
  }
  int across(int edge, int face) const {
    const Polyhedron::Edge& e = polyhedron_->edges[edge];
    return e.f1 == face ? e.f2 : e.f1;
  }
  int highest(const Vec3& p, double least);
  bool below_neighbours(const Vec3& p, int own, double flush);
  void climb(const Vec3& p);

  std::span<const Polyhedron::Face> planes_;
  const Polyhedron* polyhedron_;
  int last_ = 0;  // start of the next climb
  long looks_ = 0;
};

}  // namespace abut
