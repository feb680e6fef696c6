// When two moving solids meet within a step: conservative advancement along their motions (Mirtich
// 1996). No step of the search is longer than the distance over a bound on the speed of approach
// along the normal, so that nothing is passed over.
//
// Solids that graze do not meet: a box that slides from one tile onto the next passes the edge of
// the second at a distance of rounding, with a normal that points along the motion. Solids have met
// where they overlap a little later, by more than at the start and half of kMeetingDeep of their
// size.
//
//   if (const auto meeting = abut::first_meeting(collider, a, motion_a, b, motion_b, h)) ..
#pragma once

#include <optional>

#include "abut/collide/collide.h"

namespace abut {

// A geom on its way through a step of h seconds: it turns evenly about a point of its body, and the
// point moves by velocity t + bow t (t - h) / 2: a parabola that ends where the straight way does.
struct GeomMotion {
  Pose start;                    // X_WG
  Vec3 pivot = Vec3::Zero();     // at the start, world
  Vec3 velocity = Vec3::Zero();  // m/s, of the pivot, mean over the step
  Vec3 omega = Vec3::Zero();     // rad/s, world axes
  Vec3 bow = Vec3::Zero();       // m/s^2

  Pose at(double t, double h) const;
  // Of the material point that is at p at time t (m/s).
  Vec3 velocity_at(const Vec3& p, double t, double h) const;
};

struct Meeting {
  double time = 0;      // s: as near as kTouch of the pair's size
  double approach = 0;  // m/s, along the normal
  double later = 0;     // s: when they overlap
};

inline constexpr double kMeetingTouch = 1e-7, kMeetingDeep = 1e-6;  // of the pair's size

// Empty: they do not meet within h seconds. `a` and `b` are geoms of the collider's model.
std::optional<Meeting> first_meeting(Collider& collider, int a, const GeomMotion& motion_a, int b,
                                     const GeomMotion& motion_b, double h);

}  // namespace abut
