// All vertex-edge and vertex-vertex features of two polygons within reach, with their
// applicability, for PEG in 2D (Williams, Lu and Trinkle, (5) and (17); P-1, P-3, P-10, P-E2).
//
//   abut::PlanarFeatures features;
//   abut::find_features(a, b, reach, features);
//   for (const abut::PlanarContact& c : features.contacts)
//     if (c.applicability >= -1e-6) may_carry_force(c);
#pragma once

#include <array>
#include <vector>

#include "abut/collide/planar/planar.h"

namespace abut {

// A vertex of one polygon and an edge of the other; the edge's line continues beyond its ends.
struct PlanarContact {
  bool vertex_of_a = false;
  int vertex = -1, edge = -1;
  Vec2 normal = Vec2::Zero();                   // unit, from A to B
  double psi = 0;                               // vertex over the edge's line (m)
  Vec2 p_A = Vec2::Zero(), p_B = Vec2::Zero();  // vertex and foot; p_B = p_A + psi normal
  double distance = 0;                          // vertex to the edge itself, not its line (m)
  // Least of eta . unit(v_k - v) over the vertex's two neighbours v_k. It is at least 0 if both
  // neighbours lead away from the edge (5); a relaxed test compares it with -sin(theta).
  double applicability = 0;

  bool operator==(const PlanarContact&) const = default;
};

// A vertex of each polygon, near the other. Let e1 be the incoming and e2 the outgoing edge of a
// vertex, counter-clockwise on both polygons (P-E2). Then the indices into the contacts are those
// of (17): C1 = (va, eb1), C2 = (va, eb2), C3 = (vb, ea1), C4 = (vb, ea2).
struct PlanarCorner {
  int a = -1, b = -1;
  double distance = 0;  // m
  std::array<int, 4> contact{-1, -1, -1, -1};
};

struct PlanarFeatures {
  std::vector<PlanarContact> contacts;  // vertices of A first; by vertex, then edge
  std::vector<PlanarCorner> corners;    // by a, then b
};

// Finds the contacts whose vertex is within `reach` (m) of the edge, in front of it or behind it,
// and the corners whose vertices are within reach of each other. The four contacts of a corner are
// always among the contacts.
void find_features(const Polygon& a, const Polygon& b, double reach, PlanarFeatures& out);

// The two edges at a vertex, counter-clockwise: the incoming and the outgoing one.
inline std::array<int, 2> edges_at(const Polygon& p, int vertex) {
  return {p.previous(vertex), vertex};
}

}  // namespace abut
