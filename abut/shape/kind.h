// The kinds of shape a geom can have, in MJCF's order.
#pragma once

#include <cstdint>

namespace abut {

// What `size` means for each (m), as in MJCF; frames are centred, axes along z:
//   plane      half-space z <= 0; half extents of the drawn rectangle, 0 = infinite
//   hfield     none: the asset has its own size
//   sphere     radius
//   capsule    radius, half length of the cylindrical part
//   ellipsoid  three semi-axes
//   cylinder   radius, half length
//   box        three half extents
//   mesh       none: the asset has its own size
enum class ShapeKind : std::uint8_t {
  plane,
  hfield,
  sphere,
  capsule,
  ellipsoid,
  cylinder,
  box,
  mesh
};

}  // namespace abut
