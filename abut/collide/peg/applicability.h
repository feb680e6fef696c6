// Contacts of feature pairs, for PEG (Williams, Lu and Trinkle, "Relaxation of applicability"; P-1
// to P-6, P-E3, P-E4, P-E6, P-N5): the vertices, edges and faces of two polyhedra that could touch,
// whether or not they are the closest.
//
// A vertex and a face, or two edges, have a gap of their own; all other pairs are combinations of
// these (P-11). Such a pair is
//   applicable   if the features face each other: eq. 6 for a vertex and a face, edge_pair.h
//                for edges. Relaxed by eps = sin(angle), so that a flush contact does not
//                depend on rounding (Fig. 3);
//   feasible     if the finite features are near each other.
// Contacts that are feasible but not applicable may be needed too, as geometry without a force
// (Fig. 4): request them, and check `applicability`.
//
//   abut::FeatureLimits limits;
//   limits.eps_vf = limits.eps_ee = h * speed + margin;  // less, and bodies tunnel
//   abut::feature_contacts(a, b, X_AB, limits, contacts);
#pragma once

#include <vector>

#include "abut/collide/manifold/contact_set.h"
#include "abut/collide/solid/convex.h"
#include "abut/collide/solid/feature.h"
#include "abut/math/transform.h"

namespace abut {

struct FeatureLimits {
  double theta_vf = 0.3;  // eps_theta for a vertex and a face, a sine
  double theta_ee = 0.4;  // eps_theta for two edges
  double eps_vf = 0.1;    // m: largest distance of a vertex from a face
  double eps_ee = 0.1;    // m: largest distance of two edges
  double theta = 0.4;     // rad: how far below the border of a face a vertex beside it may be
  bool applicable_only = true;
};

struct FeatureContact {
  Feature a, b;  // vertex and face, face and vertex, or edge and edge
  Vec3 normal = Vec3::Zero();
  Vec3 p_A = Vec3::Zero(), p_B = Vec3::Zero();  // for edges: on their lines
  double psi = 0;                               // m; p_B = p_A + psi * normal
  double applicability = -1;                    // >= 0: applicable in the classical sense
};

struct FeatureContacts {
  std::vector<FeatureContact> list;  // ordered by kind, then by features
  ContactSet set;                    // scratch for a curved solid
};

// min over the neighbours v_k of vertex v of eta . unit(v_k - v), eq. 5 and 6. eta is the normal of
// the other solid's face in the frame of p. The pair is applicable if the result is >= -eps_theta.
double vertex_face_applicability(const Polyhedron& p, int v, const Vec3& eta);

// Gap, normal and points of a pair in A's frame, at any distance. Other pairs than those above, and
// parallel edges, have no contact: then a.kind is `none`.
FeatureContact feature_contact(const Polyhedron& A, const Feature& a, const Polyhedron& B,
                               const Feature& b, const Transform& X_AB);

// Feasibility (P-E6) of a pair that has a contact.
bool is_feasible(const FeatureContact& contact, const Polyhedron& A, const Polyhedron& B,
                 const Transform& X_AB, const FeatureLimits& limits);

// All feasible contacts of two polyhedra, or of a polyhedron and a half-space, over whose one face
// all vertices lie. A curved solid has contacts with half-spaces only, at its lowest points within
// eps_vf (contact_set.h). Returns false for other pairs.
bool feature_contacts(const Convex& A, const Convex& B, const Transform& X_AB,
                      const FeatureLimits& limits, FeatureContacts& out);

}  // namespace abut
