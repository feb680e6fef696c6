// FieldContact: the patches of two geoms of which at least one is a mesh with a distance field.
//
// Contacts (surface_contact.h) with nearly the same normal are one patch, reduced as others are. Patches are named by the
// parts that a field has in solid_numbers.h: a patch goes on under the name of that one of the last step whose
// normal was nearest.
//
//   abut::FieldContact field;
//   if (abut::is_field_pair(solids, a, b)) field.append(solids, a, X_WA, b, X_WB, {.reach = r}, nullptr, data);
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "abut/collide/contact_data.h"
#include "abut/collide/field/surface_contact.h"
#include "abut/collide/parts/near_parts.h"
#include "abut/collide/patch/patch.h"

namespace abut {

// Whether one has a field and the other is no half-space. (On a half-space a mesh is its hull.)
bool is_field_pair(const ConvexSet& solids, int a, int b);
// Whether one has a field and the other is a half-space.
bool is_hull_pair(const ConvexSet& solids, int a, int b);

// A geom whose mesh has a distance field, or -1.
int first_field(const Model& model);

class FieldContact {
 public:
  // Appends the patches within reach, in the order of their names. `memory`, if given, has the names.
  void append(ConvexSet& solids, int a, const Pose& X_WA, int b, const Pose& X_WB,
              const PatchOptions& options, const ContactMemory* memory, ContactData& out);

 private:
  struct Cluster {
    Vec3 normal = Vec3::Zero();  // in A's frame
    double psi = 0;              // m: the least
    int begin = 0, end = 0;      // in order_
    int slot = -1;
  };
  SurfaceSolid surface_of(const ConvexSet& solids, int solid);
  void find_points(ConvexSet& solids, int a, const Pose& X_WA, int b, const Pose& X_WB,
                   double reach);
  void find_between(const ConvexSet& solids, int a, int b, const Transform& X_AB, double reach);
  void find_round(const ConvexSet& solids, int field, int round, const Transform& X_FR,
                  double reach);
  void find_clusters();
  void name_clusters(const ConvexSet& solids, int a, const Pose& X_WA, int b,
                     const ContactMemory* memory);
  void append_cluster(const ConvexSet& solids, const Cluster& cluster, int a, const Pose& X_WA,
                      int b, const PatchOptions& options, const ContactMemory* memory,
                      ContactData& out);

  SurfaceContact contact_;
  std::unordered_map<int, std::unique_ptr<SurfaceMesh>> surfaces_;  // of convex solids
  NearParts parts_;
  std::vector<SurfacePoint> points_;  // in A's frame
  std::vector<int> order_;
  std::vector<char> taken_;
  std::vector<Cluster> clusters_;
  PatchScratch scratch_;
};

}  // namespace abut
