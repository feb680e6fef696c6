// Intersection: the common part of two convex solids, a convex polyhedron whose faces know which
// solid they came from (Cheng Yi and Drumwright, IV-G; Hasegawa and Fujii, 4.2; K-15, H-4, H-N4).
//
// Two independent functions compute it: clip_volume.h for steps, dual_volume.h as in the papers.
// The vertices are relative to `origin`, a place in or near the common part, so that a thin or tiny
// one keeps its digits wherever the solids are.
//
//   abut::Intersection common;
//   abut::clip_volume(a, b, X_AB, buffers, common);
//   for_each_triangle(common, [&](const abut::Vec3& p, const abut::Vec3& q,
//                                 const abut::Vec3& r, const auto& face) { ... });
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "abut/collide/solid/convex.h"
#include "abut/math/types.h"

namespace abut {

enum class Side : std::uint8_t { a, b };

enum class OverlapKind : std::uint8_t {
  none,      // nothing in common
  touching,  // volume / area, at most the inscribed radius, is below kKissing L: the faces are as
             // good as rounding allows, and there may be none. Take the kissing manifold instead
             // (K-N1).
  solid
};

const char* name(OverlapKind overlap);  // "none", "touching", "solid"

struct Intersection {
  struct Face {
    int begin, end;  // range of its loop in `loops`, counter-clockwise from outside
    Side side;       // solid that the face belongs to; A for a face of both
    int face;        // index of the face in that solid
    Vec3 area;       // area times outward unit normal (m^2)
  };

  OverlapKind overlap = OverlapKind::none;
  Vec3 origin = Vec3::Zero();
  std::vector<Vec3> vertices;  // from origin
  std::vector<Face> faces;
  std::vector<int> loops;

  // Results of measure().
  double volume = 0;             // m^3
  Vec3 centroid = Vec3::Zero();  // relative to origin; of the surface if the volume is zero
  double area = 0;               // of the surface (m^2)
  Vec3 area_A = Vec3::Zero();    // sums of the area vectors of each solid's faces;
  Vec3 area_B = Vec3::Zero();    // opposite to each other, as the surface is closed

  int vertex_count() const { return static_cast<int>(vertices.size()); }
  int face_count() const { return static_cast<int>(faces.size()); }
  int edge_count() const { return static_cast<int>(loops.size()) / 2; }
  std::span<const int> loop(const Face& f) const {
    return {loops.data() + f.begin, static_cast<std::size_t>(f.end - f.begin)};
  }
  Vec3 point(int vertex) const { return origin + vertices[static_cast<std::size_t>(vertex)]; }
  // Keeps the allocated memory.
  void clear();
};

// Computes the faces' areas and all sums from vertices and loops, and distinguishes solid from
// touching. L: the pair's size (m).
void measure(Intersection& common, double L);

// Calls f(p, q, r, face) for triangles that cover the surface, counter-clockwise seen from outside,
// with corners relative to origin.
template <class F>
void for_each_triangle(const Intersection& common, F&& f) {
  for (const Intersection::Face& face : common.faces) {
    const std::span<const int> loop = common.loop(face);
    for (std::size_t k = 2; k < loop.size(); ++k)
      f(common.vertices[loop[0]], common.vertices[loop[k - 1]], common.vertices[loop[k]], face);
  }
}

// Area of the projection along the unit vector n (m^2): H-E4. Two sheets of the surface cover it,
// each once.
double projected_area(const Intersection& common, const Vec3& n);

// Transforms from A's frame to the world.
void place(Intersection& common, const Pose& X_WA);

// Hasegawa and Fujii, eqs. (2) to (5): the integral over a surface of the height h = x . n times
// the area vector, and its moment about the point that positions are relative to.
struct HeightIntegral {
  Vec3 force = Vec3::Zero();   // P: m^3
  Vec3 moment = Vec3::Zero();  // M: m^4
};

// The integral over the triangle p, p + a, p + b with heights h, h + h_a, h + h_b, in closed form.
// In the printed (3) and (5) "n" means (a x b)/2 (H-E1).
HeightIntegral triangle_integral(const Vec3& p, const Vec3& a, const Vec3& b, double h, double h_a,
                                 double h_b);

// The sum over all triangles, about origin.
HeightIntegral surface_integral(const Intersection& common, const Vec3& n);

// The same by the divergence theorem (H-E2): P = V n, M = c x V n.
HeightIntegral volume_integral(const Intersection& common, const Vec3& n);

// The planes of a solid for these functions, in its frame: those of the tessellation of a curved
// solid, one plane of a half-space. Empty for a solid that is not convex.
std::span<const Polyhedron::Face> face_planes(const Convex& solid);

}  // namespace abut
