// Sensors of a world: what each measures, of what, and where its values are. The values themselves
// are computed by simulate/sense/sensors.h.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace abut {

// MJCF's names, in the order of kSensorKinds (sensor.cpp).
enum class SensorKind : std::uint8_t {
  touch,
  accelerometer,
  velocimeter,
  gyro,
  force,
  torque,
  magnetometer,
  rangefinder,
  jointpos,
  jointvel,
  jointactuatorfrc,
  ballquat,
  ballangvel,
  jointlimitpos,
  jointlimitvel,
  tendonpos,
  tendonvel,
  tendonactuatorfrc,
  tendonlimitpos,
  tendonlimitvel,
  actuatorpos,
  actuatorvel,
  actuatorfrc,
  framepos,
  framequat,
  framexaxis,
  frameyaxis,
  framezaxis,
  framelinvel,
  frameangvel,
  framelinacc,
  frameangacc,
  subtreecom,
  subtreelinvel,
  subtreeangmom,
  e_potential,
  e_kinetic,
  clock,
};

// inertial: a body's principal axes of inertia at its centre of mass (MJCF's objtype "body"); body:
// its own frame ("xbody").
enum class SensorObject : std::uint8_t {
  world,
  joint,
  tendon,
  actuator,
  site,
  geom,
  inertial,
  body
};

// How `cutoff` bounds the values: to +-cutoff, from above, or not at all (unit vectors and
// quaternions).
enum class SensorRange : std::uint8_t { real, positive, unit };

struct SensorTraits {
  std::string_view name;
  SensorKind kind = SensorKind::clock;
  int size = 1;  // numbers
  SensorRange range = SensorRange::real;
};

// None: abut does not compute this kind.
std::optional<SensorTraits> sensor_traits(std::string_view name);
const SensorTraits& sensor_traits(SensorKind kind);

struct Sensor {
  SensorKind kind = SensorKind::clock;
  SensorObject type = SensorObject::world, ref_type = SensorObject::world;
  int object = -1, ref = -1;  // -1: none
  int first = 0, size = 1;    // its numbers among those of all sensors
  double cutoff = 0;          // 0: none
  double noise = 0;           // standard deviation; kept, not added
};

}  // namespace abut
