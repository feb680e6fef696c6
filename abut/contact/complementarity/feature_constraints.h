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
//   3D, a vertex near a vertex          X of all planes of the two, in place of one for each pair of
//                                       faces as printed (24)
//
// (24) as printed rejects most of what is free, and features that are far from each other are no
// corner of the two solids: P-E7 and P-E13 say what `joined` makes of it.
//
//   abut::FeatureConstraints set;
//   set.add(view, reach, {.crossings = abut::Crossings::joined});
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

inline Feature vertex_feature(int i) { return {FeatureKind::vertex, i}; }
inline Feature edge_feature(int i) { return {FeatureKind::edge, i}; }
inline Feature face_feature(int i) { return {FeatureKind::face, i}; }

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

// X-constraints: lnc has none. printed: (17), (21) and (24) as they are. joined: (24) as one X for
// two vertices, and every X has the planes that other features of the pair make (P-E13).
enum class Crossings { none, joined, printed };

struct FeatureChoice {
  Crossings crossings = Crossings::joined;
  double eps = 0.3;  // relaxation of applicability, a sine (P-3): which contacts may press
};

class FeatureConstraints {
 public:
  void clear() {
    contacts_.clear();
    constraints_.clear();
  }
  // Of the pair placed in `view`; features up to `reach` (m) from each other.
  void add(const PlanePair& view, double reach, const FeatureChoice& choice);
  // A contact that shall have no force (P-6): it stays as geometry, in kappa, and a constraint that
  // has no force left goes (10).
  void release(int contact);

  std::span<const LocalContact> contacts() const { return contacts_; }
  std::span<const FeatureConstraint> constraints() const { return constraints_; }
  int count() const { return static_cast<int>(constraints_.size()); }
  std::string text(int constraint) const;

 private:
  void add_flat(const PlanePair& view, double reach, const FeatureChoice& choice);
  void add_solid(const PlanePair& view, double reach, const FeatureChoice& choice);
  void add_crossings(const PlanePair& view, int first, double reach, Crossings kind);
  void cross_vertices(const PlanePair& view, int first, double reach, Crossings kind);
  void cross_faces(const Polyhedron& A, int va, const Polyhedron& B, int vb, int first);
  void cross_edges(const PlanePair& view, int first, double reach, Crossings kind,
                   bool vertex_of_a);
  void cross_edge(const Polyhedron& P, int v, const Polyhedron& Q, int e, const Transform& X_QP,
                  int first, Crossings kind, bool vertex_of_a);
  void append(int first, const Feature& a, const Feature& b, std::vector<int>& out) const;
  void join(const std::vector<int>& local);
  bool is_flush(const LocalContact& far) const;
  void cross(const std::vector<int>& local, std::vector<int> iota, std::vector<int> kappa,
             Crossings kind);
  void find_planes(int first, double size);
  void constrain_vertices(int first, double eps);
  int find(int first, const Feature& a, const Feature& b) const;
  void constrain(FeatureConstraint::Kind kind, std::vector<int> iota, std::vector<int> kappa);

  std::vector<LocalContact> contacts_;
  std::vector<FeatureConstraint> constraints_;
  std::vector<int> planes_;                // of the pair: one contact of each that may part it
  std::vector<Vec3> points_a_, points_b_;  // world: of the features that an X is about
  double size_ = 0;                        // m: of the pair
  FeatureContacts found_;
  PlanarFeatures flat_;
};

}  // namespace abut
