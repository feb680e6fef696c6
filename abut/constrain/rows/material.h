// What a pair of geoms is like to touch: friction, restitution, and how many of a contact's
// directions resist (condim): 1 the normal, 3 sliding as well, 4 spin about the normal as well, 6
// rolling about the tangents as well.
//
// As in MuJoCo: an explicit <pair> says it all; else the geom of higher priority decides; else
// it is the larger of each number. Restitution comes from `abut.restitution` (pair_number.h).
//
//   abut::Materials materials(model);
//   double mu = materials.of(geom_a, geom_b).friction;
#pragma once

#include <vector>

#include "abut/constrain/rows/pair_number.h"
#include "abut/model/contact_memory.h"
#include "abut/model/model.h"

namespace abut {

struct Material {
  double friction = 1;     // sliding, of Coulomb
  double restitution = 0;  // 0: stays, 1: bounces back as fast
  int condim = 3;          // 1: no friction
  double torsion = 0;      // m: couple about the normal over the normal force; 0 below condim 4
  double rolling = 0;      // m: couple about the tangents over it; 0 below condim 6

  bool turns() const { return torsion > 0 || rolling > 0; }
};

class Materials {
 public:
  Materials() = default;
  // Throws WorldError for a restitution that is not in [0, 1] or names no geom.
  explicit Materials(const Model& model);

  Material of(int geom_a, int geom_b) const;
  // Whether the world gives a restitution to anything.
  bool any_bounces() const { return restitution_.given(); }
  // Whether any geom or pair asks for torsional or rolling friction.
  bool any_turns() const { return any_turns_; }

 private:
  struct Special {  // an explicit <pair>
    PairKey key;
    Vec3 friction;  // sliding, torsional (m), rolling (m)
    int condim;
  };
  struct OfGeom {
    Vec3 friction;
    int condim, priority;
  };
  PairNumber restitution_;
  std::vector<OfGeom> geoms_;
  std::vector<Special> special_;  // ascending by key
  bool any_turns_ = false;
};

}  // namespace abut
