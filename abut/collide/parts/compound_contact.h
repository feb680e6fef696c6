// Contacts of two geoms at poses of their own, of which at least one is a height field or a mesh in
// pieces or with a distance field.
//
//   abut::CompoundContact contact;
//   for (const abut::Patch& patch : contact.find(solids, a, X_WA, b, X_WB, {.reach = 0.01}).patches) ..
#pragma once

#include "abut/collide/field/field_contact.h"
#include "abut/collide/parts/merge_patches.h"
#include "abut/collide/parts/near_parts.h"
#include "abut/collide/parts/part_patch.h"

namespace abut {

class CompoundContact {
 public:
  // All patches within reach, one for each normal. Makes cells of height fields ready.
  const ContactData& find(ConvexSet& solids, int a, const Pose& X_WA, int b, const Pose& X_WB,
                          const PatchOptions& options);
  // Signed distance (m): that of the deepest or nearest parts; infinite beyond `reach`.
  double distance(ConvexSet& solids, int a, const Pose& X_WA, int b, const Pose& X_WB,
                  double reach);

 private:
  NearParts near_;
  FieldContact field_;
  PartPatch part_;
  MergePatches merge_;
  PatchScratch scratch_;
  ContactData found_;
};

// The patch whose normal is nearest to a direction; null if there is none.
const Patch* nearest_normal(const ContactData& data, const Vec3& normal);

// Names the geoms and parts of the last patch, and its points after them.
void name_patch(ContactData& data, int geom_a, int solid_a, int geom_b, int solid_b);

}  // namespace abut
