// StepMotion: how geoms move in a step, from its start to the end that a solution leads to.
//
//   const StepMotion motion{model, h, input, start, end, change, u};
//   first_meeting(collider, a, motion.of(a), b, motion.of(b), h);
#pragma once

#include <span>

#include "abut/collide/first_meeting.h"
#include "abut/model/derived.h"
#include "abut/model/input.h"

namespace abut {

struct StepMotion {
  const Model& model;
  double h;
  const Input& input;
  const Derived& start;            // poses and velocities at the start
  const Derived& end;              // poses at the end; driven bodies are where they start
  std::span<const double> change;  // what constraints add to the velocities, one a dof
  std::span<const double> u;       // velocities at the end, in solver coordinates

  // From the pose at the start to the pose at the end; a body that flies falls on its way.
  GeomMotion of(int geom) const;
  // As the rows of the solver see the motion: the velocities at the end, all the way. A free body
  // with a torque, or one whose axis of rotation wanders, turns by another angle than h omega'.
  GeomMotion as_solved(int geom) const;
  Pose end_pose(int geom) const;
  // Whether no constraint changes the velocity of a tree.
  bool is_unchanged(const Tree& tree) const;
};

}  // namespace abut
