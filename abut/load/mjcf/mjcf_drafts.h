// Elements of MJCF that are not complete yet: the values so far of a class or an element.
#pragma once

#include "abut/model/world.h"

namespace abut {

// A geom or a site before its orientation is decided: axisangle, xyaxes, zaxis or euler of a class
// override a quat of the element, as in MuJoCo.
template <typename Desc>
struct Oriented {
  Desc desc;
  bool alternative = false;
};

// An actuator, and whether abut supports its dynamics, gain and bias.
struct ActuatorDraft {
  ActuatorDesc desc;
  bool known_dynamics = true, known_gain = true, known_bias = true;
};

}  // namespace abut
