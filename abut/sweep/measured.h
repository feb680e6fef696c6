// Measured: what a sweep measures of a run, by the names of `abut run --json`: "penetration.max",
// "bodies.ball.position", "sensors.imu", "q". A name of several numbers has a column for each:
// "bodies.ball.position.0".
//
//   const abut::Measured measured(plan.measures, model);
//   std::vector<double> row = measured.of(end);
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "abut/simulate/run.h"
#include "abut/simulate/sense/sensors.h"
#include "abut/sweep/rest_watch.h"

namespace abut {

// The end of a run.
struct RunEnd {
  const Simulator& simulator;
  const State& state;
  const Input& input;
  const RunOutcome& outcome;
  const Measure& measure;  // with the samples that were taken in the run
  const Sample& sample;    // of the end
  const Derived& derived;  // of the sample
  const ContactForces& forces;
  const Sensors& sensors;
  const RestWatch& rest;  // of every step, where a measure looks at every step
};

class Measured {
 public:
  // Throws std::invalid_argument that names the nearest measure, body, joint or sensor.
  Measured(const std::vector<std::string>& names, const Model& model);

  const std::vector<std::string>& columns() const { return columns_; }
  // Whether a measure looks at every step of the run, and not at its end alone.
  bool every_step() const { return every_step_; }
  bool wants_sensors() const { return wants_sensors_; }
  // Appends a number a column.
  void append(const RunEnd& end, std::vector<double>& row) const;

 private:
  using Read = std::function<void(const RunEnd&, std::vector<double>&)>;
  void add(const std::string& name, const Model& model);
  void add_numbers(const std::string& name, int count, Read read);

  std::vector<std::string> columns_;
  std::vector<Read> reads_;
  bool every_step_ = false, wants_sensors_ = false;
};

// What has no name of the world in it, for help and documents.
std::vector<std::string> plain_measures();

}  // namespace abut
