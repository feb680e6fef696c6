#include "abut/contact/penalty/volumetric.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace abut {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

SurfaceNormal normal_of(const Model& model) {
  static constexpr std::array<std::string_view, 6> kNames{"normal", "gains", "kp",
                                                          "kv",     "kt",    "zeta"};
  check_names(model, "abut.volumetric.", kNames);
  const auto it = model.custom.find("abut.volumetric.normal");
  if (it == model.custom.end() || it->second.text == "area") return SurfaceNormal::area;
  if (it->second.text == "translation") return SurfaceNormal::translation;
  throw WorldError(
      it->second.source,
      fmt::format("abut.volumetric.normal = '{}': there are area, translation", it->second.text));
}

// The same zeta with another stiffness.
double damping_along(const Gains& g) { return g.kp > 0 ? g.kv * std::sqrt(g.kt / g.kp) : g.kv; }

// Where F_n acts: no farther from the center than the shadow reaches that way. Over a square it
// reaches sqrt(3) times the mean of y^2.
Vec3 kept_inside(const Vec3& y, const Mat3& second) {
  const double length2 = y.squaredNorm();
  if (!(length2 > 0)) return Vec3::Zero();
  const double reach2 = 3 * y.dot(second * y) / length2;
  return length2 > reach2 ? Vec3(std::sqrt(reach2 / length2) * y) : y;
}

}  // namespace

Volumetric::Volumetric(const Model& model, const Collider& collider,
                       const ContactSettings& settings)
    : model_(model),
      friction_(friction_rule(model, settings)),
      gains_(model, collider, {.name = "volumetric", .integral = false, .spread = true}),
      budget_(model, gains_.mobility()),
      warnings_(gains_.warnings(collider.filter())) {
  options_ = {normal_of(model), collider.plane()};
}

// Calls f(begin, end) for ranges of order_, each the pieces of two bodies.
template <class F>
void Volumetric::for_each_body_pair(F&& f) const {
  for (std::size_t begin = 0, end = 0; begin < order_.size(); begin = end) {
    while (end < order_.size() && order_[end].first == order_[begin].first) ++end;
    f(begin, end);
  }
}

// Pieces of two bodies whose normals are within 8 degrees have one, and pieces within 25 degrees
// draw each other's a little, so that nothing jumps.
void Volumetric::find_normals() {
  constexpr double kSame = 0.99, kOther = 0.9;  // cosines
  for_each_body_pair([&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      Piece& p = pieces_[at(order_[i].second)];
      const CommonPart& part = parts_[at(p.part)];
      p.surface.normal = part.normal;
      if (!part.of_area || end - begin == 1) continue;
      Vec3 sum = Vec3::Zero();
      for (std::size_t j = begin; j < end; ++j) {
        const CommonPart& other = parts_[at(pieces_[at(order_[j].second)].part)];
        const bool turned = pieces_[at(order_[j].second)].turned != p.turned;
        const double sign = turned ? -1 : 1;
        if (!other.of_area) continue;
        const double near = (sign * part.normal.dot(other.normal) - kOther) / (kSame - kOther);
        sum += std::clamp(near, 0.0, 1.0) * sign * other.area;
      }
      p.surface.normal = sum.normalized();
    }
  });
}

// The pieces of two bodies are pressed by springs over all their area together.
void Volumetric::share_areas() {
  for_each_body_pair([&](std::size_t begin, std::size_t end) {
    double area = 0;
    for (std::size_t i = begin; i < end; ++i) area += pieces_[at(order_[i].second)].surface.area;
    const auto count = static_cast<double>(end - begin);
    for (std::size_t i = begin; i < end; ++i) {
      Piece& p = pieces_[at(order_[i].second)];
      p.area = area;
      p.share = area > 0 ? p.surface.area / area : 1 / count;
    }
  });
}

void Volumetric::look(const ForceScene& scene, const ContactMemory& memory) {
  pieces_.clear();
  order_.clear();
  budget_.begin();
  for (int i = 0; i < static_cast<int>(scene.data.patches.size()); ++i) {
    const PairView pair(scene, i);
    const PairRecall known = recall(memory, pair.patch, pair_width(), point_width());
    Vec3 last = Vec3::Zero();
    if (known.known())
      for (int k = 0; k < 3; ++k) last[k] = known.header().normal[k];
    Piece p;
    p.patch = p.part = i;
    if (at(i) == parts_.size()) parts_.emplace_back();
    find_common_part(pair, last, options_, buffers_, parts_[at(i)]);
    const auto weld = [&](int body) {
      return static_cast<std::uint64_t>(model_.bodies[at(body)].weld);
    };
    const std::uint64_t a = weld(pair.body_a), b = weld(pair.body_b);
    p.turned = a > b;
    p.bodies = std::min(a, b) << 32 | std::max(a, b);
    p.gains = gains_.of(pair.patch.geom_a, pair.patch.geom_b);
    const Material material = pair.material();
    p.mu = material.condim == 1 || friction_.kind == FrictionKind::none ? 0 : material.friction;
    order_.emplace_back(p.bodies, static_cast<int>(pieces_.size()));
    pieces_.push_back(p);
  }
  std::sort(order_.begin(), order_.end());
  find_normals();
  for (Piece& p : pieces_)
    p.surface = contact_surface(PairView(scene, p.patch), parts_[at(p.part)], p.surface.normal);
  share_areas();
  for (const Piece& p : pieces_) {
    const PairView pair(scene, p.patch);
    const bool pushes = p.surface.pushes();
    // a tip gives a third of k, an edge a half: V / (A d) says which
    const double soft =
        std::clamp(p.surface.mean_depth() / std::max(p.surface.depth, 1e-300), 1.0 / 3, 1.0);
    SpreadContact c{pair.body_a, pair.body_b, p.surface.center, p.surface.normal, p.surface.second};
    if (pushes) {
      c.kp = p.share * soft * p.gains.kp;
      c.kv = p.share * p.gains.kv;
    }
    if (pushes && p.mu > 0) {
      c.kt = p.share * p.gains.kt;
      c.kvt = damping_along(p.gains) * p.share;
    }
    budget_.add(scene.d, c);
  }
  budget_.finish();
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    if (!gains_.of_paper()) pieces_[i].damping = budget_.damping(static_cast<int>(i));
    press(PairView(scene, pieces_[i].patch), pieces_[i]);
  }
}

// Springs push through the centroid; dampers by a speed that is linear over the shadow (H-E6).
void Volumetric::press(const PairView& pair, Piece& p) const {
  const ContactSurface& s = p.surface;
  p.point = s.center;
  if (!s.pushes()) return;
  const Vec3& n = s.normal;
  const double u = pair.velocity(s.center).dot(n);
  // (omega x y) . n = (n x omega) . y
  const Vec3 slope = n.cross(pair.twist_b(s.center).ang - pair.twist_a(s.center).ang);
  const double kv = p.share * p.damping * p.gains.kv;
  const double spring = s.thin ? p.share * p.gains.kp * s.depth : p.gains.kp * s.volume / p.area;
  p.load = std::max(spring - kv * (u + slope.dot(s.first)), 0.0);
  if (!(p.load > 0)) return;
  const Vec3 moment = -kv * Vec3(u * s.first + s.second * slope).cross(n);
  const Vec3 y = kept_inside(n.cross(moment) / p.load, s.second);
  p.moment = y.cross(p.load * n);
  p.point = s.center + y;
}

SpreadContactPoint Volumetric::friction_of(const PairView& pair, const Piece& p, int index) const {
  const ContactSurface& s = p.surface;
  const double h = model_.option.timestep, r2 = s.second.trace();
  const double along = budget_.along(index), about = budget_.about(index);
  const double kt = p.share * p.gains.kt;
  const double kvt = p.share * p.damping * damping_along(p.gains);
  SpreadContactPoint c;
  c.sliding = {p.point,
               s.normal,
               pair.velocity(p.point),
               pair.pose_a(),
               pair.pose_b(),
               p.load,
               p.mu,
               kt,
               kvt,
               along > 0 ? p.share / (h * along) : 0};
  c.rate = (pair.twist_b(s.center).ang - pair.twist_a(s.center).ang).dot(s.normal);
  c.arm = s.arm;
  c.stiffness = kt * r2;
  c.damping = kvt * r2;
  c.most_damping = about > 0 ? p.share / (h * about) : 0;
  return c;
}

void Volumetric::forces(const ForceScene& scene, const ContactMemory& memory,
                        std::vector<ContactForce>& out) {
  if (looked_at_ != &scene.data) look(scene, memory);
  looked_at_ = nullptr;
  for (int i = 0; i < static_cast<int>(pieces_.size()); ++i) {
    const Piece& p = pieces_[at(i)];
    if (!(p.load > 0)) continue;
    const PairView pair(scene, p.patch);
    ContactForce f;
    f.patch = p.patch;
    f.position = p.point;
    f.force = p.load * p.surface.normal;
    f.energy = 0.5 * p.share * p.gains.kp * std::pow(p.surface.mean_depth(), 2);
    if (p.mu > 0) {
      const PairRecall known = recall(memory, pair.patch, pair_width(), point_width());
      const SpreadFriction friction =
          spread_friction(friction_, friction_of(pair, p, i),
                          known.known() ? known.values() : std::span<const double>());
      f.force += friction.force;
      f.couple = friction.couple * p.surface.normal;
      f.energy += friction.energy;
    }
    out.push_back(f);
  }
}

void Volumetric::advance(const ForceScene& scene, const ContactMemory& before, ContactMemory& now,
                         ContactMemory& after) {
  look(scene, before);
  looked_at_ = &scene.data;
  for (int i = 0; i < static_cast<int>(pieces_.size()); ++i) {
    const Piece& p = pieces_[at(i)];
    const PairKeep keep{&now, p.patch}, later{&after, p.patch};
    const std::span<double> values = keep.values();
    if (p.surface.pushes())
      move_spread_friction(friction_, friction_of(PairView(scene, p.patch), p, i), values);
    else
      std::fill(values.begin(), values.end(), 0.0);
    std::copy(values.begin(), values.end(), later.values().begin());
    for (int k = 0; k < 3; ++k)
      keep.header().normal[k] = later.header().normal[k] = p.surface.normal[k];
  }
}

std::unique_ptr<ForceModel> make_volumetric(const Model& model, const Collider& collider,
                                            const ContactSettings& settings) {
  return std::make_unique<Volumetric>(model, collider, settings);
}

}  // namespace abut
