#include "held.h"

#include "abut/model/kinematics.h"

namespace abut::python {

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

int find(const NameTable& names, const std::string& name) {
  const int id = names.find(name);
  if (id >= 0) return id;
  const std::string near = names.nearest(name);
  throw py::key_error("no " + names.kind() + " '" + name + "'" +
                      (near.empty() ? "" : "; did you mean '" + near + "'?"));
}

int find_any(const NameTable& names, const py::object& name_or_id) {
  if (py::isinstance<py::str>(name_or_id)) return find(names, name_or_id.cast<std::string>());
  const int id = name_or_id.attr("__index__")().cast<int>();
  if (id < 0 || id >= names.size())
    throw py::index_error("there are " + std::to_string(names.size()) + " of the kind " +
                          names.kind() + ", and " + std::to_string(id) + " is none of them");
  return id;
}

Rows3 rows_of(const std::vector<Vec3>& points) {
  Rows3 rows(static_cast<Eigen::Index>(points.size()), 3);
  for (std::size_t i = 0; i < points.size(); ++i)
    rows.row(static_cast<Eigen::Index>(i)) = points[i];
  return rows;
}

Quat quat_of(const std::vector<double>& x) {
  if (x.size() != 4) throw py::value_error("quaternion: write w,x,y,z");
  const Quat q(x[0], x[1], x[2], x[3]);
  if (!(q.norm() > 0) || !std::isfinite(q.norm()))
    throw py::value_error("quaternion: numbers must be finite, and not all zero");
  return q.normalized();
}

Pose pose_of(const std::vector<double>& x) {
  if (x.size() != 3 && x.size() != 7)
    throw py::value_error("pose: write x,y,z or x,y,z,qw,qx,qy,qz");
  Pose pose;
  pose.p = {x[0], x[1], x[2]};
  if (x.size() == 7) pose.q = quat_of({x.begin() + 3, x.end()});
  if (!pose.p.allFinite()) throw py::value_error("pose: numbers must be finite");
  return pose;
}

ContactSettings choose(const Model& model, const std::string& contact, const std::string& data,
                       const std::string& friction, const std::string& stabilize,
                       const std::string& solver) {
  ContactSettings s = contact_settings(model);
  set_contact(s, contact), set_data(s, data), set_friction(s, friction);
  set_stabilize(s, stabilize), set_solver(s, solver);
  return s;
}

}  // namespace abut::python
