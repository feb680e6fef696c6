#include "abut/haptic/loop/haptic_cycle.h"

#include <algorithm>
#include <cmath>

#include "abut/math/index.h"
#include "abut/math/rotation.h"
#include "abut/simulate/measure.h"

namespace abut::haptic {

namespace {

Pose start_of(const Model& model, const HapticSettings& s, const State& state, const Input& input) {
  const Body& body = model.bodies[at(s.pointer)];
  if (body.mocap >= 0) return input.mocap[at(body.mocap)];
  const double* q = &state.q[at(model.joints[at(body.joint_begin)].q)];
  return {{q[0], q[1], q[2]}, Quat(q[3], q[4], q[5], q[6]).normalized()};
}

// Where a frame is after s seconds of its motion.
Pose carried(const MovingFrame& f, double s) {
  return {f.X.p + s * f.twist.lin, (exp_rotation(s * f.twist.ang) * f.X.q).normalized()};
}

}  // namespace

HapticCycle::HapticCycle(const Model& model, const ContactSettings& contact,
                         const HapticSettings& settings, const State& state, const Input& input)
    : model_(model),
      settings_(settings),
      simulator_(model, contact),
      state_(state),
      good_(state),
      input_(input),
      com_(model.bodies[at(settings.pointer)].mass.com),
      workspace_(settings.workspace, start_of(model, settings, state, input)),
      guard_(settings.most_force, settings.most_torque) {
  input_.clear_forces();
  touch_[0].pointer = touch_[1].pointer = pointer_now();
  goal_.hand.X = hand_before_ = workspace_.hand().X;
}

MovingFrame HapticCycle::pointer_now() const {
  const Body& body = model_.bodies[at(settings_.pointer)];
  if (body.mocap >= 0) return {input_.mocap[at(body.mocap)], {}};
  const Joint& joint = model_.joints[at(body.joint_begin)];
  const double *q = &state_.q[at(joint.q)], *v = &state_.v[at(joint.dof)];
  const Quat turn = Quat(q[3], q[4], q[5], q[6]).normalized();
  return {{{q[0], q[1], q[2]}, turn}, {{v[0], v[1], v[2]}, turn * Vec3(v[3], v[4], v[5])}};
}

// The coupling acts at the centre of mass: both frames are looked at there.
Spatial HapticCycle::pull(const MovingFrame& hand, const MovingFrame& pointer, double part) const {
  const auto at_com = [&](const MovingFrame& f) {
    const Vec3 arm = f.X.q * com_;
    return MovingFrame{{f.X.p + arm, f.X.q}, shift_twist(f.twist, arm)};
  };
  return coupling_wrench(settings_.gains, at_com(hand), at_com(pointer), part);
}

// The opposite of a pull, about the origin of the hand's frame.
Spatial HapticCycle::on_hand(const Spatial& pull, const MovingFrame& hand) const {
  return {-pull.lin, -pull.ang - (hand.X.q * com_).cross(pull.lin)};
}

void HapticCycle::take(const HandSample* sample) {
  const double T = settings_.cycle();
  ++ticks_;
  unheard_ += T;
  bool good = false;
  if (sample != nullptr) {
    HandSample hand = *sample;
    const HandCheck::Verdict verdict = check_.look(hand, unheard_);
    good = verdict != HandCheck::Verdict::refused;
    if (good) {
      unheard_ = 0;
      const bool clutch = (hand.buttons & kClutchButton) != 0;
      if (verdict == HandCheck::Verdict::jumped || was_silent_ || clutch_) workspace_.catch_anew();
      clutch_ = clutch;
      was_silent_ = false;
      if (clutch)
        workspace_.hold();
      else
        workspace_.move(hand);
    }
  }
  guard_.tick(T, good, clutch_);
  if (guard_.silent()) {
    was_silent_ = true;
    workspace_.hold();
  }
  observe();
}

// The work at the hand's end since the last tick; the gate is no part of the coupling.
void HapticCycle::observe() {
  const bool posed = settings_.hold == Hold::posed;
  passivity_.give(work_of(posed ? felt_ : asked_, hand_before_, hand().X));
  hand_before_ = hand().X;
  if (posed) return passivity_.store(0);
  const auto com = [&](const Pose& X) { return Pose{X * com_, X.q}; };
  passivity_.store(guard_.hold() * coupling_energy(settings_.gains, com(hand().X),
                                                   com(touch_[touched_].pointer.X)));
}

void HapticCycle::start() {
  goal_.hand = hand();
  goal_.part = guard_.hold();
}

void HapticCycle::simulate() {
  Touch& touch = touch_[1 - touched_];
  touch.work = 0;
  touch.diverged = touch_[touched_].diverged;
  for (int part = 0; part < settings_.steps && touch.diverged < 0; ++part) step(goal_, part, touch);
  look(goal_, touch);
}

void HapticCycle::step(const Goal& goal, int part, Touch& touch) {
  const MovingFrame hand{carried(goal.hand, part * model_.option.timestep), goal.hand.twist};
  const MovingFrame before = pointer_now();
  if (settings_.hold == Hold::posed) {
    const int mocap = model_.bodies[at(settings_.pointer)].mocap;
    input_.mocap[at(mocap)] = hand.X;
    input_.mocap_velocity[at(mocap)] << hand.twist.lin, hand.twist.ang;
  } else {
    const Spatial force = pull(hand, before, goal.part);
    input_.wrench[at(settings_.pointer)] << force.lin, force.ang;
    touch.wrench = on_hand(force, hand);
  }
  good_ = state_;
  simulator_.step(state_, input_);
  touch.diverged = abut::diverged_body(model_, state_);
  if (touch.diverged >= 0) state_ = good_;
  if (settings_.hold == Hold::posed) return;
  const MovingFrame after = pointer_now();
  const auto com = [&](const MovingFrame& f) { return Pose{f.X * com_, f.X.q}; };
  const Vec6& w = input_.wrench[at(settings_.pointer)];
  touch.work += work_of({w.head<3>(), w.tail<3>()}, com(before), com(after));
}

void HapticCycle::look(const Goal& goal, Touch& touch) {
  touch.pointer = pointer_now();
  touch.pointer.twist = settings_.hold == Hold::posed ? goal.hand.twist : touch.pointer.twist;
  if (touch.diverged >= 0) return;
  simulator_.contact_forces(touch.forces);
  touch.contact = touch.forces.on_body(model_, settings_.pointer, goal.hand.X.p);
  if (settings_.hold == Hold::posed) {
    touch.wrench = touch.contact;
    touch.linear.take(model_, settings_.pointer, goal.hand.X, touch.forces,
                      simulator_.contact().data());
  }
}

HandWrench HapticCycle::finish() {
  if (!absorb()) return answer_late();
  offset_ = offset_ * std::exp(-settings_.cycle() / kBlend);
  return give(touch_[touched_].wrench + offset_);
}

bool HapticCycle::absorb() {
  if (const int body = touch_[1 - touched_].diverged; body >= 0) {
    touch_[touched_].diverged = body;
    return false;
  }
  touched_ = 1 - touched_;
  const Touch& touch = touch_[touched_];
  ++steps_;
  passivity_.give(touch.work);
  if (since_step_ > 0) {
    // goes over from what was felt
    offset_ = asked_;
    offset_ -= touch.wrench;
    since_step_ = 0;
  }
  return true;
}

HandWrench HapticCycle::let_go(double part) const { return workspace_.to_device(felt_ * part); }

Spatial HapticCycle::late_wrench() const {
  const Touch& touch = touch_[touched_];
  const double fade = std::exp(-since_step_ / kFade);
  if (settings_.hold == Hold::posed) return touch.linear.wrench(hand().X) * fade;
  const double drift = std::exp(-since_step_ / kDrift);
  MovingFrame pointer{carried(touch.pointer, kDrift * (1 - drift)), touch.pointer.twist * drift};
  return on_hand(pull(hand(), pointer, guard_.hold()), hand()) * fade;
}

HandWrench HapticCycle::answer_late() {
  ++late_;
  since_step_ += settings_.cycle();
  const Spatial late = late_wrench();
  offset_ = offset_ * std::exp(-settings_.cycle() / kBlend);
  return give(late + offset_);
}

HandWrench HapticCycle::give(const Spatial& wrench) {
  asked_ = wrench;
  felt_ = guard_.pass(settings_.cycle(), wrench);
  force_max_ = std::max(force_max_, felt_.lin.norm());
  torque_max_ = std::max(torque_max_, felt_.ang.norm());
  return workspace_.to_device(felt_);
}

void HapticCycle::warm_up(int steps) {
  const State state = state_;
  const Input input = input_;
  Touch touch = touch_[0];
  for (int i = 0; i < steps; ++i) {
    step(goal_, 0, touch);
    look(goal_, touch);
  }
  touch_[0].forces = touch_[1].forces = touch.forces;
  state_ = state;
  input_ = input;
}

}  // namespace abut::haptic
