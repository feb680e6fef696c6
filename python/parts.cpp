// Parts of a state by name: bodies, joints, solids, sites.
#include "abut/collide/collide.h"
#include "abut/contact/penalty/force_law.h"
#include "abut/dynamics/jacobian.h"
#include "abut/model/kinematics.h"
#include "held.h"

namespace abut::python {
namespace {

// It computes from the current q and v.
struct Part {
  py::object state;  // keeps it
  HeldState* of;
  int id;
};
struct StateBody : Part {};
struct StateJoint : Part {};
struct StateGeom : Part {};
struct StateSite : Part {};

template <class Kind, NameTable Model::*Names>
Kind part(const py::object& state, const py::object& name) {
  HeldState& s = state.cast<HeldState&>();
  return Kind{{state, &s, find_any(s.model.get()->*Names, name)}};
}

Pose pose(const StateBody& b) { return placed(*b.of).body_pose[static_cast<std::size_t>(b.id)]; }
Pose pose(const StateGeom& g) { return geom_pose(*g.of->model, placed(*g.of), g.id); }
Pose pose(const StateSite& s) { return site_pose(*s.of->model, placed(*s.of), s.id); }
int body_of(const StateBody& b) { return b.id; }
int body_of(const StateGeom& g) { return g.of->model->geoms[static_cast<std::size_t>(g.id)].body; }
int body_of(const StateSite& s) { return s.of->model->sites[static_cast<std::size_t>(s.id)].body; }

template <class Kind>
Spatial twist(const Kind& x) {
  const Derived d = moving(*x.of);
  return body_twist(*x.of->model, x.of->input, d, body_of(x), pose(x).p);
}

template <class Kind>
py::class_<Kind> bind_placed(py::module_& m, const char* name, const char* about) {
  py::class_<Kind> type(m, name, about);
  type.def_readonly("id", &Kind::id)
      .def_property_readonly(
          "position", [](const Kind& x) { return pose(x).p; }, "Of its frame (m).")
      .def_property_readonly(
          "quaternion", [](const Kind& x) { return wxyz(pose(x).q); }, "w, x, y, z")
      .def_property_readonly("rotation",
                             [](const Kind& x) { return Mat3(pose(x).q.toRotationMatrix()); })
      .def_property_readonly(
          "velocity", [](const Kind& x) { return twist(x).lin; }, "Of its origin (m/s).")
      .def_property_readonly(
          "angular_velocity", [](const Kind& x) { return twist(x).ang; }, "rad/s");
  return type;
}

py::array_t<double> view_of(const py::object& owner, double* first, int count) {
  return py::array_t<double>(count, first, owner);
}

void set_view(double* first, int count, const char* name, const std::vector<double>& x) {
  check_count(name, x.size(), static_cast<std::size_t>(count));
  std::copy(x.begin(), x.end(), first);
}

const Joint& of(const StateJoint& j) { return j.of->model->joints[static_cast<std::size_t>(j.id)]; }
int q_count(const StateJoint& j) {
  const JointType t = of(j).type;
  return t == JointType::free ? 7 : t == JointType::ball ? 4 : 1;
}
int v_count(const StateJoint& j) {
  const JointType t = of(j).type;
  return t == JointType::free ? 6 : t == JointType::ball ? 3 : 1;
}
double* q_of(const StateJoint& j) { return j.of->state.q.data() + of(j).q; }
double* v_of(const StateJoint& j) { return j.of->state.v.data() + of(j).dof; }

// The pose and the velocity of a driven body until they are changed.
void drive(const StateBody& b, const Vec3& position, std::optional<std::vector<double>> quaternion,
           const Vec3& velocity, const Vec3& angular_velocity) {
  const int mocap = b.of->model->bodies[static_cast<std::size_t>(b.id)].mocap;
  if (mocap < 0)
    throw py::value_error("body '" + b.of->model->body_names[b.id] +
                          "' is not driven; write mocap=\"true\" into the world");
  const auto i = static_cast<std::size_t>(mocap);
  b.of->input.mocap[i].p = position;
  if (quaternion) b.of->input.mocap[i].q = quat_of(*quaternion);
  b.of->input.mocap_velocity[i] << velocity, angular_velocity;
}

// Adds to the wrench on the body's centre of mass.
void push(const StateBody& b, const Vec3& force, std::optional<Vec3> point) {
  const Body& body = b.of->model->bodies[static_cast<std::size_t>(b.id)];
  Vec6& wrench = b.of->input.wrench[static_cast<std::size_t>(b.id)];
  wrench.head<3>() += force;
  if (point) wrench.tail<3>() += (*point - pose(b) * body.mass.com).cross(force);
}

}  // namespace

void bind_parts(py::module_& m) {
  bind_placed<StateBody>(m, "Body",
                         "A body of a state, as q and v have it now; world axes.\n\n"
                         ">>> ball = state.body('ball')\n"
                         ">>> state.v[:] = [1, 0, 0, 0, 0, 0]\n"
                         ">>> ball.velocity\narray([1., 0., 0.])\n"
                         ">>> ball.push([0, 0, 5])        # N, until it is changed\n"
                         ">>> ball.wrench\narray([0., 0., 5., 0., 0., 0.])\n")
      .def_property(
          "wrench",
          [](const StateBody& b) {
            return view_of(b.state, b.of->input.wrench[static_cast<std::size_t>(b.id)].data(), 6);
          },
          [](const StateBody& b, const std::vector<double>& x) {
            set_view(b.of->input.wrench[static_cast<std::size_t>(b.id)].data(), 6, "wrench", x);
          },
          "Force (N) and torque (N m) on its centre of mass, world axes; live.")
      .def("push", &push, py::arg("force"), py::arg("point") = py::none(),
           "Adds a force (N, world axes) at a point of the world to the wrench; without a point, "
           "at the "
           "centre of mass.")
      .def("drive", &drive, py::arg("position"), py::arg("quaternion") = py::none(),
           py::arg("velocity") = Vec3(Vec3::Zero()),
           py::arg("angular_velocity") = Vec3(Vec3::Zero()),
           "Sets the pose and the velocity of a driven (mocap) body.");
  bind_placed<StateGeom>(m, "Geom",
                         "A solid of a state.\n\n"
                         ">>> state.geom('shell').position.shape\n(3,)\n");
  bind_placed<StateSite>(m, "Site", "A frame on a body of a state.");
  py::class_<StateJoint>(m, "Joint",
                         "A joint of a state; q and v are live.\n\n"
                         ">>> state.joint('float').v[:3] = [0, 0, 2]\n"
                         ">>> float(state.v[2])\n2.0\n")
      .def_readonly("id", &StateJoint::id)
      .def_property(
          "q", [](const StateJoint& j) { return view_of(j.state, q_of(j), q_count(j)); },
          [](const StateJoint& j, const std::vector<double>& x) {
            set_view(q_of(j), q_count(j), "q", x);
          })
      .def_property(
          "v", [](const StateJoint& j) { return view_of(j.state, v_of(j), v_count(j)); },
          [](const StateJoint& j, const std::vector<double>& x) {
            set_view(v_of(j), v_count(j), "v", x);
          });
  const py::object type = m.attr("State");
  auto state = py::reinterpret_borrow<py::class_<HeldState>>(type);
  state
      .def("body", &part<StateBody, &Model::body_names>, py::arg("name"),
           "A body by its name or id.\n\n>>> state.body('ball').id\n1\n")
      .def("joint", &part<StateJoint, &Model::joint_names>, py::arg("name"),
           "A joint by its name or id.\n\n>>> len(state.joint('float').q)\n7\n")
      .def("geom", &part<StateGeom, &Model::geom_names>, py::arg("name"),
           "A solid by its name or id.\n\n>>> state.geom('shell').id\n1\n")
      .def("site", &part<StateSite, &Model::site_names>, py::arg("name"),
           "A site by its name or id.");
}

}  // namespace abut::python
