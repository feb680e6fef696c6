// Sweep files: TOML or JSON into a SweepPlan.
#define TOML_ENABLE_FORMATTERS 0
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "abut/math/hash.h"
#include "abut/math/suggest.h"
#include "abut/sweep/plan.h"
#include "abut/version.h"

namespace abut {

namespace {

namespace fs = std::filesystem;
using SweepJson = nlohmann::ordered_json;

constexpr double kMostRuns = 1e9;

std::string whole_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream all;
  all << in.rdbuf();
  return std::move(all).str();
}

// The text of a plan, to name the line of a key in messages.
struct PlanText {
  std::string name, text;

  [[noreturn]] void fail(std::string_view key, const std::string& why) const {
    const auto at = key.empty() ? text.npos : text.find(key.substr(key.rfind('.') + 1));
    if (at == text.npos) throw SweepError(name + ": " + why);
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<long>(at), '\n');
    throw SweepError(fmt::format("{}:{}: {}", name, line, why));
  }
  void check_words(const SweepJson& object, std::initializer_list<std::string_view> words) const {
    for (const auto& [key, value] : object.items())
      if (std::find(words.begin(), words.end(), key) == words.end())
        fail(key, fmt::format("'{}': no such field{}; there are: {}", key,
                              did_you_mean(key, std::span(words.begin(), words.size())),
                              fmt::join(words, ", ")));
  }
};

SweepJson to_sweep_json(const toml::node& node) {
  if (const auto* table = node.as_table()) {
    SweepJson j = SweepJson::object();
    for (const auto& [key, value] : *table) j[std::string(key.str())] = to_sweep_json(value);
    return j;
  }
  if (const auto* array = node.as_array()) {
    SweepJson j = SweepJson::array();
    for (const auto& value : *array) j.push_back(to_sweep_json(value));
    return j;
  }
  if (const auto* x = node.as_integer()) return x->get();
  if (const auto* x = node.as_floating_point()) return x->get();
  if (const auto* x = node.as_boolean()) return x->get();
  if (const auto* x = node.as_string()) return x->get();
  return nullptr;  // dates
}

// As one would write it after --set.
std::string value_text(const SweepJson& value, const std::string& key, const PlanText& where) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_boolean()) return value.get<bool>() ? "on" : "off";
  if (value.is_number_integer()) return value.dump();
  if (value.is_number() && std::isfinite(value.get<double>()))
    return number_text(value.get<double>());
  if (value.is_array() && !value.empty()) {
    std::vector<std::string> parts;
    for (const SweepJson& x : value) {
      if (x.is_array() || x.is_object())
        where.fail(key, key + ": a value is a number, a word or a list of numbers");
      parts.push_back(value_text(x, key, where));
    }
    return fmt::format("{}", fmt::join(parts, ","));
  }
  where.fail(key, key + ": a value is a number, a word or a list of numbers");
}

// Calls visit(key, value) for every entry. Tables in tables are keys with dots in them, as TOML
// reads `multipoint.ki = 2`; is_value() says what is no such table.
template <class IsValue, class Visit>
void for_each_entry(const SweepJson& table, const std::string& prefix, const IsValue& is_value,
                    const Visit& visit) {
  for (const auto& [key, value] : table.items()) {
    const std::string whole = prefix.empty() ? key : prefix + "." + key;
    if (value.is_object() && !is_value(value))
      for_each_entry(value, whole, is_value, visit);
    else
      visit(whole, value);
  }
}

double number_of(const SweepJson& value, const std::string& key, const PlanText& where) {
  if (!value.is_number() || !std::isfinite(value.get<double>()))
    where.fail(key, key + ": write a number");
  return value.get<double>();
}

std::vector<double> numbers_of(const SweepJson& value, const std::string& key,
                               const PlanText& where) {
  if (value.is_number()) return {number_of(value, key, where)};
  if (!value.is_array() || value.empty())
    where.fail(key, key + ": write a number or a list of numbers");
  std::vector<double> x;
  for (const SweepJson& one : value) x.push_back(number_of(one, key, where));
  return x;
}

// [values] or {from, to, count, log}
SweepAxis axis_of(const std::string& key, const SweepJson& value, const PlanText& where) {
  SweepAxis axis{key, {}};
  if (value.is_array() && !value.empty()) {
    for (const SweepJson& x : value) axis.values.push_back(value_text(x, key, where));
    return axis;
  }
  if (!value.is_object())
    where.fail(key, key + ": write a list of values, or {from = .., to = .., count = ..}");
  where.check_words(value, {"from", "to", "count", "log"});
  for (const char* word : {"from", "to", "count"})
    if (!value.contains(word)) where.fail(key, fmt::format("{}: '{}' is missing", key, word));
  double from = number_of(value["from"], key, where), to = number_of(value["to"], key, where);
  const double count = number_of(value["count"], key, where);
  const bool log = value.value("log", false);
  if (count < 1 || count != std::floor(count) || count > kMostRuns)
    where.fail(key, key + ": count is a whole number, 1 or more");
  if (log && !(from > 0 && to > 0))
    where.fail(key, key + ": from and to must be positive with log");
  if (log) from = std::log(from), to = std::log(to);
  for (int i = 0; i < static_cast<int>(count); ++i) {
    const double x = count == 1 ? from : from + (to - from) * i / (count - 1);
    axis.values.push_back(number_text(log ? std::exp(x) : x));
  }
  return axis;
}

struct DrawWord {
  std::string_view name;
  DrawKind kind;
};
constexpr DrawWord kDrawWords[] = {
    {"uniform", DrawKind::uniform}, {"log", DrawKind::log},       {"normal", DrawKind::normal},
    {"integer", DrawKind::integer}, {"choice", DrawKind::choice}, {"rotation", DrawKind::rotation}};

bool is_draw(const SweepJson& value) {
  return value.size() == 1 &&
         std::any_of(std::begin(kDrawWords), std::end(kDrawWords),
                     [&](const DrawWord& w) { return value.contains(w.name); });
}

SweepDraw draw_of(const std::string& key, const SweepJson& value, const PlanText& where) {
  if (!value.is_object() || !is_draw(value))
    where.fail(key, key +
                        ": write one of {uniform = [low, high]}, {log = [low, high]}, {normal = "
                        "[mean, deviation]}, {integer = [low, high]}, {choice = [..]}, "
                        "{rotation = true}");
  SweepDraw d{key, DrawKind::uniform, {}, {}, {}};
  const SweepJson& of = value.begin().value();
  for (const DrawWord& w : kDrawWords)
    if (value.contains(w.name)) d.kind = w.kind;
  if (d.kind == DrawKind::rotation) return d;
  if (!of.is_array() || of.empty()) where.fail(key, key + ": write a list");
  if (d.kind == DrawKind::choice) {
    for (const SweepJson& x : of) d.choices.push_back(value_text(x, key, where));
    return d;
  }
  if (of.size() != 2) where.fail(key, key + ": write two numbers, or two lists of numbers");
  d.low = numbers_of(of[0], key, where), d.high = numbers_of(of[1], key, where);
  if (d.low.size() != d.high.size()) where.fail(key, key + ": both lists must be of one length");
  for (std::size_t i = 0; i < d.low.size(); ++i) {
    const double low = d.low[i], high = d.high[i];
    if (d.kind == DrawKind::log && !(low > 0))
      where.fail(key, key + ": log wants positive numbers");
    if (d.kind == DrawKind::normal ? !(high >= 0) : !(low <= high))
      where.fail(key, key + (d.kind == DrawKind::normal ? ": the deviation must not be negative"
                                                        : ": low must not be above high"));
    if (d.kind == DrawKind::integer && (low != std::floor(low) || high != std::floor(high) ||
                                        std::max(std::abs(low), std::abs(high)) > kMostRuns))
      where.fail(key, key + ": integer wants whole numbers");
  }
  return d;
}

std::int64_t count_of(const SweepJson& j, const char* field, std::int64_t standard,
                      const PlanText& where) {
  if (!j.contains(field)) return standard;
  const double x = number_of(j[field], field, where);
  if (x < 1 || x != std::floor(x) || x > kMostRuns)
    where.fail(field, fmt::format("{}: a whole number, 1 or more", field));
  return static_cast<std::int64_t>(x);
}

void check_keys_once(const SweepPlan& plan, const PlanText& where) {
  std::set<std::string> seen;
  const auto add = [&](const std::string& key) {
    if (!seen.insert(key).second) where.fail(key, key + ": is given more than once");
  };
  for (const SweepValue& v : plan.set) add(v.key);
  for (const SweepAxis& a : plan.grid) add(a.key);
  for (const SweepDraw& d : plan.random) add(d.key);
}

SweepPlan plan_of(const SweepJson& j, const PlanText& where, const fs::path& folder,
                  const FindWorld& find_world) {
  if (!j.is_object()) where.fail("", "a sweep is a table of fields, world = .. first");
  where.check_words(j, {"world", "seed", "runs", "set", "grid", "random", "measure"});
  if (!j.contains("world") || !j["world"].is_string())
    where.fail("world", "world: write the file or the name of a world");
  SweepPlan plan;
  plan.world = j["world"].get<std::string>();
  plan.folder = folder;
  plan.file = find_world(plan.world, folder);
  plan.seed = static_cast<std::uint64_t>(count_of(j, "seed", 1, where));
  for (const char* field : {"set", "grid", "random"})
    if (j.contains(field) && !j[field].is_object())
      where.fail(field, fmt::format("{}: write a table, key = ..", field));
  if (j.contains("set"))
    for_each_entry(
        j["set"], "", [](const SweepJson&) { return false; },
        [&](const std::string& key, const SweepJson& v) {
          plan.set.push_back({key, value_text(v, key, where)});
        });
  if (j.contains("grid"))
    for_each_entry(
        j["grid"], "", [](const SweepJson& v) { return v.contains("from"); },
        [&](const std::string& key, const SweepJson& v) {
          plan.grid.push_back(axis_of(key, v, where));
        });
  if (j.contains("random"))
    for_each_entry(j["random"], "", is_draw, [&](const std::string& key, const SweepJson& v) {
      plan.random.push_back(draw_of(key, v, where));
    });
  plan.draws = count_of(j, "runs", 1, where);
  if (plan.random.empty() && plan.draws > 1)
    where.fail("runs", "runs: all would be the same; a table [random] says what differs");
  double runs = static_cast<double>(plan.draws);
  for (const SweepAxis& axis : plan.grid) runs *= static_cast<double>(axis.values.size());
  if (runs > kMostRuns) where.fail("grid", fmt::format("{:g} runs are more than 1e9", runs));
  plan.measures = {"energy.kinetic", "energy.potential", "penetration_end.max",
                   "contact_force_total"};
  if (j.contains("measure")) {
    if (!j["measure"].is_array()) where.fail("measure", "measure: write a list of names");
    plan.measures.clear();
    for (const SweepJson& m : j["measure"]) {
      if (!m.is_string()) where.fail("measure", "measure: write a list of names");
      plan.measures.push_back(m.get<std::string>());
    }
  }
  check_keys_once(plan, where);
  Hash h;
  h.text(j.dump(-1, ' ', false, SweepJson::error_handler_t::replace));
  h.text(whole_file(plan.file));
  h.text(version());
  plan.digest = h.digest();
  return plan;
}

}  // namespace

fs::path file_beside(const std::string& name, const fs::path& folder) {
  std::error_code ignored;
  const fs::path beside = folder / name;
  return fs::is_regular_file(beside, ignored) ? beside : fs::path(name);
}

SweepPlan parse_sweep(std::string_view json, const std::string& name, const fs::path& folder,
                      const FindWorld& find_world) {
  const PlanText where{name, std::string(json)};
  SweepJson j;
  try {
    j = SweepJson::parse(json);
  } catch (const SweepJson::parse_error& e) {
    const auto end = std::min(e.byte, json.size());
    const auto line = 1 + std::count(json.begin(), json.begin() + static_cast<long>(end), '\n');
    throw SweepError(fmt::format("{}:{}: is no JSON here", name, line));
  }
  return plan_of(j, where, folder, find_world);
}

SweepPlan read_sweep(const fs::path& file, const FindWorld& find_world) {
  std::error_code ignored;
  if (!fs::is_regular_file(file, ignored)) throw SweepError(file.string() + ": no such file");
  const std::string text = whole_file(file);
  if (file.extension() == ".json")
    return parse_sweep(text, file.string(), file.parent_path(), find_world);
  if (file.extension() != ".toml")
    throw SweepError(file.string() + ": a sweep is a .toml or a .json file");
  try {
    const toml::table table = toml::parse(text);
    return plan_of(to_sweep_json(table), {file.string(), text}, file.parent_path(), find_world);
  } catch (const toml::parse_error& e) {
    throw SweepError(fmt::format("{}:{}: {}", file.string(), e.source().begin.line,
                                 std::string(e.description())));
  }
}

}  // namespace abut
