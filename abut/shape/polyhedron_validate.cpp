// The checks behind validate(): each gives the first thing that is wrong, or "".
#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <utility>

#include "abut/shape/polyhedron.h"
#include "abut/shape/tolerances.h"

namespace abut {
namespace {

std::string check_numbers(const Polyhedron& p) {
  for (int v = 0; v < p.vertex_count(); ++v) {
    if (!p.vertices[v].allFinite()) return fmt::format("vertex {} is not finite", v);
  }
  for (int f = 0; f < p.face_count(); ++f) {
    const Polyhedron::Face& face = p.faces[f];
    if (face.end - face.begin < 3)
      return fmt::format("face {} has {} corners", f, face.end - face.begin);
    if (!(std::abs(face.eta.norm() - 1) < kUnitNormal))
      return fmt::format("the normal of face {} is not of unit length", f);
    if (!std::isfinite(face.offset)) return fmt::format("the offset of face {} is not finite", f);
  }
  return "";
}

std::string check_edges(const Polyhedron& p) {
  for (int f = 0; f < p.face_count(); ++f) {
    const auto loop = p.face_loop(f);
    const auto ring = p.face_edge_ring(f);
    for (std::size_t k = 0; k < loop.size(); ++k) {
      const Polyhedron::Edge& e = p.edges[ring[k]];
      const int from = loop[k], to = loop[(k + 1) % loop.size()];
      const bool left = e.tail == from && e.head == to && e.f1 == f;
      const bool right = e.head == from && e.tail == to && e.f2 == f;
      if (!left && !right) return fmt::format("edge {} is not where face {} has it", ring[k], f);
    }
  }
  return "";
}

std::string check_rings(const Polyhedron& p) {
  for (int v = 0; v < p.vertex_count(); ++v) {
    const auto edges = p.edges_around(v);
    if (edges.size() < 3)
      return fmt::format("vertex {} has {} edges, a corner has at least 3", v, edges.size());
    for (std::size_t k = 0; k < edges.size(); ++k) {
      const Polyhedron::Edge& e = p.edges[edges[k]];
      const bool out = e.tail == v;
      if (!out && e.head != v) return fmt::format("edge {} does not end at vertex {}", edges[k], v);
      if ((out ? e.head : e.tail) != p.neighbours(v)[k]) {
        return fmt::format("neighbour {} of vertex {} is not along its edge", k, v);
      }
      if ((out ? e.f1 : e.f2) != p.faces_around(v)[k]) {
        return fmt::format("face {} about vertex {} is not left of its edge", k, v);
      }
    }
  }
  return "";
}

// No corner of a face is bent inwards by more than the tolerance.
std::string check_loops(const Polyhedron& p, double tolerance) {
  for (int f = 0; f < p.face_count(); ++f) {
    const auto loop = p.face_loop(f);
    const std::size_t n = loop.size();
    for (std::size_t k = 0; k < n; ++k) {
      const Vec3 in = p.vertices[loop[(k + 1) % n]] - p.vertices[loop[k]];
      const Vec3 out = p.vertices[loop[(k + 2) % n]] - p.vertices[loop[(k + 1) % n]];
      if (!(in.cross(out).dot(p.faces[f].eta) >= -tolerance * (in.norm() + out.norm()))) {
        return fmt::format("face {} is not convex at vertex {}", f, loop[(k + 1) % n]);
      }
    }
  }
  return "";
}

// The number of corners of a face that are tested from each of its edges. The height of a flat
// face's corner above a neighbour's plane is proportional to its distance from their edge.
// Therefore a few corners all around the loop are enough, and a lid with a hundred thousand corners
// does not take quadratic time.
constexpr int kCornersSeen = 64;

// Local convexity at every edge and a sphere's topology make the whole convex.
std::string check_convex(const Polyhedron& p, double tolerance) {
  // a corner of face g that is above face f; -1: none
  const auto above = [&](int f, int g) {
    const auto loop = p.face_loop(g);
    const std::size_t stride = (loop.size() + kCornersSeen - 1) / kCornersSeen;
    for (std::size_t k = 0; k < loop.size(); k += stride)
      if (p.height_above(f, p.vertices[loop[k]]) > tolerance) return loop[k];
    return -1;
  };
  for (int f = 0; f < p.face_count(); ++f) {
    for (const int v : p.face_loop(f)) {
      const double h = p.height_above(f, p.vertices[v]);
      if (!(std::abs(h) <= tolerance))
        return fmt::format("vertex {} is {:.3g} m off its face {}", v, h, f);
    }
  }
  for (int i = 0; i < p.edge_count(); ++i) {
    const Polyhedron::Edge& e = p.edges[i];
    for (const auto& [f, g] : {std::pair(e.f1, e.f2), std::pair(e.f2, e.f1)})
      if (const int v = above(f, g); v >= 0)
        return fmt::format("edge {} is not convex: vertex {} is {:.3g} m above face {}", i, v,
                           p.height_above(f, p.vertices[v]), f);
  }
  for (int f = 0; f < p.face_count(); ++f) {
    if (p.height_above(f, p.center) > tolerance) {
      return fmt::format(
          "face {} has the centre outside: it is inside out, or the solid is not convex", f);
    }
  }
  return "";
}

// The stored data agree with vertices and planes.
std::string check_borders(const Polyhedron& p, double tolerance) {
  for (int f = 0; f < p.face_count(); ++f) {
    const auto loop = p.face_loop(f);
    const auto borders = p.face_borders(f);
    for (std::size_t k = 0; k < loop.size(); ++k) {
      const Polyhedron::Border& border = borders[k];
      const auto height = [&](int v) {
        return border.inward.dot(p.vertices[v] - p.center) - border.offset;
      };
      const int e = p.face_edge_ring(f)[k];
      const bool right =
          p.edge_borders[2 * e + (p.edges[e].f1 != f)] == p.faces[f].begin + static_cast<int>(k) &&
          std::abs(border.inward.norm() - 1) < kUnitNormal &&
          std::abs(border.inward.dot(p.faces[f].eta)) < kUnitNormal &&
          std::abs(height(loop[k])) <= tolerance &&
          std::abs(height(loop[(k + 1) % loop.size()])) <= tolerance &&
          height(loop[(k + 2) % loop.size()]) >= -tolerance;
      if (!right) return fmt::format("border {} of face {} is not along its edge", k, f);
    }
  }
  for (int v = 0; v < p.vertex_count(); ++v) {
    for (std::size_t k = 0; k < p.neighbours(v).size(); ++k) {
      if (p.spokes_of(v)[k] != p.vertices[p.neighbours(v)[k]] - p.vertices[v])
        return fmt::format("spoke {} of vertex {} does not lead to its neighbour", k, v);
    }
  }
  return "";
}

}  // namespace

std::string validate(const Polyhedron& p, double tolerance) {
  if (p.vertex_count() < 4 || p.face_count() < 4) {
    return fmt::format("{} vertices and {} faces; a solid has at least 4 of each", p.vertex_count(),
                       p.face_count());
  }
  std::string error = check_numbers(p);
  if (error.empty() && euler_characteristic(p) != 2) {
    error = fmt::format("Euler's formula fails: {} vertices - {} edges + {} faces is not 2",
                        p.vertex_count(), p.edge_count(), p.face_count());
  }
  if (error.empty()) error = check_edges(p);
  if (error.empty()) error = check_rings(p);
  // far from the origin the coordinates themselves are coarser than the tolerance
  const double rounding = 64 * std::numeric_limits<double>::epsilon() * p.center.norm();
  if (error.empty()) error = check_loops(p, tolerance * p.size + rounding);
  if (error.empty()) error = check_convex(p, tolerance * p.size + rounding);
  if (error.empty()) error = check_borders(p, tolerance * p.size + rounding);
  return error;
}

}  // namespace abut
