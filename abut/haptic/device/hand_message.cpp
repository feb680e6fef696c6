#include "abut/haptic/device/hand_message.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace abut::haptic {

namespace {

using HandJson = nlohmann::json;

// Numbers as a message has them; anything else is a std::runtime_error with the sentence.
class HandReader {
 public:
  explicit HandReader(const HandJson& j) : j_(j) {}

  bool has(const char* key) const { return j_.contains(key); }
  std::uint32_t whole(const char* key) const {
    const HandJson& x = field(key);
    if (!x.is_number_unsigned() || x.get<std::uint64_t>() > 0xffffffffu)
      throw std::runtime_error(fmt::format("'{}' is to be a whole number below 2^32", key));
    return x.get<std::uint32_t>();
  }
  void numbers(const char* key, int count, double* out) const {
    const HandJson& x = field(key);
    bool fits = x.is_array() && x.size() == static_cast<std::size_t>(count);
    for (int i = 0; fits && i < count; ++i) fits = x[static_cast<std::size_t>(i)].is_number();
    if (!fits) throw std::runtime_error(fmt::format("'{}' is to be {} numbers", key, count));
    for (int i = 0; i < count; ++i) out[i] = x[static_cast<std::size_t>(i)].get<double>();
  }
  Vec3 vec(const char* key) const {
    double v[3];
    numbers(key, 3, v);
    return {v[0], v[1], v[2]};
  }
  std::string word(const char* key) const {
    const HandJson& x = field(key);
    if (!x.is_string()) throw std::runtime_error(fmt::format("'{}' is to be a word", key));
    return x.get<std::string>();
  }

 private:
  const HandJson& field(const char* key) const {
    const auto it = j_.find(key);
    if (it == j_.end()) throw std::runtime_error(fmt::format("'{}' is missing", key));
    return *it;
  }
  const HandJson& j_;
};

HandMessage read_hand(const HandJson& j) {
  if (!j.is_object()) throw std::runtime_error("the message is no JSON object");
  const HandReader r(j);
  if (r.word("abut") != "hand") throw std::runtime_error("'abut' is to be \"hand\"");
  if (r.whole("version") != kMessageVersion)
    throw std::runtime_error(fmt::format("this abut speaks version {}", kMessageVersion));
  HandMessage m;
  m.sequence = r.whole("sequence");
  m.sample.pose.p = r.vec("position");
  double q[4];
  r.numbers("quaternion", 4, q);
  m.sample.pose.q = Quat(q[0], q[1], q[2], q[3]);
  m.sample.has_velocity = r.has("linear_velocity") || r.has("angular_velocity");
  if (m.sample.has_velocity) {
    m.sample.linear_velocity = r.vec("linear_velocity");
    m.sample.angular_velocity = r.vec("angular_velocity");
  }
  if (r.has("buttons")) m.sample.buttons = r.whole("buttons");
  return m;
}

}  // namespace

std::string why_no_hand(std::string_view text, HandMessage& message) {
  if (text.size() > kMostHandMessage) return "the message is too long";
  try {
    message = read_hand(HandJson::parse(text.begin(), text.end(), nullptr, false));
    return {};
  } catch (const std::runtime_error& e) {
    return e.what();
  }
}

std::string wrench_message(std::uint32_t answers, const HandWrench& w, bool last) {
  return HandJson{{"abut", "wrench"},
                  {"version", kMessageVersion},
                  {"answers", answers},
                  {"force", {w.force.x(), w.force.y(), w.force.z()}},
                  {"torque", {w.torque.x(), w.torque.y(), w.torque.z()}},
                  {"last", last}}
      .dump();
}

std::string error_message(const std::string& why) {
  return HandJson{{"abut", "error"}, {"version", kMessageVersion}, {"text", why}}.dump();
}

}  // namespace abut::haptic
