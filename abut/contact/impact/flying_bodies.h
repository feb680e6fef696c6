// FlyingBodies: where geoms are within a step, each body at a time of its own.
//
// A body that flies is a free body on which nothing but gravity acts. Its centre of mass moves on a
// parabola and the body turns by free_rotation() (gyroscope.h), as in a step of its own; a blow
// changes the velocity at a time of the body's own. All other bodies move as the solution of the
// step has them (step_motion.h).
//
// Searches want motions that turn evenly. The flight of a body whose axis of rotation wanders is
// divided into legs that turn evenly to within kEvenTurn; the body is exactly where the
// motion of the leg has it where the leg ends.
//
//   bodies.begin(step, flies);                     // at the start of the step
//   bodies.fly_to(time, tree);                     // to the time of a blow, or the end of a leg
//   bodies.set_velocity(tree, v, omega);           // after a blow
//   bodies.may_meet(a, b, time, until);            // cheap; first_meeting() with motion() is exact
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "abut/collide/collide.h"
#include "abut/constrain/ahead/step_motion.h"

namespace abut {

class FlyingBodies {
 public:
  struct Body {
    double time = 0;               // s from the start of the step
    double leg = 0;                // s: when its leg ends
    Vec3 center = Vec3::Zero();    // m, of mass, world
    Quat q = Quat::Identity();     // of the link's body
    Vec3 velocity = Vec3::Zero();  // m/s, of the centre of mass
    Vec3 omega = Vec3::Zero();     // rad/s, body axes
    bool changed = false;          // by a blow in this step
  };

  FlyingBodies(const Model& model, const Collider& collider);

  // `flies`: one a tree.
  void begin(const StepMotion& step, std::span<const std::uint8_t> flies);
  // Whether the step of a tree that flies would take more than one leg.
  bool has_legs(const StepMotion& step, int tree) const;

  // Geoms that can touch others, ascending; those of a tree.
  std::span<const int> geoms() const { return geoms_; }
  std::span<const int> geoms_of(int tree) const {
    return geoms_of_[static_cast<std::size_t>(tree)];
  }
  int tree_of(int geom) const;  // -1: fixed or driven
  bool is_fixed(int geom) const;

  const Body& body(int tree) const { return bodies_[static_cast<std::size_t>(tree)]; }
  // Along the flight; a new leg begins there.
  void fly_to(double time, int tree);
  void set_velocity(int tree, const Vec3& velocity, const Vec3& omega_W);

  // When the leg of a geom ends (s): the end of the step for all that does not fly.
  double leg_of(int geom) const { return courses_[static_cast<std::size_t>(geom)].until; }
  // Within the leg.
  GeomMotion motion(int geom, double time, double until) const;
  Pose pose(int geom, double time) const;
  // The same, exactly: as fly_to() would have it.
  Pose exact_pose(int geom, double time) const;
  // False: balls around the two stay apart from `time` to `until`, or by more than `margin` (m) at
  // that time.
  bool may_meet(int a, int b, double time, double until) const;
  bool may_touch(int a, int b, double time, double margin) const;

 private:
  struct Course {  // of a geom
    GeomMotion motion;
    double since = 0, until = 0;  // s: when it begins and ends
    double radius = 0;            // m: of a ball about the pivot that holds the solid
    Pose in_link;                 // X_LG
  };
  const Link& link_of(int tree) const;
  Vec3 place(const Course& course, double time) const;
  Body after(double time, int tree) const;
  Pose link_pose(const Body& body, int tree) const;
  double length_of_leg(int tree, const Vec3& omega) const;
  void plan(int tree);

  const Model& model_;
  const Collider& collider_;
  std::vector<int> geoms_;
  std::vector<std::vector<int>> geoms_of_;
  double h_ = 0;
  Vec3 gravity_ = Vec3::Zero();
  std::vector<Course> courses_;  // one a geom
  std::vector<Body> bodies_;     // one a tree; those that fly
};

}  // namespace abut
