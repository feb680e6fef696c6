// State: everything that can change a bit of the future. A copy of a state has the same future as
// the original.
//
//   abut::State state(model);               // at qpos0, at rest
//   abut::set_keyframe(model, model.find_keyframe("home"), state);
//   abut::save_state(model, state, input, "half.state");
#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "abut/model/contact_memory.h"
#include "abut/model/input.h"
#include "abut/model/model.h"

namespace abut {

struct State {
  State() = default;
  explicit State(const Model& model);

  double time = 0;           // s
  std::vector<double> q, v;  // MuJoCo's layout, see docs/notation.md
  std::vector<double> act;   // activations of actuators with dynamics
  std::vector<double> turn;  // last value of each measure (model/measure.h), to count turns
  ContactMemory contacts;

  std::uint64_t hash() const;
  bool operator==(const State& other) const;  // bit for bit: NaN equals itself, -0 is not 0
};

// Sets q, v, act and time of a keyframe; values that it leaves out are as in State(model). Also
// sets its controls and driven poses if an input is given.
void set_keyframe(const Model& model, int keyframe, State& state, Input* input = nullptr);

// Thrown when a state file is missing, damaged or of another model.
class StateError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A flat, versioned binary file with a hash at its end. It also holds the current controls and
// driven poses, so that a run can be resumed from the file alone. An interrupted save leaves the
// old file.
void save_state(const Model& model, const State& state, const Input& input,
                const std::filesystem::path& file);
void load_state(const Model& model, const std::filesystem::path& file, State& state, Input& input);

}  // namespace abut
