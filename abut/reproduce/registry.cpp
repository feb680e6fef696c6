#include "abut/reproduce/registry.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "abut/reproduce/all.h"

namespace abut::reproduce {
namespace {

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

// The letter that ids of a paper begin with.
bool is_letter_of(const std::string& id, const Experiment& e) {
  return id.size() == 1 && id[0] == e.id[0];
}

std::string all_ids() {
  std::string text;
  const char* seed = "";
  for (const Experiment& e : experiments()) {
    if (std::string(seed) != e.seed) text += fmt::format("\n  {}:", seed = e.seed);
    text += fmt::format(" {}", e.id);
    std::vector<std::string> others;
    for (const char* check : e.checks)
      if (std::string(check) != e.id) others.push_back(check);
    if (!others.empty()) text += fmt::format(" ({})", fmt::join(others, ", "));
  }
  return text;
}

}  // namespace

std::span<const Experiment> experiments() { return all_experiments(); }

bool Choice::wants(const std::string& check) const {
  return checks.empty() || std::find(checks.begin(), checks.end(), check) != checks.end();
}

std::vector<Choice> select(std::span<const std::string> ids) {
  const std::span<const Experiment> all = experiments();
  struct Asked {
    bool whole = false;
    std::vector<std::string> checks;
  };
  std::vector<Asked> asked(all.size());
  for (const std::string& given : ids) {
    const std::string id = upper(given);
    bool known = false;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Experiment& e = all[i];
      const bool has_check = std::any_of(e.checks.begin(), e.checks.end(),
                                         [&](const char* check) { return id == check; });
      if (id == upper(e.seed) || id == e.id || is_letter_of(id, e))
        known = asked[i].whole = true;
      else if (has_check)
        asked[i].checks.push_back(id), known = true;
    }
    if (!known)
      throw UnknownId(
          fmt::format("{}: no such paper, experiment or check; there are:{}", given, all_ids()));
  }

  std::vector<Choice> choices;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (ids.empty() || asked[i].whole)
      choices.push_back({&all[i], {}});
    else if (!asked[i].checks.empty())
      choices.push_back({&all[i], asked[i].checks});
  }
  return choices;
}

}  // namespace abut::reproduce
