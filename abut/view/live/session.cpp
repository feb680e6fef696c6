#include "abut/view/live/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "abut/contact/combinations.h"
#include "abut/model/kinematics.h"
#include "abut/view/live/session_parts.h"
#include "abut/view/scene/scene.h"

namespace abut::view {

namespace {

using Clock = std::chrono::steady_clock;

// Replays take at most about this time, whatever the cost of a step.
constexpr double kLongestReplay = 0.25;  // s
constexpr double kLongestCommand = 1;    // s: of steps that one message asks for
// Of a thrown box: half its side, in sizes of the scene. Beyond it the box is the world.
constexpr double kLargestBox = 20;
constexpr std::size_t kMostBoxes = 1000;  // each has the world compiled once more

}  // namespace

Session::Session(SessionSettings settings) : settings_(std::move(settings)) {
  auto first = std::make_shared<Built>();
  first->model = settings_.build(settings_.world);
  const Model& model = first->model;
  Era era;
  era.timestep = model.option.timestep;
  era.number = eras_++;
  first->era = std::make_shared<const Era>(era);
  Derived poses(model);
  positions(model, State(model), Input(model), poses);
  origin_ = scene_origin(model, poses);
  size_ = scene_size(model, poses);
  first->hands = std::make_unique<HandForces>(model, size_);
  built_ = std::move(first);
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

// --- going on -----------------------------------------------------------------------

void Session::advance() {
  const Hand hand = recorded_hand();
  for (Lane& lane : lanes_) {
    if (lane.diverged_body >= 0) continue;
    input_.clear_forces();
    if (!hand.idle()) {
      positions(built_->model, lane.state, input_, lane.poses);
      velocities(built_->model, lane.state, lane.poses);
    }
    built_->hands->apply(hand, lane.poses, input_);
    lane.good = lane.state;
    const auto start = Clock::now();
    if (settings_.before_step) settings_.before_step();
    lane.simulator->step(lane.state, input_);
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    since_snapshot_ += seconds;
    // smooth enough to read
    lane.step_ms += (lane.step_ms == 0 ? 1 : 0.1) * (1e3 * seconds - lane.step_ms);
    lane.diverged_body = diverged_body(built_->model, lane.state);
    if (lane.diverged_body >= 0)
      lane.state = lane.good;
    else
      lane.simulator->contact_forces(lane.forces);
  }
  ++position_;
  joint_moved_ = -1;
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

// --- what people do -----------------------------------------------------------------

int Session::checked_body(int body) const {
  if (body <= 0 || body >= built_->model.nbody() ||
      built_->model.bodies[static_cast<std::size_t>(body)].link < 0)
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
  if (keeps_too_much()) keep_snapshot(false);  // the history before it can be removed
}

void Session::take_steps(std::int64_t count) {
  const auto start = Clock::now();
  for (; count > 0; --count) {
    step();
    if (std::chrono::duration<double>(Clock::now() - start).count() > kLongestCommand) return;
  }
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
      return take_steps(c.count);
    case Do::back:
      seek(position_ - c.count, kLongestCommand);
      return;
    case Do::reset:
      return reset();
    case Do::seek:
      seek(c.count, kLongestCommand);
      return;
    case Do::undo:
      return undo();
    case Do::grab:
      hand.pulled = checked_body(c.body);
      hand.grip = c.at;
      hand.target = c.to + origin_;
      return set_hand(hand, idle);
    case Do::twist:
      hand.twisted = checked_body(c.body);
      hand.turn = c.at;
      return set_hand(hand, idle);
    case Do::push:
      hand.pushing = true;
      hand.cursor = c.at + origin_;
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
    case Do::joint:
      return set_joint(static_cast<int>(c.count), c.value);
    case Do::throw_box:
      return throw_box(c);
    case Do::contact:
      // the supported choices differ between models
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

// An error of the library becomes a message to the client.
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
    const Simulator possible(built_->model, s);  // or throws
    mark();
    Lane& lane = lanes_[static_cast<std::size_t>(at)];
    lane.settings = std::make_shared<const ContactSettings>(s);
    lane.state.contacts = {};  // the memory of one model has no meaning for another
    lane.diverged_body = -1;
    prepare(lane);
    keep_snapshot(true);
  });
}

void Session::set_lanes(const std::vector<std::string>& names) {
  or_tell([&] {
    std::vector<ContactSettings> all;
    for (const std::string& name : names) {
      // a lane that continues keeps all its settings
      const auto same = std::find_if(lanes_.begin(), lanes_.end(), [&](const Lane& lane) {
        return lane.settings->model == name;
      });
      ContactSettings s = same != lanes_.end() ? *same->settings : *lanes_[0].settings;
      if (same == lanes_.end()) {
        set_contact(s, name);
        s.friction = FrictionKind::natural, s.data = ContactSource::natural, s.solver = "auto";
        const Simulator possible(built_->model, s);
      }
      all.push_back(s);
    }
    mark();
    // all lanes start from one state, so that they can be compared
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
    Era era = *built_->era;
    era.timestep = h;
    const auto next = build_next(era);
    mark();
    recent_ = std::exchange(built_, next);
    for (Lane& lane : lanes_) {
      lane.state.contacts = {};
      prepare(lane);
    }
    keep_snapshot(true);
  });
}

void Session::go_to_keyframe(const std::string& name) {
  const int key = built_->model.find_keyframe(name);
  if (key < 0) throw CommandError("there is no such keyframe");
  mark();
  for (Lane& lane : lanes_) {
    lane.state = State(built_->model);
    set_keyframe(built_->model, key, lane.state, &input_);
    lane.diverged_body = -1;
    lane.forces = {};
  }
  Hand hand;
  hand.ctrl = input_.ctrl;
  set_hand(hand, false);
  keep_snapshot(true);
}

// A slider that is dragged is one interaction, with one mark and one snapshot.
void Session::set_joint(int index, double value) {
  const Model& model = built_->model;
  if (index >= static_cast<int>(model.joints.size())) throw CommandError("there is no such joint");
  const Joint& joint = model.joints[static_cast<std::size_t>(index)];
  if (joint.type != JointType::hinge && joint.type != JointType::slide)
    throw CommandError("only hinges and slides can be set");
  const bool goes_on = joint_moved_ == index && last_ == position_ &&
                       snapshots_.back()->step == position_ && snapshots_.size() > 1;
  if (goes_on)
    snapshots_.pop_back();
  else
    mark();
  if (joint.limited) value = std::clamp(value, joint.range[0], joint.range[1]);
  for (Lane& lane : lanes_) {
    lane.state.q[static_cast<std::size_t>(joint.q)] = value;
    lane.state.v[static_cast<std::size_t>(joint.dof)] = 0;
    lane.state.contacts = {};  // the points of the old pose
    lane.forces = {};
    lane.diverged_body = -1;
  }
  keep_snapshot(true);
  joint_moved_ = index;
}

// The world is compiled again with one more body, the last: all existing bodies keep their places
// in q, v and the contact memory.
void Session::throw_box(const Command& c) {
  or_tell([&] {
    const Model& old = built_->model;
    if (c.value > kLargestBox * size_)
      throw CommandError(
          fmt::format("a box of {:.3g} m is too large for this world; at most {:.3g}", c.value,
                      kLargestBox * size_));
    if (boxes_.size() >= kMostBoxes)
      throw CommandError("a thousand boxes have been thrown; start the viewer again");
    ThrownBox box;
    box.name = "thrown box";
    for (int n = 2; old.find_body(box.name) >= 0; ++n) box.name = "thrown box " + std::to_string(n);
    box.place = c.at + origin_;
    box.half = c.value;
    const auto next = build_with(box);
    if (next->model.nq != old.nq + 7 || next->model.nv != old.nv + 6)
      throw CommandError("a box cannot be thrown into this world");
    for (const Lane& lane : lanes_) const Simulator possible(next->model, *lane.settings);
    mark();
    recent_ = std::exchange(built_, next);
    Input input(built_->model);
    input.ctrl = input_.ctrl, input.mocap = input_.mocap;
    input.mocap_velocity = input_.mocap_velocity;
    input_ = std::move(input);
    for (Lane& lane : lanes_) {
      State state(built_->model);
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
