#include "abut/model/state.h"

#include <algorithm>

#include "abut/math/bits.h"

namespace abut {

State::State(const Model& model)
    : q(model.qpos0),
      v(static_cast<std::size_t>(model.nv), 0.0),
      act(static_cast<std::size_t>(model.na), 0.0) {
  for (const JointMeasure& m : model.measures) turn.push_back(m.offset);
}

std::uint64_t State::hash() const {
  Hash h;
  h.value(time);
  h.array(std::span<const double>(q));
  h.array(std::span<const double>(v));
  h.array(std::span<const double>(act));
  if (!turn.empty()) h.array(std::span<const double>(turn));
  contacts.hash(h);
  return h.digest();
}

bool State::operator==(const State& other) const {
  return same_bits(time, other.time) && same_bits(q, other.q) && same_bits(v, other.v) &&
         same_bits(act, other.act) && same_bits(turn, other.turn) && contacts == other.contacts;
}

void set_keyframe(const Model& model, int keyframe, State& state, Input* input) {
  const Keyframe& key = model.keyframes.at(static_cast<std::size_t>(keyframe));
  state = State(model);
  state.time = key.time;
  if (!key.q.empty()) state.q = key.q;
  if (!key.v.empty()) state.v = key.v;
  if (!key.act.empty()) state.act = key.act;
  if (!key.turn.empty()) state.turn = key.turn;
  if (!input) return;
  if (!key.ctrl.empty()) input->ctrl = key.ctrl;
  if (!key.mocap.empty()) input->mocap = key.mocap;
}

Input::Input(const Model& model)
    : ctrl(model.actuators.size(), 0.0),
      wrench(model.bodies.size(), Vec6::Zero()),
      force(static_cast<std::size_t>(model.nv), 0.0),
      mocap(static_cast<std::size_t>(model.nmocap)),
      mocap_velocity(static_cast<std::size_t>(model.nmocap), Vec6::Zero()) {
  for (const Body& body : model.bodies)
    if (body.mocap >= 0) mocap[static_cast<std::size_t>(body.mocap)] = body.pose;
}

void Input::clear_forces() {
  std::fill(wrench.begin(), wrench.end(), Vec6::Zero());
  std::fill(force.begin(), force.end(), 0.0);
  spring = {};
}

}  // namespace abut
