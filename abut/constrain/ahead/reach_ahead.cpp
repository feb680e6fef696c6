#include "abut/constrain/ahead/reach_ahead.h"

#include <algorithm>
#include <cmath>

#include "abut/dynamics/bias.h"
#include "abut/dynamics/jacobian.h"
#include "abut/math/index.h"
#include "abut/model/kinematics.h"

namespace abut {

namespace {

double radius_of(const Convex& solid) { return std::isfinite(solid.radius) ? solid.radius : 0; }

}  // namespace

ReachAhead::ReachAhead(const Model& model, const Collider& collider, double tolerance)
    : model_(model), collider_(collider) {
  for (const double L : collider.sizes())
    tolerance_.push_back(std::isfinite(L) ? tolerance * L : 0);
  reach_ = tolerance_;
}

std::span<const double> ReachAhead::find(double h, const StepMoment& start,
                                         std::span<const double> u_free,
                                         std::span<const std::uint8_t> only) {
  for (std::size_t g = 0; g < reach_.size(); ++g) {
    reach_[g] = tolerance_[g];
    if (only.empty() || only[g]) reach_[g] += motion_of(g, h, start, u_free);
  }
  return reach_;
}

double ReachAhead::motion_of(std::size_t g, double h, const StepMoment& start,
                             std::span<const double> u_free) const {
  const auto& [state, input, d] = start;
  const int body = model_.geoms[g].body, link = model_.bodies[at(body)].link;
  const Convex& solid = collider_.solids()[static_cast<int>(g)];
  const double radius = radius_of(solid);
  if (link < 0) {
    const int mocap = model_.bodies[at(model_.bodies[at(body)].weld)].mocap;
    if (mocap < 0) return 0;
    const Vec6& v = input.mocap_velocity[at(mocap)];
    return h * (v.head<3>().norm() + v.tail<3>().norm() * radius);
  }
  const Vec3 center = geom_pose(model_, d, static_cast<int>(g)) * solid.center;
  const Spatial t = twist_at(model_, d, link, center);
  double speed = t.lin.norm() + t.ang.norm() * radius;
  const Tree& tree = model_.trees[at(model_.links[at(link)].tree)];
  if (!tree.free_body) return h * speed + h * h * gravity(model_).norm();
  // u_free of a free body has fallen already
  const double* u = &u_free[at(tree.dof_begin)];
  speed = std::max(speed, std::hypot(u[0], u[1], u[2]) + std::hypot(u[3], u[4], u[5]) * radius);
  return h * speed;
}

std::span<const double> ReachAhead::find(double h, const Input& input, const Derived& d) {
  const double fall = h * h * gravity(model_).norm();
  for (std::size_t g = 0; g < reach_.size(); ++g) {
    const int body = model_.geoms[g].body, link = model_.bodies[at(body)].link;
    const Convex& solid = collider_.solids()[static_cast<int>(g)];
    const Vec3 center = geom_pose(model_, d, static_cast<int>(g)) * solid.center;
    const Spatial t = link >= 0 ? twist_at(model_, d, link, center)
                                : driven_twist(model_, input, d, body, center);
    reach_[g] = tolerance_[g];
    reach_[g] += h * (t.lin.norm() + t.ang.norm() * radius_of(solid)) + (link >= 0 ? fall : 0);
  }
  return reach_;
}

}  // namespace abut
