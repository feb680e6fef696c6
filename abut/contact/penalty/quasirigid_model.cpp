#include "abut/contact/penalty/quasirigid_model.h"

#include <fmt/format.h>

#include "abut/contact/penalty/penalty_choices.h"
#include "abut/contact/penalty/penalty_model.h"

namespace abut {

LayerModel::LayerModel(const ContactWorld& world)
    : ImpulseModel(world, LayerContacts::kPairWidth),
      layers_(world.model, world.collider, world.settings) {}

void LayerModel::find(double h, const StepMoment& start, std::span<const double>) {
  const auto& [state, input, d] = start;
  const CollideOptions options{
      .reach = {.pair = 0, .geom = layers_.reach()}, .max_points = 1, .merge_parts = false};
  world_.collider.find(world_.model, d, state.contacts, options, patches_, queries_);
  known_ = state.contacts;
  if (world_.model.solids.any_compound()) parts_.pass_on(world_.model.solids, patches_, known_);
  layers_.find(h, input, d, world_.collider, patches_, known_, near_);
  hold_patches();
}

Solved LayerModel::solve(const StepToSolve& step, std::span<double> change) {
  const auto& [state, input, d] = step.start;
  world_.stepping.solve(step.h, state, input, d, near_, step.u_free, change,
                        {.yield = layers_.yield(), .softness = layers_.softness()});
  memory_.write(near_, near_, queries_, world_.stepping);
  memory_.write_values([&](PairKey key) { return layers_.left(key); });
  return Solved::done;
}

namespace {

bool asks_for_forces(const ContactSettings& s) { return own(s, "quasirigid.step") == "explicit"; }

// Forces where so asked for, by a friction that is a force, or by rk4.
bool has_forces(const ContactWorld& world) {
  switch (world.settings.friction) {
    case FrictionKind::cone:
    case FrictionKind::pyramid:
      return false;
    case FrictionKind::none:
      return asks_for_forces(world.settings) || world.integrator == Integrator::rk4;
    default:
      return true;
  }
}

}  // namespace

const ModelInfo& quasirigid_info() {
  using enum Axis;
  static constexpr std::string_view kLayer =
      "its layer is pressed where solids overlap; use volume or vertices";
  static constexpr std::string_view kMany =
      "it tries every choice, which is for 16 rows, and islands grow; use lemke, or abut solve "
      "on a problem that was written";
  static const ModelInfo info{
      .name = "quasirigid",
      .summary = "compliant layers, integrated or sampled at vertices; implicit, or forces",
      .family = ContactFamily::forces,
      .data = {"volume", "vertices"},
      .friction = {"cone", "pyramid", "none", "slip", "viscous", "springs", "anchor", "stribeck"},
      .stabilize = kEveryStabilizer,
      .integrator = kEveryIntegrator,
      .not_with = {{friction, "linear", kSystem},
                   {data, "manifold", kLayer},
                   {data, "patch", kLayer},
                   {data, "features", kLayer},
                   {data, "kissing", kLayer},
                   {data, "deepest", kLayer},
                   {solver, "enum", kMany}},
      .why_contacts_unstabilized = kOverlapIsNeeded,
      .bouncing = Bouncing::damping,
      .settings =
          {{"step",
            "implicit",
            "",
            "implicit: rows of a problem; explicit: forces",
            {"implicit", "explicit"}},
           {"layers",
            "inside",
            "",
            "where layers lie: inside the solids; over their faces alone (Fig. 1; implicit)",
            {"inside", "faces"}},
           {"zeta", "1", "", "damping as part of the critical one"},
           {"parts", "what the sizes and loads ask for", "",
            "in how many parts a step of forces is taken (explicit)"}},
      .natural_friction = [](const ContactSettings& s) -> std::string_view {
        return asks_for_forces(s) ? "anchor" : "cone";
      },
      .why_not = [](const Choice& choice) -> std::string {
        if (choice.integrator != "rk4" ||
            (choice.friction != "cone" && choice.friction != "pyramid"))
          return {};
        return fmt::format(
            "integrator rk4 does not go with friction {} of contact quasirigid: it bounds impulses "
            "of a problem, and rk4 takes forces; use --friction anchor, or euler",
            choice.friction);
      },
      .why_not_in_world = &why_no_volumes,
  };
  return info;
}

std::unique_ptr<ContactModel> make_quasirigid_model(const ContactWorld& world) {
  if (!has_forces(world)) return std::make_unique<LayerModel>(world);
  if (own(world.settings, "quasirigid.layers") == "faces")
    throw WorldError(
        "abut.quasirigid.layers = 'faces' is for implicit rows; use abut.quasirigid.step implicit, "
        "friction cone, pyramid or none, and another integrator than rk4");
  return make_penalty_model(world, make_quasirigid(world.model, world.collider, world.settings));
}

}  // namespace abut
