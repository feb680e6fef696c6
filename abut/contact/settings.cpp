#include "abut/contact/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include "abut/load/suggest.h"
#include "abut/solve/solver.h"

namespace abut {

std::string_view name(ContactModel model) {
  switch (model) {
    case ContactModel::none:
      return "none";
    case ContactModel::st:
      return "st";
    case ContactModel::ap:
      return "ap";
    case ContactModel::baraff:
      return "baraff";
    case ContactModel::deepest:
      return "deepest";
    case ContactModel::volumetric:
      return "volumetric";
    case ContactModel::multipoint:
      return "multipoint";
    case ContactModel::quasirigid:
      return "quasirigid";
    case ContactModel::peg:
      return "peg";
    case ContactModel::peg_paper:
      return "peg-paper";
    case ContactModel::lnc:
      return "lnc";
  }
  return "";
}

bool knows_features(ContactModel model) {
  return model == ContactModel::peg || model == ContactModel::peg_paper ||
         model == ContactModel::lnc;
}

std::string_view name(ContactSource data) {
  switch (data) {
    case ContactSource::natural:
      return "natural";
    case ContactSource::manifold:
      return "manifold";
    case ContactSource::features:
      return "features";
    case ContactSource::deepest:
      return "deepest";
    case ContactSource::volume:
      return "volume";
    case ContactSource::vertices:
      return "vertices";
  }
  return "";
}

void set_data(ContactSettings& s, std::string_view text) {
  if (text.empty()) return;
  for (const ContactSource d :
       {ContactSource::manifold, ContactSource::features, ContactSource::deepest,
        ContactSource::volume, ContactSource::vertices})
    if (text == name(d)) {
      s.data = d;
      return;
    }
  throw std::invalid_argument(fmt::format(
      "contact data '{}' is not built; there are manifold, features, deepest, volume, vertices",
      text));
}

std::string_view name(FrictionKind friction) {
  switch (friction) {
    case FrictionKind::natural:
      return "natural";
    case FrictionKind::none:
      return "none";
    case FrictionKind::cone:
      return "cone";
    case FrictionKind::pyramid:
      return "pyramid";
    case FrictionKind::slip:
      return "slip";
    case FrictionKind::viscous:
      return "viscous";
    case FrictionKind::springs:
      return "springs";
    case FrictionKind::anchor:
      return "anchor";
    case FrictionKind::stribeck:
      return "stribeck";
    case FrictionKind::linear:
      return "linear";
  }
  return "";
}

std::string_view name(RestitutionLaw law) {
  switch (law) {
    case RestitutionLaw::newton:
      return "newton";
    case RestitutionLaw::poisson:
      return "poisson";
    case RestitutionLaw::stronge:
      return "stronge";
    case RestitutionLaw::sequential:
      return "sequential";
  }
  return "";
}

bool has_impacts(ContactModel model) {
  return model == ContactModel::baraff || model == ContactModel::multipoint;
}

bool is_penalty(ContactModel model) {
  return model == ContactModel::deepest || model == ContactModel::volumetric ||
         model == ContactModel::multipoint || model == ContactModel::quasirigid;
}

ContactSource data_of(const ContactSettings& s) {
  if (s.data != ContactSource::natural) return s.data;
  if (s.model == ContactModel::deepest) return ContactSource::deepest;
  if (s.model == ContactModel::volumetric || s.model == ContactModel::quasirigid)
    return ContactSource::volume;
  if (s.model == ContactModel::multipoint) return ContactSource::vertices;
  return knows_features(s.model) ? ContactSource::features : ContactSource::manifold;
}

bool has_explicit_layers(const ContactSettings& s, Integrator integrator) {
  if (s.model != ContactModel::quasirigid) return false;
  switch (friction_of(s)) {
    case FrictionKind::cone:
    case FrictionKind::pyramid:
      return false;
    case FrictionKind::none:
      return s.explicit_layers || integrator == Integrator::rk4;
    default:
      return true;
  }
}

FrictionKind friction_of(const ContactSettings& s) {
  if (s.friction != FrictionKind::natural) return s.friction;
  if (s.model == ContactModel::baraff) return FrictionKind::none;
  if (s.model == ContactModel::quasirigid && !s.explicit_layers) return FrictionKind::cone;
  return is_penalty(s.model) ? FrictionKind::anchor : FrictionKind::cone;
}

std::string_view name(Stabilize stabilize) {
  switch (stabilize) {
    case Stabilize::none:
      return "none";
    case Stabilize::post:
      return "post";
    case Stabilize::post_pinv:
      return "post-pinv";
    case Stabilize::baumgarte:
      return "baumgarte";
    case Stabilize::baumgarte_acc:
      return "baumgarte-acc";
    case Stabilize::gamma:
      return "gamma";
  }
  return "";
}

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

}  // namespace

void set_contact(ContactSettings& s, std::string_view text) {
  if (text.empty()) return;
  if (text == "pm") text = "deepest";
  for (const ContactModel m :
       {ContactModel::none, ContactModel::st, ContactModel::ap, ContactModel::peg,
        ContactModel::peg_paper, ContactModel::lnc, ContactModel::baraff, ContactModel::deepest,
        ContactModel::volumetric, ContactModel::multipoint, ContactModel::quasirigid})
    if (text == name(m)) {
      s.model = m;
      return;
    }
  throw std::invalid_argument(fmt::format(
      "contact model '{}' is not built; there are none, st, ap, peg, peg-paper, lnc, baraff, "
      "deepest (pm), volumetric, multipoint, quasirigid",
      text));
}

void set_friction(ContactSettings& s, std::string_view text) {
  if (text.empty()) return;
  const Word w = split(text);
  for (const FrictionKind kind :
       {FrictionKind::none, FrictionKind::cone, FrictionKind::slip, FrictionKind::viscous,
        FrictionKind::springs, FrictionKind::anchor, FrictionKind::stribeck,
        FrictionKind::linear}) {
    if (w.name != name(kind)) continue;
    if (w.has_number)
      throw std::invalid_argument(fmt::format("friction '{}' takes no number", text));
    s.friction = kind;
    return;
  }
  if (w.name == "pyramid") {
    s.friction = FrictionKind::pyramid;
    if (w.has_number) s.directions = whole(w, 4, 64, "pyramid:N");
    if (s.directions % 2 != 0)
      throw std::invalid_argument(
          "pyramid:N: write an even number, each direction has its opposite");
  } else {
    throw std::invalid_argument(
        fmt::format("friction '{}' is not built; there are none, cone, pyramid[:N], slip, viscous, "
                    "springs, anchor, stribeck, linear",
                    text));
  }
}

void set_stabilize(ContactSettings& s, std::string_view text) {
  if (text.empty()) return;
  const Word w = split(text);
  if (w.name == "none") {
    s.stabilize = Stabilize::none;
  } else if (w.name == "post") {
    s.stabilize = Stabilize::post;
    s.post_steps = w.has_number ? whole(w, 1, 100, "post:N") : 1;
  } else if (w.name == "post-pinv") {
    s.stabilize = Stabilize::post_pinv;
    s.post_steps = w.has_number ? whole(w, 1, 100, "post-pinv:N") : 1;
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
    throw std::invalid_argument(fmt::format(
        "stabiliser '{}' is not built; there are none, post[:N], post-pinv[:N], baumgarte[:alpha], "
        "baumgarte-acc[:alpha,beta], gamma[:g]",
        text));
  }
}

void set_stabilize_contacts(ContactSettings& s, std::string_view text) {
  if (text.empty()) return;
  for (const StabilizeContacts w :
       {StabilizeContacts::automatic, StabilizeContacts::on, StabilizeContacts::off})
    if (text == name(w)) {
      s.stabilize_contacts = w;
      return;
    }
  throw std::invalid_argument(fmt::format("'{}': there are auto, on, off", text));
}

std::string_view name(StabilizeContacts which) {
  switch (which) {
    case StabilizeContacts::automatic:
      return "auto";
    case StabilizeContacts::on:
      return "on";
    case StabilizeContacts::off:
      return "off";
  }
  return "";
}

bool stabilizes_contacts(const ContactSettings& s) {
  if (s.stabilize_contacts == StabilizeContacts::off || s.model == ContactModel::none ||
      is_penalty(s.model) || knows_features(s.model))
    return false;
  switch (s.stabilize) {
    case Stabilize::post:
    case Stabilize::post_pinv:
      return true;
    case Stabilize::baumgarte:
    case Stabilize::gamma:
      return s.model == ContactModel::ap;
    case Stabilize::baumgarte_acc:
      return s.model == ContactModel::baraff;
    case Stabilize::none:
      return false;
  }
  return false;
}

void set_solver(ContactSettings& s, std::string_view text) {
  if (text.empty()) return;
  make_solver(text);  // throws if there is none of that name
  s.solver = text;
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
      if (s.post_steps == 1) return std::string(name(s.stabilize));
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

// A setting that nothing reads is a word misspelt: it would change nothing, and nobody would know.
// Those of one contact model or of a joint (abut.deepest.kp) are checked where they are read.
void check_settings(const Model& model) {
  static constexpr std::string_view kKnown[] = {"abut.contact",
                                                "abut.contact.tolerance",
                                                "abut.data",
                                                "abut.friction",
                                                "abut.friction.static",
                                                "abut.friction.stribeck",
                                                "abut.friction.viscous",
                                                "abut.stabilize",
                                                "abut.solver",
                                                "abut.restitution",
                                                "abut.restitution.law",
                                                "abut.impact.time",
                                                "abut.stabilize.contacts",
                                                "abut.plane",
                                                "abut.coordinates",
                                                "abut.keyframe",
                                                "abut.integrator.else",
                                                "abut.st.recover",
                                                "abut.st.contacts",
                                                "abut.peg.relinearize",
                                                "abut.layer"};
  static constexpr std::string_view kGroups[] = {
      "abut.deepest.",    "abut.baraff.",     "abut.joint.", "abut.multipoint.",
      "abut.volumetric.", "abut.quasirigid.", "abut.layer.", "abut.fast."};
  const auto check = [&](std::string_view key, const Source& source) {
    if (!key.starts_with("abut.")) return;
    for (const std::string_view group : kGroups)
      if (key.starts_with(group)) return;
    if (std::find(std::begin(kKnown), std::end(kKnown), key) == std::end(kKnown))
      throw WorldError(source, fmt::format("unknown setting '{}'{}", key, suggestion(key, kKnown)));
  };
  for (const auto& [key, value] : model.custom) check(key, value.source);
  for (const TupleDesc& tuple : model.tuples) check(tuple.name, tuple.source);
}

}  // namespace

ContactSettings contact_settings(const Model& model) {
  check_settings(model);
  ContactSettings s;
  const auto word = [&](const char* key, auto&& set) {
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
  word("abut.restitution.law", [&](const std::string& t) {
    for (const RestitutionLaw law : {RestitutionLaw::newton, RestitutionLaw::poisson,
                                     RestitutionLaw::stronge, RestitutionLaw::sequential})
      if (t == name(law)) {
        s.law = law;
        return;
      }
    throw std::invalid_argument(fmt::format("'{}': there are newton, poisson, stronge, sequential", t));
  });
  word("abut.impact.time", [&](const std::string& t) {
    if (t != "step" && t != "regress")
      throw std::invalid_argument(fmt::format("'{}': there are step, regress", t));
    s.regress = t == "regress";
  });
  word("abut.st.recover", [&](const std::string& t) {
    if (t != "velocity" && t != "post")
      throw std::invalid_argument(fmt::format("'{}': there are post, velocity", t));
    s.recover_velocity = t == "velocity";
  });
  word("abut.st.contacts", [&](const std::string& t) {
    if (t != "meeting" && t != "start")
      throw std::invalid_argument(fmt::format("'{}': there are meeting, start", t));
    s.contacts_of_start = t == "start";
  });
  word("abut.quasirigid.step", [&](const std::string& t) {
    if (t != "implicit" && t != "explicit")
      throw std::invalid_argument(fmt::format("'{}': there are implicit, explicit", t));
    s.explicit_layers = t == "explicit";
  });
  word("abut.peg.relinearize", [&](const std::string& t) {
    if (t != "on" && t != "off")
      throw std::invalid_argument(fmt::format("'{}': there are on, off", t));
    s.relinearize = t == "on";
  });
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
