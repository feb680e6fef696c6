// The extension _abut (docs/python.md): a file for each idea.
#include "abut/version.h"
#include "held.h"

PYBIND11_MODULE(_abut, m) {
  namespace python = abut::python;
  pybind11::register_exception<abut::WorldError>(m, "WorldError", PyExc_ValueError);
  python::bind_world(m);
  python::bind_model(m);
  python::bind_state(m);
  python::bind_parts(m);
  python::bind_simulator(m);
  python::bind_rollout(m);
  python::bind_contact(m);
  python::bind_solve(m);
  python::bind_recording(m);
  python::bind_own_model(m);
  python::bind_sweep(m);
  python::bind_view(m);
  m.attr("__version__") = std::string(abut::version());
}
