// Looker: computes the frame of a state. It computes the contents from the poses by exact queries
// of its own; only forces come from the contact model.
//
//   abut::view::Looker looker(model);
//   looker.look(state, input, &forces, {.volumes = true}, frame);
#pragma once

#include <memory>
#include <vector>

#include "abut/collide/collide.h"
#include "abut/constrain/rows/material.h"
#include "abut/simulate/contact_forces.h"
#include "abut/simulate/measure.h"
#include "abut/view/scene/common_volume.h"
#include "abut/view/scene/frame.h"

namespace abut::view {

class Looker {
 public:
  // The model must outlive it. `origin`: the scene's.
  Looker(const Model& model, const Vec3& origin);

  // `forces`: of the step that led to the state; null: none. Numbers that are not measured, such as
  // step_ms, are unchanged in `out`.
  void look(const State& state, const Input& input, const ContactForces* forces, const Show& show,
            Frame& out);

  const Derived& poses() const { return poses_; }  // of the last look; positions alone
  const Sample& sample() const { return sample_; }

 private:
  void add_velocities(const State& state, Frame& out);
  void add_pairs(const ContactForces& forces, Frame& out);
  void add_geometry(const Show& show, Frame& out);
  void add_features(const Patch& patch, int side, Frame& out) const;
  void add_feature(int geom, const Feature& feature, int side, Frame& out) const;
  void add_joints(const State& state, const Input& input, Frame& out);
  Pose geom_pose(int geom) const;

  const Model& model_;
  Vec3 origin_;
  std::vector<int> moving_;
  Measure measure_;
  Sample sample_;
  Materials materials_;
  Derived poses_;
  bool measured_ = false;
  // created on first use
  std::unique_ptr<Collider> collider_;
  std::unique_ptr<EqualityRows> equalities_;
  std::unique_ptr<ConstraintRows> rows_;
  ContactData data_;
  std::vector<PairQuery> queries_;
  CommonVolume common_;
  // pairs with a force: in the last frame, and now; ascending
  std::vector<PairKey> pressed_, pressing_;
};

}  // namespace abut::view
