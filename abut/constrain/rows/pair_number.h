// A number that a world may give for everything, for a geom, or for a pair of geoms:
//
//   <numeric name="abut.restitution" data="0.2"/>
//   <tuple name="abut.restitution"><element objtype="geom" objname="ball" prm="0.5"/></tuple>
//
// A tuple of two geoms is for the pair and wins; else the larger of the two geoms' own counts,
// where a geom without one has the world's.
//
//   abut::PairNumber restitution(model, "abut.restitution", 0, 1);
//   double e = restitution.of(geom_a, geom_b).value_or(0);
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "abut/model/contact_memory.h"
#include "abut/model/model.h"

namespace abut {

class PairNumber {
 public:
  PairNumber() = default;
  // Throws WorldError for a number outside [least, most] and for a tuple that names no geom.
  PairNumber(const Model& model, std::string_view name, double least, double most);

  bool given() const { return world_ || !geoms_.empty() || !pairs_.empty(); }
  std::optional<double> of(int geom_a, int geom_b) const;

 private:
  struct OfPair {
    PairKey key;
    double value;
  };
  std::optional<double> of_geom(int geom) const;

  std::optional<double> world_;
  std::vector<std::optional<double>> geoms_;  // empty: no geom has one
  std::vector<OfPair> pairs_;                 // ascending by key
};

// Throws WorldError for a setting of the world that begins with `prefix` ("abut.deepest.") and is
// none of these: a name misspelt would change nothing, and nobody would know.
void check_names(const Model& model, std::string_view prefix,
                 std::span<const std::string_view> known);

}  // namespace abut
