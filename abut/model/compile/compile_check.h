// Checks of a description, shared by the parts of compile(). Every error names the element, its
// place in the file and what to write instead.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "abut/model/model.h"
#include "abut/model/tolerances.h"

namespace abut::compiling {

// An element being compiled, for error messages.
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
  // The same for a pose; also refuses a quaternion that cannot be normalised. Returns it at unit
  // length.
  Pose pose(const Pose& pose) const;

 private:
  const NameTable* names_;
  int id_;
  const Source* source_;
};

// The id of a name; an unknown name is an error that suggests the nearest one.
int lookup(const Thing& user, const NameTable& names, const std::string& name);

// Whether a range is active: `limited` if given, else (autolimits) whether the range is given.
bool resolve_limited(const Thing& thing, std::string_view limited_field,
                     std::string_view range_field, std::optional<bool> limited, const Range& range,
                     bool autolimits);

}  // namespace abut::compiling
