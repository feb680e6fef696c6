#include "abut/contact/penalty/stiffness/step_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "abut/contact/penalty/tolerances.h"
#include "abut/dynamics/bias.h"
#include "abut/math/index.h"

namespace abut {

namespace {

constexpr int kMostParts = 8, kMostLoaded = 64;  // from the sizes; for loads that are there
// Of what a contact is thought to carry, or gains are for: more than that is a blow.
constexpr double kMostLoads = 3;

std::array<int, 2> geoms_of(const Model& model, PairKey key) {
  const auto [a, b] = solids_of(key);
  return {model.solids.geom_of(a), model.solids.geom_of(b)};
}

}  // namespace

double carried_mass(double mass_a, double mass_b) {
  return mass_a > 0 && mass_b > 0 ? std::min(mass_a, mass_b) : std::max(mass_a, mass_b);
}

double loaded_mass(double mass_a, double mass_b) {
  return std::min(std::max(mass_a, mass_b), 4 * carried_mass(mass_a, mass_b));
}

StepParts::StepParts(const Model& model, const Collider& collider, const Mobility& mobility,
                     std::string name, const Kind& kind)
    : model_(model), mobility_(mobility), name_(std::move(name)), g_(gravity(model).norm()) {
  if (kind.in_parts) {
    const std::string key = name_ + ".parts";
    if (const auto it = model.custom.find(key); it != model.custom.end()) {
      const std::vector<double>& x = it->second.numbers;
      if (x.size() != 1 || x[0] != std::floor(x[0]) || x[0] < 1 || x[0] > 1000)
        throw WorldError(
            it->second.source,
            fmt::format("{}: write in how many parts a step is taken, 1 to 1000", key));
      least_ = most_ = static_cast<int>(x[0]);
    } else if (kind.free) {
      least_ = from_sizes(collider);
      most_ = kMostLoaded;
    }
  }
  follows_loads_ = kind.in_parts && kind.free && g_ > 0;
  count_ = least_;
  least_step_ = step_ = model.option.timestep / count_;
}

bool StepParts::is_robot(int geom) const {
  const int tree = mobility_.tree(geom);
  return tree >= 0 && !model_.trees[at(tree)].free_body;
}

int StepParts::from_sizes(const Collider& collider) const {
  double most = 0;
  collider.filter().for_each_pair([&](int a, int b) {
    if (is_robot(a) || is_robot(b)) return;
    most = std::max(
        most, parts_for(a, b, kLoads * g_ * loaded_mass(mobility_.mass(a), mobility_.mass(b))));
  });
  return std::clamp(static_cast<int>(std::ceil(most)), 1, kMostParts);
}

double StepParts::parts_for(int a, int b, double load) const {
  const double m = mobility_.reduced_mass(a, b), L = mobility_.size(a, b);
  if (!(m > 0 && L > 0)) return 1;
  return model_.option.timestep * std::sqrt(load / (kSpringSag * L * kAtEase * m));
}

void StepParts::follow_load(int a, int b, double load, double carried,
                            std::span<double> known) const {
  const double L = mobility_.size(a, b);
  if (!follows_loads_ || !(L > 0) || is_robot(a) || is_robot(b)) {
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

int StepParts::choose(const ContactMemory& memory, const Slots& slots) {
  if (!follows_loads_) return count_;
  // who touches is not known before the first step, and springs that become stiffer under bodies
  // that have sunk in would throw them
  const bool known = memory.pair_width() == slots.width;
  double most = known ? least_ : most_;
  if (known)
    for (std::size_t i = 0; i < memory.pairs().size(); ++i) {
      const std::span<const double> values = memory.pair_values(static_cast<int>(i));
      const double load = values[at(slots.load)];
      if (!(load > 0)) continue;
      const double times = slots.times < 0 ? 1 : values[at(slots.times)];
      const PairKey key = memory.pairs()[i].key;
      const auto [a, b] = geoms_of(model_, key);
      const double asked = parts_for(a, b, load * std::max(values[at(slots.storeys)], 1.0));
      most = std::max(most, asked);
      if (asked > std::max<double>(most_, overloaded_.parts))
        overloaded_ = {key, load / std::max(times, 1.0), asked};
    }
  count_ = static_cast<int>(std::ceil(std::min<double>(most, most_)));
  step_ = model_.option.timestep / count_;
  return count_;
}

std::vector<std::string> StepParts::with_overload(std::vector<std::string> lines) const {
  if (!(overloaded_.parts > 0)) return lines;
  const auto [a, b] = geoms_of(model_, overloaded_.pair);
  lines.push_back(fmt::format(
      "'{}' and '{}' press each other with {:.3g} N, {:.3g} times what the lighter weighs: to sink "
      "in by {} of the size takes {:.0f} parts of a step, and {} at most are taken, so that they "
      "sink in deeper; use a step of {:.2g} s, --contact quasirigid (implicit) or --contact st",
      model_.geom_names[a], model_.geom_names[b], overloaded_.load,
      overloaded_.load / (g_ * carried_mass(mobility_.mass(a), mobility_.mass(b))), kSpringSag,
      std::ceil(overloaded_.parts), most_, model_.option.timestep * most_ / overloaded_.parts));
  return lines;
}

}  // namespace abut
