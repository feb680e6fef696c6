// Checks of a description, shared by the parts of compile(): every refusal names the
// thing, the place it was written and what to write instead.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "abut/model/model.h"

namespace abut::compiling {

// Below this a mass (kg), an inertia (kg m^2) or a length (m) counts as none. MuJoCo's.
inline constexpr double kTiny = 1e-15;
// Numbers above it are mistakes, whatever the unit.
inline constexpr double kAbsurd = 1e15;

// A thing being compiled, as error messages speak of it.
class Thing {
 public:
  Thing(const NameTable& names, int id, const Source& source)
      : names_(&names), id_(id), source_(&source) {}

  std::string label() const;  // joint 'knee', or joint#3
  const Source& source() const { return *source_; }
  [[noreturn]] void fail(const std::string& message) const;

  // Refuses NaN, infinities and absurdly large numbers.
  void number(std::string_view field, double value) const;
  void numbers(std::string_view field, std::span<const double> values) const;
  void vector(std::string_view field, const Vec3& v) const { numbers(field, {v.data(), 3}); }
  void not_negative(std::string_view field, double value) const;
  // ... and a quaternion that cannot be normalised; returns it at unit length.
  Pose pose(const Pose& pose) const;

 private:
  const NameTable* names_;
  int id_;
  const Source* source_;
};

// The id behind a name; an unknown one is an error that suggests the nearest.
int lookup(const Thing& user, const NameTable& names, const std::string& name);

// Whether a range is in force: `limited` if given, else (autolimits) when the range is.
bool resolve_limited(const Thing& thing, std::string_view limited_field,
                     std::string_view range_field, std::optional<bool> limited, const Range& range,
                     bool autolimits);

}  // namespace abut::compiling
