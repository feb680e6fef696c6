#include "abut/contact/penalty/stiffness/gains.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "abut/contact/penalty/tolerances.h"
#include "abut/dynamics/bias.h"
#include "abut/solve/problem.h"

namespace abut {

namespace {

constexpr double kRatio = 2.0 / 100;  // k_i / k_p of Drumwright
constexpr double kPaperZeta = 0.37;   // H-E6: what stops Hasegawa and Fujii's cube in its 70 steps
constexpr double kForget = 0.85;      // Drumwright: 0.8 to 0.9

constexpr double kAlong = 0.2;  // of the stiffness for a load, along the surface

// Largest k with 2 a + b = kStable: b in sqrt(k) is h^2 w, a is 2 zeta h sqrt(m) w.
double most_stiff(double h, double zeta, double m, double w) {
  const double b = h * h * w, a = 4 * zeta * h * std::sqrt(m) * w;
  const double root = (-a + std::sqrt(a * a + 4 * b * GainTable::kStable)) / (2 * b);
  return root * root;
}

}  // namespace

GainTable::GainTable(const Model& model, const Collider& collider, const GainKind& kind)
    : model_(model),
      name_(fmt::format("abut.{}", kind.name)),
      mobility_(std::make_shared<Mobility>(
          model, collider, kind.spread || !kind.capped ? MobilityOf::bodies : MobilityOf::geoms)),
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
  parts_.emplace(model, collider, *mobility_, name_,
                 StepParts::Kind{.in_parts = kind.in_parts,
                                 .free = !paper_ && !kp_.given() && !kv_.given() && !ki_.given()});
}

Gains GainTable::of(int a, int b, double loads, double load) const {
  Gains g;
  if (!parts_->follows_loads()) load = 0;
  double eq8 = 0, loaded = 0;
  const double h = step(), m = mobility_->reduced_mass(a, b);
  const double zeta = zeta_.of(a, b).value_or(paper_ && kind_.spread ? kPaperZeta : kind_.zeta);
  g.lambda = std::min(lambda_.of(a, b).value_or(kForget), 1 - kSlowestForgetting);
  if (paper_ && !kind_.spread) {
    const double sum = mobility_->mass(a) + mobility_->mass(b);
    g.kp = 100 * sum;
    g.kv = 50 * sum;
    g.ki = 2 * sum;
  } else if (m > 0) {
    // more parts than the sizes ask for are for the sake of loads, and leave the rest as it is
    eq8 = kind_.part * M_PI * M_PI * m / (64 * parts_->least_step() * parts_->least_step());
    const double L = mobility_->size(a, b);
    const double ma = mobility_->tree_mass(a), mb = mobility_->tree_mass(b);
    const double weight = g_ * (kind_.in_parts ? loaded_mass(ma, mb) : carried_mass(ma, mb));
    const double holds = L > 0 && kind_.carries ? weight / (kSpringSag * L) : 0;
    loaded = L > 0 ? load / (kSpringSag * L) : 0;
    if (paper_)
      g.kp = eq8;
    else if (kind_.spread)
      g.kp = std::min({std::max({eq8, StepParts::kLoads * holds, loaded}), kStiffest * m / (h * h),
                       3 * kStiffestCorner / (mobility_->worst(a, b) * h * h)});
    else
      g.kp = std::max({eq8, loads * holds, loaded});
    if (kind_.capped && !kind_.spread)
      g.kp = std::min(g.kp, most_stiff(h, kind_.damped ? zeta : 0, m, mobility_->worst(a, b)));
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

// 2 a + b at the worst corner; beyond 4 it rattles or flies apart.
double GainTable::stretch(const Gains& g, int a, int b) const {
  const double h = step(), w = mobility_->worst(a, b);
  if (kind_.spread && !paper_)
    return h * h * g.kp * std::max(w / 3, 2 / mobility_->reduced_mass(a, b));
  return (2 * h * g.kv + h * h * g.settled()) * w;
}

std::vector<std::string> GainTable::warnings(const PairFilter& filter) const {
  double fastest = 4, deepest = 2 * kSpringSag, lowest = 2 * kSpringSag;
  std::array<int, 2> fast{-1, -1}, deep{-1, -1}, low{-1, -1};
  int too_fast = 0, too_deep = 0, too_low = 0;
  filter.for_each_pair([&](int a, int b) {
    if (mobility_->reduced_mass(a, b) <= 0) return;
    const Gains g = of(a, b);
    const bool lowered = g.free && !kind_.capped;
    if (const double s = stretch(g, a, b); s > 4 && !lowered) {
      ++too_fast;
      if (s > fastest) fastest = s, fast = {a, b};
    }
    // of a robot's links who knows which will stand on the ground
    const double weight = g_ * carried_mass(mobility_->mass(a), mobility_->mass(b));
    const double L = mobility_->size(a, b);
    if (L <= 0 || mobility_->same_tree(a, b) || !kind_.carries) return;
    // a model that lowers its gains to what the step can follow has m / h^2 or so left
    const double h = step(), m = mobility_->reduced_mass(a, b);
    const double stiff = lowered ? std::min(g.settled(), m / (h * h)) : g.settled();
    if (const double sag = weight / (stiff * L); sag > 2 * kSpringSag) {
      ++too_deep;
      if (sag > deepest) deepest = sag, deep = {a, b};
    } else if (kind_.in_parts && g.free && !paper_ && !parts_->is_robot(a) &&
               !parts_->is_robot(b)) {
      const double most = std::min(of(a, b, StepParts::kLoads).settled(), m / (h * h));
      const double under = StepParts::kLoads * weight / (most * L);
      too_low += under > 2 * kSpringSag;
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
        too_deep, 2 * kSpringSag, names(deep), deepest, h * std::sqrt(kSpringSag / deepest),
        name_));
  if (too_low > 0)
    lines.push_back(
        fmt::format("{} pairs sag by more than {} of their size in a stack of {}, the worst {} by "
                    "{:.2g} of it; "
                    "use a step of {:.2g} s, or {}.parts {}",
                    too_low, 2 * kSpringSag, StepParts::kLoads, names(low), lowest,
                    h * std::sqrt(kSpringSag / lowest), name_,
                    std::ceil(parts_->count() * std::sqrt(lowest / kSpringSag))));
  return lines;
}

}  // namespace abut
