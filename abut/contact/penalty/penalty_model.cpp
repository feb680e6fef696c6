#include "abut/contact/penalty/penalty_model.h"

#include <fmt/format.h>

#include "abut/contact/penalty/deepest.h"
#include "abut/contact/penalty/multipoint.h"
#include "abut/contact/penalty/penalty_choices.h"
#include "abut/contact/penalty/volumetric.h"
#include "abut/math/index.h"

namespace abut {

PenaltyModel::PenaltyModel(const ContactWorld& world, std::unique_ptr<ForceModel> law)
    : ContactModel(world),
      forces_(world.model, world.collider, std::move(law), world.settings),
      held_(at(world.model.nv), kInfinity) {}

void PenaltyModel::begin(double h, State& state, const Input& input, Derived& d) {
  forces_.begin(h, state, input, d, world_.collider);
}

void PenaltyModel::add_forces(const State& stage, const Input& input, Derived& d,
                              std::span<double> force) {
  forces_.add(stage, input, d, world_.collider, force);
}

void PenaltyModel::end(double /*h*/, State& state) { forces_.end(state); }

double PenaltyModel::impact_work() const {
  return forces_.phases() != nullptr ? forces_.phases()->work() : 0;
}

std::unique_ptr<ContactModel> make_penalty_model(const ContactWorld& world,
                                                 std::unique_ptr<ForceModel> law) {
  return std::make_unique<PenaltyModel>(world, std::move(law));
}

std::unique_ptr<ContactModel> make_deepest_model(const ContactWorld& w) {
  return make_penalty_model(w, make_deepest(w.model, w.collider, w.settings));
}
std::unique_ptr<ContactModel> make_volumetric_model(const ContactWorld& w) {
  return make_penalty_model(w, make_volumetric(w.model, w.collider, w.settings));
}
std::unique_ptr<ContactModel> make_multipoint_model(const ContactWorld& w) {
  return make_penalty_model(w, make_multipoint(w.model, w.collider, w.settings));
}

namespace {

constexpr std::string_view kPenaltyPoint =
    "its one spring acts at the deepest point; use deepest, or --contact st";
constexpr std::string_view kSpread = "its springs are spread over the common volume; use volume";
constexpr std::string_view kSurface =
    "its forces act on the bottom of what two solids have in common; use vertices or manifold";
constexpr std::string_view kParts = "what the sizes and loads ask for";

const ModelSetting kStiffness{"kp", "from masses and the step", "N/m", "stiffness"};
const ModelSetting kDamping{"kv", "from kp and zeta", "N s/m", "damping"};
const ModelSetting kIntegral{"ki", "kp / 50", "N/m", "weight of the sum of depths"};
const ModelSetting kTangent{"kt", "kp", "N/m", "stiffness along the surface"};
const ModelSetting kForgetting{"lambda", "0.85", "", "part of that sum that a step leaves"};
const ModelSetting kZeta{"zeta", "0.37", "", "damping as part of the critical one"};
const ModelSetting kPartCount{"parts", kParts, "", "in how many parts a step is taken"};

}  // namespace

std::string why_no_volumes(const Model& model, Integrator) {
  const int geom = first_field(model);
  if (geom < 0) return {};
  return fmt::format(
      "geom '{}' collides by a distance field, which has points of contact and no volumes; use "
      "--contact st, deepest or multipoint, or abut.mesh = pieces",
      model.geom_names[geom]);
}

const ModelInfo& deepest_info() {
  using enum Axis;
  static const ModelInfo info{
      .name = "deepest",
      .alias = "pm",
      .summary = "penalty at the deepest point of each pair: P, PD, PID (alias pm)",
      .family = ContactFamily::forces,
      .data = {"deepest", "kissing"},
      .friction = kForceFrictions,
      .stabilize = kEveryStabilizer,
      .integrator = kEveryIntegrator,
      .not_with = {{friction, "cone", kImpulses},
                   {friction, "pyramid", kImpulses},
                   {friction, "linear", kSystem},
                   {data, "manifold", kPenaltyPoint},
                   {data, "patch", kPenaltyPoint},
                   {data, "features", kPenaltyPoint},
                   {data, "volume", kPenaltyPoint},
                   {data, "vertices", kPenaltyPoint}},
      .why_contacts_unstabilized = kOverlapIsNeeded,
      .bouncing = Bouncing::damping,
      .settings =
          {{"law",
            "pid",
            "",
            "force of depth and speed (Drumwright, eqs 1 to 3)",
            {"p", "pd", "pid", "moore-wilhelms"}},
           {"point",
            "shared",
            "",
            "where the force acts: shared by the points that touch, or deepest (with gains paper)",
            {"shared", "deepest"}},
           {"gains", "auto", "", "auto, or paper: 100, 50, 2 times the masses", {"auto", "paper"}},
           kStiffness,
           kDamping,
           kIntegral,
           kForgetting,
           kZeta},
  };
  return info;
}

const ModelInfo& volumetric_info() {
  using enum Axis;
  static const ModelInfo info{
      .name = "volumetric",
      .summary = "penalty spread over the common volume of each pair, in closed form",
      .family = ContactFamily::forces,
      .data = {"volume"},
      .friction = kForceFrictions,
      .stabilize = kEveryStabilizer,
      .integrator = kEveryIntegrator,
      .not_with = {{friction, "cone", kImpulses},
                   {friction, "pyramid", kImpulses},
                   {friction, "linear", kSystem},
                   {data, "manifold", kSpread},
                   {data, "patch", kSpread},
                   {data, "features", kSpread},
                   {data, "kissing", kSpread},
                   {data, "deepest", kSpread},
                   {data, "vertices", kSpread}},
      .why_contacts_unstabilized = kOverlapIsNeeded,
      .bouncing = Bouncing::damping,
      .settings =
          {{"normal",
            "area",
            "",
            "normal of a pair: of the area, or of the translation",
            {"area", "translation"}},
           {"common",
            "clip",
            "",
            "how the common part is found: by clipping, or by dual transformation",
            {"clip", "dual"}},
           {"gains", "auto", "", "auto, or paper: eq. 8 and zeta as they are", {"auto", "paper"}},
           kStiffness,
           kDamping,
           kTangent,
           kZeta,
           kPartCount},
      .why_not_in_world = &why_no_volumes,
  };
  return info;
}

const ModelInfo& multipoint_info() {
  using enum Axis;
  static const ModelInfo info{
      .name = "multipoint",
      .summary = "penalty on the bottom of the overlap, PID with a forgetting sum; impacts apart",
      .family = ContactFamily::forces,
      .data = {"vertices", "manifold", "kissing"},
      .friction =
          [] {
            std::vector<std::string_view> all = kForceFrictions;
            all.push_back("linear");
            return all;
          }(),
      .stabilize = kEveryStabilizer,
      .integrator = kEveryIntegrator,
      .not_with = {{friction, "cone", kImpulses},
                   {friction, "pyramid", kImpulses},
                   {data, "deepest", kSurface},
                   {data, "features", kSurface},
                   {data, "patch", kSurface},
                   {data, "volume", kSurface}},
      .why_contacts_unstabilized = kOverlapIsNeeded,
      .bouncing = Bouncing::impulses,
      .restitution_laws = {"newton", "poisson", "stronge", "sequential"},
      .regresses = true,
      .settings = {{"gains",
                    "auto",
                    "",
                    "auto, or paper: 100, 50, 2 times the masses, share count",
                    {"auto", "paper"}},
                   {"normal",
                    "translation",
                    "",
                    "normal of an overlap: of the minimum translation, or of the facets (eq. 4)",
                    {"translation", "facets"}},
                   {"most", "all", "", "the most points of a pair (ten a wheel in the paper)"},
                   {"share", "area", "", "how points share the force", {"area", "count", "none"}},
                   {"sum", "steps", "", "what the sum of depths is over", {"steps", "time"}},
                   kStiffness,
                   kDamping,
                   kIntegral,
                   kTangent,
                   kForgetting,
                   kZeta,
                   kPartCount},
  };
  return info;
}

}  // namespace abut
