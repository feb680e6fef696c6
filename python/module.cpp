// The extension _abut: Model, State and Simulator for Python (docs/python.md).
//
// Python objects keep the model alive that they refer to. Arrays are views of the State's own memory,
// which keeps its place: a step never resizes q, v, act or ctrl.
#include <pybind11/eigen.h>
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <atomic>
#include <memory>

#include "abut/contact/choose.h"
#include "abut/dynamics/mass_matrix.h"
#include "abut/load/load.h"
#include "abut/model/kinematics.h"
#include "abut/simulate/run.h"

namespace py = pybind11;

namespace abut {
namespace {

using ModelPtr = std::shared_ptr<Model>;

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
};

// The lock of Python is released while a simulator works, so that another thread could call it too.
class Turn {
 public:
  explicit Turn(HeldSimulator& s) : busy_(s.busy) {
    if (busy_.exchange(true))
      throw std::runtime_error("this simulator is at work in another thread; make one a thread");
  }
  ~Turn() { busy_ = false; }

 private:
  std::atomic<bool>& busy_;
};

ModelPtr load_any(const std::string& source) {
  const auto start = source.find_first_not_of(" \t\r\n");
  if (start == source.npos || source[start] != '<')
    return std::make_shared<Model>(load_model(source));
  return std::make_shared<Model>(compile(parse_mjcf(source)));
}

int find(const NameTable& names, const std::string& name) {
  const int id = names.find(name);
  if (id >= 0) return id;
  const std::string near = names.nearest(name);
  throw py::key_error("no " + names.kind() + " '" + name + "'" +
                      (near.empty() ? "" : "; did you mean '" + near + "'?"));
}

template <std::vector<double> State::*Member>
std::vector<double>& in_state(HeldState& s) {
  return s.state.*Member;
}
std::vector<double>& controls(HeldState& s) { return s.input.ctrl; }
std::vector<double>& forces(HeldState& s) { return s.input.force; }

// A live view, and assignment of as many numbers.
template <std::vector<double>& (*Get)(HeldState&)>
void array(py::class_<HeldState>& type, const char* name, const char* about) {
  type.def_property(
      name,
      [](py::object self) {
        std::vector<double>& x = Get(self.cast<HeldState&>());
        return py::array_t<double>(static_cast<py::ssize_t>(x.size()), x.data(), self);
      },
      [name](HeldState& self, const std::vector<double>& numbers) {
        std::vector<double>& x = Get(self);
        if (numbers.size() != x.size())
          throw py::value_error(std::string(name) + ": " + std::to_string(numbers.size()) +
                                " numbers given, this world wants " + std::to_string(x.size()));
        std::copy(numbers.begin(), numbers.end(), x.begin());
      },
      about);
}

Derived placed(const HeldState& s) {
  Derived d(*s.model);
  positions(*s.model, s.state, s.input, d);
  return d;
}

void check_same(const HeldSimulator& sim, const HeldState& s) {
  if (sim.model != s.model) throw py::value_error("this state belongs to another model");
}

void step(HeldSimulator& sim, HeldState& s, int steps) {
  check_same(sim, s);
  const Turn turn(sim);
  const py::gil_scoped_release unlocked;
  for (int i = 0; i < steps; ++i) sim.simulator.step(s.state, s.input);
}

// Throws what the control function throws; ends with the last good state where a run diverges.
std::int64_t run_for(HeldSimulator& sim, py::object held, double time, py::object control) {
  auto& s = held.cast<HeldState&>();
  check_same(sim, s);
  if (!(time >= 0) || time / sim.model->option.timestep > 1e15)
    throw py::value_error("time: must be zero or positive (s), and at most 1e15 steps");
  const Turn turn(sim);
  RunSettings settings;
  settings.time = time;
  settings.measure = MeasureWhen{0, true};
  if (!control.is_none())
    settings.control = [&](const Model&, const State&, Input&) {
      const py::gil_scoped_acquire locked;
      control(held);
    };
  settings.progress = [](std::int64_t, std::int64_t) {
    const py::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  };
  RunOutcome outcome;
  {
    const py::gil_scoped_release unlocked;
    Measure measure(*sim.model);
    outcome = run(sim.simulator, s.state, s.input, settings, measure);
  }
  if (outcome.diverged_body >= 0)
    throw std::runtime_error("diverged after t = " + std::to_string(s.state.time) + " s at body '" +
                             sim.model->body_names[outcome.diverged_body] + "'");
  return outcome.steps;
}

std::unique_ptr<HeldSimulator> make_simulator(ModelPtr model, const std::string& contact,
                                              const std::string& friction,
                                              const std::string& solver) {
  ContactSettings s = contact_settings(*model);
  set_contact(s, contact), set_friction(s, friction), set_solver(s, solver);
  return std::make_unique<HeldSimulator>(std::move(model), s);
}

void bind_model(py::module_& m) {
  py::class_<Model, ModelPtr>(m, "Model", "What stays constant while a world runs.")
      .def_readonly("name", &Model::name)
      .def_readonly("nq", &Model::nq)
      .def_readonly("nv", &Model::nv)
      .def_property_readonly("nu", &Model::nu)
      .def_property_readonly("nbody", &Model::nbody)
      .def_property_readonly("mass", &Model::mass, "Mass of all bodies (kg).")
      .def_property_readonly(
          "step", [](const Model& x) { return x.option.timestep; }, "s")
      .def("body", [](const Model& x, const std::string& n) { return find(x.body_names, n); })
      .def("joint", [](const Model& x, const std::string& n) { return find(x.joint_names, n); })
      .def(
          "state", [](ModelPtr x) { return std::make_unique<HeldState>(std::move(x)); },
          "A state at qpos0, at rest.");
}

void bind_state(py::module_& m) {
  py::class_<HeldState> type(m, "State",
                             "Everything that changes, and the input. A copy has the same future.");
  array<in_state<&State::q>>(type, "q", "Positions, in MuJoCo's layout.");
  array<in_state<&State::v>>(type, "v", "Velocities, in MuJoCo's layout.");
  array<in_state<&State::act>>(type, "act", "Activations.");
  array<controls>(type, "ctrl", "Controls, one an actuator.");
  array<forces>(type, "force", "Generalized forces, one a dof.");
  type.def_property(
          "time", [](const HeldState& s) { return s.state.time; },
          [](HeldState& s, double t) { s.state.time = t; }, "s")
      .def("copy", [](const HeldState& s) { return std::make_unique<HeldState>(s); })
      .def("__copy__", [](const HeldState& s) { return std::make_unique<HeldState>(s); })
      .def("__deepcopy__",
           [](const HeldState& s, py::dict) { return std::make_unique<HeldState>(s); })
      .def(
          "hash", [](const HeldState& s) { return s.state.hash(); }, "As the tool prints it.")
      .def(
          "position",
          [](const HeldState& s, const std::string& body) {
            return placed(s).body_pose[static_cast<std::size_t>(find(s.model->body_names, body))].p;
          },
          "Position of a body's frame in the world (m).")
      .def("mass_matrix", [](const HeldState& s) {
        Derived d = placed(s);
        mass_matrix(*s.model, d);
        return dense_mass_matrix(*s.model, d);
      });
}

void bind_simulator(py::module_& m) {
  py::class_<PairForce>(m, "PairForce", "Contact force of a pair of geoms; world axes, on B.")
      .def_readonly("geom_a", &PairForce::geom_a)
      .def_readonly("geom_b", &PairForce::geom_b)
      .def_readonly("force", &PairForce::force)
      .def_readonly("point", &PairForce::point)
      .def_readonly("normal", &PairForce::normal);
  py::class_<HeldSimulator>(m, "Simulator", "Computes time steps of a model.")
      .def(py::init(&make_simulator), py::arg("model"), py::arg("contact") = "",
           py::arg("friction") = "", py::arg("solver") = "")
      .def("step", &step, py::arg("state"), py::arg("steps") = 1)
      .def(
          "run", &run_for, py::arg("state"), py::arg("time"), py::arg("control") = py::none(),
          "Runs for a time (s), with control(state) before each step; returns the number of steps.")
      .def(
          "contacts", [](const HeldSimulator& s) { return s.simulator.contact_forces().pairs; },
          "Forces of the last step, one entry a pair.");
}

}  // namespace
}  // namespace abut

PYBIND11_MODULE(_abut, m) {
  py::register_exception<abut::WorldError>(m, "WorldError", PyExc_ValueError);
  abut::bind_model(m);
  abut::bind_state(m);
  abut::bind_simulator(m);
  m.def("load", &abut::load_any, py::arg("source"),
        "A model of an MJCF or URDF file, or of MJCF text.");
}
