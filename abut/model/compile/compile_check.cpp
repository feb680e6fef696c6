#include "abut/model/compile/compile_check.h"

#include <fmt/format.h>

#include <cmath>

namespace abut::compiling {

std::string Thing::label() const {
  return names_->named(id_) ? names_->kind() + " '" + (*names_)[id_] + "'" : (*names_)[id_];
}

void Thing::fail(const std::string& message) const {
  throw WorldError(*source_, label() + ": " + message);
}

void Thing::number(std::string_view field, double value) const {
  if (!std::isfinite(value)) fail(fmt::format("{} is {}; write a finite number", field, value));
  if (std::abs(value) > kAbsurd) {
    fail(fmt::format("{} is {:g}, beyond anything that can be simulated (1e15); check its unit",
                     field, value));
  }
}

void Thing::numbers(std::string_view field, std::span<const double> values) const {
  for (const double value : values) number(field, value);
}

void Thing::not_negative(std::string_view field, double value) const {
  number(field, value);
  if (value < 0) fail(fmt::format("{} is {:g}; it must be 0 or more", field, value));
}

Pose Thing::pose(const Pose& pose) const {
  vector("pos", pose.p);
  numbers("quat", {pose.q.coeffs().data(), 4});
  const double length = pose.q.norm();
  if (length < kTiny) fail("the quaternion is zero; write a rotation, such as quat=\"1 0 0 0\"");
  return {pose.p, Quat(pose.q.coeffs() / length)};
}

int lookup(const Thing& user, const NameTable& names, const std::string& name) {
  const int id = names.find(name);
  if (id >= 0) return id;
  std::string message = fmt::format("no such {} '{}'", names.kind(), name);
  const std::string near = names.nearest(name);
  if (!near.empty()) {
    message += fmt::format("; did you mean '{}'?", near);
  } else if (names.size() == 0) {
    message += fmt::format("; the world has no {}", names.kind());
  } else if (names.size() == 1) {
    message += fmt::format("; the only {} is '{}'", names.kind(), names[0]);
  } else {
    message += fmt::format("; none of the {} in this world has a name like it", names.size());
  }
  user.fail(message);
}

bool resolve_limited(const Thing& thing, std::string_view limited_field,
                     std::string_view range_field, std::optional<bool> limited, const Range& range,
                     bool autolimits) {
  thing.numbers(range_field, range);
  const bool given = range[0] != 0 || range[1] != 0;
  if (limited == false) return false;
  if (!limited && !given) return false;
  if (!limited && !autolimits) {
    thing.fail(
        fmt::format("it has {0} but not {1}, and autolimits is off; add {1}=\"true\" or "
                    "\"false\", or set <compiler autolimits=\"true\"/>",
                    range_field, limited_field));
  }
  if (range[0] >= range[1]) {
    thing.fail(fmt::format("{} is \"{:g} {:g}\"; the first number must be smaller than the second",
                           range_field, range[0], range[1]));
  }
  return true;
}

}  // namespace abut::compiling
