#include "abut/reproduce/watch.h"

#include <algorithm>

#include "abut/model/kinematics.h"

namespace abut::reproduce {

Watch::Watch(const Model& model)
    : model_(model), derived_(model), equalities_(model), rows_(model), collider_(model) {}

double Watch::joint_error(const State& state, const Input& input) {
  positions(model_, state, input, derived_);
  rows_.begin(derived_);
  equalities_.add(state, input, derived_, rows_);
  return equalities_.worst().length;
}

double Watch::overlap(const State& state, const Input& input) {
  positions(model_, state, input, derived_);
  collider_.find(model_, derived_, none_, {}, data_, queries_);
  double deepest = 0;
  for (const double psi : data_.points.psi) deepest = std::max(deepest, -psi);
  return deepest;
}

}  // namespace abut::reproduce
