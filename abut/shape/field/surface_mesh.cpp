#include "abut/shape/field/surface_mesh.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "abut/math/index.h"
#include "abut/shape/tolerances.h"

namespace abut {
namespace {

TriangleMesh triangles_of(const Polyhedron& polyhedron) {
  TriangleMesh mesh;
  mesh.vertices = polyhedron.vertices;
  for (int f = 0; f < polyhedron.face_count(); ++f) {
    const std::span<const int> loop = polyhedron.face_loop(f);
    for (std::size_t k = 2; k < loop.size(); ++k)
      mesh.triangles.push_back({loop[0], loop[k - 1], loop[k]});
  }
  return mesh;
}

}  // namespace

SurfaceMesh::SurfaceMesh(TriangleMesh mesh) : mesh_(std::move(mesh)), tree_(mesh_) {
  size_ = tree_.empty() ? 0 : tree_.box().extent().norm();
  connect();
}

SurfaceMesh::SurfaceMesh(const Polyhedron& polyhedron) : SurfaceMesh(triangles_of(polyhedron)) {}

void SurfaceMesh::connect() {
  const int count = static_cast<int>(mesh_.triangles.size());
  vertex_normals_.assign(mesh_.vertices.size(), Vec3::Zero());
  struct Side {
    int low, high, triangle, k;
    bool operator<(const Side& o) const {
      return std::tie(low, high, triangle, k) < std::tie(o.low, o.high, o.triangle, o.k);
    }
  };
  std::vector<Side> sides;
  for (int t = 0; t < count; ++t) {
    const std::array<Vec3, 3> p = corners_of(mesh_, t);
    const Vec3 n = (p[1] - p[0]).cross(p[2] - p[0]);
    normals_.push_back(n.norm() > 0 ? Vec3(n.normalized()) : Vec3::Zero());
    for (int k = 0; k < 3; ++k) {
      const std::array<int, 3>& ids = mesh_.triangles[at(t)];
      const int a = ids[at(k)], b = ids[at((k + 1) % 3)];
      sides.push_back({std::min(a, b), std::max(a, b), t, k});
      const Vec3 to = p[at((k + 1) % 3)] - p[at(k)], back = p[at((k + 2) % 3)] - p[at(k)];
      vertex_normals_[at(a)] += std::atan2(to.cross(back).norm(), to.dot(back)) * normals_.back();
    }
  }
  for (Vec3& n : vertex_normals_)
    if (n.norm() > 0) n.normalize();
  std::sort(sides.begin(), sides.end());
  edge_of_.assign(at(3 * count), -1);
  for (std::size_t i = 0; i < sides.size();) {
    std::size_t end = i + 1;
    while (end < sides.size() && sides[end].low == sides[i].low && sides[end].high == sides[i].high)
      ++end;
    Edge edge;
    const std::array<int, 3>& ids = mesh_.triangles[at(sides[i].triangle)];
    edge.tail = ids[at(sides[i].k)];
    edge.head = ids[at((sides[i].k + 1) % 3)];
    const Vec3 along = (mesh_.vertices[at(edge.head)] - mesh_.vertices[at(edge.tail)]).normalized();
    edge.t1 = sides[i].triangle;
    edge.into1 = normals_[at(edge.t1)].cross(along);
    edge.normal = normals_[at(edge.t1)];
    if (end - i >= 2) {
      edge.t2 = sides[i + 1].triangle;
      edge.into2 = along.cross(normals_[at(edge.t2)]);
      edge.normal += normals_[at(edge.t2)];
      edge.ridge = edge.into2.dot(normals_[at(edge.t1)]) < -kFlatEdge;
    } else {
      ++open_;
    }
    if (edge.normal.norm() > 0) edge.normal.normalize();
    for (; i < end; ++i)
      edge_of_[at(3 * sides[i].triangle + sides[i].k)] = static_cast<int>(edges_.size());
    edges_.push_back(edge);
  }
  first_.assign(mesh_.vertices.size() + 1, 0);
  for (const Edge& e : edges_) ++first_[at(e.tail + 1)], ++first_[at(e.head + 1)];
  for (std::size_t v = 1; v < first_.size(); ++v) first_[v] += first_[v - 1];
  neighbours_.assign(at(first_.back()), 0);
  std::vector<int> next(first_.begin(), first_.end() - 1);
  for (const Edge& e : edges_) {
    neighbours_[at(next[at(e.tail)]++)] = e.head;
    neighbours_[at(next[at(e.head)]++)] = e.tail;
  }
}

SurfaceMesh::Place SurfaceMesh::place(const Vec3& x, double bound) const {
  Place place;
  place.near = tree_.nearest(mesh_, x, bound);
  place.distance = place.near.distance;
  if (place.near.triangle < 0) return place;
  const int t = place.near.triangle, part = static_cast<int>(place.near.at.part);
  const Vec3 way = x - place.near.at.p;
  const Vec3& sign_of = part < 3   ? vertex_normal(mesh_.triangles[at(t)][at(part)])
                        : part < 6 ? edges_[at(edge_of(t, part - 3))].normal
                                   : normals_[at(t)];
  const bool is_inside = way.dot(sign_of) < 0;
  if (is_inside) place.distance = -place.distance;
  const bool is_on = place.near.distance <= kOnSurface * size_;
  const bool has_plane = part == 6 || is_on;
  place.normal = has_plane ? normals_[at(t)] : Vec3(way / place.distance);
  return place;
}

}  // namespace abut
