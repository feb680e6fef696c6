// Poses in MJCF: pos and one of quat, axisangle, xyaxes, zaxis, euler.
#pragma once

#include <string>

#include "abut/load/xml_tree.h"
#include "abut/math/types.h"

namespace abut {

// The meaning of angles in the file (<compiler angle, eulerseq>).
struct AngleRules {
  bool degrees = true;
  std::string eulerseq = "xyz";  // lower case: about moving axes; upper case: about fixed axes

  double radians(double angle) const;
};

// The rotation about the axes of eulerseq, in turn.
Quat euler_rotation(const Vec3& angles, const AngleRules& rules);

enum class Orientation { absent, quat, alternative };

// Reads the orientation into q; more than one is an error.
Orientation read_orientation(const Element& e, const AngleRules& rules, Quat& q);

// Reads position and orientation; absent values are unchanged.
void read_pose(const Element& e, const AngleRules& rules, Pose& pose);

}  // namespace abut
