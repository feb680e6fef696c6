#include "abut/contact/choose.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "abut/contact/registry.h"
#include "abut/math/suggest.h"
#include "abut/solve/solver.h"

namespace abut {

namespace {

// "post:3" is the word and the number behind the colon, or two, if there are any.
struct Word {
  std::string_view name;
  bool has_number = false;
  double number = 0;
  bool has_second = false;
  double second = 0;
};

Word split(std::string_view text) {
  const std::size_t colon = text.find(':');
  Word w{text.substr(0, colon)};
  if (colon == std::string_view::npos) return w;
  const auto read = [text](std::string_view part) {
    double x = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), x);
    if (error != std::errc() || end != part.data() + part.size() || !std::isfinite(x))
      throw std::invalid_argument(fmt::format("'{}': '{}' is not a number", text, part));
    return x;
  };
  const std::string_view rest = text.substr(colon + 1);
  const std::size_t comma = rest.find(',');
  w.number = read(rest.substr(0, comma));
  if (comma != std::string_view::npos) {
    if (w.name != "baumgarte-acc")
      throw std::invalid_argument(fmt::format("'{}': one number is enough", text));
    w.has_second = true;
    w.second = read(rest.substr(comma + 1));
  }
  w.has_number = true;
  return w;
}

int whole(const Word& w, int least, int most, std::string_view of) {
  const int n = static_cast<int>(std::clamp(w.number, -1e9, 1e9));
  if (n != w.number || n < least || n > most)
    throw std::invalid_argument(
        fmt::format("{}: write a whole number from {} to {}", of, least, most));
  return n;
}

// The value of that name among those of an axis; throws where there is none.
template <class Value>
Value find(std::string_view what, std::string_view text, std::string_view word,
           std::span<const Value> values, std::string_view forms) {
  std::vector<std::string_view> names;
  for (const Value v : values) {
    if (name(v) == word) return v;
    names.push_back(name(v));
  }
  throw std::invalid_argument(fmt::format("there is no {} '{}'{}; there are {}", what, text,
                                          did_you_mean(word, names), forms));
}

std::string joined(std::span<const std::string_view> words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

bool has(std::span<const std::string_view> words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

std::string friction_forms() {
  std::string forms;
  for (const FrictionKind f : frictions())
    forms += fmt::format("{}{}{}", forms.empty() ? "" : ", ", name(f),
                         f == FrictionKind::pyramid ? "[:N]" : "");
  return forms;
}

std::string stabilize_forms() {
  std::string forms;
  for (const Stabilize s : stabilizers()) {
    const std::string_view numbers = is_post(s)                      ? "[:N]"
                                     : s == Stabilize::baumgarte     ? "[:alpha]"
                                     : s == Stabilize::baumgarte_acc ? "[:alpha,beta]"
                                     : s == Stabilize::gamma         ? "[:g]"
                                                                     : "";
    forms += fmt::format("{}{}{}", forms.empty() ? "" : ", ", name(s), numbers);
  }
  return forms;
}

void set_contact(ContactSettings& s, std::string_view text) {
  if (!text.empty()) s.model = contact_model(text).info->name;
}

void set_data(ContactSettings& s, std::string_view text) {
  if (text.empty()) return;
  std::vector<std::string_view> names;
  for (const ContactSource d : contact_sources()) names.push_back(name(d));
  s.data = find("contact data", text, text, contact_sources(), joined(names));
}

void set_friction(ContactSettings& s, std::string_view text) {
  if (text.empty()) return;
  const Word w = split(text);
  const FrictionKind kind = find("friction", text, w.name, frictions(), friction_forms());
  if (w.has_number && kind != FrictionKind::pyramid)
    throw std::invalid_argument(fmt::format("friction '{}' takes no number", text));
  const int directions = w.has_number ? whole(w, 4, 64, "pyramid:N") : s.directions;
  if (directions % 2 != 0)
    throw std::invalid_argument("pyramid:N: write an even number, each direction has its opposite");
  s.friction = kind;
  s.directions = directions;
}

void set_stabilize(ContactSettings& s, std::string_view text) {
  if (text.empty()) return;
  const Word w = split(text);
  if (w.name == "none") {
    s.stabilize = Stabilize::none;
  } else if (w.name == "post" || w.name == "post-pinv" || w.name == "post-plain") {
    s.stabilize = find("stabiliser", text, w.name, stabilizers(), stabilize_forms());
    s.post_steps = w.has_number ? whole(w, 1, 100, fmt::format("{}:N", w.name)) : kPostUntilDone;
  } else if (w.name == "baumgarte-acc") {
    // g'' + alpha g' + beta g = 0 is critically damped where beta = alpha^2 / 4
    s.stabilize = Stabilize::baumgarte_acc;
    s.rate = w.has_number ? w.number : 100;
    s.stiff = w.has_second ? w.second : s.rate * s.rate / 4;
    if (!(s.rate >= 0 && s.stiff >= 0))
      throw std::invalid_argument(
          "baumgarte-acc:alpha,beta: write a rate (1/s) and its square's like (1/s^2), 0 or more");
  } else if (w.name == "baumgarte") {
    s.stabilize = Stabilize::baumgarte;
    s.rate = w.has_number ? w.number : 50;
    if (!(s.rate >= 0))
      throw std::invalid_argument("baumgarte:alpha: write a rate (1/s), 0 or more");
  } else if (w.name == "gamma") {
    s.stabilize = Stabilize::gamma;
    s.rate = w.has_number ? w.number : 1;
    if (!(s.rate >= 0 && s.rate <= 1))
      throw std::invalid_argument("gamma:g: write a number from 0 to 1");
  } else {
    find("stabiliser", text, w.name, stabilizers(), stabilize_forms());
  }
}

void set_stabilize_contacts(ContactSettings& s, std::string_view text) {
  if (text.empty()) return;
  using enum StabilizeContacts;
  static constexpr std::array kAll{automatic, on, off};
  s.stabilize_contacts =
      find("word", text, text, std::span<const StabilizeContacts>(kAll), "auto, on, off");
}

void set_solver(ContactSettings& s, std::string_view text) {
  if (text.empty()) return;
  make_solver(text);  // throws if there is none of that name
  s.solver = text;
}

void set_accuracy(ContactSettings& s, double residual) {
  if (!(residual > 0 && residual < 1))
    throw std::invalid_argument(
        fmt::format("{} is no relative residual: write a number above 0 and below 1", residual));
  s.accuracy = residual;
}

void set_iterations(ContactSettings& s, double most) {
  constexpr double kMostIterations = 1e9;
  if (!(most >= 1 && most <= kMostIterations) || most != std::floor(most))
    throw std::invalid_argument(
        fmt::format("{} is no number of iterations: write 1 to {}", most, kMostIterations));
  s.iterations = static_cast<int>(most);
}

void set_budget(ContactSettings& s, double ms) {
  constexpr double kMostMs = 1e6;
  if (!(ms > 0 && ms <= kMostMs))
    throw std::invalid_argument(fmt::format(
        "{} is no time: write milliseconds a step, above 0 and at most {}", ms, kMostMs));
  if (!info_of(s).has_budget)
    throw std::invalid_argument(
        fmt::format("contact model '{}' takes as long as it needs; use fast, st or ap", s.model));
  s.budget_ms = ms;
}

namespace {

// Of `st.recover`: st's `recover`.
const ModelSetting& own_setting(std::string_view key) {
  const std::size_t dot = key.find('.');
  const ModelInfo& info = *contact_model(key.substr(0, dot)).info;
  const std::string_view of = dot == std::string_view::npos ? "" : key.substr(dot + 1);
  if (const ModelSetting* setting = info.setting(of)) return *setting;
  std::vector<std::string_view> names;
  for (const ModelSetting& s : info.settings) names.push_back(s.name);
  throw std::invalid_argument(fmt::format("contact model '{}' has no setting '{}'{}", info.name, of,
                                          suggestion(of, names)));
}

}  // namespace

void set_own(ContactSettings& s, std::string_view key, std::string_view word) {
  const ModelSetting& setting = own_setting(key);
  if (setting.words.empty())
    throw std::invalid_argument(fmt::format("{} is a number of the world: abut.{}", key, key));
  if (!has(setting.words, word))
    throw std::invalid_argument(
        fmt::format("abut.{} = '{}': there are {}", key, word, joined(setting.words)));
  s.own_words.insert_or_assign(std::string(key), std::string(word));
}

const ModelInfo& info_of(const ContactSettings& s) { return *contact_model(s.model).info; }

ContactSource data_of(const ContactSettings& s) {
  const ModelInfo& info = info_of(s);
  if (s.data != ContactSource::natural) return s.data;
  if (info.data.empty()) return ContactSource::manifold;
  return find("contact data", info.data.front(), info.data.front(), contact_sources(), "");
}

FrictionKind friction_of(const ContactSettings& s) {
  if (s.friction != FrictionKind::natural) return s.friction;
  const ModelInfo& info = info_of(s);
  if (info.friction.empty()) return FrictionKind::cone;
  const std::string_view word =
      info.natural_friction != nullptr ? info.natural_friction(s) : info.friction.front();
  return find("friction", word, word, frictions(), "");
}

bool stabilizes_contacts(const ContactSettings& s) {
  return s.stabilize_contacts != StabilizeContacts::off &&
         has(info_of(s).stabilizes_contacts, name(s.stabilize));
}

ContactSettings resolved(ContactSettings s) {
  s.model = info_of(s).name;  // not its alias
  s.data = data_of(s);
  s.friction = friction_of(s);
  s.stabilize_contacts = stabilizes_contacts(s) ? StabilizeContacts::on : StabilizeContacts::off;
  for (const ModelSetting& setting : info_of(s).settings)
    if (!setting.words.empty())
      s.own_words.try_emplace(fmt::format("{}.{}", s.model, setting.name), setting.standard);
  return s;
}

bool has_contacts(const Model& model, const ContactSettings& settings) {
  return info_of(settings).family != ContactFamily::none && model.option.contact_on &&
         model.option.constraint_on;
}

std::string friction_text(const ContactSettings& s) {
  if (s.friction != FrictionKind::pyramid) return std::string(name(friction_of(s)));
  return fmt::format("pyramid:{}", s.directions);
}

std::string stabilize_text(const ContactSettings& s) {
  switch (s.stabilize) {
    case Stabilize::none:
      return "none";
    case Stabilize::post:
    case Stabilize::post_pinv:
    case Stabilize::post_plain:
      if (s.post_steps == kPostUntilDone) return std::string(name(s.stabilize));
      return fmt::format("{}:{}", name(s.stabilize), s.post_steps);
    case Stabilize::baumgarte_acc:
      return fmt::format("{}:{},{}", name(s.stabilize), s.rate, s.stiff);
    case Stabilize::baumgarte:
    case Stabilize::gamma:
      return fmt::format("{}:{}", name(s.stabilize), s.rate);
  }
  return {};
}

namespace {

struct Known {
  std::string_view key;
  SettingKind kind;
};
constexpr Known kKnown[] = {{"abut.contact", SettingKind::word},
                            {"abut.contact.tolerance", SettingKind::number},
                            {"abut.data", SettingKind::word},
                            {"abut.friction", SettingKind::word},
                            {"abut.friction.static", SettingKind::number},
                            {"abut.friction.stribeck", SettingKind::number},
                            {"abut.friction.viscous", SettingKind::number},
                            {"abut.stabilize", SettingKind::word},
                            {"abut.stabilize.contacts", SettingKind::word},
                            {"abut.solver", SettingKind::word},
                            {"abut.solver.accuracy", SettingKind::number},
                            {"abut.solver.iterations", SettingKind::number},
                            {"abut.restitution", SettingKind::number},
                            {"abut.restitution.law", SettingKind::word},
                            {"abut.impact.time", SettingKind::word},
                            {"abut.haptic.pointer", SettingKind::word},
                            {"abut.haptic.stiffness", SettingKind::number},
                            {"abut.haptic.damping", SettingKind::number},
                            {"abut.haptic.limit", SettingKind::number},
                            {"abut.haptic.scale", SettingKind::number},
                            {"abut.haptic.axes", SettingKind::number},
                            {"abut.haptic.path", SettingKind::number},
                            {"abut.haptic.turn", SettingKind::number},
                            {"abut.haptic.impedance", SettingKind::number},
                            {"abut.mesh", SettingKind::at_load},
                            {"abut.mesh.area", SettingKind::at_load},
                            {"abut.mesh.error", SettingKind::at_load},
                            {"abut.mesh.most", SettingKind::at_load},
                            {"abut.plane", SettingKind::word},
                            {"abut.coordinates", SettingKind::at_load},
                            {"abut.keyframe", SettingKind::word},
                            {"abut.integrator.else", SettingKind::word},
                            {"abut.layer", SettingKind::number}};
// what follows these is a name of the world
constexpr Known kGroups[] = {{"abut.joint.", SettingKind::at_load},
                             {"abut.mesh.of.", SettingKind::at_load},
                             {"abut.layer.", SettingKind::number}};

// Keys of the settings of a model, or of all: "abut.st.recover".
std::vector<std::string> own_keys(const ModelInfo* of) {
  std::vector<std::string> keys;
  for (const ContactModelEntry& m : contact_models())
    if (of == nullptr || of == m.info)
      for (const ModelSetting& s : m.info->settings)
        keys.push_back(fmt::format("abut.{}.{}", m.info->name, s.name));
  return keys;
}

// The model that a key is of: "abut.st.recover"; null: none.
const ModelInfo* model_of(std::string_view key) {
  for (const ContactModelEntry& m : contact_models())
    if (key.starts_with(fmt::format("abut.{}.", m.info->name))) return m.info;
  return nullptr;
}

}  // namespace

SettingKind setting_kind(std::string_view key) {
  for (const Known& known : kKnown)
    if (key == known.key) return known.kind;
  for (const Known& group : kGroups)
    if (key.starts_with(group.key) && key.size() > group.key.size()) return group.kind;
  for (const ContactModelEntry& m : contact_models())
    for (const ModelSetting& s : m.info->settings)
      if (key == fmt::format("abut.{}.{}", m.info->name, s.name))
        return s.words.empty() ? SettingKind::number : SettingKind::word;
  return SettingKind::none;
}

std::vector<std::string> setting_keys() {
  std::vector<std::string> keys = own_keys(nullptr);
  for (const Known& known : kKnown) keys.emplace_back(known.key);
  return keys;
}

namespace {

// A setting that nothing reads is a word misspelt: it would change nothing, and nobody would know.
void check_setting(std::string_view key, const Source& source) {
  if (!key.starts_with("abut.") || setting_kind(key) != SettingKind::none) return;
  const ModelInfo* model = model_of(key);
  const std::vector<std::string> own = model == nullptr ? setting_keys() : own_keys(model);
  const std::vector<std::string_view> near(own.begin(), own.end());
  if (model == nullptr || own.empty())
    throw WorldError(source, fmt::format("unknown setting '{}'{}", key, suggestion(key, near)));
  throw WorldError(source, fmt::format("unknown setting '{}'{}; there are {}", key,
                                       did_you_mean(key, near), joined(near)));
}

void check_settings(const Model& model) {
  for (const auto& [key, value] : model.custom) check_setting(key, value.source);
  for (const TupleDesc& tuple : model.tuples) check_setting(tuple.name, tuple.source);
}

RestitutionLaw law_of(std::string_view text) {
  using enum RestitutionLaw;
  static constexpr std::array kAll{newton, poisson, stronge, sequential};
  return find("law", text, text, std::span<const RestitutionLaw>(kAll),
              "newton, poisson, stronge, sequential");
}

void set_own_of(const NamedValue& value, const std::string& key, ContactSettings& s) {
  try {
    set_own(s, key, value.text);
  } catch (const std::invalid_argument& e) {
    throw WorldError(value.source, e.what());
  }
}

bool regresses(std::string_view text) {
  if (text != "step" && text != "regress")
    throw std::invalid_argument(fmt::format("'{}': there are step, regress", text));
  return text == "regress";
}

}  // namespace

ContactSettings contact_settings(const Model& model) {
  check_settings(model);
  ContactSettings s;
  s.model = contact_models().front().info->name;
  const auto word = [&](const std::string& key, auto&& set) {
    const auto it = model.custom.find(key);
    if (it == model.custom.end()) return;
    try {
      set(it->second.text);
    } catch (const std::invalid_argument& e) {
      throw WorldError(it->second.source, fmt::format("{}: {}", key, e.what()));
    }
  };
  word("abut.contact", [&](const std::string& t) { set_contact(s, t); });
  word("abut.data", [&](const std::string& t) { set_data(s, t); });
  word("abut.friction", [&](const std::string& t) { set_friction(s, t); });
  word("abut.stabilize", [&](const std::string& t) { set_stabilize(s, t); });
  word("abut.stabilize.contacts", [&](const std::string& t) { set_stabilize_contacts(s, t); });
  word("abut.solver", [&](const std::string& t) { set_solver(s, t); });
  const auto number = [&](const std::string& key, auto&& set) {
    const auto it = model.custom.find(key);
    if (it == model.custom.end() || it->second.numbers.empty()) return;
    try {
      set(s, it->second.numbers[0]);
    } catch (const std::invalid_argument& e) {
      throw WorldError(it->second.source, fmt::format("{}: {}", key, e.what()));
    }
  };
  number("abut.solver.accuracy", set_accuracy);
  number("abut.solver.iterations", set_iterations);
  word("abut.restitution.law", [&](const std::string& t) { s.law = law_of(t); });
  word("abut.impact.time", [&](const std::string& t) { s.regress = regresses(t); });
  for (const ContactModelEntry& m : contact_models())
    for (const ModelSetting& setting : m.info->settings) {
      const std::string key = fmt::format("{}.{}", m.info->name, setting.name);
      if (const auto it = model.custom.find("abut." + key);
          it != model.custom.end() && !setting.words.empty())
        set_own_of(it->second, key, s);
    }
  if (const auto it = model.custom.find("abut.contact.tolerance");
      it != model.custom.end() && !it->second.numbers.empty()) {
    s.tolerance = it->second.numbers[0];
    if (!(s.tolerance >= 0 && s.tolerance < 1))
      throw WorldError(it->second.source,
                       "abut.contact.tolerance: write a part of the size, from 0 to 1");
  }
  return s;
}

}  // namespace abut
