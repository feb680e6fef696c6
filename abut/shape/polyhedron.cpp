#include "abut/shape/polyhedron.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <unordered_map>

#include "abut/shape/error.h"

namespace abut {
namespace {

std::uint64_t edge_key(int tail, int head) {
  return (static_cast<std::uint64_t>(tail) << 32) | static_cast<std::uint32_t>(head);
}

void find_center_and_size(Polyhedron& p) {
  const Aabb box = aabb(std::span<const Vec3>(p.vertices));
  Vec3 sum = Vec3::Zero();
  for (const Vec3& v : p.vertices) sum += v - box.min;
  p.center = box.min + sum / static_cast<double>(p.vertices.size());
  p.size = box.extent().norm();
}

// Edges in the order in which the loops first meet them, and each loop's edge ring.
void find_edges(Polyhedron& p) {
  std::unordered_map<std::uint64_t, int> edge_of;  // by direction, tail -> head
  edge_of.reserve(p.face_vertices.size());
  p.face_edges.assign(p.face_vertices.size(), -1);
  for (int f = 0; f < p.face_count(); ++f) {
    const auto loop = p.face_loop(f);
    for (std::size_t k = 0; k < loop.size(); ++k) {
      const int tail = loop[k], head = loop[(k + 1) % loop.size()];
      int& slot = p.face_edges[p.faces[f].begin + k];
      if (const auto it = edge_of.find(edge_key(head, tail)); it != edge_of.end()) {
        if (p.edges[it->second].f2 >= 0) {
          throw ShapeError(fmt::format("edge {}-{} belongs to more than two faces", tail, head));
        }
        slot = it->second;
        p.edges[slot].f2 = f;
        continue;
      }
      slot = p.edge_count();
      if (!edge_of.emplace(edge_key(tail, head), slot).second) {
        throw ShapeError(fmt::format(
            "two faces run along edge {}-{} the same way: one is inside out", tail, head));
      }
      p.edges.push_back({tail, head, f, -1});
    }
  }
  for (const Polyhedron::Edge& e : p.edges) {
    if (e.f2 < 0)
      throw ShapeError(fmt::format("edge {}-{} has a face on one side only", e.tail, e.head));
  }
}

// The ring of edges, neighbours and faces about each vertex, counter-clockwise.
void find_rings(Polyhedron& p) {
  const int n = p.vertex_count();
  p.vertex_begin.assign(n + 1, 0);
  std::vector<int> start(n, -1);  // some place in face_vertices where the vertex is
  std::vector<int> face_at(p.face_vertices.size());
  for (int f = 0; f < p.face_count(); ++f) {
    for (int k = p.faces[f].begin; k < p.faces[f].end; ++k) {
      const int v = p.face_vertices[k];
      face_at[k] = f;
      ++p.vertex_begin[v + 1];
      if (start[v] < 0) start[v] = k;
    }
  }
  for (int v = 0; v < n; ++v) p.vertex_begin[v + 1] += p.vertex_begin[v];

  // in a face, the next edge counter-clockwise about a vertex is the incoming one; the walk
  // continues where the edge's other face leaves the vertex
  std::vector<int> leaves(2 * p.edges.size());  // [2 e + (from head)] -> place in the loop
  for (std::size_t k = 0; k < p.face_vertices.size(); ++k) {
    const int e = p.face_edges[k];
    leaves[2 * e + (p.edges[e].tail != p.face_vertices[k])] = static_cast<int>(k);
  }
  p.edge_borders = leaves;  // f1's loop leaves the tail, f2's the head
  const int total = p.vertex_begin[n];
  p.vertex_edges.resize(total);
  p.vertex_faces.resize(total);
  p.vertex_neighbours.resize(total);
  for (int v = 0; v < n; ++v) {
    if (start[v] < 0) throw ShapeError(fmt::format("vertex {} belongs to no face", v));
    int place = start[v];
    for (int k = p.vertex_begin[v]; k < p.vertex_begin[v + 1]; ++k) {
      const Polyhedron::Face& face = p.faces[face_at[place]];
      p.vertex_edges[k] = p.face_edges[place];
      p.vertex_faces[k] = face_at[place];
      p.vertex_neighbours[k] = p.face_vertices[place + 1 < face.end ? place + 1 : face.begin];
      const int incoming = p.face_edges[place > face.begin ? place - 1 : face.end - 1];
      place = leaves[2 * incoming + (p.edges[incoming].tail != v)];
      if ((place == start[v]) != (k + 1 == p.vertex_begin[v + 1])) {
        throw ShapeError(fmt::format("the faces about vertex {} do not form one fan", v));
      }
    }
  }
}

// Newell's normal, from corners relative to the centre, so that a solid far from the origin loses
// no digits. The offset is the mean over the corners.
void fit_planes(Polyhedron& p) {
  for (int f = 0; f < p.face_count(); ++f) {
    const auto loop = p.face_loop(f);
    Vec3 normal = Vec3::Zero(), mean = Vec3::Zero();
    const Vec3 origin = p.vertices[loop[0]];
    for (std::size_t k = 0; k < loop.size(); ++k) {
      const Vec3 a = p.vertices[loop[k]] - origin;
      const Vec3 b = p.vertices[loop[(k + 1) % loop.size()]] - origin;
      normal += a.cross(b);
      mean += a;
    }
    const double area2 = normal.norm();
    if (!(area2 > 0)) throw ShapeError(fmt::format("face {} has no area", f));
    p.faces[f].eta = normal / area2;
    p.faces[f].offset = p.faces[f].eta.dot(origin + mean / static_cast<double>(loop.size()));
  }
}

// The data derived from vertices and planes: the faces' borders and the spokes.
void find_borders(Polyhedron& p) {
  p.borders.resize(p.face_vertices.size());
  for (int f = 0; f < p.face_count(); ++f) {
    const Polyhedron::Face& face = p.faces[f];
    for (int k = face.begin; k < face.end; ++k) {
      const Vec3& tail = p.vertices[p.face_vertices[k]];
      const Vec3& head = p.vertices[p.face_vertices[k + 1 < face.end ? k + 1 : face.begin]];
      const Vec3 inward = face.eta.cross(head - tail).normalized();
      p.borders[k] = {inward, inward.dot(tail - p.center)};
    }
  }
  p.spokes.resize(p.vertex_neighbours.size());
  for (int v = 0; v < p.vertex_count(); ++v)
    for (int k = p.vertex_begin[v]; k < p.vertex_begin[v + 1]; ++k)
      p.spokes[k] = p.vertices[p.vertex_neighbours[k]] - p.vertices[v];
}

}  // namespace

Polyhedron make_polyhedron(std::vector<Vec3> vertices, std::span<const std::vector<int>> loops) {
  Polyhedron p;
  p.vertices = std::move(vertices);
  for (std::size_t f = 0; f < loops.size(); ++f) {
    if (loops[f].size() < 3)
      throw ShapeError(fmt::format("face {} has {} corners", f, loops[f].size()));
    const int begin = static_cast<int>(p.face_vertices.size());
    for (const int v : loops[f]) {
      if (v < 0 || v >= p.vertex_count()) {
        throw ShapeError(fmt::format("face {} names vertex {} of {}", f, v, p.vertex_count()));
      }
      p.face_vertices.push_back(v);
    }
    p.faces.push_back({Vec3::Zero(), 0, begin, static_cast<int>(p.face_vertices.size())});
  }
  find_center_and_size(p);
  find_edges(p);
  find_rings(p);
  fit_planes(p);
  find_borders(p);
  return p;
}

double euler_characteristic(const Polyhedron& p) {
  return static_cast<double>(p.vertex_count() - p.edge_count() + p.face_count());
}

TriangleMesh triangulated(const Polyhedron& p) {
  TriangleMesh mesh;
  mesh.vertices = p.vertices;
  mesh.triangles.reserve(p.face_vertices.size());
  for (int f = 0; f < p.face_count(); ++f) {
    const auto loop = p.face_loop(f);
    for (std::size_t k = 2; k < loop.size(); ++k)
      mesh.triangles.push_back({loop[0], loop[k - 1], loop[k]});
  }
  return mesh;
}

MassProperties solid_polyhedron(const Polyhedron& p) { return solid_mesh(triangulated(p)); }
MassProperties shell_polyhedron(const Polyhedron& p) { return shell_mesh(triangulated(p)); }

Polyhedron transformed(const Polyhedron& p, const Pose& X_WB) {
  Polyhedron out = p;
  for (Vec3& v : out.vertices) v = X_WB * v;
  find_center_and_size(out);
  fit_planes(out);
  find_borders(out);
  return out;
}

}  // namespace abut
