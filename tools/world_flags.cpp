#include "world_flags.h"

#include <fmt/format.h>

#include "abut/collide/planar/planar_world.h"
#include "abut/load/load.h"
#include "abut/model/maximal.h"
#include "abut/simulate/run.h"

namespace abut::tool {

Model WorldFlags::read(bool quiet) const {
  Model model = load_for_tool(world, quiet, load);
  put_into(model);
  return model;
}

World WorldFlags::describe() const {
  World description = load_world(find_world(world), load);
  if (!load.coordinates.empty()) ask_for_coordinates(description, load.coordinates);
  return description;
}

Model WorldFlags::build(const World& description) const {
  Model model = compile(description);
  checked_plane_of(model);
  put_into(model);
  return model;
}

void WorldFlags::put_into(Model& model) const {
  if (!integrator.empty()) choose_integrator(model, integrator);
  for (const std::string& s : set) apply_setting(model, s);
  if (!set.empty()) checked_plane_of(model);
  if (!step.empty()) model.option.timestep = parse_number(step, "--step");
  if (!(model.option.timestep > 0)) throw UsageError("--step " + step + ": must be positive (s)");
  if (timed) check_time(model);
  if (const std::string why = why_not_simulated(model); !why.empty())
    throw UsageError(fmt::format("{}: {}", world, why));
}

// round(time / step) steps of a step longer than the time are one that goes too far, or none.
void WorldFlags::check_time(Model& model) const {
  const double h = model.option.timestep;
  if (!(time >= 0) || time / h > 1e15)
    throw UsageError(
        fmt::format("--time {}: must be zero or positive (s), and at most 1e15 steps", time));
  if (time == 0 || time >= h) return;
  const std::string taken = step_count(time, h) == 0
                                ? "no step is taken, and the result is the initial state"
                                : fmt::format("one step is taken, to {:.6g} s after the start", h);
  model.warnings.push_back(
      {{},
       fmt::format("the time to simulate, {:.6g} s, is shorter than the step, {:.6g} s: {}; "
                   "use a smaller --step or a longer --time",
                   time, h, taken)});
}

void WorldFlags::start(const Model& model, State& state, Input& input) const {
  std::string from = keyframe;
  if (const auto it = model.custom.find("abut.keyframe"); from.empty() && it != model.custom.end())
    from = it->second.text;
  if (!from.empty()) start_at_keyframe(model, from, state, input);
}

void add_world_flags(CLI::App& command, WorldFlags& f, bool timed) {
  auto option = [&](const char* name, auto& target, const char* about, const char* form) {
    return command.add_option(name, target, about)->option_text(form);
  };
  f.timed = timed;
  option("world", f.world, "MJCF or URDF file, or the name of a world", "WORLD")->required();
  if (timed) option("--time", f.time, "seconds to simulate (default 10)", "S");
  option("--step", f.step, "time step in seconds: 0.004 or 1/240 (default: the world's)", "S");
  option("--integrator", f.integrator, "euler, implicit, explicit, rk4 (default: the world's)",
         "NAME");
  option("--keyframe", f.keyframe,
         "start from a keyframe (default: the world's abut.keyframe, else qpos0)", "NAME");
  option("--set", f.set,
         "change an option (gravity=0,0,-1.6) or a setting of the world: friction.static=1.2, "
         "multipoint.gains=paper (abut models lists them); repeatable",
         "KEY=VALUE")
      ->allow_extra_args(false);
  command
      .add_option("--coordinates", f.load.coordinates,
                  "generalized, or maximal: links are bodies, joints constraints (default: the "
                  "world's)")
      ->option_text("NAME");
  command.add_flag("--floating-base", f.load.floating_base, "URDF: the root link floats");
}

}  // namespace abut::tool
