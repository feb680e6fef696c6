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
  py::class_<Recording>(m, "Recording", "A recorded run: recording['q'] has a row a step.")
      .def(py::init<const std::string&>(), py::arg("file"))
      .def("__getitem__", &dataset, py::arg("dataset"))
      .def("__len__", &Recording::rows)
      .def_property_readonly("ended", &Recording::ended)
      .def_property_readonly("body_names", &Recording::body_names)
      .def("hashes", [](const Recording& r) { return r.hashes(); });
}

}  // namespace abut::python
