// Contact models written in Python: a force at every contact point of a pair (docs/python.md).
#include <deque>
#include <map>

#include "abut/contact/penalty/penalty_model.h"
#include "abut/contact/registry.h"
#include "held.h"

namespace abut::python {
namespace {

// What a model in Python is given of a pair.
struct OwnPair {
  const Model* model;
  int geom_a, geom_b;
  Vec3 normal;
  double distance, friction, restitution;
  std::vector<Vec3> points, velocities;
  std::vector<double> gaps;
};

struct OwnModel {
  ModelInfo info;
  std::string name, summary;
  py::object forces;  // called with an OwnPair
};

// Models stay until the process ends: simulators may refer to them. So does what is in Python of them:
// it must not be given back after the interpreter is gone.
std::map<std::string, OwnModel*, std::less<>>& own_models() {
  static auto* models = new std::map<std::string, OwnModel*, std::less<>>;
  return *models;
}

// What the model in Python makes of a pair: a force a point. The lock must be held.
std::vector<Vec3> forces_of(const OwnModel& own, const OwnPair& pair) {
  const std::size_t n = pair.points.size();
  const auto found =
      py::array_t<double, py::array::c_style | py::array::forcecast>::ensure(own.forces(pair));
  if (!found || found.ndim() != 2 || found.shape(0) != static_cast<py::ssize_t>(n) ||
      found.shape(1) != 3) {
    PyErr_Clear();  // of what is no array
    throw py::value_error("contact model '" + own.name + "': forces must return " +
                          std::to_string(n) + " x 3 numbers, a force a point");
  }
  std::vector<Vec3> forces;
  for (py::ssize_t i = 0; i < found.shape(0); ++i)
    forces.emplace_back(found.at(i, 0), found.at(i, 1), found.at(i, 2));
  return forces;
}

struct PythonLaw {
  const OwnModel* own;
  const Model* model;

  static constexpr int kPairWidth = 0, kPointWidth = 0;
  void advance(const PairView&, const PairRecall&, PairKeep, PairKeep) const {}
  // The gains are the user's: no account of energy limits the forces.
  bool keeps_accounts() const { return false; }

  template <class Push>
  void forces(const PairView& view, const PairRecall&, Push&& push) const {
    const Patch& patch = view.patch;
    const Material material = view.material();
    const py::gil_scoped_acquire locked;
    OwnPair pair{model,
                 patch.geom_a,
                 patch.geom_b,
                 patch.normal,
                 patch.distance,
                 material.friction,
                 material.restitution,
                 {},
                 {},
                 {}};
    for (int i = patch.begin; i < patch.end; ++i) {
      const auto at = static_cast<std::size_t>(i);
      const Vec3 p = 0.5 * (view.points().p_A[at] + view.points().p_B[at]);
      pair.points.push_back(p);
      pair.velocities.push_back(view.velocity(p));
      pair.gaps.push_back(view.points().psi[at]);
    }
    const std::vector<Vec3> forces = forces_of(*own, pair);
    for (std::size_t i = 0; i < forces.size(); ++i)
      push({.position = pair.points[i], .force = forces[i]});
  }
};

std::unique_ptr<ContactModel> make_own(const ContactWorld& world) {
  const OwnModel* own = own_models().find(world.settings.model)->second;
  return make_penalty_model(world,
                            std::make_unique<PairLaws<PythonLaw>>(PythonLaw{own, &world.model}));
}

void add_own_model(const std::string& name, py::object model, const std::string& summary) {
  const py::object forces = py::hasattr(model, "forces") ? py::object(model.attr("forces")) : model;
  if (!PyCallable_Check(forces.ptr()))
    throw py::type_error("a contact model has a function forces(pair), or is one");
  auto* own = new OwnModel{{}, name, summary, forces};
  own->info.name = own->name;
  own->info.summary = own->summary;
  own->info.family = ContactFamily::forces;
  own->info.data = {"manifold"};
  own->info.friction = {"slip"};
  own->info.stabilize = {"post", "none"};
  own->info.integrator = {"euler", "implicit", "rk4"};
  own->info.bouncing = Bouncing::damping;
  const auto known = own_models().find(name);
  if (known == own_models().end()) add_contact_model({&own->info, make_own});
  own_models()[name] = own;  // a cell of a notebook may be run again
}

py::dict models() {
  py::dict out;
  for (const ContactModelEntry& m : contact_models())
    out[py::str(std::string(m.info->name))] = std::string(m.info->summary);
  return out;
}

}  // namespace

void bind_own_model(py::module_& m) {
  py::class_<OwnPair>(m, "OwnPair",
                      "What a contact model in Python is given: a pair of solids and its n contact "
                      "points; world axes.")
      .def_property_readonly("a", [](const OwnPair& p) { return p.model->geom_names[p.geom_a]; })
      .def_property_readonly("b", [](const OwnPair& p) { return p.model->geom_names[p.geom_b]; })
      .def_readonly("normal", &OwnPair::normal, "Unit, from A to B.")
      .def_readonly("distance", &OwnPair::distance, "m")
      .def_readonly("friction", &OwnPair::friction, "Coulomb's coefficient.")
      .def_readonly("restitution", &OwnPair::restitution)
      .def_property_readonly(
          "points", [](const OwnPair& p) { return rows_of(p.points); }, "n x 3 (m)")
      .def_property_readonly(
          "velocities", [](const OwnPair& p) { return rows_of(p.velocities); },
          "Of B relative to A at the points: n x 3 (m/s).")
      .def_property_readonly(
          "gaps",
          [](const OwnPair& p) {
            return py::array_t<double>(static_cast<py::ssize_t>(p.gaps.size()), p.gaps.data());
          },
          "n (m); negative: overlap");
  m.def("add_contact_model", &add_own_model, py::arg("name"), py::arg("model"),
        py::arg("summary") = "a model in Python",
        "Adds a contact model: forces(pair) returns the forces on B at pair.points, n x 3 (N). A "
        "name "
        "that was added before gets the new one.\n\n"
        ">>> def spring(pair):\n"
        "...     press = 1e4 * np.maximum(-pair.gaps, 0) - 100 * (pair.velocities @ pair.normal) * "
        "(pair.gaps < 0)\n"
        "...     return np.outer(np.maximum(press, 0), pair.normal)\n"
        ">>> abut.add_contact_model('spring', spring)\n"
        ">>> soft = abut.Simulator(model, contact='spring')\n"
        ">>> soft.run(state, time=2)\n1000\n"
        ">>> round(float(state.q[2]), 4)             # 0.1 m less m g / k\n0.098\n");
  m.def("models", &models,
        "Contact models by name, and a line of each.\n\n>>> 'st' in abut.models()\nTrue\n");
}

}  // namespace abut::python
