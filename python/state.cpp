// State: live arrays, and what is computed of q and v.
#include <cstring>

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

MatX dense_mass(const HeldState& s) {
  Derived d = placed(s);
  mass_matrix(*s.model, d);
  return dense_mass_matrix(*s.model, d);
}

py::array_t<double> copied(const std::vector<double>& x) {
  return py::array_t<double>(static_cast<py::ssize_t>(x.size()), x.data());
}

py::array_t<double> bias_of(const HeldState& s) {
  Derived d = moving(s);
  bias_forces(*s.model, s.state, d);
  return copied(d.bias);
}

py::array_t<double> inverse(const HeldState& s, const std::vector<double>& acceleration) {
  check_count("acceleration", acceleration.size(), s.state.v.size());
  Derived d = moving(s);
  std::vector<double> tau(acceleration.size());
  inverse_dynamics(*s.model, s.state, d, acceleration, tau);
  return copied(tau);
}

Jacobian jacobian(const HeldState& s, const py::object& body, std::optional<Vec3> point) {
  const int b = find_any(s.model->body_names, body);
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

// Without a step: what contacts add is not in them.
py::dict sensors_at_rest(const HeldState& s) {
  Sensors sensors(*s.model);
  sensors.update(s.state, s.input);
  py::dict out;
  for (int id = 0; id < sensors.count(); ++id) {
    const auto x = sensors[id].value();
    out[py::str(s.model->sensor_names[id])] =
        py::array_t<double>(static_cast<py::ssize_t>(x.size()), x.data());
  }
  return out;
}

Rows3 body_positions(const HeldState& s) {
  const Derived d = placed(s);
  Rows3 rows(s.model->nbody(), 3);
  for (int b = 0; b < s.model->nbody(); ++b)
    rows.row(b) = d.body_pose[static_cast<std::size_t>(b)].p;
  return rows;
}

Eigen::Matrix<double, Eigen::Dynamic, 4, Eigen::RowMajor> body_quaternions(const HeldState& s) {
  const Derived d = placed(s);
  Eigen::Matrix<double, Eigen::Dynamic, 4, Eigen::RowMajor> rows(s.model->nbody(), 4);
  for (int b = 0; b < s.model->nbody(); ++b)
    rows.row(b) = wxyz(d.body_pose[static_cast<std::size_t>(b)].q);
  return rows;
}

std::unique_ptr<HeldState> copy(const HeldState& s) { return std::make_unique<HeldState>(s); }

void copy_from(HeldState& to, const HeldState& from) {
  if (to.model->family != from.model->family)
    throw py::value_error("this state belongs to another model");
  to.state = from.state, to.input = from.input;
}

std::vector<double> flat(const std::vector<Vec6>& rows) {
  std::vector<double> x;
  for (const Vec6& row : rows) x.insert(x.end(), row.data(), row.data() + 6);
  return x;
}
void unflatten(const std::vector<double>& x, std::vector<Vec6>& rows) {
  check_count("a pickled state", x.size(), 6 * rows.size());
  for (std::size_t i = 0; i < x.size(); ++i) rows[i / 6][static_cast<Eigen::Index>(i % 6)] = x[i];
}

// All that a copy has: the state, and the input with its forces.
py::tuple pickled(const HeldState& s) {
  std::vector<std::uint64_t> words(s.state.contacts.word_count());
  s.state.contacts.write_words(words.data());
  std::vector<double> mocap;
  for (const Pose& x : s.input.mocap)
    mocap.insert(mocap.end(), {x.p.x(), x.p.y(), x.p.z(), x.q.w(), x.q.x(), x.q.y(), x.q.z()});
  return py::make_tuple(
      s.model, s.state.time, s.state.q, s.state.v, s.state.act, s.state.turn,
      py::bytes(reinterpret_cast<const char*>(words.data()), words.size() * sizeof words[0]),
      s.input.ctrl, s.input.force, flat(s.input.wrench), mocap, flat(s.input.mocap_velocity));
}

std::unique_ptr<HeldState> unpickled(const py::tuple& t) {
  auto s = std::make_unique<HeldState>(t[0].cast<ModelPtr>());
  const auto numbers = [&](int i, std::vector<double>& to) {
    auto x = t[static_cast<std::size_t>(i)].cast<std::vector<double>>();
    check_count("a pickled state", x.size(), to.size());
    to = std::move(x);
  };
  s->state.time = t[1].cast<double>();
  numbers(2, s->state.q), numbers(3, s->state.v), numbers(4, s->state.act);
  numbers(5, s->state.turn), numbers(7, s->input.ctrl), numbers(8, s->input.force);
  const auto bytes = t[6].cast<std::string>();
  std::vector<std::uint64_t> words(bytes.size() / sizeof(std::uint64_t));
  std::memcpy(words.data(), bytes.data(), words.size() * sizeof words[0]);
  if (!s->state.contacts.read_words(words)) throw py::value_error("a pickled state is damaged");
  unflatten(t[9].cast<std::vector<double>>(), s->input.wrench);
  const auto mocap = t[10].cast<std::vector<double>>();
  check_count("a pickled state", mocap.size(), 7 * s->input.mocap.size());
  for (std::size_t i = 0; i < s->input.mocap.size(); ++i) {
    const double* x = mocap.data() + 7 * i;
    s->input.mocap[i] = {{x[0], x[1], x[2]}, {x[3], x[4], x[5], x[6]}};
  }
  unflatten(t[11].cast<std::vector<double>>(), s->input.mocap_velocity);
  return s;
}

std::vector<double> difference_to(const HeldState& s, const HeldState& other) {
  if (s.model->family != other.model->family)
    throw py::value_error("this state belongs to another model");
  std::vector<double> v(s.state.v.size());
  difference(*s.model, s.state.q, other.state.q, v);
  return v;
}

void move_by(HeldState& s, const std::vector<double>& v) {
  check_count("v", v.size(), s.state.v.size());
  advance(*s.model, v, 1, s.state.q);
}

}  // namespace

void bind_state(py::module_& m) {
  py::class_<HeldState> type(
      m, "State",
      "Everything that changes, and the input. A copy has the same future.\n\n"
      ">>> state.q[2] = 0.5                     # arrays are live\n"
      ">>> float(state.body('ball').position[2])\n0.5\n"
      ">>> twin = state.copy()\n"
      ">>> twin == state, twin.hash() == state.hash()\n(True, True)\n"
      ">>> pickle.loads(pickle.dumps(state)).hash() == state.hash()\nTrue\n");
  array<in_state<&State::q>>(type, "q", "Positions, in MuJoCo's layout; live.");
  array<in_state<&State::v>>(type, "v", "Velocities, in MuJoCo's layout; live.");
  array<in_state<&State::act>>(type, "act", "Activations; live.");
  array<controls>(type, "ctrl", "Controls, one an actuator; live.");
  array<forces>(type, "force",
                "Generalized forces, one a dof; live. They act until they are changed.");
  type.def_property(
          "time", [](const HeldState& s) { return s.state.time; },
          [](HeldState& s, double t) { s.state.time = t; }, "s")
      .def_property_readonly("model", [](const HeldState& s) { return s.model; })
      .def("copy", &copy, "A state with the same future.\n\n>>> state.copy() == state\nTrue\n")
      .def("copy_from", &copy_from, py::arg("other"),
           "Becomes equal to another state of the same model; arrays stay live.\n\n"
           ">>> state.copy_from(model.state())\n>>> state == model.state()\nTrue\n")
      .def("__copy__", &copy)
      .def("__deepcopy__", [](const HeldState& s, py::dict) { return copy(s); })
      .def(
          "__eq__", [](const HeldState& a, const HeldState& b) { return a.state == b.state; },
          py::is_operator())
      .def(
          "hash", [](const HeldState& s) { return s.state.hash(); },
          "A number of all bits of the state, as the tool prints it (there in base 16).\n\n"
          ">>> f'{state.hash():016x}' == f'{state.copy().hash():016x}'\nTrue\n")
      .def(py::pickle(&pickled, &unpickled))
      .def(
          "save",
          [](const HeldState& s, const std::string& file) {
            save_state(*s.model, s.state, s.input, file);
          },
          py::arg("file"), "For model.load_state() and `abut run --from`.")
      .def(
          "clear_forces", [](HeldState& s) { s.input.clear_forces(); },
          "Forces and wrenches are 0 again.\n\n>>> state.clear_forces()\n")
      .def("positions", &body_positions,
           "Of all bodies (m), a row a body.\n\n>>> state.positions().shape\n(2, 3)\n")
      .def("quaternions", &body_quaternions,
           "Of all bodies, w, x, y, z.\n\n>>> state.quaternions().shape\n(2, 4)\n")
      .def("mass_matrix", &dense_mass,
           "nv x nv, with armature.\n\n>>> float(state.mass_matrix()[0, 0])\n2.0\n")
      .def("bias", &bias_of,
           "Coriolis, centrifugal, gyroscopic and gravity forces, one a dof.\n\n"
           ">>> round(float(state.bias()[2]), 2)\n19.62\n")
      .def("inverse_dynamics", &inverse, py::arg("acceleration"),
           "M v' + bias.\n\n>>> round(float(state.inverse_dynamics([0, 0, -9.81, 0, 0, 0])[2]), "
           "9)\n0.0\n")
      .def("jacobian", &jacobian, py::arg("body"), py::arg("point") = py::none(),
           "6 x nv: velocity of a point of the body (world; its origin), and angular velocity.\n\n"
           ">>> state.jacobian('ball').shape\n(6, 6)\n")
      .def("measures", &measures,
           "Energy, momentum, penetration and joint error.\n\n"
           ">>> state.measures()['kinetic']\n0.0\n")
      .def("sensors", &sensors_at_rest,
           "Values by name, without a step: contacts count as nothing. sim.sensors() has them "
           "after a "
           "step.\n\n>>> state.sensors()\n{}\n")
      .def("difference", &difference_to, py::arg("other"),
           "The velocity that takes this q to the other's in a second.\n\n"
           ">>> state.difference(state.copy())\n[0.0, 0.0, 0.0, 0.0, 0.0, 0.0]\n")
      .def("move", &move_by, py::arg("v"),
           "q moves by a velocity for a second, along the manifold.\n\n"
           ">>> state.move([0, 0, 0.1, 0, 0, 0])\n")
      .def("__repr__", [](const HeldState& s) {
        return "<abut.State of '" + s.model->name + "' at t = " + std::to_string(s.state.time) +
               " s>";
      });
  type.attr("__hash__") = py::none();  // it changes
}

}  // namespace abut::python
