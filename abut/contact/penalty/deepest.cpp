#include "abut/contact/penalty/deepest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "abut/math/index.h"

namespace abut {

namespace {

DeepestForm form_of(const Model& model) {
  static constexpr std::array<std::string_view, 8> kNames{"law", "point", "gains",  "kp",
                                                          "kv",  "ki",    "lambda", "zeta"};
  check_names(model, "abut.deepest.", kNames);
  const auto it = model.custom.find("abut.deepest.law");
  if (it == model.custom.end()) return DeepestForm::pid;
  static constexpr std::array<std::pair<std::string_view, DeepestForm>, 4> kForms{
      {{"p", DeepestForm::p},
       {"pd", DeepestForm::pd},
       {"pid", DeepestForm::pid},
       {"moore-wilhelms", DeepestForm::moore_wilhelms}}};
  for (const auto& [name, form] : kForms)
    if (it->second.text == name) return form;
  throw WorldError(it->second.source,
                   fmt::format("abut.deepest.law = '{}': there are p, pd, pid, moore-wilhelms",
                               it->second.text));
}

// What the world asks for; nothing: as the gains have it.
std::optional<ForcePoint> point_of(const Model& model) {
  const auto it = model.custom.find("abut.deepest.point");
  if (it == model.custom.end()) return {};
  if (it->second.text == "shared") return ForcePoint::shared;
  if (it->second.text == "deepest") return ForcePoint::deepest;
  throw WorldError(
      it->second.source,
      fmt::format("abut.deepest.point = '{}': there are shared, deepest", it->second.text));
}

Vec3 middle(const ContactPoints& points, int i) {
  return 0.5 * (points.p_A[at(i)] + points.p_B[at(i)]);
}

}  // namespace

DeepestLaw::DeepestLaw(const Model& model, const Collider& collider, DeepestForm form,
                       const FrictionRule& friction, const GainKind& gains,
                       std::optional<ForcePoint> point)
    : form_(form),
      friction_(friction),
      gains_(model, collider, gains),
      point_(point.value_or(gains_.of_paper() ? ForcePoint::deepest : ForcePoint::shared)),
      warnings_(gains_.warnings(collider.filter())),
      step_(model.option.timestep) {}

void DeepestLaw::share(const PairView& pair, Place& place) const {
  const ContactPoints& points = pair.points();
  const Gains g = gains_.of(pair.patch.geom_a, pair.patch.geom_b);
  const auto push = [&](int i) {
    const double depth = -points.psi[at(i)],
                 speed = pair.velocity(middle(points, i)).dot(pair.patch.normal);
    return depth > 0 ? std::max(g.kp * depth - g.kv * speed, 0.0) : 0;
  };
  const auto depth = [&](int i) { return std::max(-points.psi[at(i)], 0.0); };
  const auto mean = [&](auto&& weight) {
    double sum = 0;
    Vec3 point = Vec3::Zero();
    for (int i = pair.patch.begin; i < pair.patch.end; ++i) {
      sum += weight(i);
      point += weight(i) * middle(points, i);
    }
    if (!(sum > 0)) return false;
    place.point = point / sum;
    for (int i = pair.patch.begin; i < pair.patch.end; ++i) {
      const double r2 = (middle(points, i) - place.point).squaredNorm();
      place.arm += weight(i) / sum * std::sqrt(r2);
      place.arm2 += weight(i) / sum * r2;
    }
    return true;
  };
  if (!mean(push)) mean(depth);
}

DeepestLaw::Place DeepestLaw::place_of(const PairView& pair) const {
  const std::vector<double>& psi = pair.points().psi;
  const auto begin = psi.begin() + pair.patch.begin, end = psi.begin() + pair.patch.end;
  const int i = static_cast<int>(std::min_element(begin, end) - psi.begin());
  Place place;
  place.point = middle(pair.points(), i);
  place.depth = std::max(-psi[at(i)], 0.0);
  if (point_ == ForcePoint::shared && place.depth > 0) share(pair, place);
  place.depth *= pair.part();
  place.velocity = pair.velocity(place.point);
  return place;
}

double DeepestLaw::normal_force(const Gains& g, double depth, double speed, double sum) const {
  if (depth <= 0 || (form_ == DeepestForm::moore_wilhelms && speed > 0)) return 0;
  return std::max(g.kp * depth - g.kv * speed + g.ki * sum, 0.0);
}

SpreadContactPoint DeepestLaw::rubbing(const PairView& pair, const Gains& g, const Place& place,
                                       double load) const {
  const Material material = pair.material();
  const double most = gains_.least_mass(pair.patch.geom_a, pair.patch.geom_b) / step_;
  const double mu = material.condim == 1 ? 0 : material.friction;
  const Vec3 turning = pair.twist_b(place.point).ang - pair.twist_a(place.point).ang;
  return {.sliding = {place.point, pair.patch.normal, place.velocity, pair.pose_a(), pair.pose_b(),
                      load, mu, g.kp, g.kv, most},
          .rate = turning.dot(pair.patch.normal),
          .arm = place.arm,
          .stiffness = g.kp * place.arm2,
          .damping = g.kv * place.arm2,
          .most_damping = most * place.arm2};
}

ContactForce DeepestLaw::force_at(const PairView& pair, const PairRecall& memory,
                                  const Place& place) const {
  const Gains g = gains_.of(pair.patch.geom_a, pair.patch.geom_b);
  const std::span<const double> values =
      memory.known() ? memory.values() : std::span<const double>();
  const double sum = values.empty() ? 0 : values[0], depth = place.depth;
  const double load = normal_force(g, depth, place.velocity.dot(pair.patch.normal), sum);
  const SpreadFriction friction =
      spread_friction(friction_, rubbing(pair, g, place, load),
                      values.empty() ? values : values.subspan(1, kSpreadWidth));
  return {.position = place.point,
          .force = load * pair.patch.normal + friction.force,
          .couple = friction.couple * pair.patch.normal,
          .energy = (0.5 * g.kp * depth + g.ki * sum) * depth + friction.energy};
}

void DeepestLaw::advance(const PairView& pair, const PairRecall& /*before*/, PairKeep now,
                         PairKeep after) const {
  const Place place = place_of(pair);
  const Gains g = gains_.of(pair.patch.geom_a, pair.patch.geom_b);
  double& sum = now.values()[0];
  const double load = normal_force(g, place.depth, place.velocity.dot(pair.patch.normal), sum);
  const std::span<double> friction = now.values().subspan(1, kSpreadWidth);
  if (load > 0)
    move_spread_friction(friction_, rubbing(pair, g, place, load), friction);
  else  // what does not press neither holds nor slips
    std::fill(friction.begin(), friction.end(), 0.0);
  std::copy(now.values().begin(), now.values().end(), after.values().begin());
  after.values()[0] = g.lambda * sum + place.depth;
}

std::unique_ptr<ForceModel> make_deepest(const Model& model, const Collider& collider,
                                         const ContactSettings& settings) {
  const DeepestForm form = form_of(model);
  GainKind gains;
  gains.damped = form == DeepestForm::pd || form == DeepestForm::pid;
  gains.integral = form == DeepestForm::pid;
  return std::make_unique<PairLaws<DeepestLaw>>(
      DeepestLaw(model, collider, form, friction_rule(model, settings), gains, point_of(model)));
}

std::unique_ptr<ForceModel> make_drift_penalty(const Model& model, const Collider& collider,
                                               std::string_view name) {
  static constexpr std::array<std::string_view, 6> kNames{"gains", "kp",    "kv",
                                                          "zeta",  "order", "matrix"};
  check_names(model, fmt::format("abut.{}.", name), kNames);
  return std::make_unique<PairLaws<DeepestLaw>>(
      DeepestLaw(model, collider, DeepestForm::pd, {FrictionKind::none, 1},
                 {.name = name, .integral = false, .zeta = 1, .part = 1.0 / 16, .carries = false}));
}

}  // namespace abut
