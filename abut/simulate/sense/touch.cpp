#include "abut/collide/ray.h"
#include "abut/math/index.h"
#include "abut/simulate/sense/sensor_values.h"

namespace abut {

double touch_force(const SensorMoment& moment, int site) {
  const auto& [model, state, input, d, vdot, contacts] = moment;
  const Site& zone = model.sites[at(site)];
  const Shape shape{zone.kind, zone.size};
  const Pose X_SW = site_pose(model, d, site).inverse();
  double sum = 0;
  for (const PairForce& pair : contacts.pairs) {
    const bool on_a = model.geoms[at(pair.geom_a)].body == zone.body;
    const bool on_b = model.geoms[at(pair.geom_b)].body == zone.body;
    if (!on_a && !on_b) continue;
    const Vec3 away = X_SW.q * (on_a ? pair.normal : Vec3(-pair.normal));
    for (int i = pair.begin; i < pair.end; ++i) {
      const PointForce& point = contacts.points[at(i)];
      if (point.normal > 0 && ray_distance(shape, model.assets, X_SW * point.position, away))
        sum += point.normal;
    }
  }
  return sum;
}

}  // namespace abut
