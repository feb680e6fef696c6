// The history of a Session: snapshots, the user's inputs between them, and its size limit.
#include <algorithm>
#include <chrono>
#include <utility>

#include "abut/view/live/session.h"
#include "abut/view/live/session_parts.h"

namespace abut::view {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::int64_t kLongestStride = 1 << 16;
constexpr std::size_t kMostSnapshots = 1200, kMostMarks = 200;

}  // namespace

std::shared_ptr<Session::Snapshot> Session::take() const {
  auto s = std::make_shared<Snapshot>();
  s->step = position_;
  s->era = built_->era;
  s->mocap = input_.mocap;
  s->mocap_velocity = input_.mocap_velocity;
  s->ctrl = hand_.ctrl;
  for (const Lane& lane : lanes_)
    s->lanes.push_back({lane.settings, lane.state, lane.forces, lane.diverged_body});
  return s;
}

void Session::restore(const Snapshot& s) {
  go_to_era(s.era);
  input_ = Input(built_->model);
  input_.mocap = s.mocap;
  input_.mocap_velocity = s.mocap_velocity;
  lanes_.resize(s.lanes.size());
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    Lane& lane = lanes_[i];
    lane.settings = s.lanes[i].settings;
    lane.state = s.lanes[i].state;
    lane.forces = s.lanes[i].forces;
    lane.diverged_body = s.lanes[i].diverged_body;
    if (lane.built != built_ || lane.built_for != lane.settings) prepare(lane);
  }
  position_ = s.step;
}

void Session::keep_snapshot(bool for_good) {
  snapshots_.push_back(take());
  snapshots_.back()->for_good = for_good;
  snapshots_.back()->number = taken_++;
  since_snapshot_ = 0;
  if (keeps_too_much()) thin_snapshots();
  while (keeps_too_much() && snapshots_.size() > 2) forget_older_half();
}

std::size_t Session::past_bytes() const {
  std::size_t bytes = boxes_.capacity() * sizeof(ThrownBox) + events_.size() * sizeof(Event) +
                      events_.size() * 8 * hand_.ctrl.size();
  for (const auto& s : snapshots_) bytes += s->bytes();
  for (const auto& m : marks_)
    if (m->thinned_out) bytes += m->bytes();
  return bytes;
}

bool Session::keeps_too_much() const {
  return snapshots_.size() > kMostSnapshots || past_bytes() > settings_.most_bytes;
}

// Removes every second snapshot, except those around changes of the model, because replays know
// only the user's inputs.
void Session::thin_snapshots() {
  bool odd = false;
  std::erase_if(snapshots_, [&](const std::shared_ptr<Snapshot>& s) {
    if (s->for_good || s == snapshots_.back()) return false;
    odd = !odd;
    s->thinned_out = odd;
    return odd;
  });
  stride_ = std::min(2 * stride_, kLongestStride);
}

// Removes the older half of the history, except the start, and the undo marks in it.
void Session::forget_older_half() {
  const auto from = std::next(snapshots_.begin(), (std::ssize(snapshots_) + 1) / 2);
  snapshots_.erase(std::next(snapshots_.begin()), from);
  known_from_ = snapshots_[1]->step;
  const std::int64_t first = snapshots_[1]->number;
  std::erase_if(marks_, [&](const std::shared_ptr<Snapshot>& m) { return m->number < first; });
  // the hand at the start, and the hand at the begin of the known part
  const auto after = std::upper_bound(events_.begin(), events_.end(), known_from_,
                                      [](std::int64_t s, const Event& e) { return s < e.step; });
  if (after - events_.begin() > 2) events_.erase(std::next(events_.begin()), std::prev(after));
}

bool Session::seek(std::int64_t step, double most_seconds) {
  step = std::clamp<std::int64_t>(step, 0, last_);
  if (step < known_from_) step = 0;
  const auto after = std::upper_bound(
      snapshots_.begin(), snapshots_.end(), step,
      [](std::int64_t at, const std::shared_ptr<Snapshot>& s) { return at < s->step; });
  const std::shared_ptr<Snapshot> from = *std::prev(after);
  if (!(from->step <= position_ && position_ <= step)) restore(*from);
  const auto start = Clock::now();
  while (position_ < step) {
    advance();
    if (std::chrono::duration<double>(Clock::now() - start).count() >= most_seconds) break;
  }
  return position_ == step;
}

void Session::forget_ahead() {
  if (last_ == position_) return;
  Hand hand;
  hand.ctrl = recorded_hand().ctrl;
  const auto after = [&](const std::shared_ptr<Snapshot>& s) { return s->step > position_; };
  std::erase_if(snapshots_, after);
  std::erase_if(marks_, [&](const auto& m) { return after(m) && !is_of_an_earlier_run(*m); });
  std::erase_if(events_, [&](const Event& e) { return e.step >= position_; });
  events_.push_back({position_, hand});
  hand_ = hand;
  last_ = position_;
}

// Called before an interaction: sets the step to which undo returns. Snapshots of interactions by
// hand may be thinned out, because replays know these inputs.
void Session::mark(bool of_hands) {
  joint_moved_ = -1;
  forget_ahead();
  keep_snapshot(!of_hands);
  marks_.push_back(snapshots_.back());
  if (marks_.size() > kMostMarks) marks_.erase(marks_.begin());
}

// A mark from before a reset().
bool Session::is_of_an_earlier_run(const Snapshot& s) const {
  return s.number < snapshots_.front()->number;
}

// To the start, with the models, lanes and step that are chosen now, and without thrown boxes. Where
// nothing was chosen since the start, the run remains, and can be played again; otherwise another
// run begins, and undo() returns to the one before.
void Session::reset() {
  const std::shared_ptr<Snapshot> start = snapshots_.front();
  const auto as_at_start = [&] {
    if (built_->era != start->era || lanes_.size() != start->lanes.size()) return false;
    for (std::size_t i = 0; i < lanes_.size(); ++i)
      if (lanes_[i].settings != start->lanes[i].settings) return false;
    return true;
  };
  if (as_at_start()) {
    seek(0);
    return;
  }
  mark();
  if (timestep() == start->era->timestep) {
    go_to_era(start->era);
  } else {
    Era era = *start->era;
    era.timestep = timestep();
    recent_ = std::exchange(built_, build_next(era));
  }
  input_ = Input(built_->model);
  input_.mocap = start->mocap;
  input_.mocap_velocity = start->mocap_velocity;
  for (Lane& lane : lanes_) {
    lane.state = start->lanes[0].state;
    if (lane.settings != start->lanes[0].settings || built_->era != start->era)
      lane.state.contacts = {};
    lane.forces = {};
    lane.diverged_body = -1;
    prepare(lane);
  }
  for (const auto& s : snapshots_) s->thinned_out = true;  // marks alone keep some of them
  snapshots_.clear();
  hand_ = {};
  hand_.ctrl = events_.front().hand.ctrl;
  events_.assign(1, {0, hand_});
  position_ = last_ = known_from_ = 0;
  keep_snapshot(true);
}

void Session::undo() {
  if (marks_.empty()) throw CommandError("there is nothing to undo");
  const std::shared_ptr<Snapshot> to = marks_.back();
  marks_.pop_back();
  const auto at = std::find(snapshots_.begin(), snapshots_.end(), to);
  const bool earlier = is_of_an_earlier_run(*to);
  restore(*to);
  last_ = position_;
  if (at == snapshots_.end()) {
    std::erase_if(snapshots_, [&](const auto& s) {
      return s->step > to->step || (earlier && s != snapshots_.front());
    });
    if (earlier) known_from_ = to->step;
    snapshots_.push_back(to);
    to->thinned_out = false;
  } else {
    snapshots_.erase(std::next(at), snapshots_.end());
  }
  Hand hand;
  std::erase_if(events_, [&](const Event& e) { return e.step > to->step; });
  if (earlier)
    hand.ctrl = to->ctrl;
  else if (!events_.empty())
    hand.ctrl = recorded_hand().ctrl;
  std::erase_if(events_, [&](const Event& e) { return e.step >= to->step; });
  hand_ = hand;
  events_.push_back({position_, hand});
}

}  // namespace abut::view
