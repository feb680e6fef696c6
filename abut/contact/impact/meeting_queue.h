// MeetingQueue: the meetings of flying bodies that are still to come (flights.h), the earliest
// first. A meeting is over when one of its bodies is on another way by then.
//
//   queue.clear(trees);
//   queue.push({time, geom_a, geom_b, slow});
//   queue.push({time, tree, -1, false});      // a leg of the tree's flight ends
//   queue.turn(tree);                         // another way: its meetings are over
//   while (queue.pop(next)) ..
#pragma once

#include <vector>

#include "abut/constrain/ahead/flight_rule.h"
#include "abut/contact/impact/flying_bodies.h"

namespace abut {

class MeetingQueue {
 public:
  explicit MeetingQueue(const FlyingBodies& bodies) : bodies_(bodies) {}

  void clear(int trees);
  void push(const FollowedBounce& meeting);
  void turn(int tree);
  // The next meeting that is not over; false: there is none.
  bool pop(FollowedBounce& next);

 private:
  struct Entry {
    FollowedBounce meeting;            // geom_b < 0: the leg of the tree geom_a ends
    int version_a = 0, version_b = 0;  // of the two flights
  };
  static bool is_later(const Entry& a, const Entry& b);
  int version(int geom) const;
  bool is_over(const Entry& entry) const;

  const FlyingBodies& bodies_;
  std::vector<int> versions_;   // one a tree
  std::vector<Entry> entries_;  // a heap, the earliest on top
};

}  // namespace abut
