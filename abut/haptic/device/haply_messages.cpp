#include "abut/haptic/device/haply_messages.h"

#include <nlohmann/json.hpp>

namespace abut::haptic {

namespace {

using HaplyJson = nlohmann::json;

// The numbers of {"x": .., "y": ..} by the letters of `names`; false: one is not there.
bool read_named(const HaplyJson& at, const char* key, std::string_view names, double* out) {
  const auto found = at.find(key);
  if (found == at.end() || !found->is_object()) return false;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto number = found->find(std::string(1, names[i]));
    if (number == found->end() || !number->is_number()) return false;
    out[i] = number->get<double>();
  }
  return true;
}

// state of the first element of a list of devices; null: none.
const HaplyJson* first_state(const HaplyJson& all, const char* kind) {
  const auto list = all.find(kind);
  if (list == all.end() || !list->is_array() || list->empty() || !list->front().is_object())
    return nullptr;
  const auto state = list->front().find("state");
  return state == list->front().end() || !state->is_object() ? nullptr : &*state;
}

void read_grip(const HaplyJson& state, HandSample& sample) {
  double q[4];
  if (read_named(state, "orientation", "wxyz", q)) sample.pose.q = Quat(q[0], q[1], q[2], q[3]);
  sample.buttons = 0;
  if (const auto button = state.find("button"); button != state.end() && button->is_boolean())
    sample.buttons = button->get<bool>() ? 1 : 0;
  const auto buttons = state.find("buttons");
  if (buttons == state.end() || !buttons->is_object()) return;
  std::uint32_t bit = 1;
  for (const char* name : {"a", "b", "c"}) {
    const auto pressed = buttons->find(name);
    if (pressed != buttons->end() && pressed->is_boolean() && pressed->get<bool>())
      sample.buttons |= bit;
    bit *= 2;
  }
}

}  // namespace

bool read_haply(std::string_view message, std::string& device, HandSample& sample) {
  const HaplyJson all = HaplyJson::parse(message, nullptr, false);
  if (!all.is_object()) return false;
  const HaplyJson* state = first_state(all, "inverse3");
  if (state == nullptr) return false;
  const HaplyJson& first = all["inverse3"].front();
  if (const auto id = first.find("device_id"); id != first.end() && id->is_string())
    device = id->get<std::string>();
  double p[3], v[3];
  if (device.empty() || !read_named(*state, "cursor_position", "xyz", p)) return false;
  sample.pose.p = Vec3(p[0], p[1], p[2]);
  // the grip tells no rate of turn: the loop takes the differences of both
  sample.has_velocity = false;
  for (const char* grip : {"wireless_verse_grip", "verse_grip"})
    if (const HaplyJson* g = first_state(all, grip)) {
      read_grip(*g, sample);
      return true;
    }
  sample.has_velocity = read_named(*state, "cursor_velocity", "xyz", v);
  if (sample.has_velocity) sample.linear_velocity = Vec3(v[0], v[1], v[2]);
  return true;
}

std::string haply_force(const std::string& device, const Vec3& f) {
  const HaplyJson command = {
      {"inverse3",
       {{{"device_id", device},
         {"commands",
          {{"set_cursor_force", {{"values", {{"x", f.x()}, {"y", f.y()}, {"z", f.z()}}}}}}}}}}};
  return command.dump();
}

}  // namespace abut::haptic
