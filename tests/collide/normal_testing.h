// Shared by the tests of contact normals: a pair with everything a rule may ask for.
#pragma once

#include "abut/collide/normal.h"
#include "abut/collide/proximity/proximity.h"
#include "abut/collide/volume/clip_volume.h"
#include "volume_testing.h"

namespace abut::testing {

struct Asked {
  const SolidPair& s;
  Proximity d;
  Intersection common;
  NormalQuery query;

  explicit Asked(const SolidPair& pair)
      : s(pair), d(proximity(pair.A(), pair.B(), pair.X_AB)), query{pair.A(), pair.B(), pair.X_AB} {
    ClipBuffers buffers;
    clip_volume(s.A(), s.B(), s.X_AB, buffers, common);
    query.proximity = &d;
    query.common = &common;
  }
  Asked(const Asked&) = delete;
  ContactNormal operator()(NormalRule rule) const { return contact_normal(rule, query); }

  // How much the signed distance grows when B moves by x (m).
  double gain(const Vec3& x) const {
    return proximity(s.A(), s.B(), {s.X_AB.R, s.X_AB.p + x}).distance - d.distance;
  }
};

}  // namespace abut::testing
