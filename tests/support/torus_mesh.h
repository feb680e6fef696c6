// A torus as a closed mesh, around the z axis.
#pragma once

#include <cmath>
#include <numbers>

#include "abut/shape/triangle_mesh.h"

namespace abut::test {

// Vertices lie on the torus; `around` and `across` are their numbers.
inline TriangleMesh torus_mesh(double ring, double tube, int around, int across) {
  TriangleMesh mesh;
  for (int i = 0; i < around; ++i)
    for (int k = 0; k < across; ++k) {
      const double u = 2 * std::numbers::pi * i / around, v = 2 * std::numbers::pi * k / across;
      const double r = ring + tube * std::cos(v);
      mesh.vertices.emplace_back(r * std::cos(u), r * std::sin(u), tube * std::sin(v));
    }
  const auto id = [&](int i, int k) { return (i % around) * across + k % across; };
  for (int i = 0; i < around; ++i)
    for (int k = 0; k < across; ++k) {
      mesh.triangles.push_back({id(i, k), id(i + 1, k), id(i + 1, k + 1)});
      mesh.triangles.push_back({id(i, k), id(i + 1, k + 1), id(i, k + 1)});
    }
  return mesh;
}

// The signed distance of the torus itself.
inline double torus_distance(const Vec3& x, double ring, double tube) {
  return std::hypot(std::hypot(x.x(), x.y()) - ring, x.z()) - tube;
}

}  // namespace abut::test
