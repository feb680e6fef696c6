// The mass matrix at qpos0, for the few settings that are given as damping ratios.
//
// The room `dynamics` computes the mass matrix for any q. compile() is below that room, and uses
// this class only if a world needs it.
#pragma once

#include <span>
#include <vector>

#include "abut/model/model.h"

namespace abut::compiling {

class InertiaAtRest {
 public:
  // X_WB: poses of the bodies at qpos0.
  InertiaAtRest(const Model& model, std::span<const Pose> X_WB);

  // M(i, i), without the armature of tendons.
  double diagonal(int dof) const;

  // Inverse inertia of a joint, the mean over its dofs (for a free joint: over the translations and
  // over the rotations). Includes tendons' armature within one tree.
  VecX inverse_weights(int joint) const;

  // Velocity along (linear) and about (angular) a world direction at a body's point p_W,
  // per unit velocity of a dof; zero if the dof does not move the body.
  Vec3 linear(int dof, const Vec3& p_W) const;
  Vec3 angular(int dof) const { return axes_[static_cast<std::size_t>(dof)].head<3>(); }

 private:
  MatX tree_matrix(const Tree& tree) const;

  const Model& model_;
  std::vector<Vec6> axes_;       // of each dof: angular, linear at the world's origin
  std::vector<Mat6> composite_;  // of each link with all its descendants, about the origin
};

}  // namespace abut::compiling
