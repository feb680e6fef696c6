#include "abut/haptic/loop/haptic_settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "abut/haptic/tolerances.h"
#include "abut/math/index.h"

namespace abut::haptic {

std::string_view name(Hold hold) { return hold == Hold::coupled ? "coupled" : "posed"; }

namespace {

// The numbers of abut.haptic.KEY; empty: the world says nothing.
const NamedValue* find_own(const Model& model, std::string_view key) {
  const auto it = model.custom.find(fmt::format("abut.haptic.{}", key));
  return it == model.custom.end() ? nullptr : &it->second;
}

// Replaces the defaults in their order. All must be positive, or may also be zero.
void read_numbers(const Model& model, std::string_view key, std::string_view form,
                  std::initializer_list<double*> targets, bool zero = false) {
  const NamedValue* own = find_own(model, key);
  if (own == nullptr) return;
  if (own->numbers.empty() || own->numbers.size() > targets.size())
    throw WorldError(own->source, fmt::format("abut.haptic.{} has {} numbers; write {}", key,
                                              own->numbers.size(), form));
  auto target = targets.begin();
  for (const double x : own->numbers) {
    if (!std::isfinite(x) || x < 0 || (x == 0 && !zero))
      throw WorldError(own->source, fmt::format("abut.haptic.{} = {}: must be {}; write {}", key, x,
                                                zero ? "zero or positive" : "positive", form));
    **target++ = x;
  }
}

int find_pointer(const Model& model) {
  const NamedValue* own = find_own(model, "pointer");
  const std::string name = own == nullptr ? "pointer" : own->text;
  const int body = model.find_body(name);
  if (body >= 0) return body;
  const std::string near = model.body_names.nearest(name);
  const std::string say =
      own == nullptr ? "the world has no pointer: name a body in <text "
                       "name=\"abut.haptic.pointer\" data=\"BODY\"/>, or call one 'pointer'"
                     : fmt::format("abut.haptic.pointer: no body '{}'{}", name,
                                   near.empty() ? "" : "; did you mean '" + near + "'?");
  throw own == nullptr ? WorldError(say) : WorldError(own->source, say);
}

bool is_free_body(const Model& model, int body) {
  const Body& b = model.bodies[at(body)];
  return b.joint_count == 1 && model.joints[at(b.joint_begin)].type == JointType::free &&
         model.trees[at(model.links[at(b.link)].tree)].link_count == 1;
}

void read_axes(const Model& model, Quat& axes) {
  const NamedValue* own = find_own(model, "axes");
  if (own == nullptr) return;
  const auto& x = own->numbers;
  if (x.size() != 4 || std::abs(Quat(x[0], x[1], x[2], x[3]).norm() - 1) > kQuaternionError)
    throw WorldError(own->source,
                     "abut.haptic.axes is a unit quaternion w x y z, which turns the device's axes "
                     "into those of the world; write 1 0 0 0 for no turn");
  axes = Quat(x[0], x[1], x[2], x[3]).normalized();
}

std::span<const double> rows_of(const Model& model, std::string_view key) {
  const NamedValue* own = find_own(model, key);
  return own == nullptr ? std::span<const double>() : std::span<const double>(own->numbers);
}

void read_path(const Model& model, HandPath& path) {
  try {
    path = HandPath(rows_of(model, "path"), rows_of(model, "turn"));
  } catch (const std::invalid_argument& e) {
    const NamedValue* own = find_own(model, "path");
    throw WorldError(own != nullptr ? own->source : find_own(model, "turn")->source,
                     fmt::format("abut.haptic.path and .turn: {}", e.what()));
  }
}

}  // namespace

HapticSettings haptic_settings(const Model& model, double rate) {
  HapticSettings s;
  s.pointer = find_pointer(model);
  const Body& body = model.bodies[at(s.pointer)];
  const std::string& pointer = model.body_names[s.pointer];
  if (body.mocap >= 0)
    s.hold = Hold::posed;
  else if (body.link < 0 || !is_free_body(model, s.pointer))
    throw WorldError(
        fmt::format("the pointer '{}' must be a mocap body, or a body with a <freejoint/> and "
                    "nothing hanging on "
                    "it",
                    pointer));

  if (!(rate >= 1) || rate > 1e5)
    throw WorldError(fmt::format("a haptic rate of {} Hz: write one from 1 to 100000", rate));
  s.rate = rate;
  const double steps = 1 / (rate * model.option.timestep);
  s.steps = static_cast<int>(std::lround(steps));
  if (s.steps < 1 || std::abs(steps - s.steps) > 0.001 * steps)
    throw WorldError(
        fmt::format("a cycle of {} s does not hold a whole number of steps of {} s; leave the step "
                    "out, and it is "
                    "the cycle",
                    s.cycle(), model.option.timestep));

  // the fail-safe first: the coupling pulls no more than that
  read_numbers(model, "limit", "force (N) and torque (N m)", {&s.most_force, &s.most_torque});
  if (s.hold == Hold::coupled) {
    const MassProperties& mass = body.mass;
    const double inertia = Eigen::SelfAdjointEigenSolver<Mat3>(mass.inertia).eigenvalues()[0];
    s.gains = natural_gains(mass.mass, inertia, model.option.timestep);
  }
  s.gains.most_force = s.most_force;
  s.gains.most_torque = s.most_torque;
  read_numbers(model, "stiffness", "N/m and N m/rad",
               {&s.gains.stiffness, &s.gains.turn_stiffness});
  read_numbers(model, "damping", "N s/m and N m s/rad", {&s.gains.damping, &s.gains.turn_damping},
               true);
  read_numbers(model, "scale",
               "m of the world for each m of the device, and N on the hand for each N",
               {&s.workspace.scale, &s.workspace.force_scale});
  read_axes(model, s.workspace.axes);
  HandImpedance& hand = s.impedance;
  read_numbers(model, "impedance",
               "mass (kg), damping (N s/m), stiffness (N/m), and the same for turning (kg m^2, "
               "N m s/rad, N m/rad)",
               {&hand.mass, &hand.damping, &hand.stiffness, &hand.inertia, &hand.turn_damping,
                &hand.turn_stiffness},
               true);
  if (!(hand.mass > 0) || !(hand.inertia > 0))
    throw WorldError(find_own(model, "impedance")->source,
                     "abut.haptic.impedance: the hand's mass and inertia must be positive");
  read_path(model, s.path);
  return s;
}

std::string pointer_name(const World& world) {
  for (const TextDesc& text : world.texts)
    if (text.name == "abut.haptic.pointer") return text.data;
  return "pointer";
}

void hold_pointer(World& world, Hold hold) {
  const std::string name = pointer_name(world);
  const auto found = std::find_if(world.worldbody.bodies.begin(), world.worldbody.bodies.end(),
                                  [&](const BodyDesc& b) { return b.name == name; });
  if (found == world.worldbody.bodies.end())
    throw WorldError(fmt::format("no pointer '{}' among the bodies of the world body", name));
  if (hold == Hold::posed) {
    if (found->mocap) return;
    found->joints.clear();
    found->mocap = true;
  } else if (found->mocap) {
    found->mocap = false;
    found->free();
    found->gravcomp = 1;
  }
}

std::vector<std::string> haptic_warnings(const Model& model, const HapticSettings& s) {
  std::vector<std::string> lines;
  if (s.hold == Hold::posed) return lines;
  const MassProperties& mass = model.bodies[at(s.pointer)].mass;
  const double h = model.option.timestep;
  if (!can_follow(s.gains.stiffness, s.gains.damping, mass.mass, h))
    lines.push_back(fmt::format(
        "the coupling's stiffness of {:.4g} N/m and damping of {:.4g} N s/m are too much for a "
        "pointer "
        "of {:.4g} kg and steps of {:.4g} s: k h^2 + 2 b h must be below 4 m, and b h below 2 m",
        s.gains.stiffness, s.gains.damping, mass.mass, h));
  const double inertia = Eigen::SelfAdjointEigenSolver<Mat3>(mass.inertia).eigenvalues()[0];
  if (!can_follow(s.gains.turn_stiffness, s.gains.turn_damping, inertia, h))
    lines.push_back(
        fmt::format("the coupling's turning stiffness of {:.4g} N m/rad and damping of {:.4g} N m "
                    "s/rad are too much "
                    "for a least inertia of {:.4g} kg m^2 and steps of {:.4g} s",
                    s.gains.turn_stiffness, s.gains.turn_damping, inertia, h));
  return lines;
}

}  // namespace abut::haptic
