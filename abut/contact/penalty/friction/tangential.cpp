#include "abut/contact/penalty/friction/tangential.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace abut {

namespace {

Vec3 in_plane(const Vec3& x, const Vec3& n) { return x - x.dot(n) * n; }

Vec3 read(const double* p) { return {p[0], p[1], p[2]}; }
void write(const Vec3& x, double* p) {
  for (int k = 0; k < 3; ++k) p[k] = x[k];
}

bool has_anchors(FrictionKind kind) {
  return kind == FrictionKind::springs || kind == FrictionKind::anchor;
}

// How far B's point is ahead of A's, in the contact plane.
Vec3 stretch(const TangentialContact& c, std::span<const double> anchor) {
  if (anchor.empty()) return Vec3::Zero();
  return in_plane(c.X_WB * read(&anchor[3]) - c.X_WA * read(&anchor[0]), c.normal);
}

double limit(const FrictionRule& rule, const TangentialContact& c, bool slides) {
  return c.mu * c.load * (slides || rule.kind != FrictionKind::anchor ? 1 : rule.ratio);
}

}  // namespace

FrictionRule friction_rule(const Model& model, const ContactSettings& settings) {
  FrictionRule rule{settings.friction, 1};
  if (const auto it = model.custom.find("abut.friction.static"); it != model.custom.end()) {
    if (it->second.numbers.empty() || !(it->second.numbers[0] >= 1))
      throw WorldError(it->second.source,
                       "abut.friction.static: write how much larger static friction is than that "
                       "of sliding, 1 or more");
    rule.ratio = it->second.numbers[0];
  }
  const auto read = [&](const char* name, double& x, bool positive, const char* what) {
    const auto it = model.custom.find(name);
    if (it == model.custom.end()) return;
    if (it->second.numbers.empty() || !(it->second.numbers[0] >= 0) ||
        (positive && it->second.numbers[0] == 0))
      throw WorldError(it->second.source, fmt::format("{}: write {}", name, what));
    x = it->second.numbers[0];
  };
  read("abut.friction.stribeck", rule.stribeck, true,
       "the speed at which friction falls from static to sliding (m/s), more than 0");
  read("abut.friction.viscous", rule.viscous, false,
       "what grows with the speed (N s/m), 0 or more");
  return rule;
}

double FrictionRule::stribeck_ratio(double speed) const {
  return 1 + (ratio - 1) * std::exp(-speed / stribeck);
}

Friction friction_force(const FrictionRule& rule, const TangentialContact& c,
                        std::span<const double> anchor) {
  if (rule.kind == FrictionKind::none || c.mu <= 0 || c.load <= 0) return {};
  const Vec3 u = in_plane(c.velocity, c.normal);
  if (!has_anchors(rule.kind)) {
    const double speed = u.norm();
    if (speed <= 0) return {};
    if (rule.kind == FrictionKind::viscous)
      return {-std::min({c.damping, c.most_damping, c.mu * c.load / speed}) * u, 0};
    const bool stribeck = rule.kind == FrictionKind::stribeck;
    const double force = c.mu * c.load * (stribeck ? rule.stribeck_ratio(speed) : 1) +
                         (stribeck ? rule.viscous * speed : 0);
    return {-std::min(c.most_damping, force / speed) * u, 0};
  }
  const Vec3 s = stretch(c, anchor);
  const Vec3 f = c.stiffness * s + c.damping * u;
  const bool slides = !anchor.empty() && anchor[6] != 0;
  const double energy = 0.5 * c.stiffness * s.squaredNorm();
  if (f.norm() <= limit(rule, c, slides)) return {-f, energy};
  return {-(c.mu * c.load / f.norm()) * f, energy};
}

void move_anchors(const FrictionRule& rule, const TangentialContact& c, bool fresh,
                  std::span<double> anchor) {
  if (!has_anchors(rule.kind)) return;
  Vec3 s = fresh ? Vec3::Zero() : stretch(c, anchor);
  const Vec3 f = c.stiffness * s + c.damping * in_plane(c.velocity, c.normal);
  bool slides = !fresh && anchor[6] != 0;
  const bool slips = f.norm() > limit(rule, c, slides);
  slides = slips || (slides && f.norm() >= c.mu * c.load);
  // where it slips the spring alone is left to carry what friction carries
  const Vec3 kept =
      slips && c.stiffness > 0 ? Vec3((c.mu * c.load / (c.stiffness * f.norm())) * f) : s;
  Vec3 a, b;
  if (fresh || rule.kind == FrictionKind::anchor) {
    a = c.point - 0.5 * kept;
    b = c.point + 0.5 * kept;
  } else {
    a = c.X_WA * read(&anchor[0]) + 0.5 * (s - kept);
    b = c.X_WB * read(&anchor[3]) - 0.5 * (s - kept);
  }
  write(c.X_WA.inverse() * a, &anchor[0]);
  write(c.X_WB.inverse() * b, &anchor[3]);
  anchor[6] = slides ? 1 : 0;
}

}  // namespace abut
