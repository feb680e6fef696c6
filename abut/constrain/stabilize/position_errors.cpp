#include "abut/constrain/stabilize/position_errors.h"

#include <algorithm>
#include <cmath>

#include "abut/constrain/rows/loop_softness.h"
#include "abut/constrain/tolerances.h"
#include "abut/math/index.h"
#include "abut/model/kinematics.h"

namespace abut {

namespace {

double largest_of(const std::vector<double>& sizes) {
  double largest = 0;
  for (const double s : sizes)
    if (std::isfinite(s)) largest = std::max(largest, s);
  return largest > 0 ? largest : 1;
}

}  // namespace

PositionErrors::PositionErrors(const Model& model, std::vector<double> sizes)
    : model_(model),
      sizes_(std::move(sizes)),
      size_(largest_of(sizes_)),
      equalities_(model),
      softness_(loop_softness(model)),
      limits_(model),
      rows_(model),
      reach_(model.geoms.size()) {}

double PositionErrors::find(const Which& which, const Input& input, Collider& collider,
                            const State& state, Derived& d) {
  positions(model_, state, input, d);
  rows_.begin(d);
  equalities_.add(state, input, d, rows_);
  g_.assign(equalities_.error().begin(), equalities_.error().end());
  joint_rows_ = static_cast<int>(g_.size());
  double worst = 0;
  for (const double g : g_) worst = std::max(worst, std::abs(g));
  clean_ = worst <= kSmallJointError * size_;
  limits_.add_limits({.part = which.tolerance}, state, d, {}, rows_);
  for (const double g : limits_.gap()) {
    g_.push_back(g);
    worst = std::max(worst, -g);
    clean_ &= -g <= kSmallOverlap * size_;
  }
  worst_joint_ = worst;
  return which.contacts ? std::max(worst, find_contacts(which, collider, state, d)) : worst;
}

// Returns the largest overlap.
double PositionErrors::find_contacts(const Which& which, Collider& collider, const State& state,
                                     Derived& d) {
  for (std::size_t i = 0; i < reach_.size(); ++i)
    reach_[i] = std::isfinite(sizes_[i]) ? which.tolerance * sizes_[i] : 0;
  collider.find(model_, d, state.contacts,
                {.reach = {.geom = reach_}, .max_points = which.max_points}, data_, queries_);
  if (which.leaves) velocities(model_, state, d);
  double worst = 0;
  for (const Patch& patch : data_.patches) {
    if (which.leaves && which.leaves(patch, data_.points, d)) continue;
    const int a = model_.geoms[at(patch.geom_a)].body, b = model_.geoms[at(patch.geom_b)].body;
    for (int i = patch.begin; i < patch.end; ++i) {
      const Vec3 p = 0.5 * (data_.points.p_A[at(i)] + data_.points.p_B[at(i)]);
      const int g = rows_.add(1, a, b);
      rows_.add_point(g, 0, b, p, patch.normal, 1);
      rows_.add_point(g, 0, a, p, patch.normal, -1);
      g_.push_back(data_.points.psi[at(i)]);
      worst = std::max(worst, -g_.back());
      clean_ = clean_ && g_.back() >= -kSmallOverlap * size_;
    }
  }
  return worst;
}

}  // namespace abut
