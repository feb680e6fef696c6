#include "abut/view/live/command.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

namespace abut::view {

namespace {

using Json = nlohmann::json;
using Do = Command::Do;

constexpr std::array<std::string_view, 24> kWords = {
    "play",      "pause",    "step",     "back",  "reset",   "seek",  "undo",    "speed",
    "grab",      "hand",     "twist",    "push",  "release", "throw", "contact", "friction",
    "stabilize", "timestep", "keyframe", "lanes", "control", "joint", "show",    "seen"};

// Nothing that a page says is nested deeper, or has more parts.
constexpr int kMostDepth = 3;
constexpr double kFarthest = 1e9;  // m, of a point
constexpr std::size_t kLongestName = 64;

class Reader {
 public:
  explicit Reader(const Json& j) : j_(j) {}

  const Json& field(const char* key) const {
    const auto it = j_.find(key);
    if (it == j_.end()) throw CommandError(fmt::format("'{}' is missing", key));
    return *it;
  }
  double number(const char* key, double low, double high) const {
    return number(field(key), key, low, high);
  }
  std::int64_t whole(const char* key, std::int64_t low, std::int64_t high) const {
    const Json& x = field(key);
    if (!x.is_number_integer() && !x.is_number_unsigned())
      throw CommandError(fmt::format("'{}' is to be a whole number", key));
    if (x.is_number_unsigned() && x.get<std::uint64_t>() > std::uint64_t{1} << 62)
      throw CommandError(fmt::format("'{}' is out of range", key));
    const auto n = x.get<std::int64_t>();
    if (n < low || n > high) throw CommandError(fmt::format("'{}' is out of range", key));
    return n;
  }
  std::int64_t whole_or(const char* key, std::int64_t low, std::int64_t high,
                        std::int64_t other) const {
    return j_.contains(key) ? whole(key, low, high) : other;
  }
  Vec3 vec(const char* key, double most) const {
    const Json& x = field(key);
    if (!x.is_array() || x.size() != 3)
      throw CommandError(fmt::format("'{}' is to be three numbers", key));
    Vec3 v;
    for (int i = 0; i < 3; ++i) v[i] = number(x[static_cast<std::size_t>(i)], key, -most, most);
    return v;
  }
  std::string text(const char* key) const { return text(field(key), key); }
  std::vector<std::string> texts(const char* key, std::size_t most) const {
    const Json& x = field(key);
    if (!x.is_array() || x.empty() || x.size() > most)
      throw CommandError(fmt::format("'{}' is to be a list of 1 to {} names", key, most));
    std::vector<std::string> out;
    for (const Json& one : x) out.push_back(text(one, key));
    return out;
  }
  bool yes(const char* key) const {
    const auto it = j_.find(key);
    return it != j_.end() && it->is_boolean() && it->get<bool>();
  }

 private:
  static double number(const Json& x, const char* key, double low, double high) {
    if (!x.is_number()) throw CommandError(fmt::format("'{}' is to be a number", key));
    const double value = x.get<double>();
    if (!std::isfinite(value) || value < low || value > high)
      throw CommandError(fmt::format("'{}' is out of range", key));
    return value;
  }
  static std::string text(const Json& x, const char* key) {
    if (!x.is_string()) throw CommandError(fmt::format("'{}' is to be a name", key));
    std::string s = x.get<std::string>();
    if (s.size() > kLongestName) throw CommandError(fmt::format("'{}' is too long", key));
    return s;
  }
  const Json& j_;
};

Json parsed(std::string_view text) {
  if (text.size() > kMostCommandBytes) throw CommandError("the message is too long");
  // depth before anything is built: a message of brackets alone must not cost
  const Json::parser_callback_t shallow = [](int depth, Json::parse_event_t, Json&) {
    if (depth > kMostDepth) throw CommandError("the message is nested too deep");
    return true;
  };
  try {
    return Json::parse(text.begin(), text.end(), shallow);
  } catch (const Json::exception&) {
    throw CommandError("the message is no JSON");
  }
}

}  // namespace

std::string_view name(Do what) { return kWords[static_cast<std::size_t>(what)]; }

Command parse_command(std::string_view text) {
  const Json j = parsed(text);
  if (!j.is_object()) throw CommandError("the message is to be an object with \"do\"");
  const Reader r(j);
  const std::string word = r.text("do");
  const auto it = std::find(kWords.begin(), kWords.end(), word);
  if (it == kWords.end()) throw CommandError("\"do\" is none of the words there are");
  Command c;
  c.what = static_cast<Do>(it - kWords.begin());
  constexpr std::int64_t kMostBodies = 1 << 30;
  switch (c.what) {
    case Do::step:
    case Do::back:
      c.count = r.whole_or("n", 1, 1000, 1);
      break;
    case Do::seek:
      c.count = r.whole("step", 0, std::int64_t{1} << 52);
      break;
    case Do::speed:
      c.value = r.number("value", 0.001, 100);
      break;
    case Do::grab:
      c.body = static_cast<int>(r.whole("body", 0, kMostBodies));
      c.at = r.vec("point", kFarthest);
      c.to = r.vec("target", kFarthest);
      break;
    case Do::hand:
      c.to = r.vec("move", 10);
      c.at = r.vec("turn", 10);
      c.count = r.whole_or("buttons", 0, 0xffffffff, 0);
      break;
    case Do::twist:
      c.body = static_cast<int>(r.whole("body", 0, kMostBodies));
      c.at = r.vec("turn", 100);
      break;
    case Do::push:
      c.at = r.vec("point", kFarthest);
      c.value = r.number("radius", 1e-9, kFarthest);
      break;
    case Do::throw_box:
      c.at = r.vec("position", kFarthest);
      c.to = r.vec("velocity", 1e6);
      c.value = r.number("size", 1e-9, 1e6);
      break;
    case Do::contact:
    case Do::friction:
    case Do::stabilize:
      c.lane = static_cast<int>(r.whole_or("lane", 0, kMostLanes - 1, 0));
      c.name = r.text("value");
      break;
    case Do::timestep:
      c.value = r.number("value", 1e-9, 10);
      break;
    case Do::keyframe:
      c.name = r.text("name");
      break;
    case Do::lanes:
      c.names = r.texts("contact", kMostLanes);
      break;
    case Do::control:
    case Do::joint:
      c.count = r.whole("index", 0, kMostBodies);
      c.value = r.number("value", -1e12, 1e12);
      break;
    case Do::show:
      c.show = {r.yes("contacts"),  r.yes("features"), r.yes("volumes"),
                r.yes("boxes"),     r.yes("joints"),   true,
                r.yes("velocities")};
      break;
    default:
      break;
  }
  return c;
}

}  // namespace abut::view
