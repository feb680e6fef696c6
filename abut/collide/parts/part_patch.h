// The patch of two parts of geoms that are not convex (part_surface.h).
//
// If the surfaces of the two geoms allow the normal of the parts' distance, it is that of
// append_patch(). Otherwise the normal comes from a seam, and the patch is along the normal of a face
// instead: of the surface's faces, the one with the largest signed gap, over which the other solid
// lies. If there is none, another part has the contact.
#pragma once

#include "abut/collide/contact_data.h"
#include "abut/collide/patch/patch.h"
#include "abut/collide/solid/convex.h"

namespace abut {

// A solid with its pose in the world.
struct PlacedPart {
  int solid = 0;
  const Pose& X;
};

class PartPatch {
 public:
  // Appends the patch, of which the caller fills in the geoms; `d` is the parts' proximity. Returns
  // false if it has no point within reach.
  bool append(const ConvexSet& solids, const PlacedPart& A, const PlacedPart& B, const Proximity& d,
              const PatchOptions& options, PatchScratch& scratch, ContactData& out);

 private:
  struct Facing {
    double gap = 0;  // m: how far the other solid is above the face's plane
    int face = 0;
    bool of_a = true;
    Vec3 lowest = Vec3::Zero();  // its point that is nearest to the plane; world

    // a total order: sorting in place allocates nothing
    bool operator<(const Facing& other) const {
      if (gap != other.gap) return gap > other.gap;
      return of_a != other.of_a ? of_a : face < other.face;
    }
  };
  void find_facings(const ConvexSet& solids, const PlacedPart& own, const PlacedPart& other,
                    bool of_a);
  bool append_over(const Facing& facing, const ConvexSet& solids, const PlacedPart& A,
                   const PlacedPart& B, const Proximity& d, const PatchOptions& options,
                   PatchScratch& scratch, ContactData& out) const;

  std::vector<Facing> facings_;
};

}  // namespace abut
