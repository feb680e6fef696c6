// A contact, as a program may change it before it is solved: a conveyor's belt moves, a plate lets
// bodies through from below, a wet spot has less friction.
//
//   simulator.on_contact([&](abut::ContactChange& c) {
//     if (c.geom_a == belt) c.surface_velocity = {-0.5, 0, 0};   // of B's surface; B is the box
//     if (c.geom_b == gate && opened) c.on = false;
//   });
//
// It is called for each pair that touches or may touch in the step, several times a step, in an
// order that may change: it must depend on nothing but its argument and what the program sets
// between the steps.
#pragma once

#include <functional>

#include "abut/math/types.h"

namespace abut {

struct ContactChange {
  // given
  int geom_a = 0, geom_b = 0;
  Vec3 normal = Vec3::Zero();    // unit, from A to B, world axes
  Vec3 position = Vec3::Zero();  // m, world: mean of the points
  double gap = 0;                // m: the least of the points
  // to be changed
  double friction = 0;  // of Coulomb; as the world has it
  Vec3 surface_velocity =
      Vec3::Zero();  // m/s, world: of B's surface less A's, beside the motion of
                     // the bodies; its part along the normal does not count
  bool on = true;    // false: the pair does not touch
};

using ChangeContact = std::function<void(ContactChange&)>;

}  // namespace abut
