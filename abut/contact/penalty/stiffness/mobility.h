// How easily the body of each geom is moved at its surface: what stiffness and damping of a
// contact have to be measured against. Of links in trees at qpos0, with the rest of the tree
// hanging on.
//
//   abut::Mobility mobility(model, collider);
//   double m = mobility.reduced_mass(geom_a, geom_b);
#pragma once

#include <vector>

#include "abut/collide/collide.h"
#include "abut/model/model.h"

namespace abut {

// What forces and torques at a link's centre of mass do to it.
struct LinkMobility {
  double linear = 0;            // 1/kg, in the direction that moves most
  Mat3 angular = Mat3::Zero();  // 1/(kg m^2), in the axes of the link's body
};

// Whose size and corners count: a geom's own, or those of all that is welded together. A law that
// spreads a force over all pieces of a body must not depend on how it is cut.
enum class MobilityOf { geoms, bodies };

// The largest of x' G x / x' P^-1 x over all motions x: lambda_max(P G), or up to a quarter more
// (the eighth root of the trace of (P G)^8).
double largest_motion(const Mat6& P, const Mat6& G);

class Mobility {
 public:
  Mobility(const Model& model, const Collider& collider, MobilityOf of = MobilityOf::geoms);

  // 1 / (1/m_A + 1/m_B) (H-9, eq. 7); what is fixed or driven has no 1/m. 0: neither moves.
  double reduced_mass(int geom_a, int geom_b) const;
  // Velocity that a unit impulse along the normal makes, at the place on the two surfaces where it
  // makes most (1/kg): a corner far from the centre of mass turns as well as it moves.
  double worst(int geom_a, int geom_b) const { return of(geom_a).worst + of(geom_b).worst; }
  // kg: of the link; 0: fixed or driven.
  double mass(int geom) const { return of(geom).mass; }
  // kg: of the whole tree that it is part of; 0: fixed or driven.
  double tree_mass(int geom) const { return of(geom).tree_mass; }
  bool same_tree(int geom_a, int geom_b) const {
    return of(geom_a).tree >= 0 && of(geom_a).tree == of(geom_b).tree;
  }
  // Twist (velocity of the point, angular) of the geom's body that unit forces and couples at the
  // world's p make: 6 x 6, zero where nothing moves. Exact for a free body; the links of a tree are
  // taken to be as mobile in every direction as in the most mobile one.
  Mat6 at_point(int geom, const Pose& X_WG, const Vec3& p) const;
  int tree(int geom) const { return of(geom).tree; }  // -1: fixed or driven
  // m: of the smaller of the two that has one.
  double size(int geom_a, int geom_b) const;
  const LinkMobility& link(int index) const { return links_[static_cast<std::size_t>(index)]; }

 private:
  void join_bodies(const Model& model, std::vector<double> sizes, const Collider& collider);
  struct OfGeom {
    double linear = 0;  // 1/kg, at the centre of mass, in the direction that moves most
    double worst = 0;
    double mass = 0, tree_mass = 0, size = 0;
    Vec3 com_G = Vec3::Zero();      // of the link, in the geom's frame
    Mat3 angular_G = Mat3::Zero();  // 1/(kg m^2), about it
    int tree = -1;
  };
  const OfGeom& of(int geom) const { return geoms_[static_cast<std::size_t>(geom)]; }

  std::vector<OfGeom> geoms_;
  std::vector<LinkMobility> links_;
};

}  // namespace abut
