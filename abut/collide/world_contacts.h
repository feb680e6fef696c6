// Contact data of every pair of a world at given poses, for inspection: `abut contact`, state.contacts()
// of Python.
//
//   for_each_contact(model, collider, poses, {.within = 0.01}, [&](const GeomPair& pair,
//                                                                  const PairContact* c) { .. });
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <span>

#include "abut/collide/collide.h"
#include "abut/collide/pair_contact.h"

namespace abut {

struct WorldContactsOptions {
  double within = std::numeric_limits<double>::infinity();  // m: only pairs that are as near
  PairContactOptions contact;
};

// One pair. Of geoms that are not convex: of the parts that are nearest, or deepest in each other, along
// the normal that their surfaces allow; nothing if none are within reach.
std::optional<PairContact> contact_of_pair(Collider& collider, const GeomPair& pair,
                                           std::span<const Pose> poses,
                                           const WorldContactsOptions& options,
                                           PairContactScratch& scratch);

// Calls visit(pair, contact) for every pair that may touch, ascending; contact is null for solids that
// no query takes. `poses`: of all geoms.
void for_each_contact(const Model& model, Collider& collider, std::span<const Pose> poses,
                      const WorldContactsOptions& options,
                      const std::function<void(const GeomPair&, const PairContact*)>& visit);

}  // namespace abut
