// Hand: the user's interaction with a live run, as forces. The forces depend only on the hand and
// the state, so that a run can be replayed from a snapshot and the interactions since.
//
//   hand.pull = {body, point, target};
//   forces.apply(hand, derived, input);
#pragma once

#include <vector>

#include "abut/collide/solid/convex.h"
#include "abut/model/derived.h"
#include "abut/model/input.h"

namespace abut::view {

struct Hand {
  // a spring from a point of the body to a point in the world
  int pulled = -1;  // body; -1: none
  Vec3 grip = Vec3::Zero(), target = Vec3::Zero();
  // a spring that turns a body by this rotation vector (rad, world axes), while it is held
  int twisted = -1;
  Vec3 turn = Vec3::Zero();
  // a ball that repels bodies near its centre (Cline and Pai, VI-B)
  bool pushing = false;
  Vec3 cursor = Vec3::Zero();
  double radius = 0;  // m
  std::vector<double> ctrl;

  bool idle() const { return pulled < 0 && twisted < 0 && !pushing; }
};

class HandForces {
 public:
  // The model must outlive it. `size` of the scene (m) determines the stiffness of the springs.
  HandForces(const Model& model, double size);

  // Sets spring, wrenches and controls of `input`, which must have none. Requires positions() and
  // velocities().
  void apply(const Hand& hand, const Derived& d, Input& input) const;

  // 1/s: frequency of a held body. It sags by 3 % of the scene's size, and does not swing faster
  // than steps can follow.
  double frequency() const { return frequency_; }

 private:
  double mass_held(int body) const;
  void twist(const Hand& hand, const Derived& d, Input& input) const;
  void push(const Hand& hand, const Derived& d, Input& input) const;

  const Model& model_;
  double frequency_, weight_;  // 1/s, m/s^2
  ConvexSet solids_;
  ConvexSet point_;  // centre of the ball that repels
};

}  // namespace abut::view
