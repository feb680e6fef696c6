#include "abut/constrain/rows/gap_acceleration.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "abut/dynamics/jacobian.h"
#include "abut/dynamics/solver_velocity.h"
#include "abut/math/index.h"
#include "abut/math/rotation.h"
#include "abut/model/kinematics.h"

namespace abut {

namespace {

constexpr double kNotFound = std::numeric_limits<double>::quiet_NaN();

// Velocity of B's point less A's along the normal.
double rate_of(const Model& model, const Input& input, const Derived& d, const Patch& patch,
               const Vec3& p) {
  const auto velocity = [&](int geom) {
    const int body = model.geoms[at(geom)].body, link = model.bodies[at(body)].link;
    return link >= 0 ? twist_at(model, d, link, p).lin : driven_twist(model, input, d, body, p).lin;
  };
  return patch.normal.dot(velocity(patch.geom_b) - velocity(patch.geom_a));
}

}  // namespace

GapAcceleration::GapAcceleration(const Model& model)
    : model_(model), moved_(model), input_(model), there_(model), dp_(at(model.nv)) {}

void GapAcceleration::find(double h, std::span<const double> reach, const State& state,
                           const Input& input, const Derived& d, std::span<const double> u,
                           Collider& collider, const ContactData& data, std::vector<double>& k) {
  k.assign(at(data.points.count()), 0.0);
  if (data.patches.empty()) return;
  const double t = 0.01 * h;
  rates_at(-t, reach, state, input, d, u, collider, data, before_);
  rates_at(t, reach, state, input, d, u, collider, data, k);
  now_.assign(k.size(), 0.0);
  for (const Patch& patch : data.patches)
    for (int i = patch.begin; i < patch.end; ++i)
      now_[at(i)] =
          rate_of(model_, input, d, patch, 0.5 * (data.points.p_A[at(i)] + data.points.p_B[at(i)]));
  for (std::size_t i = 0; i < k.size(); ++i) {
    const bool ahead = !std::isnan(k[i]), behind = !std::isnan(before_[i]);
    if (ahead && behind)
      k[i] = (k[i] - before_[i]) / (2 * t);
    else
      k[i] = ahead ? (k[i] - now_[i]) / t : behind ? (now_[i] - before_[i]) / t : 0;
  }
}

// Of each point of `data` where the motion is after t seconds; kNotFound: it is not there.
void GapAcceleration::rates_at(double t, std::span<const double> reach, const State& state,
                               const Input& input, const Derived& d, std::span<const double> u,
                               Collider& collider, const ContactData& data,
                               std::vector<double>& rate) {
  for (std::size_t i = 0; i < dp_.size(); ++i) dp_[i] = t * u[i];
  moved_.q = state.q;
  displace(model_, d, dp_, moved_.q);
  input_ = input;
  for (std::size_t i = 0; i < input_.mocap.size(); ++i) {
    const Vec6& v = input.mocap_velocity[i];
    input_.mocap[i].p += t * v.head<3>();
    input_.mocap[i].q = exp_rotation(t * v.tail<3>()) * input_.mocap[i].q;
  }
  positions(model_, moved_, input_, there_);
  // u is held, and v is what it means there
  from_solver_velocity(model_, there_, u, moved_.v);
  velocities(model_, moved_, there_);
  collider.find(model_, there_, state.contacts, {.reach = {.geom = reach}}, data_, queries_);

  rate.assign(at(data.points.count()), kNotFound);
  std::size_t there = 0;
  for (const Patch& patch : data.patches) {
    const PairKey key = patch.key();
    const auto key_there = [&] { return data_.patches[there].key(); };
    while (there < data_.patches.size() && key_there() < key) ++there;
    if (there == data_.patches.size()) break;
    if (key_there() != key) continue;
    const Patch& moved = data_.patches[there];
    // ids ascend in both
    int j = moved.begin;
    for (int i = patch.begin; i < patch.end; ++i) {
      while (j < moved.end && data_.points.id[at(j)] < data.points.id[at(i)]) ++j;
      if (j == moved.end) break;
      if (data_.points.id[at(j)] != data.points.id[at(i)]) continue;
      const Vec3 p = 0.5 * (data_.points.p_A[at(j)] + data_.points.p_B[at(j)]);
      rate[at(i)] = rate_of(model_, input_, there_, moved, p);
    }
  }
}

}  // namespace abut
