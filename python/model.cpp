// abut.load and Model.
#include "abut/load/load.h"
#include "held.h"

namespace abut::python {
namespace {

ModelPtr load_any(const std::string& source) {
  const auto start = source.find_first_not_of(" \t\r\n");
  if (start == source.npos || source[start] != '<')
    return std::make_shared<Model>(load_model(source));
  return std::make_shared<Model>(compile(parse_mjcf(source)));
}

std::unique_ptr<HeldState> state_of(ModelPtr model, const std::string& keyframe) {
  auto s = std::make_unique<HeldState>(std::move(model));
  if (!keyframe.empty())
    set_keyframe(*s->model, find(s->model->keyframe_names, keyframe), s->state, &s->input);
  return s;
}

std::unique_ptr<HeldState> saved_state(ModelPtr model, const std::string& file) {
  auto s = std::make_unique<HeldState>(std::move(model));
  load_state(*s->model, file, s->state, s->input);
  return s;
}

template <NameTable Model::*Names>
int id(const Model& model, const std::string& name) {
  return find(model.*Names, name);
}

}  // namespace

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
      .def("body", &id<&Model::body_names>)
      .def("joint", &id<&Model::joint_names>)
      .def("geom", &id<&Model::geom_names>)
      .def("actuator", &id<&Model::actuator_names>)
      .def("state", &state_of, py::arg("keyframe") = "", "A state at qpos0, or at a keyframe.")
      .def("load_state", &saved_state, py::arg("file"), "A state that state.save() wrote.");
  m.def("load", &load_any, py::arg("source"), "A model of an MJCF or URDF file, or of MJCF text.");
}

}  // namespace abut::python
