#include "abut/reproduce/flags.h"

#include <fmt/format.h>

#include "abut/contact/choose.h"

namespace abut::reproduce {

std::string flags_of(const ContactSettings& s) {
  const ContactSettings plain;
  std::string out = "--contact " + s.model;
  const auto flag = [&](const char* name, std::string_view value) {
    out += fmt::format(" --{} {}", name, value);
  };
  const auto set = [&](std::string_view key, std::string_view value) {
    out += fmt::format(" --set {}={}", key, value);
  };
  if (s.data != plain.data) flag("data", name(s.data));
  if (s.friction != plain.friction) flag("friction", friction_text(s));
  if (stabilize_text(s) != stabilize_text(plain)) flag("stabilize", stabilize_text(s));
  if (s.solver != plain.solver) flag("solver", s.solver);
  if (s.stabilize_contacts != plain.stabilize_contacts)
    set("stabilize.contacts", name(s.stabilize_contacts));
  if (s.law != plain.law) set("restitution.law", name(s.law));
  if (s.regress) set("impact.time", "regress");
  if (s.tolerance != plain.tolerance) set("contact.tolerance", fmt::format("{}", s.tolerance));
  for (const auto& [key, word] : s.own_words) set(key, word);
  return out;
}

std::string run_flags(double step, double time, const char* integrator) {
  std::string out = fmt::format("--step {} --time {}", step, time);
  if (*integrator != 0) out += fmt::format(" --integrator {}", integrator);
  return out;
}

}  // namespace abut::reproduce
