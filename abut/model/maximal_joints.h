// Properties of joints besides their axes, in maximal coordinates (maximal.h). Springs, damping,
// armature, dry friction, limits and motors become those of a tendon over a measure (measure.h),
// which reads the joint's coordinate from the poses of its two bodies.
//
//   hinge, slide   a measure and, if it has any of these, a tendon, both with its name
//   ball           tendons NAME.spring and NAME.limit over angles, NAME.x NAME.y NAME.z over spins
//
//   MaximalJoints joints(world, model, to);
//   joints.place(joint, source, measure);    // each joint that is converted
//   joints.finish();                         // then references to them refer to tendons
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "abut/model/model.h"
#include "abut/model/state.h"

namespace abut {

class MaximalJoints {
 public:
  // `model` is `from` compiled as it is; all arguments must outlive this object.
  MaximalJoints(const World& from, const Model& model, World& to);

  // Defines the measure of a hinge's or slide's coordinate; for a ball, a spin at its anchor, with
  // frames that agree at qpos0. This function fills in the names of bodies, the joint's name and
  // its value at qpos0.
  void place(int joint, const Source& source, MeasureDesc measure);
  // Throws WorldError that names an unsupported feature.
  void finish();
  // State::turn of the new world for a given state of this world.
  std::vector<double> turns(const State& state) const;

 private:
  void add_tendons(int joint);
  void add_ball(int joint);
  void retarget_tendons(std::size_t count);
  void retarget_equalities();
  void retarget_actuators();
  bool pulled_by_tendon(int joint) const;
  std::string measure_of(int joint);
  const std::string& tendon_of(int joint);
  TendonDesc& add_tendon(int joint, const std::string& name, const std::string& measure);
  void add_measure(MeasureDesc measure, int joint);
  std::string ball_motor(int joint, ActuatorDesc& actuator);

  const World& from_;
  const Model& model_;
  World& to_;
  std::vector<std::optional<MeasureDesc>> placed_;
  std::vector<Source> source_;
  std::vector<char> measured_;
  std::vector<std::string> tendon_;    // of each joint; empty: none
  std::vector<int> joint_of_measure_;  // -1: no turn
};

}  // namespace abut
