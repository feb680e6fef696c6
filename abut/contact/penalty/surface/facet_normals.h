// FacetNormals: the normal of an overlap as Drumwright has it (eq. 4; D-9): of all faces of the two
// polyhedra that bound the common part, the normal of the one that the other solid is least deep
// behind. It is the minimum translation where that is along a face; edges are not looked at
// (collide/normal.h).
//
// Pairs of polyhedra and half-spaces that overlap get this normal and this face; distances and
// points stay as they are, which is for models that find the depth of each point from the face
// (bottom_surface.h). Others keep the normal of the minimum translation.
//
//   facets.apply(model, solids, d, data);
#pragma once

#include "abut/collide/solid/convex.h"
#include "abut/collide/volume/clip_volume.h"
#include "abut/model/kinematics.h"

namespace abut {

class FacetNormals {
 public:
  void apply(const Model& model, const ConvexSet& solids, const Derived& d, ContactData& data);

 private:
  ClipBuffers clip_;
  Intersection common_;
};

}  // namespace abut
