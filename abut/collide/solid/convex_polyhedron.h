// A polyhedron with all that queries need of it, precomputed. It stays where it was made, because its
// Convex points into it.
//
//   abut::ConvexPolyhedron box;
//   box.make(abut::box_polyhedron({1, 1, 1}));
//   use(box.convex);
#pragma once

#include <optional>

#include "abut/collide/solid/convex_solid.h"

namespace abut {

struct ConvexPolyhedron {
  ConvexPolyhedron() = default;
  ConvexPolyhedron(const ConvexPolyhedron&) = delete;
  ConvexPolyhedron& operator=(const ConvexPolyhedron&) = delete;

  void make(Polyhedron p);

  Convex convex;

 private:
  Polyhedron polyhedron_;
  SupportMap support_;
  std::optional<AxisTable> axes_;
  InnerBalls balls_;
};

}  // namespace abut
