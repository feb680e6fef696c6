// Keys of a sweep: what a value changes, and when.
//
//   choice   contact, data, friction, stabilize, solver, accuracy, iterations: the contact model
//   world    body.NAME.FIELD, geom.NAME.FIELD, joint.NAME.FIELD, actuator.NAME.FIELD, coordinates:
//            the world is compiled again. NAME may be * for all.
//   state    q, v, ctrl, act, q.JOINT, v.JOINT, ctrl.ACTUATOR, keyframe: the start of the run
//   run      time, control, push
//   setting  all others: keys of --set
//
//   apply_world_key(world, "geom.ball.friction", "0.3");
#pragma once

#include <string>
#include <string_view>

#include "abut/contact/settings.h"
#include "abut/model/input.h"
#include "abut/model/state.h"
#include "abut/model/world.h"

namespace abut {

enum class KeyKind { choice, world, state, run, setting };
KeyKind key_kind(std::string_view key);

// Each throws std::invalid_argument that names the key and, of an unknown name, the nearest.
void apply_choice_key(ContactSettings& settings, std::string_view key, std::string_view value);
void apply_world_key(World& world, std::string_view key, std::string_view value);
// keyframe replaces the whole state, so it comes first.
void apply_state_key(const Model& model, std::string_view key, std::string_view value, State& state,
                     Input& input);

}  // namespace abut
