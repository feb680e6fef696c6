#include "abut/collide/parts/compound_contact.h"

#include <algorithm>
#include <limits>

#include "abut/collide/proximity/proximity.h"

namespace abut {

const ContactData& CompoundContact::find(ConvexSet& solids, int a, const Pose& X_WA, int b,
                                         const Pose& X_WB, const PatchOptions& options) {
  found_.clear();
  if (is_field_pair(solids, a, b)) {
    field_.append(solids, a, X_WA, b, X_WB, options, nullptr, found_);
    return found_;
  }
  if (is_hull_pair(solids, a, b)) {
    const Proximity d = proximity(solids[a], X_WA, solids[b], X_WB, nullptr, options.reach);
    if (append_patch(solids[a], X_WA, solids[b], X_WB, d, options, scratch_, found_)) {
      found_.patches.back().geom_a = a;
      found_.patches.back().geom_b = b;
    }
    return found_;
  }
  PatchOptions all = options;
  all.max_points = 0;
  for (const auto& [solid_a, solid_b] :
       near_.find(solids, a, Transform(X_WA), b, Transform(X_WB), options.reach)) {
    const Proximity d =
        proximity(solids[solid_a], X_WA, solids[solid_b], X_WB, nullptr, options.reach);
    if (part_.append(solids, {solid_a, X_WA}, {solid_b, X_WB}, d, all, scratch_, found_))
      name_patch(found_, a, solid_a, b, solid_b);
  }
  merge_.merge(found_, solids, {options.max_points, nullptr});
  return found_;
}

double CompoundContact::distance(ConvexSet& solids, int a, const Pose& X_WA, int b,
                                 const Pose& X_WB, double reach) {
  double least = std::numeric_limits<double>::infinity();
  for (const Patch& patch : find(solids, a, X_WA, b, X_WB, {.reach = reach}).patches)
    least = std::min(least, patch.distance);
  return least;
}

const Patch* nearest_normal(const ContactData& data, const Vec3& normal) {
  const Patch* best = nullptr;
  for (const Patch& patch : data.patches)
    if (!best || patch.normal.dot(normal) > best->normal.dot(normal)) best = &patch;
  return best;
}

void name_patch(ContactData& data, int geom_a, int solid_a, int geom_b, int solid_b) {
  Patch& patch = data.patches.back();
  patch.geom_a = geom_a;
  patch.geom_b = geom_b;
  patch.part_a = geom_a == solid_a ? -1 : solid_a;
  patch.part_b = geom_b == solid_b ? -1 : solid_b;
  name_points(data, patch);
}

}  // namespace abut
