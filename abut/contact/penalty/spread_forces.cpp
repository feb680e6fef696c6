#include "abut/contact/penalty/spread_forces.h"

#include <algorithm>
#include <cmath>

#include "abut/contact/penalty/tolerances.h"
#include "abut/math/index.h"
#include "abut/solve/problem.h"

namespace abut {

namespace {

// The same zeta with another stiffness.
double damping_along(double kp, double kv, double kt) {
  return kp > 0 ? kv * std::sqrt(kt / kp) : kv;
}

// How many times as stiff a contact has to be where it is pressed at an edge or
// a corner, so that its deepest place is no deeper than 1.8 times what its
// middle is to be.
double lopsided(const ContactSurface& s) {
  return std::clamp(0.55 * s.depth / std::max(s.mean_depth(), kNoDepth), 1.0, 1.65);
}

// Where F_n is said to act: no farther from the center than the shadow reaches
// that way. Over a square it reaches sqrt(3) times the mean of y^2.
Vec3 kept_inside(const Vec3& y, const Mat3& second) {
  const double length2 = y.squaredNorm();
  if (!(length2 > 0)) return Vec3::Zero();
  const double reach2 = 3 * y.dot(second * y) / length2;
  return length2 > reach2 ? Vec3(std::sqrt(reach2 / length2) * y) : y;
}

}  // namespace

SpreadForces::SpreadForces(const Model& model, const FrictionRule& friction,
                           const Mobility& mobility, double step, const SurfaceOptions& options)
    : model_(model),
      step_(step),
      friction_(friction),
      mobility_(mobility),
      budget_(model, step),
      pieces_(model, options),
      carried_(model, mobility),
      stack_(model) {}

void SpreadForces::look(const ForceScene& scene, const ContactMemory& memory) {
  pieces_.find(scene, memory);
  carried_.begin();
  for (const ContactPiece& p : pieces_.all()) {
    const Patch& patch = scene.data.patches[at(p.patch)];
    if (p.surface.pushes()) carried_.add(patch.geom_a, patch.geom_b, p.surface.normal);
  }
  carried_.finish();
  pressed_.clear();
  budget_.begin();
  for (const ContactPiece& p : pieces_.all()) {
    const PairView pair(scene, p.patch);
    Pressed& pressed = pressed_.emplace_back();
    const ContactSurface& s = p.surface;
    SpreadContact c;
    c.normal = s.normal;
    if (s.pushes()) {
      c.link_a = model_.bodies[at(pair.body_a)].link;
      c.link_b = model_.bodies[at(pair.body_b)].link;
      if (c.link_a >= 0) c.W_a = mobility_.at_point(pair.patch.geom_a, pair.pose_a(), s.center);
      if (c.link_b >= 0) c.W_b = mobility_.at_point(pair.patch.geom_b, pair.pose_b(), s.center);
      c.share = p.share;
      c.first = s.first;
      c.second = s.second;

      const PairRecall known = recall(memory, pair.patch);
      const double carried = finer(pair) * carried_.load(pair.patch.geom_a, pair.patch.geom_b);
      pressed = stiffness(
          pair, p,
          storeys(pair) * std::max(carried, known.known() ? known.values()[kLoadSlot] : 0));
      const Material material = pair.material();
      if (material.condim != 1 && friction_.kind != FrictionKind::none)
        pressed.mu = material.friction;
      // a tip gives a third of k, an edge a half: V / (A d) says which
      const double soft = std::clamp(s.mean_depth() / std::max(s.depth, kNoDepth), 1.0 / 3, 1.0);
      c.rocking = pressed.rocking;
      c.kp = soft * pressed.kp;
      c.kv = pressed.kv;
    }
    if (pressed.mu > 0) {
      c.kt = pressed.kt;
      c.kvt = damping_along(pressed.kp, pressed.kv, pressed.kt);
    }
    budget_.add(c);
  }
  if (limits_damping()) budget_.finish();
  for (int i = 0; i < static_cast<int>(pressed_.size()); ++i) {
    const ContactPiece& p = pieces_.all()[at(i)];
    if (!p.surface.pushes()) continue;
    if (limits_damping()) pressed_[at(i)].damping = budget_.damping(i);
    press(PairView(scene, p.patch), i, pressed_[at(i)]);
  }
  find_stacks(scene);
}

void SpreadForces::find_stacks(const ForceScene& scene) {
  stack_.begin(step_);
  for (std::size_t i = 0; i < pressed_.size(); ++i) {
    const Pressed& p = pressed_[i];
    if (!(p.load > 0) || !(p.settles > 0)) continue;
    const ContactPiece& piece = pieces_.all()[i];
    const ContactSurface& s = piece.surface;
    const PairView pair(scene, piece.patch);
    if (!carried_.stacked(pair.patch.geom_a, pair.patch.geom_b)) continue;
    StackContact c;
    c.patch = piece.patch;
    c.center = s.center + s.first;
    c.normal = s.normal;
    c.second = s.second - s.first * s.first.transpose();
    c.tilting = s.tilting;
    c.damping = p.settles;
    c.rocking = p.rocking;
    c.load = p.load;
    c.moment = p.couple + (p.point - c.center).cross(p.load * s.normal);
    stack_.add(c, scene);
  }
}

void SpreadForces::hold(const ForceScene& scene, std::span<const double> u,
                        std::span<const double> u_rate, std::vector<ContactForce>& out) {
  stack_.solve(scene.d, u, u_rate, out);
}

// Springs push through the centroid; dampers by a speed that is linear over the
// shadow (H-E6).
void SpreadForces::press(const PairView& pair, int piece, Pressed& p) {
  const ContactSurface& s = pieces_.all()[at(piece)].surface;
  const Vec3& n = s.normal;
  const double u = pair.velocity(s.center).dot(n), more = p.rocking - 1;
  // (omega x y) . n = (n x omega) . y
  const Vec3 slope = s.tilting * n.cross(pair.twist_b(s.center).ang - pair.twist_a(s.center).ang);
  const Vec3 first = s.tilting.transpose() * s.first;
  const double kv = p.damping * p.kv;
  p.point = s.center;
  p.load = std::max(p.kp * s.mean_depth() * pair.part() - kv * (u + slope.dot(s.first)), 0.0);
  if (!(p.load > 0)) return;
  const Vec3 tilting = s.second * slope + more * (s.second * slope - s.first.dot(slope) * s.first);
  const Vec3 moment = -kv * Vec3(u * first + s.tilting.transpose() * tilting).cross(n);
  const Vec3 y = kept_inside(n.cross(moment) / p.load, s.second);
  p.point += y;
  p.couple = moment - y.cross(p.load * n);
}

SpreadContactPoint SpreadForces::friction_at(const PairView& pair, int piece) const {
  const ContactPiece& of = pieces_.all()[at(piece)];
  const ContactSurface& s = of.surface;
  const Pressed& p = pressed_[at(piece)];
  const double h = step_, r2 = s.second.trace();
  const double along = budget_.along(piece), about = budget_.about(piece);
  const double kvt = p.damping * damping_along(p.kp, p.kv, p.kt);
  SpreadContactPoint c;
  c.sliding = {p.point,
               s.normal,
               pair.velocity(p.point),
               pair.pose_a(),
               pair.pose_b(),
               p.load,
               p.mu,
               p.kt,
               kvt,
               along > 0 ? of.share / (h * along) : 0};
  c.rate = (pair.twist_b(s.center).ang - pair.twist_a(s.center).ang).dot(s.normal);
  c.arm = s.arm;
  c.stiffness = p.kt * r2;
  c.damping = kvt * r2;
  c.most_damping = about > 0 ? of.share / (h * about) : 0;
  return c;
}

void SpreadForces::forces(const ForceScene& scene, const ContactMemory& memory,
                          std::vector<ContactForce>& out) {
  if (looked_at_ != &scene.data) look(scene, memory);
  looked_at_ = nullptr;
  for (int i = 0; i < static_cast<int>(pressed_.size()); ++i) {
    const ContactPiece& piece = pieces_.all()[at(i)];
    const Pressed& p = pressed_[at(i)];
    if (!(p.load > 0)) continue;
    const PairView pair(scene, piece.patch);
    const Vec3& n = piece.surface.normal;
    ContactForce f;
    f.patch = piece.patch;
    f.position = p.point;
    f.force = p.load * n;
    f.couple = p.couple;
    // springs whose force grows with the depth: of a face, an edge, a tip
    f.energy =
        0.5 * p.kp * piece.surface.mean_depth() * piece.surface.depth * pair.part() * pair.part();
    if (p.mu > 0) {
      const PairRecall known = recall(memory, pair.patch);
      const SpreadFriction friction = spread_friction(
          friction_, friction_at(pair, i),
          known.known() ? known.values().first(kSpreadWidth) : std::span<const double>());
      f.force += friction.force;
      f.couple += friction.couple * n;
      f.energy += friction.energy;
    }
    out.push_back(f);
  }
}

// Pieces of two bodies press them together.
void SpreadForces::find_loads(const ForceScene& scene) {
  loads_.clear();
  for (std::size_t i = 0; i < pressed_.size(); ++i) {
    const PairView pair(scene, pieces_.all()[i].patch);
    loads_.emplace_back(pair_key(pair.body_a, pair.body_b), pressed_[i].load);
  }
  std::sort(loads_.begin(), loads_.end());
  std::size_t kept = 0;
  for (const auto& [bodies, load] : loads_)
    if (kept > 0 && loads_[kept - 1].first == bodies)
      loads_[kept - 1].second += load;
    else
      loads_[kept++] = {bodies, load};
  loads_.resize(kept);
}

double SpreadForces::load_of(const PairView& pair) const {
  const PairKey key = pair_key(pair.body_a, pair.body_b);
  return std::lower_bound(loads_.begin(), loads_.end(), std::pair{key, -kInfinity})->second;
}

void SpreadForces::advance(const ForceScene& scene, const ContactMemory& before, ContactMemory& now,
                           ContactMemory& after) {
  look(scene, before);
  looked_at_ = &scene.data;
  find_loads(scene);
  for (int i = 0; i < static_cast<int>(pressed_.size()); ++i) {
    const ContactPiece& p = pieces_.all()[at(i)];
    const PairKeep keep{&now, p.patch}, later{&after, p.patch};
    const PairView pair(scene, p.patch);
    const std::span<double> values = keep.values().first(kSpreadWidth);
    if (p.surface.pushes() && !p.surface.grazes)
      move_spread_friction(friction_, friction_at(pair, i), values);
    else
      std::fill(values.begin(), values.end(), 0.0);
    std::copy(values.begin(), values.end(), later.values().begin());
    const double times = finer(pair) * lopsided(p.surface);
    later.values()[kTimesSlot] = times;
    later.values()[kStoreysSlot] = storeys(pair);
    follow_load(pair, times * load_of(pair),
                finer(pair) * carried_.load(pair.patch.geom_a, pair.patch.geom_b),
                later.values().subspan(kSpreadWidth, 3));
    for (int k = 0; k < 3; ++k)
      keep.header().normal[k] = later.header().normal[k] = p.surface.normal[k];
  }
}

}  // namespace abut
