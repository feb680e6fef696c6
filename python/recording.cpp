// Recordings of `abut run --record` as numpy arrays.
#include "abut/simulate/record/recording.h"

#include "held.h"

namespace abut::python {
namespace {

py::array_t<double> dataset(const Recording& r, const std::string& name) {
  const std::int64_t width = r.width(name);
  if (width <= 0) throw py::key_error("no dataset '" + name + "' in this recording");
  const std::vector<double> x = r.read(name);
  const auto rows = static_cast<py::ssize_t>(x.size()) / width;
  if (width == 1) return py::array_t<double>(rows, x.data());
  return py::array_t<double>({rows, static_cast<py::ssize_t>(width)}, x.data());
}

}  // namespace

void bind_recording(py::module_& m) {
  py::class_<Recording>(m, "Recording",
                        "A recorded run: recording['q'] has a row a step.\n\n"
                        ">>> steps = sim.run(state, 0.1, record='out.h5')\n"
                        ">>> recording = abut.Recording('out.h5')\n"
                        ">>> len(recording), recording['q'].shape\n(51, (51, 7))\n")
      .def(py::init<const std::string&>(), py::arg("file"))
      .def("__getitem__", &dataset, py::arg("dataset"))
      .def("__contains__", [](const Recording& r, const std::string& d) { return r.width(d) > 0; })
      .def("__len__", &Recording::rows)
      .def("refresh", &Recording::refresh, "Reads on in a file that is still being written.")
      .def_property_readonly("ended", &Recording::ended,
                             "done, stopped, diverged, unfinished, or running.")
      .def_property_readonly("body_names", &Recording::body_names)
      .def_property_readonly("joint_names", &Recording::joint_names)
      .def_property_readonly("actuator_names", &Recording::actuator_names)
      .def_property_readonly("warnings", &Recording::warnings)
      .def(
          "state",
          [](const Recording& r, ModelPtr model, std::int64_t row) {
            auto s = std::make_unique<HeldState>(std::move(model));
            r.read_state(row < 0 ? r.rows() + row : row, s->state);
            return s;
          },
          py::arg("model"), py::arg("row") = -1,
          "The state of a row; a run goes on from there as it did.")
      .def(
          "hashes", [](const Recording& r) { return r.hashes(); }, "Of the states, a row each.");
}

}  // namespace abut::python
