#include "abut/contact/penalty/deepest.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "abut/math/index.h"

namespace abut {

namespace {

DeepestForm form_of(const Model& model) {
  static constexpr std::array<std::string_view, 7> kNames{"law", "gains",  "kp",  "kv",
                                                          "ki",  "lambda", "zeta"};
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

}  // namespace

DeepestLaw::DeepestLaw(const Model& model, const Collider& collider, DeepestForm form,
                       const FrictionRule& friction, const GainKind& gains)
    : form_(form),
      friction_(friction),
      gains_(model, collider, gains),
      warnings_(gains_.warnings(collider.filter())),
      step_(model.option.timestep) {}

int DeepestLaw::deepest_point(const PairView& pair) {
  const std::vector<double>& psi = pair.points().psi;
  return static_cast<int>(
      std::min_element(psi.begin() + pair.patch.begin, psi.begin() + pair.patch.end) - psi.begin());
}

double DeepestLaw::normal_force(const Gains& g, double depth, double speed, double sum) const {
  if (depth <= 0 || (form_ == DeepestForm::moore_wilhelms && speed > 0)) return 0;
  return std::max(g.kp * depth - g.kv * speed + g.ki * sum, 0.0);
}

TangentialContact DeepestLaw::tangential(const PairView& pair, const Gains& g, const Vec3& point,
                                         const Vec3& velocity, double load) const {
  const Material material = pair.material();
  const double most = gains_.least_mass(pair.patch.geom_a, pair.patch.geom_b) / step_;
  return {point,
          pair.patch.normal,
          velocity,
          pair.pose_a(),
          pair.pose_b(),
          load,
          material.condim == 1 ? 0 : material.friction,
          g.kp,
          g.kv,
          most};
}

ContactForce DeepestLaw::force_at(const PairView& pair, const PairRecall& memory, int i) const {
  const ContactPoints& points = pair.points();
  const Vec3 p = 0.5 * (points.p_A[at(i)] + points.p_B[at(i)]);
  const Vec3 v = pair.velocity(p);
  const double depth = -points.psi[at(i)] * pair.part();
  const Gains g = gains_.of(pair.patch.geom_a, pair.patch.geom_b);
  const std::span<const double> values =
      memory.known() ? memory.values() : std::span<const double>();
  const double sum = values.empty() ? 0 : values[0];
  const double load = normal_force(g, depth, v.dot(pair.patch.normal), sum);
  const Friction friction =
      friction_force(friction_, tangential(pair, g, p, v, load),
                     values.empty() ? values : values.subspan(1, kAnchorWidth));
  return {.position = p,
          .force = load * pair.patch.normal + friction.force,
          .energy = (0.5 * g.kp * depth + g.ki * sum) * depth + friction.energy};
}

void DeepestLaw::advance(const PairView& pair, const PairRecall& before, PairKeep now,
                         PairKeep after) const {
  const ContactPoints& points = pair.points();
  const int i = deepest_point(pair);
  const Vec3 p = 0.5 * (points.p_A[at(i)] + points.p_B[at(i)]);
  const Vec3 v = pair.velocity(p);
  const double depth = std::max(-points.psi[at(i)], 0.0) * pair.part();
  const Gains g = gains_.of(pair.patch.geom_a, pair.patch.geom_b);
  double& sum = now.values()[0];
  const double load = normal_force(g, depth, v.dot(pair.patch.normal), sum);
  move_anchors(friction_, tangential(pair, g, p, v, load), !before.known(),
               now.values().subspan(1, kAnchorWidth));
  std::copy(now.values().begin(), now.values().end(), after.values().begin());
  after.values()[0] = g.lambda * sum + depth;
}

std::unique_ptr<ForceModel> make_deepest(const Model& model, const Collider& collider,
                                         const ContactSettings& settings) {
  const DeepestForm form = form_of(model);
  GainKind gains;
  gains.damped = form == DeepestForm::pd || form == DeepestForm::pid;
  gains.integral = form == DeepestForm::pid;
  return std::make_unique<PairLaws<DeepestLaw>>(
      DeepestLaw(model, collider, form, friction_rule(model, settings), gains));
}

std::unique_ptr<ForceModel> make_drift_penalty(const Model& model, const Collider& collider,
                                               std::string_view name) {
  static constexpr std::array<std::string_view, 5> kNames{"gains", "kp", "kv", "zeta", "order"};
  check_names(model, fmt::format("abut.{}.", name), kNames);
  return std::make_unique<PairLaws<DeepestLaw>>(
      DeepestLaw(model, collider, DeepestForm::pd, {FrictionKind::none, 1},
                 {.name = name, .integral = false, .zeta = 1, .part = 1.0 / 16, .carries = false}));
}

}  // namespace abut
