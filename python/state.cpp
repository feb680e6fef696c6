// State: live arrays, bodies by name, and what is computed of q and v.
#include "abut/dynamics/bias.h"
#include "abut/dynamics/jacobian.h"
#include "abut/dynamics/mass_matrix.h"
#include "abut/model/kinematics.h"
#include "abut/simulate/measure.h"
#include "held.h"

namespace abut::python {
namespace {

using Jacobian = Eigen::Matrix<double, 6, Eigen::Dynamic>;

template <std::vector<double> State::*Member>
std::vector<double>& in_state(HeldState& s) {
  return s.state.*Member;
}
std::vector<double>& controls(HeldState& s) { return s.input.ctrl; }
std::vector<double>& forces(HeldState& s) { return s.input.force; }

void check_count(const char* name, std::size_t given, std::size_t wanted) {
  if (given != wanted)
    throw py::value_error(std::string(name) + ": " + std::to_string(given) +
                          " numbers given, this world wants " + std::to_string(wanted));
}

// A live view, and assignment of as many numbers.
template <std::vector<double>& (*Get)(HeldState&)>
void array(py::class_<HeldState>& type, const char* name, const char* about) {
  type.def_property(
      name,
      [](py::object self) {
        std::vector<double>& x = Get(self.cast<HeldState&>());
        return py::array_t<double>(static_cast<py::ssize_t>(x.size()), x.data(), self);
      },
      [name](HeldState& self, const std::vector<double>& numbers) {
        std::vector<double>& x = Get(self);
        check_count(name, numbers.size(), x.size());
        std::copy(numbers.begin(), numbers.end(), x.begin());
      },
      about);
}

Derived placed(const HeldState& s) {
  Derived d(*s.model);
  positions(*s.model, s.state, s.input, d);
  return d;
}
Derived moving(const HeldState& s) {
  Derived d = placed(s);
  velocities(*s.model, s.state, d);
  return d;
}

// A body of a state; computes from the current q and v.
struct HeldBody {
  const HeldState& of;
  int id;
  Pose pose() const { return placed(of).body_pose[static_cast<std::size_t>(id)]; }
  Spatial twist() const {
    const Derived d = moving(of);
    const auto b = static_cast<std::size_t>(id);
    if (of.model->bodies[b].link < 0)
      return driven_twist(*of.model, of.input, d, id, d.body_pose[b].p);
    return twist_at(*of.model, d, of.model->bodies[b].link, d.body_pose[b].p);
  }
};

MatX dense_mass(const HeldState& s) {
  Derived d = placed(s);
  mass_matrix(*s.model, d);
  return dense_mass_matrix(*s.model, d);
}

py::array_t<double> bias_of(const HeldState& s) {
  Derived d = moving(s);
  bias_forces(*s.model, s.state, d);
  return py::array_t<double>(static_cast<py::ssize_t>(d.bias.size()), d.bias.data());
}

py::array_t<double> inverse(const HeldState& s, const std::vector<double>& acceleration) {
  check_count("acceleration", acceleration.size(), s.state.v.size());
  Derived d = moving(s);
  std::vector<double> tau(acceleration.size());
  inverse_dynamics(*s.model, s.state, d, acceleration, tau);
  return py::array_t<double>(static_cast<py::ssize_t>(tau.size()), tau.data());
}

Jacobian jacobian(const HeldState& s, const std::string& body, std::optional<Vec3> point) {
  const int b = find(s.model->body_names, body);
  const Derived d = placed(s);
  Jacobian J = Jacobian::Zero(6, s.model->nv);
  body_jacobian(*s.model, d, b, point.value_or(d.body_pose[static_cast<std::size_t>(b)].p), J);
  return J;
}

py::dict measures(const HeldState& s) {
  const Sample x = Measure(*s.model).sample(s.state, s.input);
  py::dict out;
  out["kinetic"] = x.energy.kinetic, out["potential"] = x.energy.potential;
  out["linear_momentum"] = x.momentum.linear, out["angular_momentum"] = x.momentum.angular;
  out["penetration"] = x.overlap.deepest, out["touching"] = x.overlap.touching;
  out["joint_error"] = x.joint_error;
  return out;
}

std::unique_ptr<HeldState> copy(const HeldState& s) { return std::make_unique<HeldState>(s); }

void bind_body(py::module_& m) {
  py::class_<HeldBody>(m, "Body", "A body of a state, as q and v have it now; world axes.")
      .def_readonly("id", &HeldBody::id)
      .def_property_readonly(
          "position", [](const HeldBody& b) { return b.pose().p; }, "Of its frame (m).")
      .def_property_readonly(
          "quaternion",
          [](const HeldBody& b) {
            const Quat q = b.pose().q;
            return Vec4(q.w(), q.x(), q.y(), q.z());
          },
          "w, x, y, z")
      .def_property_readonly("rotation",
                             [](const HeldBody& b) { return Mat3(b.pose().q.toRotationMatrix()); })
      .def_property_readonly(
          "velocity", [](const HeldBody& b) { return b.twist().lin; }, "Of its origin (m/s).")
      .def_property_readonly(
          "angular_velocity", [](const HeldBody& b) { return b.twist().ang; }, "rad/s");
}

}  // namespace

void bind_state(py::module_& m) {
  bind_body(m);
  py::class_<HeldState> type(m, "State",
                             "Everything that changes, and the input. A copy has the same future.");
  array<in_state<&State::q>>(type, "q", "Positions, in MuJoCo's layout.");
  array<in_state<&State::v>>(type, "v", "Velocities, in MuJoCo's layout.");
  array<in_state<&State::act>>(type, "act", "Activations.");
  array<controls>(type, "ctrl", "Controls, one an actuator.");
  array<forces>(type, "force", "Generalized forces, one a dof.");
  type.def_property(
          "time", [](const HeldState& s) { return s.state.time; },
          [](HeldState& s, double t) { s.state.time = t; }, "s")
      .def("copy", &copy)
      .def("__copy__", &copy)
      .def("__deepcopy__", [](const HeldState& s, py::dict) { return copy(s); })
      .def(
          "hash", [](const HeldState& s) { return s.state.hash(); }, "As the tool prints it.")
      .def(
          "save",
          [](const HeldState& s, const std::string& file) {
            save_state(*s.model, s.state, s.input, file);
          },
          py::arg("file"), "For model.load_state() and `abut run --from`.")
      .def(
          "body",
          [](const HeldState& s, const std::string& name) {
            return HeldBody{s, find(s.model->body_names, name)};
          },
          py::keep_alive<0, 1>(), "A body by its name.")
      .def("mass_matrix", &dense_mass)
      .def("bias", &bias_of, "Coriolis, centrifugal, gyroscopic and gravity forces, one a dof.")
      .def("inverse_dynamics", &inverse, py::arg("acceleration"), "M v' + bias.")
      .def("jacobian", &jacobian, py::arg("body"), py::arg("point") = py::none(),
           "6 x nv: velocity of a point of the body (world; its origin), and angular velocity.")
      .def("measures", &measures, "Energy, momentum, penetration and joint error.");
}

}  // namespace abut::python
