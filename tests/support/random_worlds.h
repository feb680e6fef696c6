// Worlds with random trees: every joint type, several joints on a body, offset centres of mass,
// branches, welded bodies, armature.
#pragma once

#include "abut/model/kinematics.h"
#include "abut/model/model.h"
#include "abut/model/state.h"
#include "support/random.h"

namespace abut::test {

inline void add_random_joint(Random& r, BodyDesc& body, const std::string& name, int kind) {
  JointDesc* j = nullptr;
  if (kind == 0) j = &body.hinge(name, r.vec(1) + Vec3(0, 0, 1.5), r.vec(0.2));
  if (kind == 1) j = &body.slide(name, r.vec(1) + Vec3(1.5, 0, 0));
  if (kind == 2) j = &body.ball(name, r.vec(0.2));
  if (r.integer(0, 2) == 0) j->armature = r.uniform(0, 0.1);
  if (kind != 2 && r.integer(0, 2) == 0) j->ref = r.uniform(-1, 1);
}

// `free_share` of the roots are free bodies.
inline World random_world(unsigned seed, int bodies, double free_share = 0.5) {
  Random r(seed);
  World world;
  std::vector<BodyDesc*> all;
  for (int i = 0; i < bodies; ++i) {
    const std::string name = "b" + std::to_string(i);
    const bool root = all.empty() || r.integer(0, 4) == 0;
    BodyDesc& parent =
        root ? world.worldbody : *all[r.integer(0, static_cast<int>(all.size()) - 1)];
    BodyDesc& body = parent.body(name, r.vec(0.5), r.quat());
    body.box(Vec3(r.uniform(0.05, 0.3), r.uniform(0.05, 0.3), r.uniform(0.05, 0.3)),
             {r.vec(0.2), r.quat()});
    if (r.integer(0, 1) == 0) body.sphere(r.uniform(0.05, 0.2), r.vec(0.3));
    if (root && r.uniform(0, 1) < free_share) {
      body.free(name + "_free");
    } else {
      // none: welded to its parent
      const int joints = r.integer(root ? 1 : 0, 3);
      for (int k = 0; k < joints; ++k)
        add_random_joint(r, body, name + "_" + std::to_string(k),
                         r.integer(0, k + 1 == joints ? 2 : 1));
    }
    all.push_back(&body);
  }
  return world;
}

inline State random_state(const Model& model, unsigned seed, double speed = 1) {
  Random r(seed);
  State s(model);
  for (double& x : s.q) x += r.uniform(-1, 1);
  normalize(model, s.q);
  for (double& x : s.v) x = speed * r.uniform(-1, 1);
  return s;
}

}  // namespace abut::test
