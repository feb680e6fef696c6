#include "abut/simulate/ghosts.h"

#include "abut/model/kinematics.h"

namespace abut {

int Ghosts::count(const Simulator& simulator, const ContactForces& forces,
                  OverlapMeasure& end) const {
  if (simulator.contact().forces() != nullptr) return 0;
  const Derived& start = simulator.derived();
  const auto velocity = [&](int geom, const Vec3& p) -> Vec3 {
    const int body = model_.geoms[static_cast<std::size_t>(geom)].body;
    const int link = model_.bodies[static_cast<std::size_t>(body)].link;
    return link >= 0 ? twist_at(model_, start, link, p).lin : Vec3::Zero();
  };
  int ghosts = 0;
  for (const PairForce& pair : forces.pairs) {
    if (!(pair.normal_force() > 0)) continue;
    if (materials_.of(pair.geom_a, pair.geom_b).restitution > 0) continue;
    const double way =
        model_.option.timestep *
        (velocity(pair.geom_b, pair.point) - velocity(pair.geom_a, pair.point)).norm();
    const double bound = kGhostWay * way + kGhostSize * end.size_of(pair.geom_a, pair.geom_b);
    if (end.distance(pair.geom_a, pair.geom_b, bound) > bound) ++ghosts;
  }
  return ghosts;
}

}  // namespace abut
