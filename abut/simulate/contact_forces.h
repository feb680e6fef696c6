// What pairs and bodies press on each other with, to read after a step: force, where it acts, and
// how much of it is friction. A step's impulse over its length, so of an impact it is the mean;
// under a penalty model the forces at the start of the step. Of a step of several substeps it is
// their mean over time, under every model (part_forces.h).
//
//   simulator.step(state, input);
//   abut::ContactForces forces = simulator.contact_forces();
//   for (const abut::PairForce& pair : forces.pairs)
//     print(model.geom_names[pair.geom_b], pair.force, pair.point);
//   Vec3 on_cup = forces.on_body(model, cup, X_WC.p).lin;
#pragma once

#include <vector>

#include "abut/contact/contact_step.h"
#include "abut/math/spatial.h"
#include "abut/model/model.h"

namespace abut {

struct PointForce {
  Vec3 position = Vec3::Zero();  // m, world
  Vec3 force = Vec3::Zero();     // N, world, on B
  double normal = 0;             // N, >= 0: the part along the pair's normal
};

// A pair that touches, or is about to: all its points together.
struct PairForce {
  int geom_a = -1, geom_b = -1;
  Vec3 force = Vec3::Zero();   // N, world, on B; A has its opposite
  Vec3 torque = Vec3::Zero();  // N m, on B, about `point`
  Vec3 point = Vec3::Zero();   // where it acts: mean of the points, weighted by normal force
  Vec3 normal = Vec3::Zero();  // unit, from A to B
  int begin = 0, end = 0;      // range in ContactForces::points

  double normal_force() const { return force.dot(normal); }                           // N
  double friction_force() const { return (force - normal_force() * normal).norm(); }  // N
};

// All contacts of a body together.
struct BodyForce {
  Vec3 force = Vec3::Zero();     // N, world, on the body
  Vec3 friction = Vec3::Zero();  // the part of it that is tangential to the contacts
  Vec3 torque = Vec3::Zero();    // N m, about `point`
  Vec3 point = Vec3::Zero();     // where it acts, as a pair's; only if `pairs` > 0
  int pairs = 0;                 // that it touches, or is about to
  double pressed = 0;            // N: of the normal forces of its pairs, without direction

  Vec3 normal() const { return force - friction; }
};

struct ContactForces {
  std::vector<PairForce> pairs;    // ascending by pair key
  std::vector<PointForce> points;  // in the order of the pairs

  // Of all contacts on a body: force, and moment about `about` (world).
  Spatial on_body(const Model& model, int body, const Vec3& about) const;
  // One for each body, 0 being the world. Using `out` again allocates nothing.
  void on_bodies(const Model& model, std::vector<BodyForce>& out) const;
  // Of |force| over the pairs (N).
  double total() const;
};

// Of the last step, which took h seconds. Using `out` again allocates nothing.
void contact_forces(const ContactStep& step, double h, ContactForces& out);
// Forces, or impulses in their place, at the pairs of `data`; ascending by patch.
void contact_forces(std::span<const ContactForce> forces, const ContactData& data,
                    ContactForces& out);

}  // namespace abut
