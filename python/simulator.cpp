// Simulator: steps, runs, and the contacts of the last step.
#include <atomic>

#include "abut/simulate/run.h"
#include "held.h"

namespace abut::python {
namespace {

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
                                              const std::string& data, const std::string& friction,
                                              const std::string& stabilize,
                                              const std::string& solver, int threads) {
  if (threads < 0) throw py::value_error("threads: a number of threads, or 0 for all cores");
  const ContactSettings s = choose(*model, contact, data, friction, stabilize, solver);
  auto sim = std::make_unique<HeldSimulator>(std::move(model), s);
  sim->simulator.set_threads(threads);
  return sim;
}

}  // namespace

void bind_simulator(py::module_& m) {
  py::class_<PairForce>(m, "PairForce", "Contact force of a pair of geoms; world axes, on B.")
      .def_readonly("geom_a", &PairForce::geom_a)
      .def_readonly("geom_b", &PairForce::geom_b)
      .def_readonly("force", &PairForce::force, "N")
      .def_readonly("torque", &PairForce::torque, "N m, about the point")
      .def_readonly("point", &PairForce::point)
      .def_readonly("normal", &PairForce::normal)
      .def_property_readonly("normal_force", &PairForce::normal_force, "N")
      .def_property_readonly("friction_force", &PairForce::friction_force, "N");
  py::class_<HeldSimulator>(m, "Simulator", "Computes time steps of a model.")
      .def(py::init(&make_simulator), py::arg("model"), py::arg("contact") = "",
           py::arg("data") = "", py::arg("friction") = "", py::arg("stabilize") = "",
           py::arg("solver") = "", py::arg("threads") = 1)
      .def("step", &step, py::arg("state"), py::arg("steps") = 1)
      .def(
          "run", &run_for, py::arg("state"), py::arg("time"), py::arg("control") = py::none(),
          "Runs for a time (s), with control(state) before each step; returns the number of steps.")
      .def(
          "contacts", [](const HeldSimulator& s) { return s.simulator.contact_forces().pairs; },
          "Forces of the last step, one entry a pair.")
      .def("warnings", [](const HeldSimulator& s) { return s.simulator.warnings(); });
}

}  // namespace abut::python
