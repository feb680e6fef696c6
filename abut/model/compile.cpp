#include <fmt/format.h>

#include <cmath>

#include "abut/model/compile/compile_draft.h"
#include "abut/model/maximal.h"

namespace abut {

namespace {

Model compile_as_it_is(const World& world) {
  using namespace compiling;
  Draft draft(world);
  draft.model.name = world.name;
  draft.model.option = world.option;
  draft.model.warnings = world.warnings;

  check_options(world.option, world.option_source);
  lay_out_bodies(draft);
  make_assets(draft);
  make_pieces(draft);
  make_geoms(draft);
  number_solids(draft);
  make_sites(draft);
  make_body_inertias(draft);
  make_tree(draft);
  make_measures(draft);
  make_tendons(draft);
  make_spring_dampers(draft);
  make_actuators(draft);
  make_servo_damping(draft);
  make_contacts(draft);
  make_equalities(draft);
  make_keyframes(draft);
  make_custom(draft);
  make_sensors(draft);
  note_what_is_not_simulated(draft);
  return std::move(draft.model);
}

}  // namespace

Model compile(const World& world) {
  if (!wants_maximal(world)) return compile_as_it_is(world);
  return compile_as_it_is(in_maximal_coordinates(world, compile_as_it_is(world)));
}

double Model::mass() const {
  double sum = 0;
  for (const Body& body : bodies) sum += body.mass.mass;
  return sum;
}

namespace compiling {

// Settings that are read and kept but have no effect: one warning for each.
void note_what_is_not_simulated(Draft& draft) {
  const auto warn = [&](const Source& where, const char* text) {
    draft.model.warnings.push_back({where, text});
  };
  const bool medium = draft.world.option.density > 0 || draft.world.option.viscosity > 0;
  for (const GeomDesc* geom : draft.geoms) {
    if (medium && geom->fluid_ellipsoid) {
      warn(geom->source,
           "fluidshape=\"ellipsoid\" is not simulated by abut; the body meets the air "
           "as the box with its inertia");
      break;
    }
  }
  for (const TendonDesc& tendon : draft.world.tendons) {
    if (tendon.simulated && tendon.armature > 0 && !tendon.for_joint) {
      warn(tendon.source, "the armature of tendons is not simulated by abut");
      break;
    }
  }
}

void check_options(const Options& option, const Source& where) {
  const auto fail = [&](const std::string& message) {
    throw WorldError(where, "option: " + message);
  };
  if (!(option.timestep > 0) || option.timestep > kAbsurd) {
    fail(fmt::format("timestep is {:g} s; write a positive number such as 0.002", option.timestep));
  }
  for (const auto& [field, v] : {std::pair{"gravity", &option.gravity},
                                 {"wind", &option.wind},
                                 {"magnetic", &option.magnetic}}) {
    if (!v->allFinite() || v->cwiseAbs().maxCoeff() > kAbsurd) {
      fail(fmt::format("{} is {:g} {:g} {:g}; write three finite numbers", field, v->x(), v->y(),
                       v->z()));
    }
  }
  for (const auto& [field, value] :
       {std::pair{"density", option.density}, {"viscosity", option.viscosity}}) {
    if (!(value >= 0) || value > kAbsurd) {
      fail(fmt::format("{} is {:g}; it must be 0 or more", field, value));
    }
  }
}

}  // namespace compiling
}  // namespace abut
