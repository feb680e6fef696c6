// The constraints of Williams, Lu and Trinkle on contacts of features, as data (eqs 8 to 24; P-7 to
// P-11, P-E2, P-E5, P-E7):
//
//   U(C)            psi >= 0, and a force where it is 0                                     (9)
//   I(iota, kappa)  some psi >= 0; a force at a contact of iota where psi = 0 is the greatest (15)
//   X(iota, kappa)  some psi >= 0; no force of its own                                      (16)
//
// and the sets that a pair's features make of them:
//
//   vertex and face, or edge and edge   U                                                (18, 19)
//   a vertex near several faces         I over all of them, iota those it is turned to   (20, 22)
//   2D, a vertex near a vertex          I for each, X(C1, C4), X(C2, C3)                     (17)
//   3D, a vertex near an edge           X(C, edges) for each edge of the vertex, with the face on
//                                       its side: w . O_b > 0, the reverse of what is printed (21)
//   3D, a vertex near a vertex          X for each pair of faces                             (24)
//
//   abut::FeatureConstraints set;
//   set.add(view, reach, {.cross = true});
//   for (int i = 0; i < set.count(); ++i) fmt::print("{}\n", set.text(i));
//   // I({C(v3,f0)}, {C(v3,f2)})
#pragma once

#include <span>
#include <string>
#include <vector>

#include "abut/collide/peg/applicability.h"
#include "abut/collide/peg/separating_plane.h"
#include "abut/collide/planar/planar_features.h"

namespace abut {

// World axes.
struct LocalContact {
  int geom_a = 0, geom_b = 0;
  Feature a, b;
  Vec3 normal = Vec3::Zero(), p_A = Vec3::Zero(), p_B = Vec3::Zero();
  double psi = 0;
  double applicability = -1;
  bool presses = false;  // it may have a force: it is in a U, in some iota, or edges that face
};

struct FeatureConstraint {
  enum class Kind { U, I, X };
  Kind kind = Kind::U;
  std::vector<int> iota, kappa;  // of the contacts
};

struct FeatureChoice {
  bool cross = true;  // X-constraints: peg-paper has them, lnc has not
  double eps = 0.3;   // relaxation of applicability, a sine (P-3): which contacts may press
};

class FeatureConstraints {
 public:
  void clear() {
    contacts_.clear();
    constraints_.clear();
  }
  // Of the pair placed in `view`; features up to `reach` (m) from each other.
  void add(const PlanePair& view, double reach, const FeatureChoice& choice);

  std::span<const LocalContact> contacts() const { return contacts_; }
  std::span<const FeatureConstraint> constraints() const { return constraints_; }
  int count() const { return static_cast<int>(constraints_.size()); }
  std::string text(int constraint) const;

 private:
  void add_flat(const PlanePair& view, double reach, const FeatureChoice& choice);
  void add_solid(const PlanePair& view, double reach, const FeatureChoice& choice);
  void add_crossings(const PlanePair& view, int first, double reach);
  void constrain_vertices(int first, double eps);
  int find(int first, const Feature& a, const Feature& b) const;
  void constrain(FeatureConstraint::Kind kind, std::vector<int> iota, std::vector<int> kappa);

  std::vector<LocalContact> contacts_;
  std::vector<FeatureConstraint> constraints_;
  FeatureContacts found_;
  PlanarFeatures flat_;
};

}  // namespace abut
