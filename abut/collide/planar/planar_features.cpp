#include "abut/collide/planar/planar_features.h"

#include <algorithm>

#include "abut/collide/planar/tolerances.h"

namespace abut {
namespace {

double distance_to_edge(const Polygon& p, int edge, const Vec2& x) {
  if (p.half_plane) return std::abs(p.height_above(edge, x));
  const Vec2& tail = p.point(edge);
  const Vec2 side = p.point(p.next(edge)) - tail;
  const double t = std::clamp(side.dot(x - tail) / side.squaredNorm(), 0.0, 1.0);
  return (x - tail - t * side).norm();
}

double applicability(const Polygon& p, int vertex, const Vec2& eta) {
  const Vec2& v = p.point(vertex);
  return std::min(eta.dot((p.point(p.previous(vertex)) - v).normalized()),
                  eta.dot((p.point(p.next(vertex)) - v).normalized()));
}

PlanarContact contact(const Polygon& of_vertex, int vertex, const Polygon& of_edge, int edge,
                      bool vertex_of_a) {
  PlanarContact c;
  c.vertex_of_a = vertex_of_a;
  c.vertex = vertex;
  c.edge = edge;
  const Vec2 &eta = of_edge.normal(edge), &v = of_vertex.point(vertex);
  c.psi = of_edge.height_above(edge, v);
  const Vec2 foot = v - c.psi * eta;
  c.normal = vertex_of_a ? Vec2(-eta) : eta;
  c.p_A = vertex_of_a ? v : foot;
  c.p_B = vertex_of_a ? foot : v;
  c.distance = distance_to_edge(of_edge, edge, v);
  c.applicability = applicability(of_vertex, vertex, eta);
  return c;
}

// The slack is for rounding: a vertex within reach of an edge's end is within reach of the edge.
void add_contacts(const Polygon& of_vertex, const Polygon& of_edge, bool vertex_of_a, double reach,
                  std::vector<PlanarContact>& out) {
  const double slack = kPlanarRounding * (of_vertex.size + of_edge.size);
  for (int v = 0; v < of_vertex.vertex_count(); ++v)
    for (int e = 0; e < of_edge.edge_count(); ++e) {
      const PlanarContact c = contact(of_vertex, v, of_edge, e, vertex_of_a);
      if (c.distance <= reach + slack) out.push_back(c);
    }
}

int find(const std::vector<PlanarContact>& contacts, bool vertex_of_a, int vertex, int edge) {
  for (std::size_t i = 0; i < contacts.size(); ++i)
    if (contacts[i].vertex_of_a == vertex_of_a && contacts[i].vertex == vertex &&
        contacts[i].edge == edge)
      return static_cast<int>(i);
  return -1;
}

}  // namespace

void find_features(const Polygon& a, const Polygon& b, double reach, PlanarFeatures& out) {
  out.contacts.clear();
  out.corners.clear();
  add_contacts(a, b, true, reach, out.contacts);
  add_contacts(b, a, false, reach, out.contacts);
  for (int va = 0; va < a.vertex_count(); ++va)
    for (int vb = 0; vb < b.vertex_count(); ++vb) {
      const double distance = (b.point(vb) - a.point(va)).norm();
      if (distance > reach) continue;
      const auto [ea1, ea2] = edges_at(a, va);
      const auto [eb1, eb2] = edges_at(b, vb);
      out.corners.push_back(
          {va,
           vb,
           distance,
           {find(out.contacts, true, va, eb1), find(out.contacts, true, va, eb2),
            find(out.contacts, false, vb, ea1), find(out.contacts, false, vb, ea2)}});
    }
}

}  // namespace abut
