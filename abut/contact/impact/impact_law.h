// The impulse of one impact with friction, by one of three laws of restitution:
//
//   newton    the normal velocity after is -e times that before
//   poisson   the normal impulse of expansion is e times that of compression
//   stronge   the work of the normal impulse in expansion gives back e^2 of what compression took
//
// Newton's is one problem: Coulomb's law with the velocities of the end (one_contact.h). With
// friction it may give back more energy than came in (Kane's paradox); then e is lowered until it
// does not. The other two follow the impact through itself, as Routh and Keller do: the normal
// impulse pi is its clock, slip v_t changes by
//
//   dv / dpi = K (1, -mu v_t / |v_t|)
//
// and where it ends, it sticks if friction can hold it, |K_tt^-1 K_tn| <= mu, and else slides on
// along the one direction that it keeps. Friction always takes energy there, so with Stronge's law
// (1990) energy never grows, and at e = 1 without friction none is lost.
//
//   double e = 0.8;
//   Vec3 p;
//   if (impact_impulse(K, v, mu, RestitutionLaw::stronge, e, p)) v += K * p;
#pragma once

#include "abut/contact/settings.h"
#include "abut/math/types.h"

namespace abut {

// Of a contact in its frame: normal first. K: its block of J M^-1 J', row major; v: the velocity of
// B's point less A's, v[0] < 0; e: restitution, which comes back as what was used.
// False: nothing can stop it.
bool impact_impulse(const double* K, const Vec3& v, double mu, RestitutionLaw law, double& e,
                    Vec3& p);

}  // namespace abut
