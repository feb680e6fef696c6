// Contact forces on pairs and bodies, to read after a step: force, point of action, and friction. A
// force is the impulse of a step divided by its length; for an impact it is the mean over the step.
// Under a penalty model it is the force at the start of the step. For a step of several substeps it
// is the time average over the substeps, under every model (part_forces.h).
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

// A pair that touches or is about to touch: the sum over its points.
struct PairForce {
  int geom_a = -1, geom_b = -1;
  Vec3 force = Vec3::Zero();   // N, world, on B; the force on A is the opposite
  Vec3 torque = Vec3::Zero();  // N m, on B, about `point`
  Vec3 point = Vec3::Zero();   // point of action: mean of the points, weighted by normal force
  Vec3 normal = Vec3::Zero();  // unit, from A to B
  int begin = 0, end = 0;      // range in ContactForces::points

  double normal_force() const { return force.dot(normal); }                           // N
  double friction_force() const { return (force - normal_force() * normal).norm(); }  // N
};

// The sum over all contacts of a body.
struct BodyForce {
  Vec3 force = Vec3::Zero();     // N, world, on the body
  Vec3 friction = Vec3::Zero();  // part that is tangential to the contacts
  Vec3 torque = Vec3::Zero();    // N m, about `point`
  Vec3 point = Vec3::Zero();     // point of action, as for a pair; only if `pairs` > 0
  int pairs = 0;                 // number of pairs that touch or are about to
  double pressed = 0;            // N: sum of the normal forces of its pairs, without direction

  Vec3 normal() const { return force - friction; }
};

struct ContactForces {
  std::vector<PairForce> pairs;        // ascending by pair key
  std::vector<PointForce> points;      // in the order of the pairs
  std::vector<ContactForce> impulses;  // N s: of the step, where these are what the model found

  // Force of all contacts on a body, and moment about `about` (world).
  Spatial on_body(const Model& model, int body, const Vec3& about) const;
  // One entry for each body; 0 is the world. Reusing `out` allocates nothing.
  void on_bodies(const Model& model, std::vector<BodyForce>& out) const;
  // Sum of |force| over the pairs (N).
  double total() const;
  // Force of the fixed and driven solids on all moving bodies (N, world). Contacts between moving
  // bodies cancel. For a robot at rest on the ground it is the opposite of the weight.
  Vec3 net(const Model& model) const;
};

// Forces of the last step, which took h seconds. Reusing `out` allocates nothing.
void contact_forces(const ContactStep& step, double h, ContactForces& out);
// Forces, or impulses instead of forces, at the pairs of `data`; in ascending order of patches.
void contact_forces(std::span<const ContactForce> forces, const ContactData& data,
                    ContactForces& out);

}  // namespace abut
