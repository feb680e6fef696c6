#include "abut/contact/impact/meeting_queue.h"

#include <algorithm>
#include <tuple>

#include "abut/math/index.h"

namespace abut {

void MeetingQueue::clear(int trees) {
  versions_.assign(at(trees), 0);
  entries_.clear();
}

void MeetingQueue::turn(int tree) { ++versions_[at(tree)]; }

bool MeetingQueue::is_later(const Entry& a, const Entry& b) {
  const auto order = [](const Entry& e) {
    return std::tuple(e.meeting.time, e.meeting.geom_a, e.meeting.geom_b);
  };
  return order(a) > order(b);
}

int MeetingQueue::version(int geom) const {
  const int tree = bodies_.tree_of(geom);
  return tree < 0 ? 0 : versions_[at(tree)];
}

bool MeetingQueue::is_over(const Entry& entry) const {
  const FollowedBounce& meeting = entry.meeting;
  if (meeting.geom_b < 0) return entry.version_a != versions_[at(meeting.geom_a)];
  return entry.version_a != version(meeting.geom_a) || entry.version_b != version(meeting.geom_b);
}

void MeetingQueue::push(const FollowedBounce& meeting) {
  const bool is_leg = meeting.geom_b < 0;
  entries_.push_back({meeting, is_leg ? versions_[at(meeting.geom_a)] : version(meeting.geom_a),
                      is_leg ? 0 : version(meeting.geom_b)});
  std::push_heap(entries_.begin(), entries_.end(), is_later);
}

bool MeetingQueue::pop(FollowedBounce& next) {
  while (!entries_.empty()) {
    std::pop_heap(entries_.begin(), entries_.end(), is_later);
    const Entry entry = entries_.back();
    entries_.pop_back();
    if (is_over(entry)) continue;
    next = entry.meeting;
    return true;
  }
  return false;
}

}  // namespace abut
