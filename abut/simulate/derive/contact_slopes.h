// How a contact point, its normal and its gap move with the two bodies.
//
// The derivative is known where a corner, a sphere or the end of a capsule lies on a face, or two of these
// on each other: the point then belongs to one body and the normal to a face, or to the line between the
// two points. Edges across each other, points cut by an edge, and curved surfaces are refused.
//
//   face     n turns with the body of the face; x moves with the other body, r its rounding
//            psi = n . (x - face) - r
//   points   n = (x_B - x_A) / |x_B - x_A|, psi = |x_B - x_A| - r_A - r_B
#pragma once

#include <optional>

#include "abut/collide/collide.h"
#include "abut/math/spatial.h"

namespace abut {

// A rigid body's motion per unit of some coordinate.
struct RigidRate {
  Spatial twist;  // at `about`
  Vec3 about = Vec3::Zero();

  Vec3 velocity(const Vec3& p) const { return twist.lin + twist.ang.cross(p - about); }
};

struct ContactRate {
  Vec3 normal = Vec3::Zero(), position = Vec3::Zero();
  double psi = 0;
};

class ContactFeature {
 public:
  // Of a point of a patch, whose normal and place are those at these poses; empty: there is none of the
  // kinds above.
  static std::optional<ContactFeature> find(const ConvexSet& solids, const ContactData& data,
                                            const Patch& patch, int point, const Pose& X_WA,
                                            const Pose& X_WB);

  ContactRate rate(const RigidRate& A, const RigidRate& B) const;
  // Whether a face of each has this normal: which of the two keeps it is decided by how they move.
  bool ambiguous() const { return ambiguous_; }
  double psi() const;                    // m
  Vec3 position() const;                 // half way between the two
  double size() const { return size_; }  // m: L of the pair

 private:
  enum class Kind { face_of_a, face_of_b, points };
  Kind kind_ = Kind::points;
  Vec3 n_ = Vec3::Zero();
  Vec3 x_A_ = Vec3::Zero(), x_B_ = Vec3::Zero();  // corners, centres; on a face: a point of it
  double r_A_ = 0, r_B_ = 0, size_ = 0;
  bool ambiguous_ = false;
};

}  // namespace abut
