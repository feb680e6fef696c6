// The value of one sensor, by MuJoCo's definitions.
#pragma once

#include <span>

#include "abut/model/sensor/sensor.h"
#include "abut/simulate/sense/body_motion.h"

namespace abut {

// Writes sensor.size numbers. `motion` is that of the moment.
void sensor_value(const Sensor& sensor, const SensorMoment& moment, const BodyMotion& motion,
                  std::span<double> out);

// Sum of the normal forces of a body's contacts in the zone of a site: those that a ray from the
// contact point, away from the body, sees (N).
double touch_force(const SensorMoment& moment, int site);

}  // namespace abut
