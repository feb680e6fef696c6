#include "abut/collide/proximity/warm/warm_start.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "abut/collide/proximity/pair_axes.h"
#include "abut/collide/proximity/tolerances.h"
#include "abut/collide/proximity/warm/depth_certificate.h"
#include "abut/math/index.h"

namespace abut {
namespace {

// Three vertices of the face of the difference that a face and the deepest vertex under it make, or
// that two edges make.
bool spanned_triangle(const Convex& A, const Convex& B, const Transform& X_AB, const Feature& a,
                      const Feature& b, std::array<DifferenceVertex, 3>& face) {
  if (!exists(*A.polyhedron, a) || !exists(*B.polyhedron, b)) return false;
  const auto corner = [&](int va, int vb) {
    return DifferenceVertex{X_AB * B.support->vertex(vb) - A.support->vertex(va), va, vb};
  };
  if (a.kind == FeatureKind::edge && b.kind == FeatureKind::edge) {
    const Polyhedron::Edge &e = A.polyhedron->edges[at(a.index)],
                           &f = B.polyhedron->edges[at(b.index)];
    face = {corner(e.tail, f.tail), corner(e.head, f.tail), corner(e.tail, f.head)};
    return true;
  }
  const bool of_a = a.kind == FeatureKind::face;
  if (!of_a && b.kind != FeatureKind::face) return false;
  const Polyhedron& p = of_a ? *A.polyhedron : *B.polyhedron;
  const int index = of_a ? a.index : b.index;
  const Vec3& eta = p.faces[at(index)].eta;
  const SupportMap& other = of_a ? *B.support : *A.support;
  const Vec3 down = of_a ? Vec3(-(X_AB.R.transpose() * eta)) : Vec3(-(X_AB.R * eta));
  const int v = other.farthest(down);
  const Vec3 x =
      of_a ? X_AB * other.vertex(v) : Vec3(X_AB.R.transpose() * (other.vertex(v) - X_AB.p));
  // the triangle of the face's fan that contains x
  const std::span<const int> loop = p.face_loop(index);
  std::size_t k = 1;
  const Vec3& hub = p.vertices[at(loop[0])];
  while (k + 2 < loop.size() && eta.dot((p.vertices[at(loop[k + 1])] - hub).cross(x - hub)) > 0)
    ++k;
  for (std::size_t i = 0; i < 3; ++i) {
    const int u = loop[i == 0 ? 0 : k + i - 1];
    face[i] = of_a ? corner(u, v) : corner(v, u);
  }
  return true;
}

}  // namespace

bool last_normal(const Convex& A, const Convex& B, const Transform& X_AB,
                 const WarmStart& warm_start, Vec3& normal) {
  const Feature a = unpacked_feature(warm_start.feature_a),
                b = unpacked_feature(warm_start.feature_b);
  const Polyhedron &P = *A.polyhedron, &Q = *B.polyhedron;
  if (warm_start.bound < 0 || !exists(P, a) || !exists(Q, b)) return false;
  if (a.kind == FeatureKind::face) {
    normal = P.faces[at(a.index)].eta;
  } else if (b.kind == FeatureKind::face) {
    normal = -(X_AB.R * Q.faces[at(b.index)].eta);
  } else if (a.kind == FeatureKind::edge && b.kind == FeatureKind::edge) {
    const Polyhedron::Edge &e = P.edges[at(a.index)], &f = Q.edges[at(b.index)];
    normal = (P.vertices[at(e.head)] - P.vertices[at(e.tail)])
                 .cross(X_AB.R * (Q.vertices[at(f.head)] - Q.vertices[at(f.tail)]));
    if (normal.dot(P.faces[at(e.f1)].eta + P.faces[at(e.f2)].eta) < 0) normal = -normal;
  } else {
    return false;
  }
  return normal.squaredNorm() > 0;
}

bool last_face(const Convex& A, const Convex& B, const Transform& X_AB, const WarmStart& warm_start,
               std::array<DifferenceVertex, 3>& face) {
  if (warm_start.bound < 0) return false;
  return spanned_triangle(A, B, X_AB, unpacked_feature(warm_start.feature_a),
                          unpacked_feature(warm_start.feature_b), face);
}

bool keep_steady(const Convex& A, const Convex& B, const Transform& X_AB,
                 const WarmStart& warm_start, Proximity& d) {
  if (warm_start.bound < 0) return false;
  const Feature a = unpacked_feature(warm_start.feature_a),
                b = unpacked_feature(warm_start.feature_b);
  if ((a == d.a && b == d.b) || !exists(*A.polyhedron, a) || !exists(*B.polyhedron, b))
    return false;
  const double L = pair_size(A, B);
  Proximity last;
  bool certified = false;
  if (!translation_along(A, B, InFrameOfA(X_AB), a, b, last, certified)) return false;
  // the same normal with another feature under it is the answer already
  if (last.distance <= d.distance - kSteady * L ||
      last.normal.dot(d.normal) >= 1 - kSameNormalCosine)
    return false;
  d = last;
  return true;
}

void store_apart(const Proximity& d, WarmStart& warm_start) {
  warm_start.feature_a = packed(d.a);
  warm_start.feature_b = packed(d.b);
  warm_start.bound = -1;
}

void store_overlap(const Proximity& d, double bound_of_others, const Transform& X_AB,
                   WarmStart& warm_start) {
  warm_start.feature_a = packed(d.a);
  warm_start.feature_b = packed(d.b);
  warm_start.bound = std::max(0.0, bound_of_others);
  if (!(warm_start.bound > 0)) return;
  const Quat q(X_AB.R);
  warm_start.quaternion[0] = q.w(), warm_start.quaternion[1] = q.x();
  warm_start.quaternion[2] = q.y(), warm_start.quaternion[3] = q.z();
  for (int i = 0; i < 3; ++i) warm_start.position[i] = X_AB.p[i];
}

void clear(WarmStart& warm_start) { warm_start = {}; }

}  // namespace abut
