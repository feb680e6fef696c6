#include "abut/constrain/rows/pair_number.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace abut {

namespace {

double checked(std::string_view name, double x, double least, double most, const Source& where) {
  if (x >= least && x <= most) return x;
  throw WorldError(where,
                   std::isfinite(most)
                       ? fmt::format("{} = {}: write a number from {} to {}", name, x, least, most)
                       : fmt::format("{} = {}: write a number, {} or more", name, x, least));
}

}  // namespace

PairNumber::PairNumber(const Model& model, std::string_view name, double least, double most) {
  if (const auto it = model.custom.find(std::string(name)); it != model.custom.end()) {
    if (it->second.numbers.empty())
      throw WorldError(it->second.source, fmt::format("{}: write a number: <numeric name=\"{}\" "
                                                      "data=\"..\"/>",
                                                      name, name));
    world_ = checked(name, it->second.numbers[0], least, most, it->second.source);
  }
  for (const TupleDesc& t : model.tuples) {
    if (t.name != name) continue;
    std::vector<int> geoms;
    for (const auto& element : t.elements) {
      const int g = model.find_geom(element.objname);
      if (element.objtype != "geom" || g < 0)
        throw WorldError(t.source, fmt::format("{}: there is no {} '{}'; name one geom, or two",
                                               name, element.objtype, element.objname));
      geoms.push_back(g);
    }
    if (geoms.empty() || geoms.size() > 2)
      throw WorldError(t.source, fmt::format("{}: name one geom, or two", name));
    const double x = checked(name, t.elements.back().prm, least, most, t.source);
    if (geoms.size() == 2) {
      pairs_.push_back({pair_key(geoms[0], geoms[1]), x});
      continue;
    }
    geoms_.resize(model.geoms.size());
    geoms_[static_cast<std::size_t>(geoms[0])] = x;
  }
  std::stable_sort(pairs_.begin(), pairs_.end(),
                   [](const OfPair& a, const OfPair& b) { return a.key < b.key; });
}

std::optional<double> PairNumber::of_geom(int geom) const {
  if (!geoms_.empty() && geoms_[static_cast<std::size_t>(geom)])
    return geoms_[static_cast<std::size_t>(geom)];
  return world_;
}

std::optional<double> PairNumber::of(int geom_a, int geom_b) const {
  if (!given()) return {};
  const PairKey key = pair_key(geom_a, geom_b);
  const auto it = std::lower_bound(pairs_.begin(), pairs_.end(), key,
                                   [](const OfPair& p, PairKey k) { return p.key < k; });
  if (it != pairs_.end() && it->key == key) return it->value;
  const std::optional<double> a = of_geom(geom_a), b = of_geom(geom_b);
  return a && b ? std::max(*a, *b) : a ? a : b;
}

void check_names(const Model& model, std::string_view prefix,
                 std::span<const std::string_view> known) {
  const auto check = [&](std::string_view name, const Source& where) {
    if (!name.starts_with(prefix)) return;
    const std::string_view rest = name.substr(prefix.size());
    if (std::find(known.begin(), known.end(), rest) == known.end())
      throw WorldError(where, fmt::format("{}: there is no such setting; there are {}{}", name,
                                          prefix, fmt::join(known, fmt::format(", {}", prefix))));
  };
  for (const auto& [name, value] : model.custom) check(name, value.source);
  for (const TupleDesc& t : model.tuples) check(t.name, t.source);
}

}  // namespace abut
