// Settings of a row are what one types: every flag in them is one that there is, and every key of
// --set.
#pragma once

#include <algorithm>
#include <array>
#include <sstream>
#include <string>

#include "abut/contact/choose.h"

namespace abut::reproduce {

// Empty: nothing is wrong with them.
inline std::string why_settings_are_wrong(const std::string& text) {
  if (text.empty()) return "there are none";
  static constexpr std::array kOther{"--step",   "--time",   "--integrator", "--data",
                                     "--solver", "--haptic", "--clock"};
  std::istringstream words(text);
  ContactSettings s;
  std::string word;
  const auto next = [&] {
    std::string value;
    words >> value;
    while (!value.empty() && (value.back() == ',' || value.back() == ';')) value.pop_back();
    return value;
  };
  try {
    while (words >> word) {
      if (word == "--contact") {
        set_contact(s, next());
      } else if (word == "--friction") {
        set_friction(s, next());
      } else if (word == "--stabilize") {
        set_stabilize(s, next());
      } else if (word == "--set") {
        std::string key = next();
        key = key.substr(0, key.find('='));
        // MODEL stands for either of two that were named before
        if (key.starts_with("MODEL.")) key.replace(0, 5, "deepest");
        if (key == "gravity") continue;
        if (setting_kind("abut." + key) == SettingKind::none) return "no key " + key;
      } else if (word.starts_with("--") &&
                 std::find(kOther.begin(), kOther.end(), word) == kOther.end()) {
        return "no flag " + word;
      }
    }
  } catch (const std::invalid_argument& e) {
    return e.what();
  }
  return "";
}

}  // namespace abut::reproduce
