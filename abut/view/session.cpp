#include "abut/view/session.h"

#include <algorithm>
#include <chrono>
#include <optional>

#include "abut/contact/combinations.h"
#include "abut/model/kinematics.h"
#include "abut/view/scene.h"
#include "abut/view/session_parts.h"

namespace abut::view {

namespace {

using Clock = std::chrono::steady_clock;

// Replays take at most so long, roughly, whatever a step costs.
constexpr double kLongestReplay = 0.25;  // s
constexpr std::int64_t kLongestStride = 1 << 16;
constexpr std::size_t kMostSnapshots = 1200, kMostMarks = 200;

}  // namespace

Session::Session(SessionSettings settings) : settings_(std::move(settings)) {
  era_ = make_era(settings_.build(settings_.world), std::make_shared<const World>(settings_.world));
  const Model& model = era_->model;
  State state(model);
  input_ = Input(model);
  if (settings_.start) settings_.start(model, state, input_);
  hand_.ctrl = input_.ctrl;
  std::vector<ContactSettings> lanes;
  if (settings_.lanes) lanes = settings_.lanes(model);
  if (lanes.empty()) lanes.push_back(contact_settings(model));
  if (static_cast<int>(lanes.size()) > kMostLanes)
    throw CommandError("at most four contact models go side by side");
  for (const ContactSettings& s : lanes) {
    Lane lane;
    lane.settings = std::make_shared<const ContactSettings>(s);
    lane.state = state;
    prepare(lane);
    lanes_.push_back(std::move(lane));
  }
  events_.push_back({0, hand_});
  keep_snapshot(true);
}

Session::~Session() = default;

std::shared_ptr<const Session::Era> Session::make_era(Model model,
                                                      std::shared_ptr<const World> world) {
  auto era = std::make_shared<Era>();
  era->model = std::move(model);
  era->world = std::move(world);
  era->number = eras_++;
  Derived poses(era->model);
  positions(era->model, State(era->model), Input(era->model), poses);
  if (era_) {
    era->origin = era_->origin;
    era->size = era_->size;
  } else {
    era->origin = scene_origin(era->model, poses);
    era->size = scene_size(era->model, poses);
  }
  era->hands = std::make_unique<HandForces>(era->model, era->size);
  return era;
}

// A simulator for the lane's settings in this era. Throws WorldError for what cannot be.
void Session::prepare(Lane& lane) {
  lane.simulator = std::make_unique<Simulator>(era_->model, *lane.settings);
  lane.looker = std::make_unique<Looker>(era_->model, era_->origin);
  lane.poses = Derived(era_->model);
  lane.era = era_;
  lane.built_for = lane.settings;
}

// --- going on -----------------------------------------------------------------------

void Session::advance() {
  const Hand hand = recorded_hand();
  for (Lane& lane : lanes_) {
    if (lane.diverged_body >= 0) continue;
    input_.clear_forces();
    if (!hand.idle()) {
      positions(era_->model, lane.state, input_, lane.poses);
      velocities(era_->model, lane.state, lane.poses);
    }
    era_->hands->apply(hand, lane.poses, input_);
    lane.good = lane.state;
    const auto start = Clock::now();
    lane.simulator->step(lane.state, input_);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    since_snapshot_ += seconds;
    // smooth enough to read
    lane.step_ms += (lane.step_ms == 0 ? 1 : 0.1) * (1e3 * seconds - lane.step_ms);
    lane.diverged_body = diverged_body(era_->model, lane.state);
    if (lane.diverged_body >= 0)
      lane.state = lane.good;
    else
      lane.simulator->contact_forces(lane.forces);
  }
  ++position_;
}

void Session::step() {
  forget_ahead();
  advance();
  last_ = position_;
  if (position_ - snapshots_.back()->step >= stride_ || since_snapshot_ > kLongestReplay)
    keep_snapshot(false);
}

Hand Session::recorded_hand() const {
  const auto after = std::upper_bound(events_.begin(), events_.end(), position_,
                                      [](std::int64_t s, const Event& e) { return s < e.step; });
  return after == events_.begin() ? Hand{} : std::prev(after)->hand;
}

// --- going back ---------------------------------------------------------------------

std::shared_ptr<Session::Snapshot> Session::take() const {
  auto s = std::make_shared<Snapshot>();
  s->step = position_;
  s->era = era_;
  s->mocap = input_.mocap;
  s->mocap_velocity = input_.mocap_velocity;
  for (const Lane& lane : lanes_)
    s->lanes.push_back({lane.settings, lane.state, lane.forces, lane.diverged_body});
  return s;
}

void Session::restore(const Snapshot& s) {
  era_ = s.era;
  input_ = Input(era_->model);
  input_.mocap = s.mocap;
  input_.mocap_velocity = s.mocap_velocity;
  lanes_.resize(s.lanes.size());
  for (std::size_t i = 0; i < lanes_.size(); ++i) {
    Lane& lane = lanes_[i];
    lane.settings = s.lanes[i].settings;
    lane.state = s.lanes[i].state;
    lane.forces = s.lanes[i].forces;
    lane.diverged_body = s.lanes[i].diverged_body;
    if (lane.era != era_ || lane.built_for != lane.settings) prepare(lane);
  }
  position_ = s.step;
}

void Session::keep_snapshot(bool for_good) {
  snapshots_.push_back(take());
  snapshots_.back()->for_good = for_good;
  since_snapshot_ = 0;
  thin_snapshots();
}

// Every second one goes, but for those around changes: replays know hands alone.
void Session::thin_snapshots() {
  std::size_t bytes = 0;
  for (const auto& s : snapshots_) bytes += s->bytes();
  if (snapshots_.size() < 8 ||
      (snapshots_.size() <= kMostSnapshots && bytes <= settings_.most_bytes))
    return;
  bool odd = false;
  std::erase_if(snapshots_, [&](const std::shared_ptr<Snapshot>& s) {
    if (s->for_good || s == snapshots_.back()) return false;
    return odd = !odd;
  });
  stride_ = std::min(2 * stride_, kLongestStride);
  if (snapshots_.size() <= kMostSnapshots) return;
  // all of them are around changes: the older half of the past is forgotten, but for the start
  snapshots_.erase(std::next(snapshots_.begin()),
                   std::next(snapshots_.begin(), std::ssize(snapshots_) / 2));
  known_from_ = snapshots_[1]->step;
}

void Session::seek(std::int64_t step) {
  step = std::clamp<std::int64_t>(step, 0, last_);
  if (step < known_from_) step = 0;
  const auto after = std::upper_bound(
      snapshots_.begin(), snapshots_.end(), step,
      [](std::int64_t at, const std::shared_ptr<Snapshot>& s) { return at < s->step; });
  const std::shared_ptr<Snapshot> from = *std::prev(after);
  if (!(from->step <= position_ && position_ <= step)) restore(*from);
  while (position_ < step) advance();
}

void Session::forget_ahead() {
  if (last_ == position_) return;
  Hand hand;
  hand.ctrl = recorded_hand().ctrl;
  const auto after = [&](const std::shared_ptr<Snapshot>& s) { return s->step > position_; };
  std::erase_if(snapshots_, after);
  std::erase_if(marks_, after);
  std::erase_if(events_, [&](const Event& e) { return e.step >= position_; });
  events_.push_back({position_, hand});
  hand_ = hand;
  last_ = position_;
}

// Before an interaction: where undo comes back to. Replays know hands: theirs may be thinned out.
void Session::mark(bool of_hands) {
  forget_ahead();
  keep_snapshot(!of_hands);
  marks_.push_back(snapshots_.back());
  if (marks_.size() > kMostMarks) marks_.erase(marks_.begin());
}

void Session::undo() {
  if (marks_.empty()) throw CommandError("there is nothing to undo");
  const std::shared_ptr<Snapshot> to = marks_.back();
  marks_.pop_back();
  const auto at = std::find(snapshots_.begin(), snapshots_.end(), to);
  restore(*to);
  last_ = position_;
  if (at == snapshots_.end()) {
    std::erase_if(snapshots_, [&](const auto& s) { return s->step > to->step; });
    snapshots_.push_back(to);
  } else {
    snapshots_.erase(std::next(at), snapshots_.end());
  }
  Hand hand;
  std::erase_if(events_, [&](const Event& e) { return e.step > to->step; });
  if (!events_.empty()) hand.ctrl = recorded_hand().ctrl;
  std::erase_if(events_, [&](const Event& e) { return e.step >= to->step; });
  hand_ = hand;
  events_.push_back({position_, hand});
}

// --- what people do -----------------------------------------------------------------

int Session::checked_body(int body) const {
  if (body <= 0 || body >= era_->model.nbody() ||
      era_->model.bodies[static_cast<std::size_t>(body)].link < 0)
    throw CommandError("there is no such body to hold");
  return body;
}

void Session::set_hand(const Hand& hand, bool begins) {
  if (begins)
    mark(true);
  else
    forget_ahead();
  hand_ = hand;
  if (!events_.empty() && events_.back().step == position_)
    events_.back().hand = hand;
  else
    events_.push_back({position_, hand});
}

void Session::apply(const Command& c) {
  using Do = Command::Do;
  const bool idle = hand_.idle() || last_ != position_;
  Hand hand;
  hand.ctrl = last_ == position_ ? hand_.ctrl : recorded_hand().ctrl;
  const auto set = [&](auto setter) {
    change_settings(c.lane, [&](ContactSettings& s) { setter(s, c.name); });
  };
  switch (c.what) {
    case Do::step:
      for (std::int64_t i = 0; i < c.count; ++i) step();
      break;
    case Do::back:
      return seek(position_ - c.count);
    case Do::reset:
      return seek(0);
    case Do::seek:
      return seek(c.count);
    case Do::undo:
      return undo();
    case Do::grab:
      hand.pulled = checked_body(c.body);
      hand.grip = c.at;
      hand.target = c.to + era_->origin;
      return set_hand(hand, idle);
    case Do::twist:
      hand.twisted = checked_body(c.body);
      hand.turn = c.at;
      return set_hand(hand, idle);
    case Do::push:
      hand.pushing = true;
      hand.cursor = c.at + era_->origin;
      hand.radius = c.value;
      return set_hand(hand, idle);
    case Do::release:
      if (!idle) set_hand(hand, false);
      return;
    case Do::control:
      if (c.count >= std::ssize(hand.ctrl)) throw CommandError("there is no such actuator");
      hand = hand_;
      hand.ctrl[static_cast<std::size_t>(c.count)] = c.value;
      return set_hand(hand, false);
    case Do::throw_box:
      return throw_box(c);
    case Do::contact:
      // what goes with one model is not what goes with another
      return change_settings(c.lane, [&](ContactSettings& s) {
        set_contact(s, c.name);
        s.friction = FrictionKind::natural, s.data = ContactSource::natural, s.solver = "auto";
      });
    case Do::friction:
      return set(set_friction);
    case Do::stabilize:
      return set(set_stabilize);
    case Do::timestep:
      return set_timestep(c.value);
    case Do::keyframe:
      return go_to_keyframe(c.name);
    case Do::lanes:
      return set_lanes(c.names);
    default:
      return;
  }
}

namespace {

// What the library refuses becomes an answer.
template <class Work>
void or_tell(const Work& work) {
  try {
    work();
  } catch (const WorldError& e) {
    throw CommandError(e.what());
  } catch (const std::invalid_argument& e) {
    throw CommandError(e.what());
  }
}

}  // namespace

void Session::change_settings(int at, const std::function<void(ContactSettings&)>& change) {
  if (at >= lanes()) throw CommandError("there is no such lane");
  or_tell([&] {
    ContactSettings s = *lanes_[static_cast<std::size_t>(at)].settings;
    change(s);
    const Simulator possible(era_->model, s);  // or throws
    mark();
    Lane& lane = lanes_[static_cast<std::size_t>(at)];
    lane.settings = std::make_shared<const ContactSettings>(s);
    lane.state.contacts = {};  // numbers of one model mean nothing to another
    lane.diverged_body = -1;
    prepare(lane);
    keep_snapshot(true);
  });
}

void Session::set_lanes(const std::vector<std::string>& names) {
  or_tell([&] {
    std::vector<ContactSettings> all;
    for (const std::string& name : names) {
      // a lane that goes on keeps all of its settings
      const auto same = std::find_if(lanes_.begin(), lanes_.end(), [&](const Lane& lane) {
        return abut::name(lane.settings->model) == name;
      });
      ContactSettings s = same != lanes_.end() ? *same->settings : *lanes_[0].settings;
      if (same == lanes_.end()) {
        set_contact(s, name);
        s.friction = FrictionKind::natural, s.data = ContactSource::natural, s.solver = "auto";
        const Simulator possible(era_->model, s);
      }
      all.push_back(s);
    }
    mark();
    // all from one state, or they could not be compared
    const State from = lanes_[0].state;
    std::vector<Lane> fresh;
    for (std::size_t i = 0; i < all.size(); ++i) {
      Lane lane;
      lane.settings = std::make_shared<const ContactSettings>(all[i]);
      lane.state = from;
      if (all[i].model != lanes_[0].settings->model) lane.state.contacts = {};
      prepare(lane);
      fresh.push_back(std::move(lane));
    }
    lanes_ = std::move(fresh);
    keep_snapshot(true);
  });
}

void Session::set_timestep(double h) {
  or_tell([&] {
    Model model = era_->model;
    model.option.timestep = h;
    const auto next = make_era(std::move(model), era_->world);
    mark();
    era_ = next;
    for (Lane& lane : lanes_) {
      lane.state.contacts = {};
      prepare(lane);
    }
    keep_snapshot(true);
  });
}

void Session::go_to_keyframe(const std::string& name) {
  const int key = era_->model.find_keyframe(name);
  if (key < 0) throw CommandError("there is no such keyframe");
  mark();
  for (Lane& lane : lanes_) {
    lane.state = State(era_->model);
    set_keyframe(era_->model, key, lane.state, &input_);
    lane.diverged_body = -1;
    lane.forces = {};
  }
  Hand hand;
  hand.ctrl = input_.ctrl;
  set_hand(hand, false);
  keep_snapshot(true);
}

// The world is compiled anew with one body more, the last: all that there was keeps its place in
// q, v and the contact memory.
void Session::throw_box(const Command& c) {
  or_tell([&] {
    auto world = std::make_shared<World>(*era_->world);
    std::string name = "thrown box";
    for (int n = 2; era_->model.find_body(name) >= 0; ++n) name = "thrown box " + std::to_string(n);
    const Vec3 place = c.at + era_->origin;
    BodyDesc& body = world->body(name, place);
    body.free();
    body.box(Vec3::Constant(c.value)).name = name;
    for (KeyframeDesc& key : world->keyframes) {
      if (!key.qpos.empty())
        key.qpos.insert(key.qpos.end(), {place.x(), place.y(), place.z(), 1, 0, 0, 0});
      if (!key.qvel.empty()) key.qvel.resize(key.qvel.size() + 6, 0.0);
    }
    Model model = settings_.build(*world);
    model.option.timestep = era_->model.option.timestep;
    const Model& old = era_->model;
    if (model.nq != old.nq + 7 || model.nv != old.nv + 6)
      throw CommandError("a box cannot be thrown into this world");
    const auto next = make_era(std::move(model), world);
    for (const Lane& lane : lanes_) const Simulator possible(next->model, *lane.settings);
    mark();
    era_ = next;
    Input input(era_->model);
    input.ctrl = input_.ctrl, input.mocap = input_.mocap;
    input.mocap_velocity = input_.mocap_velocity;
    input_ = std::move(input);
    for (Lane& lane : lanes_) {
      State state(era_->model);
      state.time = lane.state.time;
      std::copy(lane.state.q.begin(), lane.state.q.end(), state.q.begin());
      std::copy(lane.state.v.begin(), lane.state.v.end(), state.v.begin());
      for (int i = 0; i < 3; ++i)
        state.v[lane.state.v.size() + static_cast<std::size_t>(i)] = c.to[i];
      state.act = lane.state.act;
      state.turn = lane.state.turn;
      state.contacts = lane.state.contacts;
      lane.state = std::move(state);
      prepare(lane);
    }
    keep_snapshot(true);
  });
}

}  // namespace abut::view
