// What the files of the extension share: Model, State and Simulator as Python holds them.
//
// Python objects keep the model alive that they refer to. Arrays are views of the State's own memory,
// which keeps its place: a step never resizes q, v, act or ctrl.
#pragma once

#include <pybind11/eigen.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <string>

#include "abut/contact/choose.h"
#include "abut/model/state.h"

namespace abut::python {

namespace py = pybind11;

using ModelPtr = std::shared_ptr<Model>;

// A state and what acts on it from outside.
struct HeldState {
  explicit HeldState(ModelPtr m) : model(std::move(m)), state(*model), input(*model) {}
  ModelPtr model;
  State state;
  Input input;
};

// The id of a name; a KeyError suggests the nearest.
inline int find(const NameTable& names, const std::string& name) {
  const int id = names.find(name);
  if (id >= 0) return id;
  const std::string near = names.nearest(name);
  throw py::key_error("no " + names.kind() + " '" + name + "'" +
                      (near.empty() ? "" : "; did you mean '" + near + "'?"));
}

// The world's settings, with the words of the command line over them; empty: as the world has it.
inline ContactSettings choose(const Model& model, const std::string& contact,
                              const std::string& data, const std::string& friction,
                              const std::string& stabilize, const std::string& solver) {
  ContactSettings s = contact_settings(model);
  set_contact(s, contact), set_data(s, data), set_friction(s, friction);
  set_stabilize(s, stabilize), set_solver(s, solver);
  return s;
}

void bind_model(py::module_& m);
void bind_state(py::module_& m);
void bind_simulator(py::module_& m);
void bind_rollout(py::module_& m);
void bind_contact(py::module_& m);
void bind_solve(py::module_& m);
void bind_recording(py::module_& m);

}  // namespace abut::python
