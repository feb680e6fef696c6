// BounceRule: what a contact model says of pairs with restitution, so that nothing holds a pair
// that bounces (contact/impact/bouncing_pairs.h).
#pragma once

#include "abut/collide/contact_data.h"
#include "abut/model/derived.h"

namespace abut {

class BounceRule {
 public:
  virtual ~BounceRule() = default;

  // Whether the world has restitution at all.
  virtual bool any() const = 0;
  // The pair has just bounced, or is about to. Wants velocities() in d.
  virtual bool has(const Patch& patch, const ContactPoints& points, const Derived& d) const = 0;
  // Whether a pair that meets at the speed `approach` (m/s) in a step of length h (s) bounces.
  virtual bool bounces(const Patch& patch, double approach, double h) const = 0;
};

}  // namespace abut
