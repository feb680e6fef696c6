// SurfaceContact: where two solids with surfaces of triangles touch or come near each other; at least one of them
// need not be convex (Drumwright, appendix I; D-10).
//
// Pairs of triangles that come near each other are found by two trees of boxes. Their vertices are asked for
// their distance from the other solid, and where one is inside, the vertices beside it as well (flood fill).
// Ridges of the two that cross are asked for their distance too. A place is a contact if the two solids lie
// on different sides of it: no edge at a vertex goes back through its plane, and the normal of two ridges is
// one of both.
//
// Where solids overlap so far that no such place has their depth, all vertices inside stand for the contact, along the
// facet normal that needs the least way for all of them (eq. 4).
//
//   abut::SurfaceContact contact;
//   for (const abut::SurfacePoint& p : contact.find(A, B, X_AB, reach)) ..
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "abut/collide/solid/feature.h"
#include "abut/math/transform.h"
#include "abut/shape/field/mesh_field.h"

namespace abut {

// A solid by its surface; without a field the surface is closed and small.
struct SurfaceSolid {
  const SurfaceMesh* surface = nullptr;
  const MeshField* field = nullptr;

  // Nothing if x is farther away than `bound` (m); points inside are never too far.
  SurfaceMesh::Place place(const Vec3& x, double bound) const {
    if (field != nullptr) return field->place(x, bound);
    return inflated(surface->box(), bound).contains(x) ? surface->place(x) : SurfaceMesh::Place{};
  }
};

// A pair of points, in A's frame.
struct SurfacePoint {
  Vec3 p_A, p_B;
  Vec3 normal;  // unit, from A to B
  double psi;   // m: negative where the solids overlap
  Feature a, b;
};

class SurfaceContact {
 public:
  // Contacts with a gap of at most `reach` (m).
  std::span<const SurfacePoint> find(const SurfaceSolid& A, const SurfaceSolid& B,
                                     const Transform& X_AB, double reach);
  // Of a ball of A's frame with this surface: one for each place that is nearest around it.
  std::span<const SurfacePoint> find_ball(const SurfaceSolid& A, const Vec3& center, double radius,
                                          double reach, int name);
  // Whether eq. 4 was asked for by the last find(), and whether for more than the deepest point.
  bool used_facets() const { return used_facets_; }
  bool used_all_points() const { return used_all_points_; }
  int triangle_pairs() const { return static_cast<int>(pairs_.size()); }

 private:
  struct Inside {
    int vertex;
    Vec3 x;      // in the other's frame
    double psi;  // m
  };
  // One solid's vertices against the other: S, whose frame X_ST is for.
  struct Look {
    const SurfaceSolid &S, &T;
    const Transform& X_ST;
    double reach;
    bool s_is_a;
  };
  void look_at_vertices(const Look& look, std::vector<Inside>& inside);
  void look_at_ridges(const SurfaceSolid& A, const SurfaceSolid& B, const Transform& X_AB,
                      double reach);
  void add_ridges(int edge_a, int edge_b, const SurfaceSolid& A, const SurfaceSolid& B,
                  const Transform& X_AB, double reach);
  void add_by_facets(const Look& look, std::span<const Inside> inside);
  void add(const Look& look, const Vec3& p_S, const Vec3& x, const Vec3& n_S, double psi,
           int vertex);

  std::vector<SurfacePoint> found_;
  std::vector<std::pair<int, int>> pairs_;
  std::vector<int> queue_, near_;
  std::vector<char> seen_;
  std::vector<std::uint64_t> ridges_;
  std::vector<Inside> inside_A_, inside_B_;  // vertices of A that are in B, and of B in A
  Transform X_AB_, X_BA_;
  bool used_facets_ = false, used_all_points_ = false;
};

}  // namespace abut
