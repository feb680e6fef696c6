// ContactForce: what acts between the two solids of a pair at a point.
#pragma once

#include "abut/math/types.h"

namespace abut {

struct ContactForce {
  int patch = 0;                 // of the contact data
  Vec3 position = Vec3::Zero();  // m, world
  Vec3 force = Vec3::Zero();     // N, world, on B; A has its opposite
  Vec3 couple = Vec3::Zero();    // N m, on B
  double energy = 0;             // J: stored in springs; of an impulse: what it took
};

}  // namespace abut
