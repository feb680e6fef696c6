#include "abut/contact/impact/bouncing_pairs.h"

#include <algorithm>
#include <cmath>

#include "abut/contact/impact/impact_set.h"
#include "abut/dynamics/bias.h"
#include "abut/model/kinematics.h"

namespace abut {

bool BouncingPairs::has(const Patch& patch, const ContactPoints& points, const Derived& d) const {
  const double e = materials_.of(patch.geom_a, patch.geom_b).restitution;
  if (e == 0) return false;
  const auto psi = points.psi.begin();
  const auto nearest = std::min_element(psi + patch.begin, psi + patch.end) - psi;
  const Vec3& p = points.p_A[static_cast<std::size_t>(nearest)];
  const auto velocity = [&](int geom) -> Vec3 {
    const int body = model_.geoms[static_cast<std::size_t>(geom)].body;
    const int link = model_.bodies[static_cast<std::size_t>(body)].link;
    return link >= 0 ? twist_at(model_, d, link, p).lin : Vec3::Zero();
  };
  const double v = patch.normal.dot(velocity(patch.geom_b) - velocity(patch.geom_a));
  return std::abs(v) > e * bounce_speed(e, gravity(model_).norm(), model_.option.timestep);
}

bool BouncingPairs::bounces(const Patch& patch, double approach, double h) const {
  const double e = materials_.of(patch.geom_a, patch.geom_b).restitution;
  return e > 0 && approach > bounce_speed(e, gravity(model_).norm(), h);
}

}  // namespace abut
