#include "abut/collide/proximity/warm/follow_overlap.h"

#include <algorithm>

#include "abut/collide/proximity/cold/sat.h"
#include "abut/collide/proximity/tolerances.h"
#include "abut/collide/proximity/warm/cap_certificate.h"
#include "abut/math/index.h"

namespace abut {
namespace {

// A pair that moves little crosses few faces.
constexpr int kMostSteps = 12;
// The face of the difference that a face of one solid makes with the farthest vertex of the other
// against its normal.
bool on_face(const PolyhedronPair& pair, bool of_a, int face, DifferenceFace& out) {
  const Feature f{FeatureKind::face, face};
  if (of_a) {
    const Vec3& eta = pair.A.polyhedron->faces[at(face)].eta;
    const int v = pair.B.support->farthest(-(pair.X_AB.R.transpose() * eta));
    return difference_face(pair, f, {FeatureKind::vertex, v}, eta, out);
  }
  const Vec3 n = -(pair.X_AB.R * pair.B.polyhedron->faces[at(face)].eta);
  return difference_face(pair, {FeatureKind::vertex, pair.A.support->farthest(n)}, f, n, out);
}

// Whether the corners of the face of two edges are the farthest along its normal.
bool is_outermost(const PolyhedronPair& pair, const DifferenceFace& face, double slack) {
  const Vec3 n_B = pair.X_AB.R.transpose() * face.normal;
  const SupportMap &A = *pair.A.support, &B = *pair.B.support;
  const DifferenceFace::Corner& c = face.corner[0];
  return face.normal.dot(A.vertex(A.farthest(face.normal)) - A.vertex(c.a)) <= slack &&
         n_B.dot(B.vertex(c.b) - B.vertex(B.farthest(-n_B))) <= slack;
}

// The first face of the walk, which must be a face of the difference. `checked`: these features
// make one, if they are two edges or a face and a vertex.
bool first_face(const PolyhedronPair& pair, const Feature& a, const Feature& b, bool checked,
                double slack, DifferenceFace& face) {
  if (checked && a.kind == FeatureKind::face && b.kind == FeatureKind::vertex)
    return difference_face(pair, a, b, pair.A.polyhedron->faces[at(a.index)].eta, face);
  if (checked && a.kind == FeatureKind::vertex && b.kind == FeatureKind::face)
    return difference_face(pair, a, b, Vec3::Zero(), face);
  if (a.kind == FeatureKind::face) return on_face(pair, true, a.index, face);
  if (b.kind == FeatureKind::face) return on_face(pair, false, b.index, face);
  if (a.kind != FeatureKind::edge || b.kind != FeatureKind::edge) return false;
  const Polyhedron& P = *pair.A.polyhedron;
  const Polyhedron::Edge& e = P.edges[at(a.index)];
  const Vec3 &eta1 = P.faces[at(e.f1)].eta, &eta2 = P.faces[at(e.f2)].eta;
  if (!difference_face(pair, a, b, eta1 + eta2, face)) return false;
  if (checked || is_outermost(pair, face, slack)) return true;
  // the edges no longer face each other: use a face beside them
  return on_face(pair, true, face.normal.dot(eta1) > face.normal.dot(eta2) ? e.f1 : e.f2, face);
}

// Whether a face at the edge is as good as the edge with an edge of the other solid: then the face
// names the contact. `n` is the normal in the frame and with the sign of the edge's solid.
bool is_of_face(const PolyhedronPair& pair, bool of_a, int edge, const Vec3& n, double most) {
  const Polyhedron& p = of_a ? *pair.A.polyhedron : *pair.B.polyhedron;
  const Polyhedron::Edge& e = p.edges[at(edge)];
  DifferenceFace face;
  for (const int f : {e.f1, e.f2})
    if (p.faces[at(f)].eta.dot(n) > 1 - kAligned &&
        (!on_face(pair, of_a, f, face) || face.distance <= most))
      return true;
  return false;
}

bool is_of_face(const PolyhedronPair& pair, const DifferenceFace& face, double L) {
  const double most = face.distance + kFaceBias * L;
  return face.a.kind == FeatureKind::edge &&
         (is_of_face(pair, true, face.a.index, face.normal, most) ||
          is_of_face(pair, false, face.b.index, -(pair.X_AB.R.transpose() * face.normal), most));
}

}  // namespace

bool follow_overlap(const PolyhedronPair& pair, const Feature& a, const Feature& b, bool checked,
                    double L, double steady, DifferenceFace& face) {
  DifferenceFace next;
  if (!first_face(pair, a, b, checked, kEqualDepth * L, face)) return false;
  for (int step = 0; step < kMostSteps; ++step) {
    if (!(face.distance > 0)) return false;
    const double slack = step == 0 ? std::max(steady, kEqualDepth * L) : kEqualDepth * L;
    const CapCertificate c = certify_by_caps(pair, face, slack);
    if (c.answer == CapCertificate::certified) return !is_of_face(pair, face, L);
    if (c.answer == CapCertificate::unsure || !neighbour(pair, face, c.edge, next) ||
        !(next.distance < face.distance))
      return false;
    face = next;
  }
  return false;
}

}  // namespace abut
