#include "abut/simulate/sense/sensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "abut/dynamics/actuation.h"
#include "abut/dynamics/forward.h"
#include "abut/math/index.h"
#include "abut/model/kinematics.h"
#include "abut/simulate/sense/sensor_values.h"

namespace abut {

namespace {

void cut_off(const Sensor& s, std::span<double> value) {
  const SensorRange range = sensor_traits(s.kind).range;
  if (!(s.cutoff > 0) || range == SensorRange::unit) return;
  for (double& x : value)
    x = range == SensorRange::real ? std::clamp(x, -s.cutoff, s.cutoff) : std::min(x, s.cutoff);
}

}  // namespace

Sensors::Sensors(const Model& model)
    : model_(model),
      d_(model),
      motion_(model),
      acceleration_(at(model.nv)),
      values_(at(model.nsensordata)) {}

void Sensors::update(const Simulator& simulator, const State& state, const Input& input) {
  positions(model_, state, input, d_);
  velocities(model_, state, d_);
  actuator_forces(model_, state, input, d_);
  simulator.contact_forces(contacts_);
  const std::span<const double> before = simulator.velocities_before();
  for (std::size_t i = 0; i < acceleration_.size(); ++i)
    acceleration_[i] = (state.v[i] - before[i]) / model_.option.timestep;
  read(state, input);
}

void Sensors::update(const State& state, const Input& input) {
  forward(model_, state, input, d_);
  std::copy(d_.acceleration.begin(), d_.acceleration.end(), acceleration_.begin());
  contacts_ = {};
  read(state, input);
}

void Sensors::read(const State& state, const Input& input) {
  const SensorMoment moment{model_, state, input, d_, acceleration_, contacts_};
  motion_.find(moment);
  const std::span<double> values(values_);
  for (const Sensor& s : model_.sensors) {
    if (s.size == 0) continue;
    const std::span<double> value = values.subspan(at(s.first), at(s.size));
    sensor_value(s, moment, motion_, value);
    cut_off(s, value);
  }
}

SensorReading Sensors::operator[](int id) const { return {model_.sensors[at(id)], values_}; }

SensorReading Sensors::sensor(std::string_view name) const {
  const int id = model_.find_sensor(name);
  if (id >= 0) return (*this)[id];
  const std::string near = model_.sensor_names.nearest(name);
  throw std::invalid_argument(fmt::format("there is no sensor '{}'{}", name,
                                          near.empty() ? "" : "; did you mean '" + near + "'?"));
}

}  // namespace abut
