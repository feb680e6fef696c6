#include "abut/collide/proximity/cold/parallel_edges.h"

#include "abut/collide/proximity/cold/edge_pair.h"
#include "abut/collide/proximity/tolerances.h"
#include "abut/math/index.h"

namespace abut {
namespace {

Vec3 along(const Polyhedron& p, int e) {
  const Polyhedron::Edge& edge = p.edges[at(e)];
  return p.vertices[at(edge.head)] - p.vertices[at(edge.tail)];
}

// The edge of vertex v that is parallel to `direction`, in the frame of p; -1: none.
int parallel_edge(const Polyhedron& p, int v, const Vec3& direction) {
  for (const int e : p.edges_around(v)) {
    const Vec3 f = along(p, e);
    if (f.cross(direction).squaredNorm() <
        kParallelEdges * kParallelEdges * f.squaredNorm() * direction.squaredNorm())
      return e;
  }
  return -1;
}

}  // namespace

void name_parallel_edges(const Polyhedron& A, const Polyhedron& B, const Transform& X_AB,
                         Proximity& d) {
  if (d.a.kind == FeatureKind::edge && d.b.kind == FeatureKind::vertex) {
    const int e = parallel_edge(B, d.b.index, X_AB.R.transpose() * along(A, d.a.index));
    if (e >= 0) d.b = {FeatureKind::edge, e};
  } else if (d.a.kind == FeatureKind::vertex && d.b.kind == FeatureKind::edge) {
    const int e = parallel_edge(A, d.a.index, X_AB.R * along(B, d.b.index));
    if (e >= 0) d.a = {FeatureKind::edge, e};
  }
}

}  // namespace abut
