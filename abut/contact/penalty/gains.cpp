#include "abut/contact/penalty/gains.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "abut/dynamics/bias.h"
#include "abut/solve/problem.h"

namespace abut {

namespace {

constexpr double kSag = 1e-3;         // of the size
constexpr double kRatio = 2.0 / 100;  // k_i / k_p of seed 000
constexpr double kPaperZeta = 0.37;   // spec H-E6: what stops seed 004's cube in its 70 steps
constexpr double kForget = 0.85;      // seed 000: 0.8 to 0.9

// The lighter of two is what the other most likely carries; what is fixed carries all.
double carried(double mass_a, double mass_b) {
  return mass_a > 0 && mass_b > 0 ? std::min(mass_a, mass_b) : std::max(mass_a, mass_b);
}

bool is_robot(const Model& model, const Mobility& mobility, int geom) {
  const int tree = mobility.tree(geom);
  return tree >= 0 && !model.trees[static_cast<std::size_t>(tree)].free_body;
}

constexpr int kMostParts = 8, kMostLoaded = 64;  // from the sizes; for loads that are there
// Of what a contact is thought to carry, or gains are for: more than that is a blow.
constexpr double kMostLoads = 3;
constexpr double kAlong = 0.2;  // of the stiffness for a load, along the surface

// Largest k with 2 a + b = kStable: b in sqrt(k) is h^2 w, a is 2 zeta h sqrt(m) w.
double most_stiff(double h, double zeta, double m, double w) {
  const double b = h * h * w, a = 4 * zeta * h * std::sqrt(m) * w;
  const double root = (-a + std::sqrt(a * a + 4 * b * GainTable::kStable)) / (2 * b);
  return root * root;
}

}  // namespace

double loaded_mass(double mass_a, double mass_b) {
  return std::min(std::max(mass_a, mass_b), 4 * carried(mass_a, mass_b));
}

int step_parts(const Model& model, const Collider& collider, const Mobility& mobility,
               std::string_view name, bool free_gains) {
  const std::string key = fmt::format("{}.parts", name);
  if (const auto it = model.custom.find(key); it != model.custom.end()) {
    const std::vector<double>& x = it->second.numbers;
    if (x.size() != 1 || x[0] != std::floor(x[0]) || x[0] < 1 || x[0] > 1000)
      throw WorldError(it->second.source,
                       fmt::format("{}: write in how many parts a step is taken, 1 to 1000", key));
    return static_cast<int>(x[0]);
  }
  if (!free_gains) return 1;
  const double h = model.option.timestep, g = gravity(model).norm();
  double most = 0;
  collider.filter().for_each_pair([&](int a, int b) {
    const double m = mobility.reduced_mass(a, b), L = mobility.size(a, b);
    if (m <= 0 || L <= 0 || is_robot(model, mobility, a) || is_robot(model, mobility, b)) return;
    const double weight = g * loaded_mass(mobility.mass(a), mobility.mass(b));
    most = std::max(most, h * h * GainTable::kLoads * weight / (kSag * L * GainTable::kAtEase * m));
  });
  return std::clamp(static_cast<int>(std::ceil(std::sqrt(most))), 1, kMostParts);
}

GainTable::GainTable(const Model& model, const Collider& collider, const GainKind& kind)
    : model_(model),
      name_(fmt::format("abut.{}", kind.name)),
      mobility_(model, collider,
                kind.spread || !kind.capped ? MobilityOf::bodies : MobilityOf::geoms),
      kp_(model, name_ + ".kp", 0, kInfinity),
      kv_(model, name_ + ".kv", 0, kInfinity),
      ki_(model, name_ + ".ki", 0, kInfinity),
      lambda_(model, name_ + ".lambda", 0, 1),
      zeta_(model, name_ + ".zeta", 0, kInfinity),
      kt_(model, name_ + ".kt", 0, kInfinity),
      kind_(kind),
      g_(gravity(model).norm()) {
  if (const auto it = model.custom.find(name_ + ".gains"); it != model.custom.end()) {
    if (it->second.text != "auto" && it->second.text != "paper")
      throw WorldError(it->second.source, fmt::format("{}.gains = '{}': there are auto, paper",
                                                      name_, it->second.text));
    paper_ = it->second.text == "paper";
  }
  const bool free = !paper_ && !kp_.given() && !kv_.given() && !ki_.given();
  if (kind.in_parts) least_parts_ = step_parts(model, collider, mobility_, name_, free);
  follows_loads_ = kind.in_parts && free && g_ > 0;
  most_parts_ = model.custom.contains(name_ + ".parts") ? least_parts_ : kMostLoaded;
  parts_ = least_parts_;
  least_step_ = step_ = model.option.timestep / parts_;
}

void GainTable::follow_load(int a, int b, double load, double carried,
                            std::span<double> known) const {
  const double L = mobility_.size(a, b);
  if (!follows_loads_ || !(L > 0) || is_robot(model_, mobility_, a) ||
      is_robot(model_, mobility_, b)) {
    std::fill(known.begin(), known.end(), 0.0);
    return;
  }
  const double most =
      kMostLoads *
      std::max(kLoads * g_ * loaded_mass(mobility_.tree_mass(a), mobility_.tree_mass(b)), carried);
  const double part = -std::expm1(-step_ / (0.5 * std::sqrt(L / g_)));
  known[1] += part * (known[0] - known[1]);
  known[0] += part * ((load <= most ? load : 0) - known[0]);
  known[2] = std::max({carried, known[1], (1 - part) * known[2]});
}

int GainTable::choose_parts(const ContactMemory& memory, int width, int slot, int times_slot) {
  if (!follows_loads_) return parts_;
  double most = least_parts_;
  if (memory.pair_width() == width)
    for (std::size_t i = 0; i < memory.pairs().size(); ++i) {
      const std::span<const double> values = memory.pair_values(static_cast<int>(i));
      const double load = values[static_cast<std::size_t>(slot)];
      if (!(load > 0)) continue;
      const double times = times_slot < 0 ? 1 : values[static_cast<std::size_t>(times_slot)];
      const PairKey key = memory.pairs()[i].key;
      const double asked =
          parts_for(static_cast<int>(key >> 32), static_cast<int>(key & 0xffffffffu), load);
      most = std::max(most, asked);
      if (asked > std::max<double>(most_parts_, overloaded_.parts))
        overloaded_ = {key, load / std::max(times, 1.0), asked};
    }
  parts_ = static_cast<int>(std::ceil(std::min<double>(most, most_parts_)));
  step_ = model_.option.timestep / parts_;
  return parts_;
}

double GainTable::parts_for(int a, int b, double load) const {
  const double m = mobility_.reduced_mass(a, b), L = mobility_.size(a, b);
  if (!(m > 0 && L > 0)) return 1;
  return model_.option.timestep * std::sqrt(load / (kSag * L * kAtEase * m));
}

Gains GainTable::of(int a, int b, double loads, double load) const {
  Gains g;
  if (!follows_loads_) load = 0;
  double eq8 = 0, loaded = 0;
  const double h = step_, m = mobility_.reduced_mass(a, b);
  const double zeta = zeta_.of(a, b).value_or(paper_ && kind_.spread ? kPaperZeta : kind_.zeta);
  g.lambda = std::min(lambda_.of(a, b).value_or(kForget), 1 - 1e-9);
  if (paper_ && !kind_.spread) {
    const double sum = mobility_.mass(a) + mobility_.mass(b);
    g.kp = 100 * sum;
    g.kv = 50 * sum;
    g.ki = 2 * sum;
  } else if (m > 0) {
    // more parts than the sizes ask for are for the sake of loads, and leave the rest as it is
    eq8 = kind_.part * M_PI * M_PI * m / (64 * least_step_ * least_step_);
    const double L = mobility_.size(a, b);
    const double ma = mobility_.tree_mass(a), mb = mobility_.tree_mass(b);
    const double weight = g_ * (kind_.in_parts ? loaded_mass(ma, mb) : carried(ma, mb));
    const double holds = L > 0 && kind_.carries ? weight / (kSag * L) : 0;
    loaded = L > 0 ? load / (kSag * L) : 0;
    if (paper_)
      g.kp = eq8;
    else if (kind_.spread)
      g.kp = std::min({std::max({eq8, kLoads * holds, loaded}), kStiffest * m / (h * h),
                       3 * kStiffestCorner / (mobility_.worst(a, b) * h * h)});
    else
      g.kp = std::max({eq8, loads * holds, loaded});
    if (kind_.capped && !kind_.spread)
      g.kp = std::min(g.kp, most_stiff(h, kind_.damped ? zeta : 0, m, mobility_.worst(a, b)));
    g.free = !kp_.of(a, b) && !kv_.of(a, b);
  }
  // what is stiffer for the sake of weights need not be so along the surface
  const bool spread = kind_.spread || !kind_.capped;
  g.kt = spread && !paper_ ? std::min(g.kp, std::max(eq8 / kind_.part, kAlong * loaded)) : g.kp;
  if (const auto kp = kp_.of(a, b)) g.kp = g.kt = *kp;
  if (const auto kt = kt_.of(a, b)) g.kt = *kt;
  if (!paper_ || kind_.spread || kp_.of(a, b)) {
    g.kv = 2 * zeta * std::sqrt(g.kp * m);
    g.ki = kRatio * g.kp;
  }
  g.kv = kind_.damped ? kv_.of(a, b).value_or(g.kv) : 0;
  g.ki = kind_.integral ? ki_.of(a, b).value_or(g.ki) : 0;
  return g;
}

std::vector<std::string> GainTable::with_overload(std::vector<std::string> lines) const {
  if (!(overloaded_.parts > 0)) return lines;
  const int a = static_cast<int>(overloaded_.pair >> 32),
            b = static_cast<int>(overloaded_.pair & 0xffffffffu);
  const double h = model_.option.timestep;
  lines.push_back(fmt::format(
      "'{}' and '{}' press each other with {:.3g} N, {:.3g} times what the lighter weighs: to sink "
      "in by {} of the size takes {:.0f} parts of a step, and {} at most are taken, so that they "
      "sink "
      "in deeper; use a step of {:.2g} s, --contact quasirigid (implicit) or --contact st",
      model_.geom_names[a], model_.geom_names[b], overloaded_.load,
      overloaded_.load / (g_ * carried(mobility_.mass(a), mobility_.mass(b))), kSag,
      std::ceil(overloaded_.parts), most_parts_, h * most_parts_ / overloaded_.parts));
  return lines;
}

// 2 a + b at the worst corner; beyond 4 it rattles or flies apart.
double GainTable::stretch(const Gains& g, int a, int b) const {
  const double h = step_, w = mobility_.worst(a, b);
  if (kind_.spread && !paper_)
    return h * h * g.kp * std::max(w / 3, 2 / mobility_.reduced_mass(a, b));
  return (2 * h * g.kv + h * h * g.settled()) * w;
}

std::vector<std::string> GainTable::warnings(const PairFilter& filter) const {
  double fastest = 4, deepest = 2 * kSag, lowest = 2 * kSag;
  std::array<int, 2> fast{-1, -1}, deep{-1, -1}, low{-1, -1};
  int too_fast = 0, too_deep = 0, too_low = 0;
  filter.for_each_pair([&](int a, int b) {
    if (mobility_.reduced_mass(a, b) <= 0) return;
    const Gains g = of(a, b);
    const bool lowered = g.free && !kind_.capped;
    if (const double s = stretch(g, a, b); s > 4 && !lowered) {
      ++too_fast;
      if (s > fastest) fastest = s, fast = {a, b};
    }
    // of a robot's links who knows which will stand on the ground
    const double weight = g_ * carried(mobility_.mass(a), mobility_.mass(b));
    const double L = mobility_.size(a, b);
    if (L <= 0 || mobility_.same_tree(a, b) || !kind_.carries) return;
    // a model that lowers its gains to what the step can follow has m / h^2 or so left
    const double h = step_, m = mobility_.reduced_mass(a, b);
    const double stiff = lowered ? std::min(g.settled(), m / (h * h)) : g.settled();
    if (const double sag = weight / (stiff * L); sag > 2 * kSag) {
      ++too_deep;
      if (sag > deepest) deepest = sag, deep = {a, b};
    } else if (kind_.in_parts && g.free && !paper_ && !is_robot(model_, mobility_, a) &&
               !is_robot(model_, mobility_, b)) {
      const double most = std::min(of(a, b, kLoads).settled(), m / (h * h));
      const double under = kLoads * weight / (most * L);
      too_low += under > 2 * kSag;
      if (under > lowest) lowest = under, low = {a, b};
    }
  });
  std::vector<std::string> lines;
  const auto names = [&](const std::array<int, 2>& p) {
    return fmt::format("'{}' and '{}'", model_.geom_names[p[0]], model_.geom_names[p[1]]);
  };
  const double h = model_.option.timestep;
  if (too_fast > 0)
    lines.push_back(fmt::format(
        "the step is too long for the gains of {} pairs, the worst {}: 2 h k_v/m + h^2 k_p/m is "
        "{:.3g} at a corner, and beyond 4 it rattles; use a step of {:.2g} s, or lower {}.kp, .kv",
        too_fast, names(fast), fastest, (kind_.spread ? std::sqrt(4 / fastest) : 4 / fastest) * h,
        name_));
  if (too_deep > 0)
    lines.push_back(fmt::format(
        "{} pairs sag by more than {} of their size under their own weight, the worst {} by {:.2g} "
        "of it; use a step of {:.2g} s, or raise {}.kp",
        too_deep, 2 * kSag, names(deep), deepest, h * std::sqrt(kSag / deepest), name_));
  if (too_low > 0)
    lines.push_back(
        fmt::format("{} pairs sag by more than {} of their size in a stack of {}, the worst {} by "
                    "{:.2g} of it; "
                    "use a step of {:.2g} s, or {}.parts {}",
                    too_low, 2 * kSag, kLoads, names(low), lowest, h * std::sqrt(kSag / lowest),
                    name_, std::ceil(parts_ * std::sqrt(lowest / kSag))));
  return lines;
}

}  // namespace abut
