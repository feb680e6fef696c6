#include "abut/reproduce/experiment.h"

#include <fmt/format.h>

#include <cmath>

namespace abut::reproduce {

std::string to_text(const Value& value) {
  if (const double* x = std::get_if<double>(&value)) return fmt::format("{:.6g}", *x);
  if (const auto* xs = std::get_if<std::vector<double>>(&value)) {
    std::vector<std::string> parts;
    for (const double x : *xs) parts.push_back(fmt::format("{:.6g}", x));
    return fmt::format("{}", fmt::join(parts, ", "));
  }
  if (const auto* words = std::get_if<std::string>(&value)) return *words;
  return "";
}

std::string_view name(Claim claim) {
  switch (claim) {
    case Claim::none:
      return "";
    case Claim::yes:
      return "yes";
    case Claim::no:
      return "no";
    case Claim::not_as_printed:
      return "not as printed";
  }
  return "";
}

Printed as_printed(Value value, bool comes_out, std::string why_not) {
  if (comes_out) return {std::move(value), Claim::yes, {}};
  return {std::move(value), Claim::no, std::move(why_not)};
}

Printed if_changed(Value value, bool comes_out, std::string change) {
  return {std::move(value), comes_out ? Claim::not_as_printed : Claim::no, std::move(change)};
}

Printed not_run(Value value, std::string why) {
  return {std::move(value), Claim::none, std::move(why)};
}

bool near(double ours, double printed) {
  return std::abs(ours - printed) <= kNear * std::abs(printed);
}

}  // namespace abut::reproduce
