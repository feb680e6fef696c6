// GJK: distance of two convex cores by supports of their Minkowski difference (Gilbert, Johnson,
// Keerthi 1988; Cheng Yi and Drumwright, IV-A; K-10).
//
// It works on B - A. The point v of B - A nearest to the origin points from A to B. The nearest
// point of a simplex is computed from signs of volumes and areas, never from differences of
// squares. On polytopes the method ends when a support vertex is not new, after finitely many
// steps. Rounding cannot make it cycle, since every step must come nearer.
//
//   GjkAnswer g = gjk(*a.support, *b.support, X_AB, b.center - a.center);
//   if (g.status == GjkStatus::apart) distance = g.v.norm();
#pragma once

#include <array>
#include <limits>

#include "abut/collide/solid/support_map.h"
#include "abut/math/transform.h"

namespace abut {

// A vertex of B - A: w = b - a in A's frame, for vertex `b` of B and vertex `a` of A.
struct DifferenceVertex {
  Vec3 w;
  int a, b;
};

struct Simplex {
  std::array<DifferenceVertex, 4> vertex;
  std::array<double, 4> weight{};  // of the point nearest to the origin
  int count = 0;
};

enum class GjkStatus {
  apart,
  beyond_limit,  // a plane separates them by more than the limit
  touching,      // the origin is in the simplex, or at most `touch` from it
};

struct GjkAnswer {
  GjkStatus status = GjkStatus::touching;
  Vec3 v = Vec3::Zero();   // from A to B, nearest point of the simplex
  double lower_bound = 0;  // of the distance (m); apart: the distance
  Simplex simplex;         // nearest part: 1 to 3 vertices apart, up to 4 touching
  int iterations = 0;
  bool converged = false;  // apart: the bounds agree to 1e-9 of the distance
};

struct GjkOptions {
  double limit = std::numeric_limits<double>::infinity();  // m
  double touch = 0;                                        // m: nearer than this counts as touching
  int vertex_a = -1, vertex_b = -1;  // start vertices of a climb; -1: use the table
};

// `start`: a guess of the direction from A to B, in A's frame, not 0.
GjkAnswer gjk(const SupportMap& A, const SupportMap& B, const Transform& X_AB, const Vec3& start,
              const GjkOptions& options = {});

// The farthest vertex of B - A along `direction` (A's frame).
inline DifferenceVertex difference_support(const SupportMap& A, const SupportMap& B,
                                           const Transform& X_AB, const Vec3& direction) {
  const int a = A.farthest(-direction);
  const int b = B.farthest(X_AB.R.transpose() * direction);
  return {X_AB * B.vertex(b) - A.vertex(a), a, b};
}

}  // namespace abut
