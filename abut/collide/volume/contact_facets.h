// ContactFacets: a polyhedron that represents a curved solid where it touches another.
//
// A tessellation that is fixed to a solid makes it roll from facet to facet, however fine the
// facets are: contacts are a thousandth of the size deep, and so are facets. This tessellation is
// made anew for every contact. Its facets are symmetric about the contact's normal, as wide as a
// third of the contact, and coarser far away. So the contact of a wheel has the same facets ahead
// and behind, and no facet turns with the solid.
//
//   sphere, ellipsoid   rings around the contact's normal; the ellipsoid as a stretched ball
//   cylinder            a prism, its edges in pairs left and right of the contact
//   capsule             the same with rings at its ends; if only an end touches, a ball
//
// Vertices are outside the solid by as much as the middles of facets are inside, so that volumes
// are correct to second order in the facets' width. The arrays are allocated once; a call moves the
// vertices.
//
//   abut::ContactFacets facets;
//   const abut::Convex& view = facets.around(solid, n_S, across_S, depth);
#pragma once

#include "abut/collide/solid/convex.h"

namespace abut {

class ContactFacets {
 public:
  ContactFacets();

  // Returns the solid with such a tessellation, in the solid's own frame; polyhedra and half-spaces
  // are returned unchanged. `out`: unit direction of the contact on the surface; `across`: where
  // rings begin, a direction not along `out`; `depth` (m): of the contact. The result is valid
  // until the next call. Does not allocate.
  const Convex& around(const Convex& solid, const Vec3& out, const Vec3& across, double depth);

 private:
  // Rings of vertices with equal numbers of sides, closed by poles or by flat ends.
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
