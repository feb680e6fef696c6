// ContactFacets: a polyhedron that stands for a curved solid where it touches something.
//
// A tessellation that is fixed to a solid makes it roll from facet to facet, however fine it is:
// contacts are a thousandth of the size deep, and so are facets. This one is made anew for every
// contact. Its facets are mirror images of each other about the contact's normal, as wide as a
// third of the contact, and coarser far away. So a wheel's contact has no facets ahead or behind
// more than it has on the other side, and nothing turns with the solid.
//
//   sphere, ellipsoid   rings around the contact's normal; the ellipsoid as a stretched ball
//   cylinder            a prism, its edges in pairs left and right of the contact
//   capsule             the same with rings at its ends; its end alone, where only that touches,
//                       as a ball
//
// Vertices are out of the solid by as much as the middles of facets are inside, so that volumes are
// right to second order of the facets' width. Arrays are made once; a call moves the vertices.
//
//   abut::ContactFacets facets;
//   const abut::Convex& view = facets.around(solid, n_S, across_S, depth);
#pragma once

#include "abut/collide/solid/convex.h"

namespace abut {

class ContactFacets {
 public:
  ContactFacets();

  // The solid with such a tessellation, in the solid's own frame; polyhedra and half-spaces as they
  // are. `out`: unit, the way that the contact is on its surface; `across`: where rings begin, a
  // direction that is not along `out`; `depth` (m): of the contact. Valid until the next call. Does
  // not allocate.
  const Convex& around(const Convex& solid, const Vec3& out, const Vec3& across, double depth);

 private:
  // Rings of vertices, each with the same number of sides, closed by poles or by flat ends.
  struct Rings {
    Polyhedron polyhedron;
    int sides = 0, count = 0;
    bool poles = false;
  };
  static Rings make(int sides, int count, bool poles);
  static void find_planes(Rings& rings);
  void place_ball(const Mat3& D, const Vec3& center, const Vec3& out, const Vec3& across,
                  double depth);
  void place_barrel(Rings& rings, const Convex& solid, const Vec3& out, double depth);

  Rings ball_, cylinder_, capsule_;
  Convex view_;
};

}  // namespace abut
