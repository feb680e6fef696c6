// The checked values of URDF elements: each function throws WorldError with file, line and advice.
#pragma once

#include <string>
#include <string_view>

#include "abut/load/xml_tree.h"

namespace abut {

// A required child element.
const Element& urdf_child(const Element& e, std::string_view tag);

double urdf_size(const Element& e, std::string_view name);          // above zero, required
double urdf_not_negative(const Element& e, std::string_view name);  // 0 if absent

struct UrdfInertia {
  double mass = 0;              // kg, 0 or more
  Mat3 moments = Mat3::Zero();  // about the centre of mass; all zero, or positive definite
};
UrdfInertia urdf_inertia(const Element& inertial);

// One of URDF's six types, or "spherical", which Bullet and MuJoCo also support.
std::string urdf_joint_type(const Element& joint);

// In the joint's frame; URDF's default is x.
Vec3 urdf_axis(const Element& joint);

struct UrdfLimit {
  bool given = false;    // there is a <limit>
  bool bounded = false;  // it bounds the position
  double lower = 0, upper = 0, effort = 0, velocity = 0;
};
UrdfLimit urdf_limit(const Element& joint);

// Names are unique, joints name links that exist, and the links form one tree.
void check_urdf_tree(const Element& robot);

}  // namespace abut
