#include "abut/constrain/ahead/contacts_ahead.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "abut/constrain/tolerances.h"
#include "abut/dynamics/bias.h"
#include "abut/math/index.h"
#include "abut/model/kinematics.h"

namespace abut {

ContactsAhead::ContactsAhead(const Model& model, const Collider& collider,
                             const BounceRule& bounces, int max_points)
    : model_(model), bounces_(bounces), max_points_(max_points), sizes_(collider.sizes()) {}

void ContactsAhead::begin(const ContactMemory& memory, const Derived& start,
                          const ContactData& data, std::span<const std::uint8_t> left_out) {
  left_out_.assign(left_out.begin(), left_out.end());
  left_out_.resize(data.patches.size(), 0);
  used_.assign(data.patches.size(), 0);
  met_now_.assign(data.patches.size(), 0);
  corrected_.assign(data.patches.size(), {});
  unused_ = corrections_ = 0;
  bounce_ = kInfinity;
  followed_.clear();
  for (std::size_t p = 0; p < data.patches.size(); ++p) {
    if (left_out_[p]) continue;
    const Patch& patch = data.patches[p];
    const double L = sizes_[at(patch.geom_a)] + sizes_[at(patch.geom_b)];
    const int pair = memory.find(patch.key());
    const bool pressed = pair >= 0 && memory.pairs()[at(pair)].phase == ContactPhase::resting;
    // the rows of what touches a half-space are right everywhere: it needs no look ahead, and shares
    // the load with what pressed before
    const bool on_plane = model_.geoms[at(patch.geom_a)].shape.kind == ShapeKind::plane ||
                          model_.geoms[at(patch.geom_b)].shape.kind == ShapeKind::plane;
    used_[p] = patch.distance <= kTouchAhead * L &&
               (pressed || on_plane || patch.distance < -kTouchAhead * L);
    if (used_[p] && bounces_.any() && bounces_.has(patch, data.points, start)) used_[p] = 0;
    unused_ += used_[p] ? 0 : 1;
  }
}

StepMotion ContactsAhead::motion_of(const Step& step, const Derived& end) const {
  return {model_, step.h, step.input, step.start, end, step.change, step.u};
}

bool ContactsAhead::extend(const Step& step, const Derived& end, bool may_bounce,
                           const FlightRule* flights, Collider& collider, ContactData& data) {
  bounce_ = kInfinity;
  bouncing_.clear();
  followed_.clear();
  find_meetings(motion_of(step, end), step.reach, may_bounce ? flights : nullptr, collider, data);
  find_first_bounces(data);
  bool any = false;
  for (const Met& met : meetings_) {
    const Patch& patch = data.patches[met.patch];
    motion_a_ = motions_[at(patch.geom_a)];
    motion_b_ = motions_[at(patch.geom_b)];
    if (met.followed && (!met.slow || may_be_passed(met, patch))) {
      followed_.push_back({met.meeting.time, patch.geom_a, patch.geom_b, met.slow});
    } else if (may_bounce && !met.followed &&
               bounces_.bounces(patch, met.meeting.approach, step.h)) {
      bounce_ = std::min(bounce_, met.meeting.time);
      Patch bouncing = patch;
      if (bring_back(met.meeting, step, collider, bouncing, bouncing_.points))
        bouncing_.patches.push_back(bouncing);
    } else {
      use(met, step, collider, data);
      any = true;
    }
  }
  return any;
}

// Of the pairs that are not in use: those that meet on the way.
void ContactsAhead::find_meetings(const StepMotion& motion, std::span<const double> reach,
                                  const FlightRule* flights, Collider& collider,
                                  const ContactData& data) {
  meetings_.clear();
  motions_.resize(model_.geoms.size());
  moves_.assign(model_.geoms.size(), 0);
  const auto of = [&](int geom) -> const GeomMotion& {
    if (!std::exchange(moves_[at(geom)], 1)) motions_[at(geom)] = motion.of(geom);
    return motions_[at(geom)];
  };
  for (std::size_t p = 0; p < data.patches.size(); ++p) {
    if (used_[p] || left_out_[p]) continue;
    const int a = data.patches[p].geom_a, b = data.patches[p].geom_b;
    const std::optional<Meeting> meeting = first_meeting(collider, data.patches[p], of(a), of(b),
                                                         motion.h, reach[at(a)] + reach[at(b)]);
    if (!meeting) continue;
    Met met{p, *meeting};
    met.followed = flights != nullptr && flights->follows(a, b, motion);
    met.slow = met.followed && !(meeting->approach > flights->slowest(a, b));
    meetings_.push_back(met);
  }
}

void ContactsAhead::find_first_bounces(const ContactData& data) {
  first_bounce_.assign(model_.trees.size(), kInfinity);
  for (const Met& met : meetings_) {
    if (!met.followed || met.slow) continue;
    const Patch& patch = data.patches[met.patch];
    for (const int geom : {patch.geom_a, patch.geom_b})
      if (const int tree = tree_of(geom); tree >= 0)
        first_bounce_[at(tree)] = std::min(first_bounce_[at(tree)], met.meeting.time);
  }
}

// Whether one of the two bounces elsewhere before the two meet, and may go another way then.
bool ContactsAhead::may_be_passed(const Met& met, const Patch& patch) const {
  for (const int geom : {patch.geom_a, patch.geom_b})
    if (const int tree = tree_of(geom); tree >= 0 && first_bounce_[at(tree)] < met.meeting.time)
      return true;
  return false;
}

int ContactsAhead::tree_of(int geom) const {
  const int link = model_.bodies[at(model_.geoms[at(geom)].body)].link;
  return link < 0 ? -1 : model_.links[at(link)].tree;
}

void ContactsAhead::use(const Met& met, const Step& step, Collider& collider, ContactData& data) {
  Patch& patch = data.patches[met.patch];
  Patch there = patch;
  if (bring_back(met.meeting, step, collider, there, data.points) &&
      there.normal.dot(patch.normal) < 1 - kSameNormalAhead)
    patch = there;
  used_[met.patch] = met_now_[met.patch] = 1;
  --unused_;
}

bool ContactsAhead::correct(const Step& step, const Derived& end,
                            std::span<const std::uint8_t> presses, Collider& collider,
                            ContactData& data) {
  if (corrections_++ == kMostCorrections) return false;
  bool any = false;
  for (std::size_t p = 0; p < data.patches.size(); ++p)
    if (met_now_[p] ||
        (corrections_ <= kMostOfPressing && presses[p] && turns(step, data.patches[p])))
      any |= correct_pair(step, end, p, presses[p], collider, data);
  return any;
}

bool ContactsAhead::correct_pair(const Step& step, const Derived& end, std::size_t p, bool presses,
                                 Collider& collider, ContactData& data) {
  Patch& patch = data.patches[p];
  Correction& c = corrected_[p];
  const int a = patch.geom_a, b = patch.geom_b;
  const StepMotion motion = motion_of(step, end);
  const Pose X_WA = motion.end_pose(a), X_WB = motion.end_pose(b);
  const double moved = step.reach[at(a)] + step.reach[at(b)];
  const Proximity there = collider.distance(patch, X_WA, X_WB, moved);
  const double gap = there.distance;
  const double near = kEndsTouching * moved + 0.1 * kTouchAhead * (sizes_[at(a)] + sizes_[at(b)]);
  const double shift = c.plane.shift();
  // a pair that touches from the start on cannot be lifted: overlap is the stabiliser's
  const bool may_overlap = !met_now_[p] && c.relinearised == 0;
  const bool ends_well = (gap >= -near || may_overlap) && (gap <= near || !presses);
  if (shift > 0 && ((gap > near && !presses) || there.normal.dot(patch.normal) <= 0)) {
    c.plane.give_up();  // the two have passed each other
  } else if (ends_well) {
    return false;
  } else if (c.relinearised < kMostRelinearised) {
    ++c.relinearised;
    // apart rather than overlapping: a shift of these contacts leads to a touch
    const bool better = (gap > 0) != (c.gap > 0) ? gap > 0 : std::abs(gap) < std::abs(c.gap);
    if (better) {
      c.gap = gap;
      c.best = patch;
    }
    motion_a_ = motion.as_solved(a);
    motion_b_ = motion.as_solved(b);
    relinearise(step, X_WA, X_WB, collider, patch, data.points);
    return true;
  } else if (gap < 0 && c.best) {
    patch = *c.best;
    c.best.reset();
    c.plane.correct(c.gap);
  } else {
    c.best.reset();
    c.plane.correct(gap);
  }
  if (corrections_ == kMostCorrections)
    c.plane.settle(0.5 * step.h * step.h * gravity(model_).norm());
  for (int i = patch.begin; i < patch.end; ++i) data.points.psi[at(i)] += c.plane.shift() - shift;
  return c.plane.shift() != shift;
}

// Contacts of where the pair ends. Gaps are what they are there, if the motion stays as it is.
void ContactsAhead::relinearise(const Step& step, const Pose& X_WA, const Pose& X_WB,
                                Collider& collider, Patch& patch, ContactPoints& points) {
  const int first = points.count();
  if (!bring_back(X_WA, X_WB, step, collider, patch, points)) return;
  for (int i = first; i < points.count(); ++i) {
    const Vec3 at_start = 0.5 * (points.p_A[at(i)] + points.p_B[at(i)]);
    const Vec3 rate = motion_b_.velocity_at(at_start, 0, 0) - motion_a_.velocity_at(at_start, 0, 0);
    points.psi[at(i)] = met_.points.psi[at(i - first)] - step.h * patch.normal.dot(rate);
  }
}

// Whether one of the two turns by more than kTurnsAhead. (Rates of joints that slide count as well.)
bool ContactsAhead::turns(const Step& step, const Patch& patch) const {
  for (const int geom : {patch.geom_a, patch.geom_b}) {
    const int link = model_.bodies[at(model_.geoms[at(geom)].body)].link;
    if (link < 0) continue;
    const Tree& tree = model_.trees[at(model_.links[at(link)].tree)];
    const int skip = tree.free_body ? 3 : 0;
    double turn = 0;
    for (int i = tree.dof_begin + skip; i < tree.dof_begin + tree.dof_count; ++i)
      turn += step.h * std::abs(step.u[at(i)]);
    if (turn > kTurnsAhead) return true;
  }
  return false;
}

bool ContactsAhead::looks_ahead(const Step& step, const ContactData& data) const {
  for (std::size_t p = 0; p < data.patches.size(); ++p)
    if (used_[p] && turns(step, data.patches[p])) return true;
  return unused_ > 0 || std::find(met_now_.begin(), met_now_.end(), 1) != met_now_.end();
}

void ContactsAhead::use_all() {
  for (std::size_t p = 0; p < used_.size(); ++p) used_[p] = !left_out_[p];
  unused_ = 0;
}

bool ContactsAhead::bring_back(const Meeting& meeting, const Step& step, Collider& collider,
                               Patch& patch, ContactPoints& points) {
  return bring_back(motion_a_.at(meeting.later, step.h), motion_b_.at(meeting.later, step.h), step,
                    collider, patch, points);
}

// Contacts of the two at other poses, as they lie at the start of the step: each point goes back
// with its own solid, the normal stays. met_ has them as they are there.
bool ContactsAhead::bring_back(const Pose& X_WA, const Pose& X_WB, const Step& step,
                               Collider& collider, Patch& patch, ContactPoints& points) {
  const int a = patch.geom_a, b = patch.geom_b;
  met_.clear();
  PatchOptions options{step.reach[at(a)] + step.reach[at(b)], max_points_};
  const ContactMemory& memory = step.state.contacts;
  if (const int pair = memory.find(patch.key()); pair >= 0) {
    const PairMemory& known = memory.pairs()[at(pair)];
    options.kept_before = memory.point_ids().subspan(known.point_begin, known.point_count);
  }
  if (!collider.append_pair(patch, X_WA, X_WB, options, met_)) return false;
  const Pose back_A = motion_a_.start * X_WA.inverse(), back_B = motion_b_.start * X_WB.inverse();
  const Patch& met = met_.patches.back();
  patch.normal = met.normal;
  patch.a = met.a;
  patch.b = met.b;
  patch.indeterminate = met.indeterminate;
  patch.begin = points.count();
  for (int i = met.begin; i < met.end; ++i) {
    const Vec3 p_A = back_A * met_.points.p_A[at(i)], p_B = back_B * met_.points.p_B[at(i)];
    points.add(p_A, p_B, patch.normal.dot(p_B - p_A), met_.points.id[at(i)]);
  }
  patch.end = points.count();
  return true;
}

}  // namespace abut
