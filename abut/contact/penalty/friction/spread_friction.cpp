#include "abut/contact/penalty/friction/spread_friction.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "abut/math/rotation.h"

namespace abut {

namespace {

bool has_springs(FrictionKind kind) {
  return kind == FrictionKind::springs || kind == FrictionKind::anchor;
}

// Zeros are no orientation: a pair that was near and did not press.
bool is_known(std::span<const double> memory) {
  return !memory.empty() && std::any_of(memory.begin() + kAnchorWidth + 1, memory.end(),
                                        [](double x) { return x != 0; });
}

Quat relative_turn(const TangentialContact& c) { return c.X_WA.q.conjugate() * c.X_WB.q; }

// The angle then, and what B has turned in A since.
double angle(const TangentialContact& c, std::span<const double> memory) {
  if (memory.empty()) return 0;
  const double* m = &memory[kAnchorWidth];
  Quat since = relative_turn(c) * Quat(m[1], m[2], m[3], m[4]).conjugate();
  if (since.w() < 0) since.coeffs() = -since.coeffs();
  return m[0] + (c.X_WA.q * log_rotation(since)).dot(c.normal);
}

// What the springs and dampers would do if nothing slipped, and what of that friction allows.
struct Trial {
  Vec3 force = Vec3::Zero();
  double couple = 0, turned = 0, energy = 0;
  bool slips = false, slides = false;  // in this moment; after it
  double scale = 1;
};

Trial trial(const FrictionRule& rule, const SpreadContactPoint& c, std::span<const double> memory) {
  Trial t;
  TangentialContact held = c.sliding;
  held.load = std::numeric_limits<double>::infinity();
  const Friction f =
      friction_force(rule, held, memory.empty() ? memory : memory.first(kAnchorWidth));
  t.force = f.force;
  t.turned = angle(c.sliding, memory);
  t.couple = -c.stiffness * t.turned - c.damping * c.rate;
  t.energy = f.energy + 0.5 * c.stiffness * t.turned * t.turned;
  // how far out of the ellipse of sliding friction
  const double limit = c.sliding.mu * c.sliding.load, turning = limit * c.arm;
  const double out = limit > 0
                         ? std::hypot(t.force.norm() / limit, turning > 0 ? t.couple / turning : 0)
                         : std::numeric_limits<double>::infinity();
  const bool slid = !memory.empty() && memory[kAnchorWidth - 1] != 0;
  const bool sticks = rule.kind == FrictionKind::anchor && !slid;
  t.slips = out > (sticks ? rule.ratio : 1);
  t.slides = t.slips || (slid && out >= 1);
  if (t.slips) t.scale = 1 / out;
  if (!(turning > 0)) t.couple = t.turned = 0;
  return t;
}

}  // namespace

SpreadFriction spread_friction(const FrictionRule& rule, const SpreadContactPoint& c,
                               std::span<const double> memory) {
  const double limit = c.sliding.mu * c.sliding.load;
  if (rule.kind == FrictionKind::none || !(limit > 0)) return {};
  if (!is_known(memory)) memory = {};
  if (has_springs(rule.kind)) {
    const Trial t = trial(rule, c, memory);
    return {t.scale * t.force, t.scale * t.couple, t.energy};
  }
  // by the speeds alone, each by its part in them
  const Vec3& n = c.sliding.normal;
  const double slide = (c.sliding.velocity - c.sliding.velocity.dot(n) * n).norm();
  const double turn = std::abs(c.rate) * c.arm, speed = std::hypot(slide, turn);
  if (!(speed > 0)) return {};
  const double damping =
      rule.kind == FrictionKind::viscous ? std::min(c.damping, c.most_damping) : c.most_damping;
  const double couple = std::min(damping * std::abs(c.rate), limit * c.arm);
  return {slide / speed * friction_force(rule, c.sliding, {}).force,
          -std::copysign(turn / speed * couple, c.rate), 0};
}

void move_spread_friction(const FrictionRule& rule, const SpreadContactPoint& c,
                          std::span<double> memory) {
  if (!has_springs(rule.kind)) return;
  const bool fresh = !is_known(memory);
  const Trial t = trial(rule, c, fresh ? std::span<const double>() : memory);
  TangentialContact sliding = c.sliding;
  sliding.load = t.slips && sliding.mu > 0 ? t.scale * t.force.norm() / sliding.mu
                                           : std::numeric_limits<double>::infinity();
  move_anchors({rule.kind, 1}, sliding, fresh, memory.first(kAnchorWidth));
  memory[kAnchorWidth - 1] = t.slides ? 1 : 0;
  double* m = &memory[kAnchorWidth];
  m[0] = t.turned;
  if (t.slips) m[0] = c.stiffness > 0 ? -t.scale * t.couple / c.stiffness : 0;
  const Quat now = relative_turn(c.sliding);
  m[1] = now.w(), m[2] = now.x(), m[3] = now.y(), m[4] = now.z();
}

}  // namespace abut
