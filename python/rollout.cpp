// abut.rollout: many runs of one model on several threads, with the bits of one after the other.
#include "abut/math/threads/threads.h"
#include "abut/simulate/run.h"
#include "held.h"

namespace abut::python {
namespace {

using Array = py::array_t<double, py::array::c_style | py::array::forcecast>;

// What a worker needs of one run: no Python object.
struct Rollout {
  State state;
  Input input;
  const double* controls = nullptr;  // steps x nu; null: the input's own
  double* out = nullptr;             // steps x (nq + nv)
};

// A row after each step; NaN from the step on in which the run diverged.
void roll(Simulator& simulator, Rollout& r, int steps) {
  const Model& model = simulator.model();
  const std::size_t nu = r.input.ctrl.size(), width = r.state.q.size() + r.state.v.size();
  bool good = true;
  for (int i = 0; i < steps; ++i, r.out += width) {
    if (good && r.controls) std::copy_n(r.controls + i * nu, nu, r.input.ctrl.begin());
    if (good) simulator.step(r.state, r.input);
    good = good && diverged_body(model, r.state) < 0;
    if (good)
      std::copy(r.state.v.begin(), r.state.v.end(),
                std::copy(r.state.q.begin(), r.state.q.end(), r.out));
    else
      std::fill_n(r.out, width, std::numeric_limits<double>::quiet_NaN());
  }
}

void check_controls(const Array& c, std::size_t runs, int steps, int nu) {
  if (c.ndim() == 3 && c.shape(0) == static_cast<py::ssize_t>(runs) && c.shape(1) == steps &&
      c.shape(2) == nu)
    return;
  throw py::value_error("controls: must have the shape (" + std::to_string(runs) + ", " +
                        std::to_string(steps) + ", " + std::to_string(nu) +
                        "): states, steps, actuators");
}

py::array_t<double> rollout(ModelPtr model, const std::vector<HeldState*>& states,
                            std::optional<Array> controls, int steps, int threads,
                            const std::string& contact, const std::string& data,
                            const std::string& friction, const std::string& stabilize,
                            const std::string& solver, const py::dict& changes) {
  if (steps < 0) throw py::value_error("steps: must be zero or positive");
  if (threads < 0) throw py::value_error("threads: a number of threads, or 0 for all cores");
  if (controls) check_controls(*controls, states.size(), steps, model->nu());
  model = with_settings(model, changes);
  const ContactSettings settings = choose(*model, contact, data, friction, stabilize, solver);
  const auto runs = static_cast<py::ssize_t>(states.size());
  const py::ssize_t width = model->nq + model->nv;
  py::array_t<double> out({runs, py::ssize_t{steps}, width});
  std::vector<Rollout> work;
  for (const HeldState* s : states) {
    if (!s || s->model->family != model->family)
      throw py::value_error("a state belongs to another model");
    const auto i = static_cast<py::ssize_t>(work.size());
    work.push_back({s->state, s->input,
                    controls ? controls->data() + i * steps * model->nu() : nullptr,
                    out.mutable_data() + i * steps * width});
  }
  const py::gil_scoped_release unlocked;
  Threads pool(threads);
  const int parts = std::min(pool.count(), static_cast<int>(runs));
  pool.run(parts, [&](int part) {
    Simulator simulator(*model, settings);
    for (std::size_t i = part; i < work.size(); i += parts) roll(simulator, work[i], steps);
  });
  return out;
}

}  // namespace

void bind_rollout(py::module_& m) {
  m.def(
      "rollout", &rollout, py::arg("model"), py::arg("states"), py::arg("controls") = py::none(),
      py::arg("steps") = 1, py::arg("threads") = 0, py::arg("contact") = "", py::arg("data") = "",
      py::arg("friction") = "", py::arg("stabilize") = "", py::arg("solver") = "",
      py::arg("settings") = py::dict(),
      "Runs each state for some steps, under controls[run, step] if given. Returns q and v after\n"
      "each step: an array of runs x steps x (nq + nv). The states stay as they are. A run that\n"
      "diverges has NaN from there on. The bits are the same for every number of threads.\n\n"
      ">>> abut.rollout(model, [model.state(), model.state()], steps=5).shape\n(2, 5, 13)\n");
}

}  // namespace abut::python
