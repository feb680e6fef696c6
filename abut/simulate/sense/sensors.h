// Sensors: the values of a world's sensors after a step.
//
//   abut::Sensors sensors(model);
//   simulator.step(state, input);
//   sensors.update(simulator, state, input);
//   std::span<const double> a = sensors.sensor("imu").value();
//
// Positions and velocities are those of the state. Accelerations and contact forces are the mean of
// the step that led to it: the change of v over the length of the step, with all impulses in it; an
// accelerometer of a robot at rest reads gravity. `cutoff` is applied; `noise` is kept in
// Model::sensors and not added. Kinds and definitions are MuJoCo's; docs/robots.md lists them.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "abut/simulate/sense/body_motion.h"
#include "abut/simulate/simulator.h"

namespace abut {

class SensorReading {
 public:
  SensorReading(const Sensor& sensor, std::span<const double> all) : sensor_(&sensor) {
    value_ =
        all.subspan(static_cast<std::size_t>(sensor.first), static_cast<std::size_t>(sensor.size));
  }
  // Empty: abut does not compute this kind.
  std::span<const double> value() const { return value_; }
  double cutoff() const { return sensor_->cutoff; }
  double noise() const { return sensor_->noise; }  // standard deviation

 private:
  const Sensor* sensor_;
  std::span<const double> value_;
};

class Sensors {
 public:
  // The model must outlive it.
  explicit Sensors(const Model& model);

  // After a step of this simulator. Allocates nothing after the first call.
  void update(const Simulator& simulator, const State& state, const Input& input);
  // Without a step: the accelerations of a state whose contacts and joints that close loops do
  // nothing.
  void update(const State& state, const Input& input);

  // Throws std::invalid_argument with the nearest name.
  SensorReading sensor(std::string_view name) const;
  SensorReading operator[](int id) const;
  int count() const { return static_cast<int>(model_.sensors.size()); }
  std::span<const double> values() const { return values_; }  // of all sensors, one after the other

 private:
  void read(const State& state, const Input& input);

  const Model& model_;
  Derived d_;
  BodyMotion motion_;
  ContactForces contacts_;
  std::vector<double> acceleration_, values_;
};

}  // namespace abut
