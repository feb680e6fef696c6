#include "abut/contact/fast/calm_geoms.h"

#include <array>

#include "abut/dynamics/jacobian.h"
#include "abut/math/index.h"
#include "abut/model/kinematics.h"

namespace abut {

std::span<const std::uint8_t> CalmGeoms::find(double h, const StepMoment& moment) {
  if (!has_many_near(moment.state.contacts)) return {};
  calm_.resize(model_.geoms.size());
  for (std::size_t g = 0; g < calm_.size(); ++g)
    calm_[g] = is_calm(static_cast<int>(g), h, moment.d);
  return calm_;
}

// Whether many free bodies were near others in the step before.
bool CalmGeoms::has_many_near(const ContactMemory& memory) {
  near_.assign(model_.trees.size(), 0);
  int count = 0;
  for (const PairMemory& pair : memory.pairs()) {
    const std::array<int, 2> solids = solids_of(pair.key);
    if (solids[0] < 0) break;  // joints come behind the pairs (row_memory.h)
    for (const int solid : solids) {
      const int tree = islands_.tree_of(model_.solids.geom_of(solid));
      if (tree < 0 || near_[at(tree)]) continue;
      near_[at(tree)] = 1;
      count += model_.trees[at(tree)].free_body ? 1 : 0;
    }
  }
  return count >= many_;
}

bool CalmGeoms::is_calm(int geom, double h, const Derived& d) const {
  const int tree = islands_.tree_of(geom), body = model_.geoms[at(geom)].body;
  if (tree < 0) return model_.bodies[at(model_.bodies[at(body)].weld)].mocap < 0;
  if (!model_.trees[at(tree)].free_body) return false;
  const Convex& solid = collider_.solids()[geom];
  const Vec3 centre = geom_pose(model_, d, geom) * solid.center;
  const Spatial t = twist_at(model_, d, model_.bodies[at(body)].link, centre);
  return abut::is_calm(solid.size, h * (t.lin.norm() + t.ang.norm() * solid.radius));
}

}  // namespace abut
