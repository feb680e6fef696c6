#include "abut/shape/triangle_mesh.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

#include "abut/shape/weld.h"

namespace abut {
namespace {

// Integrals of 1, x and x x^T over simplices, x measured from an origin.
struct Moments {
  double mass = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();

  // A tetrahedron with its apex at the origin, or the triangle itself: n vertices in
  // all, the origin included. In both cases the mean of x is the mean of the vertices
  // and <x x^T> = (sum v v^T + sum v sum v^T) / (n (n + 1)).
  void add_simplex(double m, int n, const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 sum = a + b + c;
    mass += m;
    first += m / n * sum;
    second += m / (n * (n + 1)) *
              (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
  }
};

enum class Measure { volume, absolute_volume, area };

Moments integrate(const TriangleMesh& mesh, const Vec3& origin, Measure measure) {
  Moments moments;
  for (const auto& t : mesh.triangles) {
    const Vec3 a = mesh.vertices[t[0]] - origin;
    const Vec3 b = mesh.vertices[t[1]] - origin;
    const Vec3 c = mesh.vertices[t[2]] - origin;
    // the cross product of two sides, not of two far corners, keeps small triangles exact
    const Vec3 normal = (b - a).cross(c - a);
    if (measure == Measure::area) {
      moments.add_simplex(0.5 * normal.norm(), 3, a, b, c);
    } else {
      const double volume = a.dot(normal) / 6;
      moments.add_simplex(measure == Measure::volume ? volume : std::abs(volume), 4, a, b, c);
    }
  }
  return moments;
}

MassProperties properties(const TriangleMesh& mesh, const Vec3& origin, Measure measure) {
  const Moments m = integrate(mesh, origin, measure);
  return from_moments(m.mass, m.first, m.second, origin);
}

// Integrates twice: about a rough centre to find the true one, then about that, so
// that the inertia's parallel-axis correction is nothing but rounding.
MassProperties properties_about_com(const TriangleMesh& mesh, Measure measure) {
  if (mesh.triangles.empty()) return {};
  const Aabb box = aabb(mesh);
  const Vec3 com = properties(mesh, box.center(), measure).com;
  // the "centre" of an open mesh can be anywhere; the correction would make its inertia worse
  return properties(mesh, box.contains(com) ? com : box.center(), measure);
}

using DirectedEdge = std::pair<int, int>;

}  // namespace

Aabb aabb(const TriangleMesh& mesh) { return aabb(std::span<const Vec3>(mesh.vertices)); }

MassProperties solid_mesh(const TriangleMesh& mesh) {
  return properties_about_com(mesh, Measure::volume);
}

MassProperties shell_mesh(const TriangleMesh& mesh) {
  return properties_about_com(mesh, Measure::area);
}

MassProperties legacy_mesh(const TriangleMesh& mesh) {
  if (mesh.triangles.empty()) return {};
  const Vec3 surface_centre = shell_mesh(mesh).com;
  const Vec3 com = properties(mesh, surface_centre, Measure::absolute_volume).com;
  // MuJoCo keeps the inertia about this point and does not correct it for the different centre of
  // the second set of tetrahedra
  const Moments m = integrate(mesh, com, Measure::absolute_volume);
  return {m.mass, com, m.second.trace() * Mat3::Identity() - m.second};
}

MeshCheck check(const TriangleMesh& mesh) {
  std::vector<DirectedEdge> edges;  // sorted by ends, then by direction
  edges.reserve(3 * mesh.triangles.size());
  for (const auto& t : mesh.triangles) {
    for (int k = 0; k < 3; ++k) edges.emplace_back(t[k], t[(k + 1) % 3]);
  }
  const auto ends = [](const DirectedEdge& e) { return std::minmax(e.first, e.second); };
  std::sort(edges.begin(), edges.end(), [&](const DirectedEdge& a, const DirectedEdge& b) {
    const std::pair<int, int> ea = ends(a), eb = ends(b);
    return ea != eb ? ea < eb : a < b;
  });

  MeshCheck out;
  bool opposed = true;
  for (std::size_t i = 0; i < edges.size();) {
    std::size_t j = i + 1;
    while (j < edges.size() &&
           std::pair<int, int>(ends(edges[j])) == std::pair<int, int>(ends(edges[i])))
      ++j;
    if (j - i == 1) ++out.open_edges;
    if (j - i > 2) ++out.crowded_edges;
    if (j - i == 2 && edges[i] == edges[i + 1]) opposed = false;
    i = j;
  }
  out.watertight = !edges.empty() && out.open_edges == 0 && out.crowded_edges == 0;
  out.oriented = out.watertight && opposed;
  return out;
}

bool is_watertight(const TriangleMesh& mesh) { return check(mesh).watertight; }
bool is_consistently_oriented(const TriangleMesh& mesh) { return check(mesh).oriented; }

TriangleMesh welded(const TriangleMesh& mesh, double tolerance) {
  const std::vector<int> twin = weld(mesh.vertices, tolerance);
  TriangleMesh out;
  std::vector<int> new_id(mesh.vertices.size(), -1);
  for (const auto& t : mesh.triangles) {
    const std::array<int, 3> w{twin[t[0]], twin[t[1]], twin[t[2]]};
    if (w[0] == w[1] || w[1] == w[2] || w[2] == w[0]) continue;
    auto& triangle = out.triangles.emplace_back();
    for (int k = 0; k < 3; ++k) {
      if (new_id[w[k]] < 0) {
        new_id[w[k]] = static_cast<int>(out.vertices.size());
        out.vertices.push_back(mesh.vertices[w[k]]);
      }
      triangle[k] = new_id[w[k]];
    }
  }
  return out;
}

}  // namespace abut
