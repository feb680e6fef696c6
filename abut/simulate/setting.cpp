#include "abut/simulate/setting.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <sstream>
#include <stdexcept>

#include "abut/contact/choose.h"
#include "abut/dynamics/integrate.h"
#include "abut/math/suggest.h"

namespace abut {

namespace {

[[noreturn]] void refuse(const std::string& why) { throw std::invalid_argument(why); }

struct OptionSwitch {
  std::string_view name;
  bool Options::*flag;
};
constexpr OptionSwitch kOptionSwitches[] = {{"gravity_on", &Options::gravity_on},
                                            {"spring", &Options::spring_on},
                                            {"damper", &Options::damper_on},
                                            {"actuation", &Options::actuation_on},
                                            {"clampctrl", &Options::clamp_ctrl},
                                            {"equality", &Options::equality_on},
                                            {"limit", &Options::limit_on},
                                            {"eulerdamp", &Options::euler_damp},
                                            {"frictionloss", &Options::frictionloss_on},
                                            {"constraint", &Options::constraint_on}};

bool parse_option_switch(std::string_view value, const std::string& what) {
  if (value == "on" || value == "enable" || value == "true" || value == "1") return true;
  if (value == "off" || value == "disable" || value == "false" || value == "0") return false;
  refuse(fmt::format("{}={}: write on or off", what, value));
}

Vec3 parse_option_vector(std::string_view value, const std::string& what) {
  const std::vector<double> x = parse_number_list(value, what);
  if (x.size() != 3) refuse(what + ": write three numbers, x,y,z");
  return {x[0], x[1], x[2]};
}

double parse_positive_option(std::string_view value, const std::string& what, bool zero) {
  const double x = parse_number(value, what);
  if (x < 0 || (x == 0 && !zero)) refuse(what + ": must be positive");
  return x;
}

// `abut.*` of the world, with or without its first word.
void apply_own_setting(Model& model, const std::string& key, std::string_view value,
                       const std::string& what) {
  const std::string prefix = "abut.", full = key.starts_with(prefix) ? key : prefix + key;
  NamedValue set;
  set.source.file = std::make_shared<const std::string>(what);
  switch (setting_kind(full)) {
    case SettingKind::none: {
      std::vector<std::string> options{"gravity",   "wind",     "density",
                                       "viscosity", "timestep", "integrator"};
      for (const OptionSwitch& s : kOptionSwitches) options.emplace_back(s.name);
      for (const std::string& own : setting_keys())
        options.push_back(key.starts_with(prefix) ? own : own.substr(prefix.size()));
      const std::vector<std::string_view> names(options.begin(), options.end());
      // the whole list would hide the one that is meant
      const std::string near = did_you_mean(key, names);
      refuse(fmt::format(
          "{}: no such setting{}", what,
          near.empty() ? fmt::format("; there are: {}", fmt::join(options, ", ")) : near));
    }
    case SettingKind::at_load:
      refuse(fmt::format(
          "{}: is read while the world is loaded; {}", what,
          full == "abut.coordinates" ? "use --coordinates" : "write it into the world"));
    case SettingKind::word:
      set.text = value;
      break;
    case SettingKind::number:
      set.numbers = parse_number_list(value, what);
      if (set.numbers.empty()) refuse(what + ": write a number");
      break;
  }
  model.custom.insert_or_assign(full, std::move(set));
}

}  // namespace

double parse_number(std::string_view text, std::string_view what) {
  const auto plain = [&](std::string_view part) {
    const std::string s(part);
    char* end = nullptr;
    const double x = std::strtod(s.c_str(), &end);
    if (s.empty() || *end != '\0' || !std::isfinite(x))
      refuse(fmt::format("{}: '{}' is no number", what, text));
    return x;
  };
  const auto slash = text.find('/');
  if (slash == std::string_view::npos) return plain(text);
  const double below = plain(text.substr(slash + 1));
  if (below == 0) refuse(fmt::format("{}: '{}' divides by zero", what, text));
  return plain(text.substr(0, slash)) / below;
}

std::vector<double> parse_number_list(std::string_view text, std::string_view what) {
  std::string list(text);
  std::replace_if(
      list.begin(), list.end(),
      [](char c) { return c == ',' || c == '\n' || c == '\t' || c == '\r'; }, ' ');
  std::istringstream words(list);
  std::vector<double> numbers;
  for (std::string word; words >> word;) numbers.push_back(parse_number(word, what));
  return numbers;
}

void choose_integrator(Model& model, std::string_view name) {
  std::vector<std::string_view> names;
  for (const Integrator i :
       {Integrator::euler, Integrator::implicit, Integrator::explicit_euler, Integrator::rk4}) {
    names.push_back(integrator_name(i));
    if (name == integrator_name(i)) {
      model.option.integrator = i;
      model.custom.erase("abut.integrator.else");  // it is no wish, it is an order
      return;
    }
  }
  refuse(fmt::format("integrator '{}': there are {}{}", name, fmt::join(names, ", "),
                     did_you_mean(name, names)));
}

void apply_setting(Model& model, std::string_view key, std::string_view value,
                   std::string_view called) {
  const std::string what(called.empty() ? key : called);
  Options& o = model.option;
  if (key == "gravity") {
    o.gravity = parse_option_vector(value, what);
  } else if (key == "wind") {
    o.wind = parse_option_vector(value, what);
  } else if (key == "density") {
    o.density = parse_positive_option(value, what, true);
  } else if (key == "viscosity") {
    o.viscosity = parse_positive_option(value, what, true);
  } else if (key == "timestep") {
    o.timestep = parse_positive_option(value, what, false);
  } else if (key == "integrator") {
    choose_integrator(model, value);
  } else {
    for (const OptionSwitch& s : kOptionSwitches)
      if (key == s.name) {
        o.*s.flag = parse_option_switch(value, what);
        return;
      }
    apply_own_setting(model, std::string(key), value, what);
  }
}

}  // namespace abut
