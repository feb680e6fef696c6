#include "abut/sweep/measured.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "abut/dynamics/jacobian.h"
#include "abut/math/suggest.h"
#include "abut/model/kinematics.h"

namespace abut {

namespace {

using Row = std::vector<double>;

void put(Row& row, const Vec3& v) { row.insert(row.end(), {v.x(), v.y(), v.z()}); }

struct PlainMeasure {
  std::string_view name;
  int count;
  bool every_step;
  void (*read)(const RunEnd&, Row&);
};

constexpr PlainMeasure kPlainMeasures[] = {
    {"time", 1, false, [](const RunEnd& e, Row& r) { r.push_back(e.state.time); }},
    {"steps", 1, false,
     [](const RunEnd& e, Row& r) { r.push_back(static_cast<double>(e.outcome.steps)); }},
    {"contacts", 1, false,
     [](const RunEnd& e, Row& r) { r.push_back(static_cast<double>(e.forces.points.size())); }},
    {"energy.kinetic", 1, false,
     [](const RunEnd& e, Row& r) { r.push_back(e.sample.energy.kinetic); }},
    {"energy.potential", 1, false,
     [](const RunEnd& e, Row& r) { r.push_back(e.sample.energy.potential); }},
    {"energy.contact", 1, false,
     [](const RunEnd& e, Row& r) { r.push_back(e.simulator.contact().stored_energy()); }},
    {"energy.work", 1, false, [](const RunEnd& e, Row& r) { r.push_back(e.outcome.contact.work); }},
    {"energy_drift", 1, true,
     [](const RunEnd& e, Row& r) { r.push_back(e.measure.energy_drift()); }},
    {"momentum.linear", 3, false,
     [](const RunEnd& e, Row& r) { put(r, e.sample.momentum.linear); }},
    {"momentum.angular", 3, false,
     [](const RunEnd& e, Row& r) { put(r, e.sample.momentum.angular); }},
    {"momentum_drift", 1, true,
     [](const RunEnd& e, Row& r) { r.push_back(e.measure.momentum_drift()); }},
    {"penetration.max", 1, true,
     [](const RunEnd& e, Row& r) { r.push_back(e.measure.overlap().deepest); }},
    {"penetration.mean", 1, true,
     [](const RunEnd& e, Row& r) { r.push_back(e.measure.overlap().mean()); }},
    {"penetration_end.max", 1, false,
     [](const RunEnd& e, Row& r) { r.push_back(e.sample.overlap.deepest); }},
    {"penetration_end.mean", 1, false,
     [](const RunEnd& e, Row& r) { r.push_back(e.sample.overlap.mean()); }},
    {"joint_error_max", 1, true,
     [](const RunEnd& e, Row& r) { r.push_back(e.measure.joint_error_max()); }},
    {"residual_max", 1, false,
     [](const RunEnd& e, Row& r) {
       r.push_back(std::max(e.outcome.contact.solving.residual, e.outcome.contact.post_residual));
     }},
    {"fallbacks", 1, false,
     [](const RunEnd& e, Row& r) {
       r.push_back(static_cast<double>(e.outcome.contact.solving.fallbacks));
     }},
    {"settling_time", 1, true,
     [](const RunEnd& e, Row& r) { r.push_back(e.rest.settling_time()); }},
    {"energy.rest", 1, true, [](const RunEnd& e, Row& r) { r.push_back(e.rest.energy()); }},
    {"ghosts", 1, true,
     [](const RunEnd& e, Row& r) { r.push_back(static_cast<double>(e.outcome.ghosts)); }},
    {"contact_force_total", 1, false,
     [](const RunEnd& e, Row& r) { r.push_back(e.forces.total()); }},
    {"contact_force_net", 3, false,
     [](const RunEnd& e, Row& r) { put(r, e.forces.net(e.simulator.model())); }},
};

[[noreturn]] void refuse_measure(const std::string& name, const std::string& why) {
  throw std::invalid_argument("measure '" + name + "': " + why);
}

int known_id(const NameTable& names, const std::string& measure, std::string_view name) {
  const int id = names.find(name);
  if (id >= 0) return id;
  const std::string near = names.nearest(name);
  refuse_measure(measure, fmt::format("no {} '{}'{}", names.kind(), name,
                                      near.empty() ? "" : "; did you mean '" + near + "'?"));
}

Spatial twist_of(const RunEnd& e, int body) {
  const Model& model = e.simulator.model();
  const auto b = static_cast<std::size_t>(body);
  const Vec3& p = e.derived.body_pose[b].p;
  if (model.bodies[b].link < 0) return driven_twist(model, e.input, e.derived, body, p);
  return twist_at(model, e.derived, model.bodies[b].link, p);
}

}  // namespace

std::vector<std::string> plain_measures() {
  std::vector<std::string> names;
  for (const PlainMeasure& m : kPlainMeasures) names.emplace_back(m.name);
  for (const char* name :
       {"q", "v", "q.JOINT", "v.JOINT", "sensors.NAME", "bodies.NAME.position",
        "bodies.NAME.quaternion", "bodies.NAME.linear_velocity", "bodies.NAME.angular_velocity"})
    names.emplace_back(name);
  return names;
}

Measured::Measured(const std::vector<std::string>& names, const Model& model) {
  for (const std::string& name : names) add(name, model);
}

void Measured::add_numbers(const std::string& name, int count, Read read) {
  if (count == 1)
    columns_.push_back(name);
  else
    for (int i = 0; i < count; ++i) columns_.push_back(fmt::format("{}.{}", name, i));
  reads_.push_back(std::move(read));
}

void Measured::add(const std::string& name, const Model& model) {
  for (const PlainMeasure& m : kPlainMeasures)
    if (name == m.name) {
      every_step_ |= m.every_step;
      return add_numbers(name, m.count, m.read);
    }
  const auto part = [&](const char* of, int first, int count) {
    const bool q = of[0] == 'q';
    add_numbers(name, count, [q, first, count](const RunEnd& e, Row& r) {
      const std::vector<double>& x = q ? e.state.q : e.state.v;
      r.insert(r.end(), x.begin() + first, x.begin() + first + count);
    });
  };
  if (name == "q") return part("q", 0, model.nq);
  if (name == "v") return part("v", 0, model.nv);
  if (name.starts_with("q.") || name.starts_with("v.")) {
    const int j = known_id(model.joint_names, name, std::string_view(name).substr(2));
    const Joint& joint = model.joints[static_cast<std::size_t>(j)];
    const bool free = joint.type == JointType::free, ball = joint.type == JointType::ball;
    if (name[0] == 'q') return part("q", joint.q, free ? 7 : ball ? 4 : 1);
    return part("v", joint.dof, free ? 6 : ball ? 3 : 1);
  }
  if (name.starts_with("sensors.")) {
    const int id = known_id(model.sensor_names, name, std::string_view(name).substr(8));
    wants_sensors_ = true;
    return add_numbers(name, model.sensors[static_cast<std::size_t>(id)].size,
                       [id](const RunEnd& e, Row& r) {
                         const auto x = e.sensors[id].value();
                         r.insert(r.end(), x.begin(), x.end());
                       });
  }
  const auto dot = name.rfind('.');
  if (name.starts_with("bodies.") && dot > 7) {
    const int b = known_id(model.body_names, name, std::string_view(name).substr(7, dot - 7));
    const std::string field = name.substr(dot + 1);
    const auto i = static_cast<std::size_t>(b);
    if (field == "position")
      return add_numbers(name, 3,
                         [i](const RunEnd& e, Row& r) { put(r, e.derived.body_pose[i].p); });
    if (field == "quaternion")
      return add_numbers(name, 4, [i](const RunEnd& e, Row& r) {
        const Quat& q = e.derived.body_pose[i].q;
        r.insert(r.end(), {q.w(), q.x(), q.y(), q.z()});
      });
    if (field == "linear_velocity")
      return add_numbers(name, 3, [b](const RunEnd& e, Row& r) { put(r, twist_of(e, b).lin); });
    if (field == "angular_velocity")
      return add_numbers(name, 3, [b](const RunEnd& e, Row& r) { put(r, twist_of(e, b).ang); });
    refuse_measure(name,
                   "of a body there are position, quaternion, linear_velocity, "
                   "angular_velocity");
  }
  const std::vector<std::string> all = plain_measures();
  const std::vector<std::string_view> words(all.begin(), all.end());
  refuse_measure(name, fmt::format("no such measure{}; there are: {}", did_you_mean(name, words),
                                   fmt::join(words, ", ")));
}

void Measured::append(const RunEnd& end, std::vector<double>& row) const {
  for (const Read& read : reads_) read(end, row);
}

}  // namespace abut
