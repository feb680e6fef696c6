// Simulator: steps, runs, contacts, sensors and derivatives.
#include <fmt/format.h>

#include <optional>

#include "abut/simulate/derive/derivatives.h"
#include "abut/simulate/record/record.h"
#include "abut/simulate/run.h"
#include "held.h"

namespace abut::python {
namespace {

// A run whose numbers have lost their meaning.
struct Diverged : std::runtime_error {
  using std::runtime_error::runtime_error;
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
  if (sim.model != s.model && sim.model->family != s.model->family)
    throw py::value_error("this state belongs to another model");
}

void step(HeldSimulator& sim, HeldState& s, int steps) {
  check_same(sim, s);
  const Turn turn(sim);
  const py::gil_scoped_release unlocked;
  for (int i = 0; i < steps; ++i) sim.simulator.step(s.state, s.input);
}

// Throws what the control function throws; ends with the last good state where a run diverges.
std::int64_t run_for(HeldSimulator& sim, py::object held, double time, const py::object& control,
                     const py::object& observe, const std::string& record, int record_every) {
  auto& s = held.cast<HeldState&>();
  check_same(sim, s);
  if (!(time >= 0) || time / sim.model->option.timestep > 1e15)
    throw py::value_error("time: must be zero or positive (s), and at most 1e15 steps");
  if (record_every < 1) throw py::value_error("record_every: write a number of steps, 1 or more");
  const Turn turn(sim);
  RunSettings settings;
  settings.time = time;
  settings.measure = MeasureWhen{0, true};
  if (!control.is_none())
    settings.control = [&](const Model&, const State&, Input&) {
      const py::gil_scoped_acquire locked;
      control(held);
    };
  if (!observe.is_none())
    settings.after_step = [&] {
      const py::gil_scoped_acquire locked;
      observe(held);
    };
  settings.progress = [](std::int64_t, std::int64_t) {
    const py::gil_scoped_acquire locked;
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
  };
  RunOutcome outcome;
  {
    const py::gil_scoped_release unlocked;
    std::optional<Recorder> recorder;
    if (!record.empty()) {
      RecordSettings r;
      r.every = record_every, r.start_time = s.state.time;
      r.contacts = sim.simulator.contact().contacts_on();
      r.integrator = sim.simulator.integrator();
      r.notes = {{"contact", sim.simulator.contact().settings().model}, {"file", sim.model->name}};
      recorder.emplace(*sim.model, record, r);
      settings.record_every = record_every;
      settings.record = [&](std::int64_t i, const State& state, const Input& input,
                            const Sample& sample, const Derived& poses,
                            const ContactForces& forces) {
        recorder->record(i, state, input, sample, poses, &forces);
      };
    }
    Measure measure(*sim.model);
    outcome = run(sim.simulator, s.state, s.input, settings, measure);
    if (recorder) recorder->close(outcome.diverged_body >= 0 ? "diverged" : "done");
  }
  if (outcome.diverged_body >= 0)
    throw Diverged(fmt::format("diverged after t = {:.6g} s at body '{}'", s.state.time,
                               sim.model->body_names[outcome.diverged_body]));
  return outcome.steps;
}

std::unique_ptr<HeldSimulator> make_simulator(
    ModelPtr model, const std::string& contact, const std::string& data,
    const std::string& friction, const std::string& stabilize, const std::string& solver,
    const std::string& integrator, std::optional<double> step_length,
    std::optional<double> accuracy, std::optional<double> iterations, const py::dict& settings,
    int threads) {
  if (threads < 0) throw py::value_error("threads: a number of threads, or 0 for all cores");
  py::dict all;
  if (!integrator.empty()) all["integrator"] = integrator;
  if (step_length) all["step"] = *step_length;
  for (const auto& [key, value] : settings) all[key] = value;
  model = with_settings(model, all);
  if (const std::string why = why_not_simulated(*model); !why.empty()) throw py::value_error(why);
  ContactSettings s = choose(*model, contact, data, friction, stabilize, solver);
  if (accuracy) set_accuracy(s, *accuracy);
  if (iterations) set_iterations(s, *iterations);
  auto sim = std::make_unique<HeldSimulator>(std::move(model), s);
  sim->simulator.set_threads(threads);
  return sim;
}

py::array_t<double> numbers(std::span<const double> x) {
  return py::array_t<double>(static_cast<py::ssize_t>(x.size()), x.data());
}

py::dict sensors_of(HeldSimulator& sim, const HeldState& s) {
  check_same(sim, s);
  if (!sim.sensors) sim.sensors = std::make_unique<Sensors>(*sim.model);
  sim.sensors->update(sim.simulator, s.state, s.input);
  py::dict out;
  for (int id = 0; id < sim.sensors->count(); ++id)
    out[py::str(sim.model->sensor_names[id])] = numbers((*sim.sensors)[id].value());
  return out;
}

// --- contacts ------------------------------------------------------------------------------------

// A pair of the last step, with its own copy of all that there is to read.
struct HeldPair {
  ModelPtr model;
  PairForce pair;
  std::vector<PointForce> points;
  std::vector<double> gaps;
  std::vector<Vec3> patch;
  double distance = 0;

  std::string geom(int id) const { return model->geom_names[id]; }
  std::string body(int id) const {
    const Body& b =
        model->bodies[static_cast<std::size_t>(model->geoms[static_cast<std::size_t>(id)].body)];
    if (b.weld == 0) return "world";
    return model->body_names[model->geoms[static_cast<std::size_t>(id)].body];
  }
};

std::vector<HeldPair> contacts(const HeldSimulator& sim) {
  const ContactForces forces = sim.simulator.contact_forces();
  const ContactData& data = sim.simulator.contact().data();
  std::vector<HeldPair> out;
  for (const PairForce& pair : forces.pairs) {
    HeldPair& held = out.emplace_back(HeldPair{sim.model, pair, {}, {}, {}, 0});
    held.points.assign(forces.points.begin() + pair.begin, forces.points.begin() + pair.end);
    for (const Patch& patch : data.patches) {
      if (patch.geom_a != pair.geom_a || patch.geom_b != pair.geom_b) continue;
      held.distance = held.gaps.empty() ? patch.distance : std::min(held.distance, patch.distance);
      for (int i = patch.begin; i < patch.end; ++i) {
        const auto at = static_cast<std::size_t>(i);
        held.gaps.push_back(data.points.psi[at]);
        held.patch.push_back(0.5 * (data.points.p_A[at] + data.points.p_B[at]));
      }
    }
  }
  return out;
}

void bind_contacts(py::module_& m) {
  py::class_<HeldPair>(
      m, "PairForce",
      "What acts between a pair of solids in the last step; world axes, on B. A force "
      "is the mean over the step.\n\n"
      ">>> sim.step(state, 100)\n"
      ">>> pair, = sim.contacts()\n"
      ">>> pair.a, pair.b\n('floor', 'shell')\n"
      ">>> round(pair.normal_force, 2)\n19.62\n"
      ">>> pair.forces.shape\n(1, 3)\n")
      .def_property_readonly("geom_a", [](const HeldPair& p) { return p.pair.geom_a; })
      .def_property_readonly("geom_b", [](const HeldPair& p) { return p.pair.geom_b; })
      .def_property_readonly("a", [](const HeldPair& p) { return p.geom(p.pair.geom_a); })
      .def_property_readonly("b", [](const HeldPair& p) { return p.geom(p.pair.geom_b); })
      .def_property_readonly("body_a", [](const HeldPair& p) { return p.body(p.pair.geom_a); })
      .def_property_readonly("body_b", [](const HeldPair& p) { return p.body(p.pair.geom_b); })
      .def_property_readonly(
          "force", [](const HeldPair& p) { return p.pair.force; }, "N")
      .def_property_readonly(
          "torque", [](const HeldPair& p) { return p.pair.torque; }, "N m, about the point")
      .def_property_readonly(
          "point", [](const HeldPair& p) { return p.pair.point; },
          "Mean of the points, by their normal forces (m).")
      .def_property_readonly(
          "normal", [](const HeldPair& p) { return p.pair.normal; }, "Unit, from A to B.")
      .def_property_readonly(
          "normal_force", [](const HeldPair& p) { return p.pair.normal_force(); }, "N")
      .def_property_readonly(
          "friction_force", [](const HeldPair& p) { return p.pair.friction_force(); }, "N")
      .def_property_readonly(
          "distance", [](const HeldPair& p) { return p.distance; },
          "m, where contact data were found; negative: the solids overlap")
      .def_property_readonly(
          "points",
          [](const HeldPair& p) {
            std::vector<Vec3> x;
            for (const PointForce& f : p.points) x.push_back(f.position);
            return rows_of(x);
          },
          "Where forces act: n x 3 (m).")
      .def_property_readonly(
          "forces",
          [](const HeldPair& p) {
            std::vector<Vec3> x;
            for (const PointForce& f : p.points) x.push_back(f.force);
            return rows_of(x);
          },
          "At the points: n x 3 (N).")
      .def_property_readonly(
          "normal_forces",
          [](const HeldPair& p) {
            std::vector<double> x;
            for (const PointForce& f : p.points) x.push_back(f.normal);
            return numbers(x);
          },
          "At the points: n (N).")
      .def_property_readonly(
          "patch_points", [](const HeldPair& p) { return rows_of(p.patch); },
          "Contact points that the model was given: m x 3 (m).")
      .def_property_readonly(
          "gaps", [](const HeldPair& p) { return numbers(p.gaps); },
          "Gaps of the patch points: m (m).")
      .def("__repr__", [](const HeldPair& p) {
        return fmt::format("<abut.PairForce {} {}: {:.4g} N at {} points>", p.geom(p.pair.geom_a),
                           p.geom(p.pair.geom_b), p.pair.force.norm(), p.points.size());
      });
}

py::dict settings_of(const HeldSimulator& s) {
  const ContactSettings& c = s.simulator.contact().settings();
  py::dict out;
  out["contact"] = c.model, out["friction"] = friction_text(c);
  out["data"] = std::string(name(data_of(c)));
  out["stabilize"] = stabilize_text(c), out["solver"] = c.solver;
  out["integrator"] = std::string(integrator_name(s.simulator.integrator()));
  out["step"] = s.model->option.timestep;
  for (const auto& [key, word] : c.own_words) out[py::str(key)] = word;
  return out;
}

py::dict report(const HeldSimulator& s) {
  const SolveReport r = s.simulator.contact().report();
  py::dict out;
  out["problems"] = r.problems, out["unsolved"] = r.unsolved, out["largest"] = r.largest;
  out["iterations"] = r.iterations, out["pivots"] = r.pivots, out["residual"] = r.residual;
  out["fallbacks"] = r.fallbacks;
  out["work"] = s.simulator.contact().work();
  out["stored_energy"] = s.simulator.contact().stored_energy();
  return out;
}

DerivativeMethod method_of(const std::string& name) {
  if (name == "automatic") return DerivativeMethod::automatic;
  if (name == "analytic") return DerivativeMethod::analytic;
  if (name == "differences") return DerivativeMethod::differences;
  throw std::invalid_argument("derivatives: method '" + name +
                              "': there are automatic, analytic, differences");
}

StepDerivatives derivatives(HeldSimulator& sim, const HeldState& s, const std::string& method,
                            double size, double kink) {
  check_same(sim, s);
  const DerivativeMethod by = method_of(method);
  const Turn turn(sim);
  const py::gil_scoped_release unlocked;
  return differentiate_step(sim.simulator, s.state, s.input, {size, kink, by});
}

}  // namespace

void bind_simulator(py::module_& m) {
  py::register_exception<Diverged>(m, "Diverged", PyExc_RuntimeError);
  bind_contacts(m);
  py::class_<StepDerivatives>(
      m, "StepDerivatives",
      "How the end of a step depends on its start: A = dx'/dx, B = dx'/dctrl, "
      "with x = (dq, v, act) and dq in the tangent space of q.\n\n"
      ">>> state.move([0, 0, 1, 0, 0, 0])      # off the floor\n"
      ">>> d = sim.derivatives(state)\n"
      ">>> d.A.shape, d.exists\n((12, 12), True)\n")
      .def_readonly("A", &StepDerivatives::A)
      .def_readonly("B", &StepDerivatives::B)
      .def_property_readonly("exists", &StepDerivatives::exists,
                             "False where a contact or a limit changes between the two sides.")
      .def_property_readonly(
          "method",
          [](const StepDerivatives& d) { return d.analytic ? "analytic" : "differences"; },
          "How A and B were found: 'analytic' or 'differences'. Asked for analytic where there is "
          "no equation to differentiate, they are NaN.\n\n"
          ">>> sim.derivatives(state).method\n'analytic'\n")
      .def_readonly("why_not", &StepDerivatives::why_not,
                    "Of each column of A, then of B: why it is no derivative, or ''.");
  py::class_<HeldSimulator>(
      m, "Simulator",
      "Computes time steps of a model. What is not given is as the world has it, "
      "or abut's default.\n\n"
      ">>> sim = abut.Simulator(model, contact='multipoint', "
      "settings={'multipoint.ki': 2})\n"
      ">>> sim.step(state)\n"
      ">>> sim.settings['contact']\n'multipoint'\n")
      .def(py::init(&make_simulator), py::arg("model"), py::arg("contact") = "",
           py::arg("data") = "", py::arg("friction") = "", py::arg("stabilize") = "",
           py::arg("solver") = "", py::arg("integrator") = "", py::arg("step") = py::none(),
           py::arg("accuracy") = py::none(), py::arg("iterations") = py::none(),
           py::arg("settings") = py::dict(), py::arg("threads") = 1)
      .def("step", &step, py::arg("state"), py::arg("steps") = 1,
           "Advances the state. The lock of Python is released meanwhile.\n\n"
           ">>> sim.step(state, 10)\n>>> round(state.time, 9)\n0.02\n")
      .def("run", &run_for, py::arg("state"), py::arg("time"), py::arg("control") = py::none(),
           py::arg("observe") = py::none(), py::arg("record") = "", py::arg("record_every") = 1,
           "Runs for a time (s), with control(state) before each step and observe(state) after it; "
           "returns the number of steps. record: an HDF5 file. Raises Diverged.\n\n"
           ">>> sim.run(state, time=0.1, control=lambda s: None)\n50\n")
      .def("contacts", &contacts,
           "Pairs of the last step, one entry a pair.\n\n>>> sim.contacts()\n[]\n")
      .def("sensors", &sensors_of, py::arg("state"),
           "Values by name, after a step that led to the state.\n\n"
           ">>> sim.step(state)\n>>> sim.sensors(state)\n{}\n")
      .def("derivatives", &derivatives, py::arg("state"), py::arg("method") = "automatic",
           py::arg("size") = kDerivativeStep, py::arg("kink") = kDerivativeKink,
           "A and B of a step; the state stays as it is. method: 'analytic', 'differences' "
           "(central, "
           "of `size`, 2 steps a column), or 'automatic': analytic where that can be.\n\n"
           ">>> state.move([0, 0, 1, 0, 0, 0])      # off the floor\n"
           ">>> round(float(sim.derivatives(state).A[0, 6]), 9)   # dx'/dv = step\n0.002\n")
      .def_property_readonly(
          "model", [](const HeldSimulator& s) { return s.model; },
          "With the settings of this simulator.")
      .def_property_readonly("settings", &settings_of, "What runs, by name.")
      .def("report", &report,
           "How the contact problems of the last step were solved.\n\n"
           ">>> sim.report()['unsolved']\n0\n")
      .def_property_readonly("threads",
                             [](const HeldSimulator& s) { return s.simulator.threads(); })
      .def(
          "warnings", [](const HeldSimulator& s) { return s.simulator.warnings(); },
          "What a user should know of the world under this contact model.\n\n>>> "
          "sim.warnings()\n[]\n");
}

}  // namespace abut::python
