// ContactSurface: geometry of the common part of two solids, for forces that are spread over a contact
// (Hasegawa and Fujii, 4.3 to 4.5): normal, volume, and the shadow along the normal with its moments,
// all in closed form.
//
//   normal   eq. 1: sum of A's area vectors less B's (opposite, as the surface is closed), from
//            A to B. Eq. 1 reverses its direction when the smaller body has passed the middle of the
//            other (H-N2); the normal of the last step decides the sign, at first touch the normal of
//            the minimum translation. The latter is also used where eq. 1 gives zero (one solid is
//            inside the other).
//   volume   the force of distributed springs is k/A times the volume, through its centroid: the
//            integrals of eqs 2 to 5 over the surface are V n and c x V n (H-E2)
//   area     of the shadow (H-E4), with first and second moments, for integrals of velocities that are
//            linear over it (H-E6)
//
// Round solids use closed forms where these exist (round_part.h), else facets that follow the contact
// (contact_facets.h).
//
// If rounding leaves no volume, the points of the patch are used in its place (H-N1, H-N3), so that
// every contact has a force.
//
//   abut::SurfaceBuffers buffers;  // one a thread
//   abut::CommonPart part;
//   abut::find_common_part(pair, last_normal, options, buffers, part);
//   abut::ContactSurface s = abut::contact_surface(pair, part, part.normal, buffers);
//   double mean_depth = s.volume / s.area;
#pragma once

#include <optional>

#include "abut/collide/patch/patch.h"
#include "abut/collide/planar/planar.h"
#include "abut/collide/volume/clip_volume.h"
#include "abut/collide/volume/contact_facets.h"
#include "abut/collide/volume/round_part.h"
#include "abut/contact/penalty/force_law.h"

namespace abut {

enum class SurfaceNormal {
  area,        // eq. 1
  translation  // of the minimum translation
};

struct ContactSurface {
  Vec3 normal = Vec3::Zero();   // unit, from A to B, world
  Vec3 center = Vec3::Zero();   // centroid of the volume, world
  double volume = 0, area = 0;  // m^3, m^2 (of the shadow)
  double depth = 0;             // m: largest, of the minimum translation
  // Of the shadow about the center, over its area: mean of y, of y y' and of |y|, y in the plane.
  Vec3 first = Vec3::Zero();   // m
  Mat3 second = Mat3::Zero();  // m^2
  double arm = 0;              // m
  // P of rolling.h: the rate of depth is u(center) + P (n x omega) . y.
  Mat3 tilting = Mat3::Identity();
  bool thin = false;    // of the points of a patch; area is 0, volume means depth
  bool grazes = false;  // overlaps by rounding, or not: pushes, but friction holds nothing

  bool pushes() const { return thin ? depth > 0 : volume > 0; }
  double mean_depth() const { return thin ? depth : volume / area; }
};

// The common part of a pair, before it is known along which normal it is looked at.
struct CommonPart {
  bool is_round = false;  // `round` is the part, and `common` is empty
  RoundPart round;        // in the world
  Intersection common;    // in A's frame
  Pose X_WA;
  Vec3 area = Vec3::Zero();    // eq. 1: A's area vectors (m^2), world, on the side that it was on
  Vec3 normal = Vec3::Zero();  // its direction, or what stands for it
  bool of_area = false;        // it is its direction
};

// How the common part of two polyhedra is found.
enum class CommonBy {
  clipping,  // clip_volume.h
  dual       // dual transformation, as in the paper: for comparison, allocates, and slow
};

struct SurfaceOptions {
  SurfaceNormal normal = SurfaceNormal::area;
  std::optional<WorldPlane> plane = {};  // of a planar world
  CommonBy by = CommonBy::clipping;
  bool closed_forms = true;  // no: `common` has vertices for who asks for them
};

struct SurfaceBuffers {
  ClipBuffers clip;
  ContactFacets facets_A, facets_B;
  // what a thin part is looked at with
  PatchScratch scratch;
  ContactData thin;
};

// `last`: the normal of the last step, zero if there was none.
void find_common_part(const PairView& pair, const Vec3& last, const SurfaceOptions& options,
                      SurfaceBuffers& buffers, CommonPart& out);

ContactSurface contact_surface(const PairView& pair, const CommonPart& part, const Vec3& normal,
                               SurfaceBuffers& buffers);

// Normal, center, volume and shadow of a part that is no round one. L: the pair's size (m). False:
// it has no shadow to speak of.
bool spread_surface(const CommonPart& part, const Vec3& normal, double L, ContactSurface& out);

// clip_volume() of the pair, with facets that follow the contact for curved solids. In A's frame.
void clip_pair(const PairView& pair, SurfaceBuffers& buffers, Intersection& common,
               CommonBy by = CommonBy::clipping);

// Moments of the shadow of `common` along the unit vector n about `center` (from common's origin),
// in common's axes: fills in area, first, second and arm.
void measure_shadow(const Intersection& common, const Vec3& n, const Vec3& center,
                    ContactSurface& out);

}  // namespace abut
