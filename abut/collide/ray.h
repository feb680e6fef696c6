// Rays: the first geom that a ray meets. Distance sensors, controllers and cursors use them.
//
//   abut::positions(model, state, input, d);
//   abut::RayHit hit = abut::cast_ray(model, d, eye, forward);
//   if (hit.geom >= 0) print(model.geom_names[hit.geom], hit.distance);
//
// As in MuJoCo: a plane is met from above only, and inside its drawn rectangle; a mesh is met at its
// own triangles, not at its hull; a ray that starts inside a solid meets its far side; geoms with
// alpha 0 are not seen. The contact filters (contype, exclude) play no part.
#pragma once

#include <optional>

#include "abut/model/derived.h"

namespace abut {

struct RayHit {
  int geom = -1;        // -1: nothing
  double distance = 0;  // m
};

// `direction`: any length but 0. `without`: a body whose own geoms are not seen (-1: all are).
// Requires positions().
RayHit cast_ray(const Model& model, const Derived& d, const Vec3& from, const Vec3& direction,
                int without = -1);

// Distance along the unit direction to the shape, both in its frame; empty: it is not met.
std::optional<double> ray_distance(const Shape& shape, const ShapeAssets& assets, const Vec3& from,
                                   const Vec3& direction);

}  // namespace abut
