#include "abut/contact/complementarity/baraff_model.h"

#include <fmt/format.h>

#include "abut/contact/complementarity/impulse_choices.h"

namespace abut {

namespace {

InverseBy inverse_by(const ContactSettings& settings) {
  const std::string_view word = own(settings, "baraff.matrix");
  return word == "unit-forces"         ? InverseBy::unit_forces
         : word == "operational-space" ? InverseBy::operational_space
                                       : InverseBy::factors;
}

}  // namespace

BaraffModel::BaraffModel(const ContactWorld& world)
    : ContactModel(world),
      baraff_(world.model, world.settings, world.collider),
      memory_(DriftPenalty::kPairWidth) {
  world.stepping.invert_by(inverse_by(world.settings));
}

void BaraffModel::begin(double h, State& state, const Input& input, Derived& d) {
  memory_.forget();
  baraff_.begin(h, state, input, d, world_.collider);
}

void BaraffModel::add_forces(const State& stage, const Input& input, Derived& d,
                             std::span<double> force) {
  baraff_.add(stage, input, d, world_.collider, force);
  force_.assign(force.begin(), force.end());
}

Solved BaraffModel::solve(const StepToSolve& step, std::span<double> change) {
  solve(step.h, step.start, step.u_free, force_, false, change);
  return Solved::done;
}

void BaraffModel::constrain(double h, const StepMoment& stage, std::span<const double> u_free,
                            std::span<const double> force, std::span<double> change) {
  solve(h, stage, u_free, force, true, change);
}

void BaraffModel::solve(double h, const StepMoment& moment, std::span<const double> u_free,
                        std::span<const double> force, bool stage, std::span<double> change) {
  const auto& [state, input, d] = moment;
  StepTerms terms = baraff_.terms(h, state, input, d, world_.collider, force);
  terms.joints = stage;
  world_.stepping.solve(h, state, input, d, baraff_.data(), u_free, change, terms);
  baraff_.keep(h, world_.stepping);
  if (!baraff_.in_first_stage()) return;
  memory_.write(data(), data(), baraff_.queries(), world_.stepping);
  memory_.write_values([&](PairKey key) { return baraff_.drift().left(key); });
}

void BaraffModel::end(double /*h*/, State& state) { memory_.put_into(state); }

void BaraffModel::add_to(SolveReport& report) const {
  if (baraff_.impacts().exhausted()) ++report.fallbacks;
}

const ModelInfo& baraff_info() {
  using enum Axis;
  static constexpr std::string_view kNormal =
      "friction is part of its problem; use cone, or --contact multipoint";
  static constexpr std::string_view kVelocity =
      "the contacts' equations are of accelerations, and this term is one of velocities; use post "
      "or baumgarte-acc";
  static constexpr std::string_view kPatches =
      "its problem is of the points that touch; use manifold, or --contact st";
  static constexpr std::string_view kOverlap =
      "they are of solids that overlap, which is what penalties live on; use manifold, or "
      "--contact multipoint";
  static const ModelInfo info{
      .name = "baraff",
      .summary =
          "accelerations at rest by an LCP, impacts by impulses; without friction unless asked for",
      .family = ContactFamily::impulses,
      .data = {"manifold", "patch"},
      .friction = {"none", "cone", "pyramid"},
      .stabilize = {"post", "post-pinv", "post-plain", "baumgarte-acc", "none"},
      .integrator = {"euler", "implicit", "explicit", "rk4"},
      .not_with = {{friction, "slip", kNormal},
                   {friction, "viscous", kNormal},
                   {friction, "springs", kNormal},
                   {friction, "anchor", kNormal},
                   {friction, "stribeck", kNormal},
                   {friction, "linear", kNormal},
                   {stabilize, "baumgarte", kVelocity},
                   {stabilize, "gamma", kVelocity},
                   {data, "features", kPatches},
                   {data, "kissing", kPatches},
                   {data, "deepest", kOnePoint},
                   {data, "volume", kVolume},
                   {data, "vertices", kOverlap},
                   {solver, "enum", kManyChoices}},
      .stabilizes_contacts = {"post", "post-pinv", "post-plain", "baumgarte-acc"},
      .why_contacts_unstabilized =
          "psi / h of st holds the whole gap, and it would count twice; use stabilize post, or "
          "contact ap",
      .bouncing = Bouncing::impulses,
      .restitution_laws = {"newton", "poisson", "stronge", "sequential"},
      .regresses = true,
      .gaps = GapRule::accelerate,
      .settings =
          {{"order",
            "baraff",
            "",
            "baraff: accelerations at rest; guendelman: collisions, velocities, contact",
            {"baraff", "guendelman"}},
           {"matrix",
            "factors",
            "",
            "A of the LCP: by factors of M; by unit-forces (Kokkevis) or operational-space "
            "(Ruspini "
            "and Khatib) for comparison",
            {"factors", "unit-forces", "operational-space"}},
           {"gains", "auto", "", "of the penalty against drift: auto, or paper", {"auto", "paper"}},
           {"kp", "a sixteenth of what the step can follow", "N/m",
            "stiffness of the penalty against drift"},
           {"kv", "critical", "N s/m", "damping of the penalty against drift"},
           {"zeta", "1", "", "damping as part of the critical one"}},
      .why_not = [](const Choice& choice) -> std::string {
        if (choice.integrator != "rk4" || choice.friction == "none") return {};
        return fmt::format(
            "friction {} of contact baraff does not go with integrator rk4: it stops slip by the "
            "end of the step, and rk4 has stages; use euler, or --friction none",
            choice.friction);
      },
      .why_not_in_world = [](const Model& model, Integrator integrator) -> std::string {
        if (const int geom = first_field(model); geom >= 0)
          return fmt::format(
              "geom '{}' collides by a distance field, and contact baraff follows features of "
              "convex solids over a step; use --contact st, or abut.mesh = pieces",
              model.geom_names[geom]);
        return integrator == Integrator::rk4 ? Baraff::why_not_rk4(model) : std::string();
      },
  };
  return info;
}

std::unique_ptr<ContactModel> make_baraff(const ContactWorld& world) {
  return std::make_unique<BaraffModel>(world);
}

}  // namespace abut
