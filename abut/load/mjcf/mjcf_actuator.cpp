#include "abut/load/mjcf/mjcf_actuator.h"

#include <fmt/format.h>

#include <numbers>

#include "abut/load/attributes.h"

namespace abut {
namespace {

// nullopt: MJCF has it and abut does not simulate it.
constexpr std::pair<std::string_view, std::optional<Dynamics>> kDynamics[] = {
    {"none", Dynamics::none},     {"integrator", Dynamics::integrator},
    {"filter", Dynamics::filter}, {"filterexact", Dynamics::filterexact},
    {"muscle", std::nullopt},     {"dcmotor", std::nullopt},
    {"pid", std::nullopt},        {"user", std::nullopt}};
constexpr std::pair<std::string_view, std::optional<Gain>> kGains[] = {
    {"fixed", Gain::fixed},    {"affine", Gain::affine}, {"muscle", std::nullopt},
    {"dcmotor", std::nullopt}, {"so3", std::nullopt},    {"pid", std::nullopt},
    {"user", std::nullopt}};
constexpr std::pair<std::string_view, std::optional<Bias>> kBiases[] = {
    {"none", Bias::none},      {"affine", Bias::affine}, {"muscle", std::nullopt},
    {"dcmotor", std::nullopt}, {"so3", std::nullopt},    {"user", std::nullopt}};

// MJCF keeps up to ten parameters; those that abut simulates use the first three.
void read_parameters(const Element& e, std::string_view name, std::array<double, 3>& out) {
  std::array<double, 10> all{out[0], out[1], out[2]};
  read_some(e, name, all);
  std::copy_n(all.begin(), 3, out.begin());
}

template <typename T, std::size_t n>
void read_type(const Element& e, std::string_view name,
               const std::pair<std::string_view, std::optional<T>> (&words)[n], T& out,
               bool& known) {
  std::optional<T> value;
  if (!read_word(e, name, words, value)) return;
  known = value.has_value();
  if (known) out = *value;
}

void set(ActuatorDraft& a, Gain gain, Bias bias) {
  a.desc.gain = gain;
  a.desc.bias = bias;
  a.known_gain = a.known_bias = true;
}

void set(ActuatorDraft& a, Dynamics dynamics) {
  a.desc.dynamics = dynamics;
  a.known_dynamics = true;
}

double read_not_negative(const Element& e, std::string_view name, double value) {
  read(e, name, value);
  if (value < 0) fail(e, name, "is negative; write 0 or more");
  return value;
}

// position and intvelocity -----------------------------------------------------------
void set_servo(const Element& e, ActuatorDraft& actuator) {
  ActuatorDesc& a = actuator.desc;
  double kp = a.gainprm[0];
  read(e, "kp", kp);
  a.gainprm[0] = kp;
  a.biasprm[1] = -kp;
  if (e.find("kv") && e.find("dampratio")) fail(e, "both kv and dampratio; keep one");
  // the sign distinguishes a damping ratio (+) from a damping (-), so that a class can store either
  if (e.find("kv")) a.biasprm[2] = -read_not_negative(e, "kv", 0);
  if (e.find("dampratio")) a.biasprm[2] = read_not_negative(e, "dampratio", 0);
  if (e.find("timeconst")) {
    a.dynprm[0] = read_not_negative(e, "timeconst", 0);
    set(actuator, a.dynprm[0] == 0 ? Dynamics::none : Dynamics::filterexact);
  }
  set(actuator, Gain::fixed, Bias::affine);
  if (e.tag == "intvelocity") set(actuator, Dynamics::integrator);

  read(e, "inheritrange", a.inheritrange);
  if (a.inheritrange < 0) fail(e, "inheritrange", "is negative; write 0 or more");
  const Range& own = a.dynamics == Dynamics::integrator ? a.actrange : a.ctrlrange;
  if (a.inheritrange > 0 && (own[0] != 0 || own[1] != 0))
    fail(e, fmt::format("both inheritrange and {}; keep one",
                        a.dynamics == Dynamics::integrator ? "actrange" : "ctrlrange"));
}

void set_velocity(const Element& e, ActuatorDraft& actuator) {
  ActuatorDesc& a = actuator.desc;
  double kv = a.gainprm[0];
  read(e, "kv", kv);
  a.gainprm[0] = kv;
  a.biasprm = {0, 0, -kv};
  set(actuator, Gain::fixed, Bias::affine);
  set(actuator, Dynamics::none);
}

// The control is the damping: force = -kv * velocity * ctrl.
void set_damper(const Element& e, ActuatorDraft& actuator) {
  ActuatorDesc& a = actuator.desc;
  const double kv = read_not_negative(e, "kv", a.gain == Gain::affine ? -a.gainprm[2] : 0);
  a.gainprm = {0, 0, -kv};
  a.ctrllimited = true;
  set(actuator, Gain::affine, Bias::none);
  set(actuator, Dynamics::none);
  if (a.ctrlrange[0] < 0 || a.ctrlrange[1] < 0)
    fail(e, "ctrlrange", "a damper cannot have a negative control; write 0 or more");
}

void set_cylinder(const Element& e, ActuatorDraft& actuator) {
  ActuatorDesc& a = actuator.desc;
  read(e, "timeconst", a.dynprm[0]);
  read(e, "bias", a.biasprm);
  read(e, "area", a.gainprm[0]);
  double diameter = -1;
  if (read(e, "diameter", diameter) && diameter >= 0)
    a.gainprm[0] = std::numbers::pi / 4 * diameter * diameter;
  set(actuator, Gain::fixed, Bias::affine);
  set(actuator, Dynamics::filter);
}

// muscle, adhesion, .. : known by name only.
void set_unknown(const Element& e, ActuatorDraft& actuator) {
  actuator.known_gain = actuator.known_bias = false;
  if (e.tag == "muscle") actuator.known_dynamics = false;
}

void read_target(const Element& e, ActuatorDesc& a) {
  constexpr std::pair<std::string_view, TransmissionType> targets[] = {
      {"joint", TransmissionType::joint},    {"jointinparent", TransmissionType::joint_in_parent},
      {"tendon", TransmissionType::tendon},  {"site", TransmissionType::site},
      {"cranksite", TransmissionType::none}, {"body", TransmissionType::none}};
  std::string_view found;
  for (const auto& [name, type] : targets) {
    if (!e.find(name)) continue;
    if (!found.empty()) fail(e, fmt::format("two targets, '{}' and '{}'; keep one", found, name));
    found = name;
    a.transmission = type;
    a.target = required(e, name);
  }
  read(e, "refsite", a.refsite);
  if (!a.refsite.empty() && a.transmission != TransmissionType::site)
    fail(e, "refsite", "only goes with a site as target; add site=\"...\"");
  for (std::string_view name : {"slidersite", "cranklength"})
    if (e.find(name) && !found.empty() && found != "cranksite")
      fail(e, name, "only goes with a cranksite as target");
}

}  // namespace

bool is_actuator(std::string_view tag) {
  constexpr std::string_view tags[] = {"general",     "motor",       "position", "velocity",
                                       "damper",      "cylinder",    "muscle",   "adhesion",
                                       "intvelocity", "orientation", "pid",      "dcmotor"};
  return std::find(std::begin(tags), std::end(tags), tag) != std::end(tags);
}

void read_actuator(const Element& e, ActuatorDraft& actuator) {
  ActuatorDesc& a = actuator.desc;
  a.source = e.where;
  read(e, "name", a.name);
  read(e, "group", a.group);
  read(e, "ctrllimited", a.ctrllimited);
  read(e, "forcelimited", a.forcelimited);
  read(e, "actlimited", a.actlimited);
  read(e, "ctrlrange", a.ctrlrange);
  read(e, "forcerange", a.forcerange);
  read(e, "actrange", a.actrange);
  read(e, "actearly", a.actearly);
  read_some(e, "gear", {a.gear.data(), 6});
  read_type(e, "dyntype", kDynamics, a.dynamics, actuator.known_dynamics);
  read_type(e, "gaintype", kGains, a.gain, actuator.known_gain);
  read_type(e, "biastype", kBiases, a.bias, actuator.known_bias);
  read_parameters(e, "dynprm", a.dynprm);
  read_parameters(e, "gainprm", a.gainprm);
  // in a cylinder "bias" is another attribute; biasprm is general's own
  read_parameters(e, "biasprm", a.biasprm);
  read_target(e, a);

  if (e.tag == "motor") {
    a.gainprm[0] = 1;
    set(actuator, Gain::fixed, Bias::none);
    set(actuator, Dynamics::none);
  } else if (e.tag == "position" || e.tag == "intvelocity") {
    set_servo(e, actuator);
  } else if (e.tag == "velocity") {
    set_velocity(e, actuator);
  } else if (e.tag == "damper") {
    set_damper(e, actuator);
  } else if (e.tag == "cylinder") {
    set_cylinder(e, actuator);
  } else if (e.tag != "general") {
    set_unknown(e, actuator);
  }
}

ActuatorDesc finish_actuator(const Element& e, const ActuatorDraft& draft, Warnings& warnings) {
  ActuatorDesc a = draft.desc;
  if (a.target.empty())
    fail(e, fmt::format("<{}> drives nothing; add joint=\"...\", tendon=\"...\" or site=\"...\"",
                        e.tag));
  const auto left_out = [&](std::string_view what) {
    a.simulated = false;
    warnings.once(
        fmt::format("actuator {}", what), e.where,
        fmt::format("{} is not simulated by abut: the actuator takes its control and makes "
                    "no force",
                    what));
  };
  if (a.transmission == TransmissionType::none && e.tag != "adhesion")
    left_out(e.find("cranksite") ? "an actuator on a slider-crank" : "an actuator on a body");
  else if (!draft.known_gain || !draft.known_bias || !draft.known_dynamics)
    left_out(e.tag == "general"
                 ? std::string("a <general> actuator with such a dyntype, gaintype or biastype")
                 : fmt::format("<{}>", e.tag));
  // a muscle has one activation: keyframes count it
  if (!draft.known_dynamics) a.dynamics = Dynamics::filterexact;

  const bool servo =
      a.gain == Gain::fixed && a.bias == Bias::affine && a.gainprm[0] == -a.biasprm[1];
  if (a.simulated && servo && a.biasprm[2] > 0) {
    a.damping_ratio = a.biasprm[2];
    a.biasprm[2] = 0;
  }
  a.inherit_act = a.dynamics == Dynamics::integrator;
  return a;
}

}  // namespace abut
