// Contacts of feature pairs, for PEG (Williams, Lu and Trinkle, "Relaxation of applicability"; P-1
// to P-6, P-E3, P-E4, P-E6, P-N5): which vertices, edges and faces of two polyhedra could touch,
// whether or not they are the closest.
//
// A pair has a gap of its own if it is a vertex and a face or two edges; all others are
// made of these (P-11). It is
//   applicable   if the features are turned towards each other: eq. 6 for a vertex and a
//                face, edge_pair.h for edges. Relaxed by eps = sin(angle), so that what
//                touches flush does not depend on rounding (Fig. 3);
//   feasible     if they are near each other as the finite features they are.
// Contacts that are feasible but not applicable may be needed too, as geometry without a
// force (Fig. 4): ask for them, and look at `applicability`.
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

// Edges closer to parallel than this (sine) have no contact of their own: those of their
// vertices cover them. Up to kNearlyParallel they have one only where they cross (P-N5).
constexpr double kNoEdgeContact = 1e-6;
constexpr double kNearlyParallel = 1e-2;

struct FeatureLimits {
  double theta_vf = 0.3;  // eps_theta: relaxation of a vertex and a face, a sine
  double theta_ee = 0.4;  // of two edges
  double eps_vf = 0.1;    // m: a vertex no farther from a face
  double eps_ee = 0.1;    // m: edges no farther from each other
  double theta = 0.4;     // rad: a vertex beside a face no lower, seen from its border
  bool applicable_only = true;
};

struct FeatureContact {
  Feature a, b;  // vertex and face, face and vertex, or edge and edge
  Vec3 normal = Vec3::Zero();
  Vec3 p_A = Vec3::Zero(), p_B = Vec3::Zero();  // of edges: on their lines
  double psi = 0;                               // m; p_B = p_A + psi * normal
  double applicability = -1;                    // >= 0: in the classical sense
};

struct FeatureContacts {
  std::vector<FeatureContact> list;  // by kind, then by features
  ContactSet set;                    // of a curved solid
};

// min over the neighbours of vertex v of eta . unit(v_k - v), eq. 5 and 6, with eta of the
// other solid's face in the frame of p: >= -eps_theta is applicable.
double vertex_face_applicability(const Polyhedron& p, int v, const Vec3& eta);

// Gap, normal and points of a pair in A's frame, at any distance. Other pairs than those
// above, and parallel edges, have none: a.kind is `none` then.
FeatureContact feature_contact(const Polyhedron& A, const Feature& a, const Polyhedron& B,
                               const Feature& b, const Transform& X_AB);

// P-E6, of a pair that has a contact.
bool is_feasible(const FeatureContact& contact, const Polyhedron& A, const Polyhedron& B,
                 const Transform& X_AB, const FeatureLimits& limits);

// Every feasible contact of two polyhedra or of a polyhedron and a half-space, whose
// vertices all lie above its one face. A curved solid has contacts with half-spaces alone,
// at what is lowest to eps_vf (contact_set.h); false for other pairs.
bool feature_contacts(const Convex& A, const Convex& B, const Transform& X_AB,
                      const FeatureLimits& limits, FeatureContacts& out);

}  // namespace abut
