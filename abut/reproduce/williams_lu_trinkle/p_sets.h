// The constraint sets that abut makes of two solids by the paper's recipe, for experiments: a pair
// from two shapes or polygons, placed, and its FeatureConstraints.
#pragma once

#include "abut/contact/complementarity/feature_constraints.h"
#include "abut/model/model.h"

namespace abut::reproduce {

// Two solids that are fixed; a flat one shows polygons in xy.
class PlacedPair {
 public:
  static PlacedPair of(std::vector<Vec3> a, std::vector<Vec3> b);
  static PlacedPair of(std::vector<Vec2> a, std::vector<Vec2> b);

  const PlanePair& view() const { return view_; }
  FeatureConstraints constraints(double reach, const FeatureChoice& choice = {}) const;

  // The greatest separation of all planes (m): not negative where some plane parts the two (P-E7).
  double greatest_separation() const;
  double distance() const { return view_.proximity().distance; }
  const Model& model() const { return *model_; }

 private:
  PlacedPair(std::unique_ptr<Model> model);

  std::unique_ptr<Model> model_;
  std::unique_ptr<Collider> collider_;
  PlanePair view_;
};

// "U(C(v0,f1)), I(..)": every constraint of a set.
std::vector<std::string> texts(const FeatureConstraints& set);

}  // namespace abut::reproduce
