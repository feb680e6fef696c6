// abut.load, Model and its parts by name.
#include "abut/load/load.h"

#include <fmt/format.h>

#include "abut/collide/planar/planar_world.h"
#include "abut/model/maximal.h"
#include "abut/shape/shape.h"
#include "abut/simulate/setting.h"
#include "held.h"
#include "world_bytes.h"

namespace abut::python {
namespace {

World load_any_world(const std::string& source, const std::string& coordinates,
                     bool floating_base) {
  const auto start = source.find_first_not_of(" \t\r\n");
  const bool is_text = start != source.npos && source[start] == '<';
  LoadOptions options;
  options.floating_base = floating_base;
  World world = is_text ? parse_world(source, "text", {}, options) : load_world(source, options);
  if (!coordinates.empty()) ask_for_coordinates(world, coordinates);
  return world;
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

// Numbers as short as they can be and the same when read again.
std::string setting_text(const py::handle& value) {
  if (py::isinstance<py::str>(value)) return value.cast<std::string>();
  if (py::isinstance<py::bool_>(value)) return value.cast<bool>() ? "on" : "off";
  if (py::isinstance<py::sequence>(value) || py::isinstance<py::array>(value)) {
    std::string text;
    for (const py::handle& one : value) text += (text.empty() ? "" : ",") + setting_text(one);
    return text;
  }
  return fmt::format("{}", value.cast<double>());
}

void apply(HeldModel& model, const std::string& key, const std::string& text) {
  apply_setting(model, key == "step" ? "timestep" : key, text, key);
  checked_plane_of(model);
  model.set.emplace_back(key, text);
}

// --- parts --------------------------------------------------------------------------------------

// An element of a model by its id.
struct Element {
  ModelPtr model;
  int id;
};
struct BodyOf : Element {};
struct JointOf : Element {};
struct GeomOf : Element {};
struct SiteOf : Element {};
struct ActuatorOf : Element {};
struct SensorOf : Element {};

template <class Part, NameTable Model::*Names>
Part element(const ModelPtr& model, const py::object& name) {
  return Part{{model, find_any(model.get()->*Names, name)}};
}

template <class Part, NameTable Model::*Names>
py::class_<Part> bind_element(py::module_& m, const char* name, const char* about) {
  py::class_<Part> type(m, name, about);
  type.def_readonly("id", &Part::id)
      .def("__index__", [](const Part& x) { return x.id; })
      .def("__int__", [](const Part& x) { return x.id; })
      .def("__eq__",
           [](const Part& x, const Part& y) { return x.id == y.id && x.model == y.model; })
      .def("__hash__", [](const Part& x) { return x.id; })
      .def_property_readonly("name", [](const Part& x) { return (x.model.get()->*Names)[x.id]; })
      .def("__repr__", [n = std::string(name)](const Part& x) {
        return n + "('" + (x.model.get()->*Names)[x.id] + "')";
      });
  return type;
}

template <NameTable Model::*Names>
std::vector<std::string> all_names(const HeldModel& model) {
  const NameTable& names = model.*Names;
  std::vector<std::string> out;
  for (int i = 0; i < names.size(); ++i) out.push_back(names[i]);
  return out;
}

const Joint& of(const JointOf& j) { return j.model->joints[static_cast<std::size_t>(j.id)]; }
const Body& of(const BodyOf& b) { return b.model->bodies[static_cast<std::size_t>(b.id)]; }
const Geom& of(const GeomOf& g) { return g.model->geoms[static_cast<std::size_t>(g.id)]; }
const Site& of(const SiteOf& s) { return s.model->sites[static_cast<std::size_t>(s.id)]; }
const Actuator& of(const ActuatorOf& a) {
  return a.model->actuators[static_cast<std::size_t>(a.id)];
}
const Sensor& of(const SensorOf& s) { return s.model->sensors[static_cast<std::size_t>(s.id)]; }

const char* joint_type(JointType type) {
  constexpr const char* kNames[] = {"free", "ball", "slide", "hinge"};
  return kNames[static_cast<int>(type)];
}
int q_count(JointType t) { return t == JointType::free ? 7 : t == JointType::ball ? 4 : 1; }
int v_count(JointType t) { return t == JointType::free ? 6 : t == JointType::ball ? 3 : 1; }

py::slice slice_of(int first, int count) { return {first, first + count, 1}; }

void bind_elements(py::module_& m) {
  bind_element<BodyOf, &Model::body_names>(m, "ModelBody",
                                           "A body of a model.\n\n"
                                           ">>> model.body('ball').mass\n2.0\n")
      .def_property_readonly(
          "mass", [](const BodyOf& b) { return of(b).mass.mass; }, "kg")
      .def_property_readonly("parent",
                             [](const BodyOf& b) { return b.model->body_names[of(b).parent]; })
      .def_property_readonly(
          "driven", [](const BodyOf& b) { return of(b).mocap >= 0; }, "Whether it is a mocap body.")
      .def_property_readonly("geoms", [](const BodyOf& b) {
        std::vector<std::string> names;
        for (int i = 0; i < of(b).geom_count; ++i)
          names.push_back(b.model->geom_names[of(b).geom_begin + i]);
        return names;
      });
  bind_element<JointOf, &Model::joint_names>(m, "ModelJoint",
                                             "A joint of a model. q and v are its places in "
                                             "state.q and state.v.\n\n"
                                             ">>> model.joint('float').type\n'free'\n"
                                             ">>> model.joint('float').q\nslice(0, 7, 1)\n")
      .def_property_readonly("type", [](const JointOf& j) { return joint_type(of(j).type); })
      .def_property_readonly("body",
                             [](const JointOf& j) { return j.model->body_names[of(j).body]; })
      .def_property_readonly("axis", [](const JointOf& j) { return of(j).axis; })
      .def_property_readonly("limited", [](const JointOf& j) { return of(j).limited; })
      .def_property_readonly("range", [](const JointOf& j) { return of(j).range; })
      .def_property_readonly(
          "q", [](const JointOf& j) { return slice_of(of(j).q, q_count(of(j).type)); })
      .def_property_readonly(
          "v", [](const JointOf& j) { return slice_of(of(j).dof, v_count(of(j).type)); });
  bind_element<GeomOf, &Model::geom_names>(m, "ModelGeom",
                                           "A solid of a model.\n\n"
                                           ">>> model.geom('shell').type\n'sphere'\n")
      .def_property_readonly("type", [](const GeomOf& g) { return name(of(g).shape.kind); })
      .def_property_readonly("body",
                             [](const GeomOf& g) { return g.model->body_names[of(g).body]; })
      .def_property_readonly("size", [](const GeomOf& g) { return of(g).shape.size; })
      .def_property_readonly("friction", [](const GeomOf& g) { return of(g).friction; })
      .def_property_readonly("mass", [](const GeomOf& g) { return of(g).mass; })
      .def_property_readonly("rgba", [](const GeomOf& g) { return of(g).rgba; });
  bind_element<SiteOf, &Model::site_names>(m, "ModelSite", "A frame on a body.")
      .def_property_readonly("body",
                             [](const SiteOf& s) { return s.model->body_names[of(s).body]; });
  bind_element<ActuatorOf, &Model::actuator_names>(m, "ModelActuator",
                                                   "A motor or a servo; its id is its place in "
                                                   "state.ctrl.")
      .def_property_readonly("ctrl_limited", [](const ActuatorOf& a) { return of(a).ctrl_limited; })
      .def_property_readonly("ctrl_range", [](const ActuatorOf& a) { return of(a).ctrl_range; })
      .def_property_readonly("force_range", [](const ActuatorOf& a) { return of(a).force_range; })
      .def_property_readonly("gear", [](const ActuatorOf& a) { return of(a).gear; });
  bind_element<SensorOf, &Model::sensor_names>(m, "ModelSensor", "A sensor of a model.")
      .def_property_readonly(
          "size", [](const SensorOf& s) { return of(s).size; }, "numbers")
      .def_property_readonly("noise", [](const SensorOf& s) { return of(s).noise; });
}

std::vector<std::string> warning_lines(const HeldModel& model) {
  std::vector<std::string> lines;
  for (const Warning& w : model.warnings) {
    const std::string where = to_string(w.source);
    lines.push_back(where.empty() ? w.text : where + ": " + w.text);
  }
  return lines;
}

}  // namespace

ModelPtr hold_model(World world) {
  auto model = std::make_shared<HeldModel>();
  static_cast<Model&>(*model) = compile(world);
  checked_plane_of(*model);
  model->world = std::make_shared<const World>(std::move(world));
  model->family = std::make_shared<const int>(0);
  return model;
}

ModelPtr with_settings(const ModelPtr& model, const py::dict& settings) {
  if (settings.empty()) return model;
  auto changed = std::make_shared<HeldModel>(*model);
  for (const auto& [key, value] : settings)
    apply(*changed, key.cast<std::string>(), setting_text(value));
  return changed;
}

void bind_model(py::module_& m) {
  bind_elements(m);
  py::class_<HeldModel, ModelPtr>(
      m, "Model",
      "What stays constant while a world runs.\n\n"
      ">>> model.nq, model.nv, model.nu\n(7, 6, 0)\n"
      ">>> moon = model.with_settings({'gravity': [0, 0, -1.6]})\n"
      ">>> pickle.loads(pickle.dumps(model)).name == model.name\nTrue\n")
      .def_readonly("name", &HeldModel::name)
      .def_readonly("nq", &HeldModel::nq)
      .def_readonly("nv", &HeldModel::nv)
      .def_readonly("na", &HeldModel::na)
      .def_property_readonly("nu", &HeldModel::nu)
      .def_property_readonly("nbody", &HeldModel::nbody)
      .def_property_readonly(
          "mass", [](const HeldModel& x) { return x.Model::mass(); }, "Mass of all bodies (kg).")
      .def_property_readonly(
          "step", [](const HeldModel& x) { return x.option.timestep; }, "s")
      .def_property_readonly(
          "gravity", [](const HeldModel& x) { return x.option.gravity; }, "m/s^2")
      .def_property_readonly("qpos0",
                             [](const HeldModel& x) {
                               return py::array_t<double>(static_cast<py::ssize_t>(x.qpos0.size()),
                                                          x.qpos0.data());
                             })
      .def_property_readonly("body_names", &all_names<&Model::body_names>)
      .def_property_readonly("joint_names", &all_names<&Model::joint_names>)
      .def_property_readonly("geom_names", &all_names<&Model::geom_names>)
      .def_property_readonly("site_names", &all_names<&Model::site_names>)
      .def_property_readonly("actuator_names", &all_names<&Model::actuator_names>)
      .def_property_readonly("sensor_names", &all_names<&Model::sensor_names>)
      .def_property_readonly("keyframe_names", &all_names<&Model::keyframe_names>)
      .def("body", &element<BodyOf, &Model::body_names>, py::arg("name"),
           "A body by its name or id. A KeyError names the nearest.")
      .def("joint", &element<JointOf, &Model::joint_names>, py::arg("name"))
      .def("geom", &element<GeomOf, &Model::geom_names>, py::arg("name"))
      .def("site", &element<SiteOf, &Model::site_names>, py::arg("name"))
      .def("actuator", &element<ActuatorOf, &Model::actuator_names>, py::arg("name"))
      .def("sensor", &element<SensorOf, &Model::sensor_names>, py::arg("name"))
      .def("state", &state_of, py::arg("keyframe") = "",
           "A state at qpos0, or at a keyframe.\n\n>>> model.state().time\n0.0\n")
      .def("load_state", &saved_state, py::arg("file"),
           "A state that state.save() or `abut run --save` wrote.")
      .def("with_settings", &with_settings, py::arg("settings"),
           "The model with other options or settings, as --set of the tool. Its states go with "
           "this model's.\n\n"
           ">>> model.with_settings({'step': 0.001}).step\n0.001\n")
      .def_property_readonly("warnings", &warning_lines,
                             "What the file has and abut does not simulate.")
      .def(
          "world", [](const HeldModel& x) { return World(*x.world); },
          "A copy of what the model was made of, to change and compile again.")
      .def("__repr__",
           [](const HeldModel& x) {
             return fmt::format("<abut.Model '{}': {} bodies, nq {}, nv {}, nu {}>", x.name,
                                x.nbody(), x.nq, x.nv, x.nu());
           })
      .def(py::pickle(
          [](const HeldModel& x) {
            return py::make_tuple(py::bytes(world_bytes(*x.world)), x.set);
          },
          [](const py::tuple& t) {
            const ModelPtr model = hold_model(world_from_bytes(t[0].cast<std::string>()));
            for (const auto& [key, text] :
                 t[1].cast<std::vector<std::pair<std::string, std::string>>>())
              apply(*model, key, text);
            return model;
          }));
  m.def(
      "load",
      [](const std::string& source, const std::string& coordinates, bool floating_base) {
        return hold_model(load_any_world(source, coordinates, floating_base));
      },
      py::arg("source"), py::arg("coordinates") = "", py::arg("floating_base") = false,
      "A model of an MJCF or URDF file, or of MJCF text.\n\n"
      ">>> abut.load(abut.world_file('pendulum')).nv\n1\n");
  m.def(
      "load_world",
      [](const std::string& source, const std::string& coordinates, bool floating_base) {
        return load_any_world(source, coordinates, floating_base);
      },
      py::arg("source"), py::arg("coordinates") = "", py::arg("floating_base") = false,
      "The same as a World, to be changed before it is compiled.\n\n"
      ">>> world = abut.load_world(abut.world_file('pendulum'))\n"
      ">>> world.gravity = [0, 0, -1.6]\n"
      ">>> float(world.compile().gravity[2])\n-1.6\n");
}

}  // namespace abut::python
