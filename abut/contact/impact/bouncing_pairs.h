// BouncingPairs: pairs that have just bounced, or are about to. They come apart by themselves, so
// that nothing else has to move or hold them: moved apart they would gain potential energy, held
// they would lose the energy of the bounce.
//
//   const abut::BouncingPairs bouncing(model);
//   if (bouncing.any() && bouncing.has(patch, points, d)) continue;
#pragma once

#include "abut/constrain/ahead/bounce_rule.h"
#include "abut/constrain/rows/material.h"

namespace abut {

class BouncingPairs final : public BounceRule {
 public:
  explicit BouncingPairs(const Model& model) : model_(model), materials_(model) {}

  // Whether the world has restitution at all.
  bool any() const override { return materials_.any_bounces(); }
  // The two have restitution, and where they are nearest they approach or part faster than what
  // bounces at all leaves with (bounce_speed(), impact_set.h). Wants velocities() in d.
  bool has(const Patch& patch, const ContactPoints& points, const Derived& d) const override;
  bool bounces(const Patch& patch, double approach, double h) const override;

 private:
  const Model& model_;
  Materials materials_;
};

}  // namespace abut
