// The one maker of intersections in a program that has no other: by_clipping.cpp or
// by_duality.cpp defines these.
#pragma once

#include "abut/collide/volume/intersection.h"
#include "abut/math/transform.h"

namespace abut::testing {

Intersection common_part(const Convex& A, const Convex& B, const Transform& X_AB);

bool other_maker_is_linked();

}  // namespace abut::testing
