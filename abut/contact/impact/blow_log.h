// BlowLog: the impulses of the bounces that were followed in a step (flights.h), for reports: one
// patch a pair, with the normal of its last blow.
#pragma once

#include <span>
#include <vector>

#include "abut/collide/contact_data.h"
#include "abut/contact/contact_force.h"
#include "abut/model/contact_memory.h"

namespace abut {

class BlowLog {
 public:
  void clear();
  // Impulses (N s in place of N) on the patches of `touching`.
  void add(const ContactData& touching, std::span<const ContactForce> impulses);
  // Sorts them by pair; data() and impulses() are those added before.
  void sort();

  bool any() const { return !blows_.empty(); }
  // Ascending by patch of data(), which has no points.
  std::span<const ContactForce> impulses() const { return impulses_; }
  const ContactData& data() const { return data_; }

 private:
  struct Blow {
    PairKey key = 0;
    int index = 0;
    Vec3 normal = Vec3::Zero();
    ContactForce force;
  };
  std::vector<Blow> blows_;
  std::vector<ContactForce> impulses_;
  ContactData data_;
};

}  // namespace abut
