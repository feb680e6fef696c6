// What the files of the extension share: Model, State and Simulator as Python holds them.
//
// Python objects keep the model alive that they refer to. Arrays are views of the State's own memory,
// which keeps its place: a step never resizes q, v, act or ctrl.
#pragma once

#include <pybind11/eigen.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "abut/contact/choose.h"
#include "abut/model/state.h"
#include "abut/simulate/sense/sensors.h"
#include "abut/simulate/simulator.h"

namespace abut::python {

namespace py = pybind11;

// A model, what it was made of, and what was set since. Models that differ by settings alone are of one
// family: their states go with each other.
struct HeldModel : Model {
  std::shared_ptr<const World> world;
  std::shared_ptr<const int> family;
  std::vector<std::pair<std::string, std::string>> set;
};
using ModelPtr = std::shared_ptr<HeldModel>;

ModelPtr hold_model(World world);
// A model with settings over its own: names and values, numbers, words or lists of numbers.
ModelPtr with_settings(const ModelPtr& model, const py::dict& settings);

// A state and what acts on it from outside.
struct HeldState {
  explicit HeldState(ModelPtr m) : model(std::move(m)), state(*model), input(*model) {}
  ModelPtr model;
  State state;
  Input input;
};

struct HeldSimulator {
  HeldSimulator(ModelPtr m, const ContactSettings& s) : model(std::move(m)), simulator(*model, s) {}
  ModelPtr model;
  Simulator simulator;
  std::atomic<bool> busy{false};
  std::unique_ptr<Sensors> sensors;
};

// Derived of the current q, and of the current q and v.
Derived placed(const HeldState& s);
Derived moving(const HeldState& s);

inline void check_count(const char* name, std::size_t given, std::size_t wanted) {
  if (given != wanted)
    throw py::value_error(std::string(name) + ": " + std::to_string(given) +
                          " numbers given, this world wants " + std::to_string(wanted));
}

// The id of a name, or of a number that is one; a KeyError suggests the nearest.
int find(const NameTable& names, const std::string& name);
int find_any(const NameTable& names, const py::object& name_or_id);

// Rows of three numbers.
using Rows3 = Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>;
Rows3 rows_of(const std::vector<Vec3>& points);

// Three numbers: a position; seven: position and quaternion wxyz.
Pose pose_of(const std::vector<double>& x);
inline Vec4 wxyz(const Quat& q) { return {q.w(), q.x(), q.y(), q.z()}; }
Quat quat_of(const std::vector<double>& x);

// The world's settings, with the words of the command line over them; empty: as the world has it.
ContactSettings choose(const Model& model, const std::string& contact, const std::string& data,
                       const std::string& friction, const std::string& stabilize,
                       const std::string& solver);

void bind_world(py::module_& m);
void bind_model(py::module_& m);
void bind_state(py::module_& m);
void bind_parts(py::module_& m);
void bind_simulator(py::module_& m);
void bind_rollout(py::module_& m);
void bind_contact(py::module_& m);
void bind_solve(py::module_& m);
void bind_recording(py::module_& m);
void bind_own_model(py::module_& m);
void bind_sweep(py::module_& m);
void bind_view(py::module_& m);

}  // namespace abut::python
