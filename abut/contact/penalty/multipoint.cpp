#include "abut/contact/penalty/multipoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "abut/contact/penalty/friction/rolling.h"
#include "abut/contact/penalty/tolerances.h"
#include "abut/math/index.h"
#include "abut/solve/problem.h"

namespace abut {

namespace {

bool has_springs(FrictionKind kind) {
  return kind == FrictionKind::springs || kind == FrictionKind::anchor;
}

}  // namespace

MultipointOptions multipoint_options(const Model& model, const ContactSettings& settings) {
  static constexpr std::array<std::string_view, 12> kNames{
      "normal", "gains", "kt", "kp", "kv", "ki", "lambda", "zeta", "share", "sum", "parts", "most"};
  check_names(model, "abut.multipoint.", kNames);
  MultipointOptions o;
  o.data = settings.data;
  o.friction = friction_rule(model, settings);
  const auto choose = [&](const char* name, auto& value, auto... choices) {
    const auto it = model.custom.find(name);
    if (it == model.custom.end()) return;
    std::string all;
    bool known = false;
    (([&] {
       all += all.empty() ? choices.first : std::string(", ") + choices.first;
       if (it->second.text != choices.first) return;
       value = choices.second;
       known = true;
     }()),
     ...);
    if (!known)
      throw WorldError(it->second.source,
                       fmt::format("{} = '{}': there are {}", name, it->second.text, all));
  };
  if (const auto it = model.custom.find("abut.multipoint.gains"); it != model.custom.end())
    if (it->second.text == "paper") o.share = PointShare::count;
  choose("abut.multipoint.share", o.share, std::pair{"count", PointShare::count},
         std::pair{"none", PointShare::none}, std::pair{"area", PointShare::area});
  choose("abut.multipoint.sum", o.sum_over_time, std::pair{"steps", false},
         std::pair{"time", true});
  return o;
}

Multipoint::Multipoint(const Model& model, const Collider& collider,
                       const MultipointOptions& options)
    : options_(options),
      gains_(model, collider,
             {.name = "multipoint", .zeta = 0.7, .part = 0.25, .in_parts = true, .capped = false}),
      warnings_(gains_.warnings(collider.filter())),
      step_(gains_.step()),
      surface_(options.data, collider.plane().has_value()),
      few_{PairNumber(model, "abut.multipoint.most", 1, kInfinity), {}},
      held_(model),
      carried_(model, gains_.mobility()),
      stack_(model),
      neighbours_(model.trees.size()) {}

Gains Multipoint::gains_of(int a, int b, double loads, double load) const {
  Gains g = gains_.of(a, b, loads, load);
  if (!options_.sum_over_time) return g;
  g.ki *= step_ / kDrumwrightStep;
  g.lambda = std::pow(g.lambda, step_ / kDrumwrightStep);
  return g;
}

void Multipoint::find_points(const ForceScene& scene, const ContactMemory& memory) {
  touching_.clear();
  points_.clear();
  weighed_.clear();
  for (int p = 0; p < static_cast<int>(scene.data.patches.size()); ++p) {
    const PairView pair(scene, p);
    // pairs that meet during the step are left to the impacts of the next step
    if (!recall(memory, pair.patch).known()) continue;
    const std::span<const BottomPoint> found = surface_.find(pair);
    if (found.empty()) continue;
    Touching t;
    t.bodies = pair_key(pair.body_a, pair.body_b);
    t.patch = p;
    t.begin = static_cast<int>(points_.size());
    const Spatial a = pair.twist_a(found[0].position), b = pair.twist_b(found[0].position);
    for (const BottomPoint& x : found) {
      const Vec3 v = b.lin - a.lin + (b.ang - a.ang).cross(x.position - found[0].position);
      points_.push_back({x.position, v, 0});
      weighed_.push_back({x.depth * pair.part(), x.area, 0, v.dot(pair.patch.normal), 0});
    }
    t.end = static_cast<int>(points_.size());
    if (can_roll(pair)) take_off_rolling(pair, t);
    t.area = surface_.area();
    touching_.push_back(t);
  }
  std::sort(touching_.begin(), touching_.end(), [](const Touching& x, const Touching& y) {
    return x.bodies != y.bodies ? x.bodies < y.bodies : x.patch < y.patch;
  });
}

// Patches of the same two bodies, and how many bodies each tree touches.
void Multipoint::group_by_bodies(const ForceScene& scene, const ContactMemory& memory) {
  bodies_.clear();
  std::fill(neighbours_.begin(), neighbours_.end(), 0);
  for (int i = 0; i < static_cast<int>(touching_.size()); ++i) {
    const Touching& t = touching_[at(i)];
    const Patch& patch = scene.data.patches[at(t.patch)];
    if (i == 0 || touching_[at(i - 1)].bodies != t.bodies) {
      bodies_.push_back({i, i});
      const int a = gains_.mobility().tree(patch.geom_a), b = gains_.mobility().tree(patch.geom_b);
      if (a >= 0) ++neighbours_[at(a)];
      if (b >= 0 && b != a) ++neighbours_[at(b)];
    }
    Bodies& two = bodies_.back();
    two.end = i + 1;
    two.area += t.area;
    const PairRecall known = recall(memory, patch);
    two.sum = std::max(two.sum, known.values()[0]);
    for (int k = t.begin; k < t.end; ++k)
      two.deepest = std::max(two.deepest, weighed_[at(k)].depth);
  }
}

void Multipoint::choose_gains(const ForceScene& scene, const ContactMemory& memory) {
  carried_.begin();
  for (const Touching& t : touching_) {
    const Patch& patch = scene.data.patches[at(t.patch)];
    carried_.add(patch.geom_a, patch.geom_b, patch.normal);
  }
  carried_.finish();
  // a body that touches only one other carries nothing but itself
  for (Touching& t : touching_) {
    const Patch& patch = scene.data.patches[at(t.patch)];
    bool alone = false;
    for (const int geom : {patch.geom_a, patch.geom_b}) {
      const int tree = gains_.mobility().tree(geom);
      alone = alone || (tree >= 0 && neighbours_[at(tree)] == 1);
    }
    const double load = std::max(carried_.load(patch.geom_a, patch.geom_b),
                                 recall(memory, patch).values()[kLoadSlot]);
    t.gains = gains_of(patch.geom_a, patch.geom_b, alone ? 1.5 : kLoads,
                       carried_.storeys(patch.geom_a, patch.geom_b) * load);
    t.kt = t.gains.kt;
    if (t.gains.free && !gains_.of_paper() && carried_.stacked(patch.geom_a, patch.geom_b))
      t.settles = StackDampers::kTimes * t.gains.kv;
    t.kvt = t.gains.kp > 0 ? t.gains.kv * std::sqrt(t.kt / t.gains.kp) : 0;
  }
  if (few_.most.given()) keep_few(scene);
}

// A pair with more points than it may have keeps some of them.
void Multipoint::keep_few(const ForceScene& scene) {
  few_.points.clear();
  few_.weighed.clear();
  for (const Bodies& two : bodies_)
    for (int i = two.begin; i < two.end; ++i) {
      Touching& t = touching_[at(i)];
      const Patch& patch = scene.data.patches[at(t.patch)];
      const double most = few_.most.of(patch.geom_a, patch.geom_b).value_or(kInfinity);
      keep_few_of(t, static_cast<int>(std::min<double>(most, t.end - t.begin)), two.sum);
    }
  std::swap(points_, few_.points);
  std::swap(weighed_, few_.weighed);
}

void Multipoint::keep_few_of(Touching& t, int most, double sum) {
  few_.places.clear();
  few_.pressed.clear();
  few_.areas.clear();
  for (int k = t.begin; k < t.end; ++k) {
    few_.places.push_back(points_[at(k)].position);
    few_.pressed.push_back(pressure(t, weighed_[at(k)], sum));
    few_.areas.push_back(weighed_[at(k)].area);
  }
  const int from = t.begin;
  t.begin = static_cast<int>(few_.points.size());
  for (const int i : few_.chooser.choose(few_.places, few_.pressed, most, few_.areas)) {
    few_.points.push_back(points_[at(from + i)]);
    few_.weighed.push_back(weighed_[at(from + i)]);
    few_.weighed.back().area = few_.areas[at(i)];
  }
  t.end = static_cast<int>(few_.points.size());
}

// Of the speeds at which the points part, what rolling adds (rolling.h).
void Multipoint::take_off_rolling(const PairView& pair, const Touching& t) {
  double area = 0;
  Vec3 middle = Vec3::Zero();
  for (int k = t.begin; k < t.end; ++k) {
    area += weighed_[at(k)].area;
    middle += weighed_[at(k)].area * points_[at(k)].position;
  }
  if (!(area > 0)) return;
  middle /= area;
  Mat3 second = Mat3::Zero();
  for (int k = t.begin; k < t.end; ++k) {
    const Vec3 y = points_[at(k)].position - middle;
    second += weighed_[at(k)].area / area * y * y.transpose();
  }
  const Vec3& n = pair.patch.normal;
  const Spatial a = pair.twist_a(middle), b = pair.twist_b(middle);
  const double parts = n.dot(b.lin - a.lin);
  const Vec3 slope = tilting_part(pair, n, second) * n.cross(b.ang - a.ang);
  for (int k = t.begin; k < t.end; ++k)
    weighed_[at(k)].speed = parts + slope.dot(points_[at(k)].position - middle);
}

// Lowers gains until 2 h k_v / m + h^2 k_p / m is kStable at most in every motion of the two.
void Multipoint::fit_to_step(const ForceScene& scene, const Bodies& two) {
  const Vec3 middle = points_[at(touching_[at(two.begin)].begin)].position;
  Mat6 K = Mat6::Zero(), D = Mat6::Zero(), T = Mat6::Zero();
  const auto add = [](double along, double across, const Vec3& n, const Mat3& arm, Mat6& G) {
    const Mat3 k = across * Mat3::Identity() + (along - across) * n * n.transpose();
    const Mat3 ka = k * arm;
    G.topLeftCorner<3, 3>() += k;
    G.topRightCorner<3, 3>() -= ka;
    G.bottomLeftCorner<3, 3>() -= ka.transpose();
    G.bottomRightCorner<3, 3>() -= arm * ka;
  };
  bool free = true;
  for (int i = two.begin; i < two.end; ++i) {
    const Touching& t = touching_[at(i)];
    free = free && t.gains.free;
    const Vec3& n = scene.data.patches[at(t.patch)].normal;
    for (int k = t.begin; k < t.end; ++k) {
      const double share = weighed_[at(k)].share, pressed = weighed_[at(k)].pressed;
      if (share <= 0) continue;
      const Vec3 r = points_[at(k)].position - middle;
      Mat3 arm;
      arm << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
      // friction is shared out by load
      add(share * t.gains.kp, pressed * t.kt, n, arm, K);
      add(share * t.gains.kv, pressed * t.kvt, n, arm, D);
      add(0, pressed, n, arm, T);
    }
  }
  const PairView pair(scene, touching_[at(two.begin)].patch);
  const Mobility& mobility = gains_.mobility();
  const auto shared = [&](int geom, const Pose& X_WG) -> Mat6 {
    const int tree = mobility.tree(geom);
    if (tree < 0) return Mat6::Zero();
    return neighbours_[at(tree)] * mobility.at_point(geom, X_WG, middle);
  };
  const Mat6 P =
      shared(pair.patch.geom_a, pair.pose_a()) + shared(pair.patch.geom_b, pair.pose_b());
  // what holds by springs is not limited by this
  const double slides = has_springs(options_.friction.kind) ? 0 : step_ * largest_motion(P, T);
  double damping = 1, root = 1;
  // the trace is more than the largest, and cheap
  if (P.cwiseProduct(step_ * step_ * K + 2 * step_ * D).sum() > kStable) {
    const double b = step_ * step_ * largest_motion(P, K);
    const double a = 2 * step_ * largest_motion(P, D), c = kLeastDamping * a;
    if (a + b > kStable && b + c <= kStable) {
      damping = (kStable - b) / a;
    } else if (a + b > kStable) {
      root = (-c + std::sqrt(c * c + 4 * b * kStable)) / (2 * b);
      damping = kLeastDamping * root;
    }
  }
  for (int i = two.begin; i < two.end; ++i) {
    Touching& t = touching_[at(i)];
    t.most_damping = slides > 0 ? 1 / slides : 0;
    if (!free) continue;
    t.gains.kp *= root * root;
    t.gains.ki *= root * root;
    t.gains.kv *= damping;
    t.gains.ki = std::min(t.gains.ki,
                          kLag * t.gains.kv * (1 - t.gains.lambda) * (1 - t.gains.lambda) / step_);
    t.kt *= root * root;
    t.kvt *= damping;
  }
}

void Multipoint::find_loads(const ForceScene& scene, const ContactMemory& memory) {
  find_points(scene, memory);
  group_by_bodies(scene, memory);
  choose_gains(scene, memory);
  for (const Bodies& two : bodies_) {
    // the shares of the points: r counts points with a force (D-E3, D-E8)
    double whole = 0, pressed = 0;
    for (int i = two.begin; i < two.end; ++i) {
      const Touching& t = touching_[at(i)];
      for (int k = t.begin; k < t.end; ++k) {
        Weighed& x = weighed_[at(k)];
        const double raw = pressure(t, x, two.sum);
        x.share = raw <= 0 ? 0 : options_.share == PointShare::area ? x.area : 1;
        x.pressed = x.share * std::max(raw, 0.0);
        whole += x.share;
        pressed += x.pressed;
      }
    }
    if (whole <= 0) continue;
    if (options_.share == PointShare::area) whole = two.area;
    if (options_.share != PointShare::none)
      for (int i = two.begin; i < two.end; ++i)
        for (int k = touching_[at(i)].begin; k < touching_[at(i)].end; ++k)
          weighed_[at(k)].share /= whole;
    for (int i = two.begin; i < two.end; ++i)
      for (int k = touching_[at(i)].begin; k < touching_[at(i)].end; ++k)
        weighed_[at(k)].pressed /= pressed;

    fit_to_step(scene, two);
    double total = 0;
    for (int i = two.begin; i < two.end; ++i) {
      Touching& t = touching_[at(i)];
      for (int k = t.begin; k < t.end; ++k) {
        const Weighed& x = weighed_[at(k)];
        const double raw = pressure(t, x, two.sum);
        points_[at(k)].load = x.share * std::max(raw, 0.0);
        t.load += points_[at(k)].load;
      }
      total += t.load;
    }
    for (int i = two.begin; i < two.end; ++i)
      touching_[at(i)].part = total > 0 ? touching_[at(i)].load / total : 0;
  }
  find_stacks(scene);
}

void Multipoint::find_stacks(const ForceScene& scene) {
  stack_.begin(step_);
  for (const Touching& t : touching_) {
    if (!(t.load > 0) || !(t.settles > 0)) continue;
    const PairView pair(scene, t.patch);
    StackContact c{.patch = t.patch, .normal = pair.patch.normal};
    const auto each = [&](auto&& use) {
      for (int k = t.begin; k < t.end; ++k)
        if (weighed_[at(k)].share > 0) use(weighed_[at(k)].share, points_[at(k)]);
    };
    double share = 0;
    each([&](double part, const LayerPoint& x) {
      share += part;
      c.center += part * x.position;
    });
    c.center /= share;
    each([&](double part, const LayerPoint& x) {
      const Vec3 y = x.position - c.center;
      c.second += part / share * (y * y.transpose());
      c.moment += y.cross(x.load * c.normal);
    });
    if (can_roll(pair)) c.tilting = tilting_part(pair, c.normal, c.second);
    c.damping = share * t.settles;
    c.load = t.load;
    stack_.add(c, scene);
  }
}

LayerContact Multipoint::contact_of(const PairView& pair, const Touching& t) const {
  const Material material = pair.material();
  return {.points = std::span(points_).subspan(at(t.begin), at(t.end - t.begin)),
          .normal = pair.patch.normal,
          .X_WA = pair.pose_a(),
          .X_WB = pair.pose_b(),
          .mu = material.condim == 1 ? 0 : material.friction,
          .stiffness = t.part * t.kt,
          .damping = t.part * t.kvt,
          .most_damping = t.part * t.most_damping};
}

void Multipoint::forces(const ForceScene& scene, const ContactMemory& memory,
                        std::vector<ContactForce>& out) {
  if (!loads_known_) find_loads(scene, memory);
  loads_known_ = false;
  in_order_.clear();
  for (int i = 0; i < static_cast<int>(touching_.size()); ++i)
    in_order_.emplace_back(touching_[at(i)].patch, i);
  std::sort(in_order_.begin(), in_order_.end());
  for (const auto& [patch, i] : in_order_) {
    const Touching& t = touching_[at(i)];
    const PairView pair(scene, patch);
    const PairRecall known = recall(memory, pair.patch);
    friction_.resize(at(t.end - t.begin));
    layer_friction(options_.friction, contact_of(pair, t), known.values().subspan(1, kLayerWidth),
                   friction_);
    for (int k = t.begin; k < t.end; ++k) {
      if (points_[at(k)].load <= 0) continue;
      const Friction& friction = friction_[at(k - t.begin)];
      const double d = weighed_[at(k)].depth;
      out.push_back({.patch = patch,
                     .position = points_[at(k)].position,
                     .force = points_[at(k)].load * pair.patch.normal + friction.force,
                     .energy = weighed_[at(k)].share *
                                   (0.5 * t.gains.kp * d + t.gains.ki * known.values()[0]) * d +
                               friction.energy});
    }
  }
}

void Multipoint::advance(const ForceScene& scene, const ContactMemory& before, ContactMemory& now,
                         ContactMemory& after) {
  find_loads(scene, now);
  loads_known_ = true;
  // a pair that presses nothing forgets what it knew
  for (int p = 0; p < static_cast<int>(scene.data.patches.size()); ++p)
    std::ranges::fill(after.pair_values(p), 0.0);
  for (const Bodies& two : bodies_) {
    double load = 0;
    for (int i = two.begin; i < two.end; ++i) load += touching_[at(i)].load;
    for (int i = two.begin; i < two.end; ++i) {
      const Touching& t = touching_[at(i)];
      const PairView pair(scene, t.patch);
      const PairRecall old = recall(before, pair.patch);
      const bool fresh = !old.known() || std::ranges::all_of(old.values().subspan(1, kLayerWidth),
                                                             [](double x) { return x == 0; });
      move_layer(options_.friction, contact_of(pair, t), fresh,
                 now.pair_values(t.patch).subspan(1, kLayerWidth));
      const std::span<const double> values = now.pair_values(t.patch);
      std::copy(values.begin(), values.end(), after.pair_values(t.patch).begin());
      after.pair_values(t.patch)[0] = t.gains.lambda * two.sum + two.deepest;
      gains_.parts().follow_load(pair.patch.geom_a, pair.patch.geom_b, load,
                                 carried_.load(pair.patch.geom_a, pair.patch.geom_b),
                                 after.pair_values(t.patch).subspan(kLoadSlot - 2, 3));
      after.pair_values(t.patch)[kStoreysSlot] =
          carried_.storeys(pair.patch.geom_a, pair.patch.geom_b);
    }
  }
}

void Multipoint::hold(const ForceScene& scene, std::span<const double> u,
                      std::span<const double> u_rate, std::vector<ContactForce>& out) {
  stack_.solve(scene.d, u, u_rate, out);
  if (wants_factor()) hold_friction(scene, u, u_rate, out);
}

void Multipoint::hold_friction(const ForceScene& scene, std::span<const double> u,
                               std::span<const double> u_rate, std::vector<ContactForce>& out) {
  held_.begin(scene.d);
  const auto loaded = [&](const std::pair<int, int>& x) {
    return touching_[at(x.second)].load > 0;
  };
  for (const auto& x : in_order_) {
    if (!loaded(x)) continue;
    const Touching& t = touching_[at(x.second)];
    const PairView pair(scene, t.patch);
    const Material material = pair.material();
    HeldContact c{.body_a = pair.body_a, .body_b = pair.body_b, .normal = pair.patch.normal};
    c.load = t.load;
    c.mu = material.condim == 1 ? 0 : material.friction;
    for (int k = t.begin; k < t.end; ++k)
      c.position += points_[at(k)].load / t.load * points_[at(k)].position;
    for (int k = t.begin; k < t.end; ++k)
      c.arm += points_[at(k)].load / t.load * (points_[at(k)].position - c.position).norm();
    if (c.arm < kNoArm * pair_size(pair.solid_a(), pair.solid_b())) c.arm = 0;
    const Spatial a = driven_twist(scene.model, scene.input, scene.d, pair.body_a, c.position),
                  b = driven_twist(scene.model, scene.input, scene.d, pair.body_b, c.position);
    c.driven = b.lin - a.lin;
    c.driven_turn = c.normal.dot(b.ang - a.ang);
    held_.add(c);
  }
  held_.solve(step_, u, u_rate);
  int i = 0;
  for (const auto& x : in_order_) {
    if (!loaded(x)) continue;
    const Vec3& n = scene.data.patches[at(x.first)].normal;
    out.push_back({.patch = x.first,
                   .position = held_.position(i),
                   .force = held_.force(i),
                   .couple = held_.couple(i) * n});
    ++i;
  }
}

std::unique_ptr<ForceModel> make_multipoint(const Model& model, const Collider& collider,
                                            const ContactSettings& settings) {
  return std::make_unique<Multipoint>(model, collider, multipoint_options(model, settings));
}

}  // namespace abut
