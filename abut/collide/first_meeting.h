// The time at which two moving solids meet within a step, by conservative advancement along their
// motions (Mirtich 1996). No step of the search is longer than the distance divided by a bound on
// the speed of approach along the normal. Therefore the search cannot step over a contact.
//
// Solids that graze do not meet. Example: a box that slides from one tile onto the next passes the
// edge of the second tile at a distance of rounding, with a normal along its motion. Solids have
// met only if they overlap a little later by more than they did at the start plus half of
// kMeetingDeep of their size.
//
//   if (const auto meeting = abut::first_meeting(collider, a, motion_a, b, motion_b, h)) ..
#pragma once

#include <optional>

#include "abut/collide/collide.h"

namespace abut {

// The motion of a geom in a step of h seconds. The geom turns at a constant rate about a point of
// its body, the pivot. The pivot moves by velocity t + bow t (t - h) / 2, which is a parabola
// between the ends of the straight way.
struct GeomMotion {
  Pose start;                    // X_WG
  Vec3 pivot = Vec3::Zero();     // world, at the start of the step
  Vec3 velocity = Vec3::Zero();  // m/s: mean velocity of the pivot
  Vec3 omega = Vec3::Zero();     // rad/s, world axes
  Vec3 bow = Vec3::Zero();       // m/s^2: curvature of the pivot's way

  Pose at(double t, double h) const;
  // The motion from t0 to t1: one of t1 - t0 seconds.
  GeomMotion part(double t0, double t1, double h) const;
  // Velocity (m/s) of the material point that is at p at time t.
  Vec3 velocity_at(const Vec3& p, double t, double h) const;
};

struct Meeting {
  double time = 0;      // s: when the distance is kMeetingTouch of the pair's size
  double approach = 0;  // m/s: speed of approach along the normal
  double later = 0;     // s: a later time, at which the solids overlap
};

// Returns nothing if the solids do not meet within h seconds. `a` and `b` are geoms of the
// collider's model.
std::optional<Meeting> first_meeting(Collider& collider, int a, const GeomMotion& motion_a, int b,
                                     const GeomMotion& motion_b, double h);
// The same of the geoms of a patch, which need not be convex; they come no nearer than by `reach` (m)
// in the step.
std::optional<Meeting> first_meeting(Collider& collider, const Patch& patch,
                                     const GeomMotion& motion_a, const GeomMotion& motion_b,
                                     double h, double reach);

}  // namespace abut
