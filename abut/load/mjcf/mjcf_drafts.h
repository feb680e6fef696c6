// Elements of MJCF that are not settled yet: what a class or an element has said so far.
#pragma once

#include "abut/model/world.h"

namespace abut {

// A geom or a site before its orientation is settled: axisangle, xyaxes, zaxis or euler
// of a class outlast a quat of the element, as in MuJoCo.
template <typename Desc>
struct Oriented {
  Desc desc;
  bool alternative = false;
};

// An actuator, and whether abut knows what drives it.
struct ActuatorDraft {
  ActuatorDesc desc;
  bool known_dynamics = true, known_gain = true, known_bias = true;
};

}  // namespace abut
