#include "abut/contact/complementarity/peg_model.h"

#include <fmt/format.h>

#include <algorithm>

#include "abut/contact/complementarity/impulse_choices.h"

namespace abut {

void check_faces(const ContactWorld& world) {
  const ConvexSet& solids = world.collider.solids();
  const auto name_of = [&](int g) { return fmt::format("'{}'", world.model.geom_names[g]); };
  for (int a = 0; a < solids.count(); ++a)
    for (int b = a + 1; b < solids.count(); ++b) {
      if (!solids.can_collide(a) || !solids.can_collide(b) || !world.collider.filter().allows(a, b))
        continue;
      if (solids.is_compound(a) || solids.is_compound(b))
        throw WorldError(
            fmt::format("geom {} is not convex and may touch geom {}: contact {} takes convex "
                        "solids; use --contact st, or exclude the pair",
                        name_of(solids.is_compound(a) ? a : b),
                        name_of(solids.is_compound(a) ? b : a), world.settings.model));
      const bool half = solids[a].is_half_space() || solids[b].is_half_space();
      if (half || (solids[a].is_polyhedron() && solids[b].is_polyhedron())) continue;
      const int curved = solids[a].is_polyhedron() ? b : a;
      throw WorldError(
          fmt::format("geom {} is curved and may touch geom {}: contact {} takes curved "
                      "solids against planes alone; use --contact st, exclude the "
                      "pair, or make it a mesh",
                      name_of(curved), name_of(curved == a ? b : a), world.settings.model));
    }
}

PegModel::PegModel(const ContactWorld& world)
    : ImpulseModel(world), peg_(world.model, world.settings, world.collider) {
  check_faces(world);
}

void PegModel::start_step() {
  peg_.start_step();
  level_ = 0;
}

void PegModel::find(double h, const StepMoment& start, std::span<const double> u_free) {
  ImpulseModel::find(h, start, u_free);
  hold_patches();
}

Solved PegModel::solve(const StepToSolve& step, std::span<double> change) {
  const Peg::Step now{step.h,          step.start, step.damping,   step.u_free,  near_,
                      world_.collider, step.move,  step.may_halve, reach_.last()};
  if (!peg_.solve(now, world_.stepping, change)) {
    level_ = std::max(level_, 1);
    return Solved::halves;
  }
  level_ = std::max(level_, peg_.report().level);
  memory_.write(data(), near_, queries_, world_.stepping,
                [this](std::size_t patch) { return peg_.memory_of(patch); });
  return Solved::done;
}

void PegModel::end(double h, State& state) {
  ImpulseModel::end(h, state);
  const std::span<const double> v = peg_.end_velocity();
  std::copy(v.begin(), v.end(), state.v.begin());
}

void PegModel::add_to(SolveReport& report) const {
  report.level = level_;
  report.fallbacks = level_ > 0 ? 1 : 0;
}

ModelInfo feature_model_info() {
  using enum Axis;
  static constexpr std::string_view kAdjacent =
      "it needs to know which features meet; use features, or --contact st";
  return {.family = ContactFamily::impulses,
          .data = {"features"},
          .friction = {"cone", "pyramid", "none"},
          .stabilize = kVelocityStabilizers,
          .integrator = {"euler", "implicit"},
          .not_with = with_force_frictions({{integrator, "rk4", kStepIsIntegrator},
                                            {integrator, "explicit", kEndVelocities},
                                            {stabilize, "baumgarte-acc", kOfAccelerations},
                                            {data, "manifold", kAdjacent},
                                            {data, "patch", kAdjacent},
                                            {data, "kissing", kAdjacent},
                                            {data, "deepest", kOnePoint},
                                            {data, "volume", kAdjacent},
                                            {data, "vertices", kAdjacent},
                                            {solver, "enum", kManyChoices}}),
          .why_contacts_unstabilized =
              "psi / h of st holds the whole gap, and it would count twice; use stabilize post, or "
              "contact ap",
          .bouncing = Bouncing::none,
          .gaps = GapRule::close_all};
}

const ModelInfo& peg_info() {
  static const ModelInfo info = [] {
    ModelInfo i = feature_model_info();
    i.name = "peg";
    i.summary = "polygonally exact: each pair ends apart, by the plane that takes the least motion";
    i.settings = {{"relinearize",
                   "on",
                   "",
                   "gaps are exact at the end of the step, not only to first order",
                   {"on", "off"}}};
    return i;
  }();
  return info;
}

std::unique_ptr<ContactModel> make_peg(const ContactWorld& world) {
  return std::make_unique<PegModel>(world);
}

}  // namespace abut
