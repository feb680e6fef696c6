// WORLD.last.state, in the current folder: where a run that ended badly can go on from.
#pragma once

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <string>

#include "common.h"

namespace abut::tool {

class LastState {
 public:
  // `reserve`: files are written during the run, which may fill the disk. Room for the state is
  // taken from it beforehand, where the file system knows how; it is in no folder, and goes with
  // the process.
  LastState(const std::string& world, const Model& model, bool reserve)
      : name_(find_world(world).stem().string() + ".last.state") {
    if (!reserve) return;
    room_ = open(".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    // a state, the memory of several contacts a body
    const auto bytes = (64 << 10) + 8 * off_t{model.nq + model.nv + model.na + 7 * model.nmocap} +
                       (off_t{4} << 10) * model.nbody();
    if (room_ >= 0) [[maybe_unused]]
      const int failed = fallocate(room_, 0, 0, bytes);
  }
  ~LastState() { give_room(); }
  LastState(const LastState&) = delete;
  LastState& operator=(const LastState&) = delete;

  // A few words on where it is, or why it is nowhere.
  std::string save(const Model& model, const State& state, const Input& input) {
    give_room();
    try {
      save_state(model, state, input, name_);
    } catch (const StateError& e) {
      return fmt::format("the last good state could not be saved: {}", e.what());
    }
    return "the last good state is in " + name_ + "; go on with --from " + name_;
  }

 private:
  void give_room() {
    if (room_ >= 0) close(room_);
    room_ = -1;
  }

  std::string name_;
  int room_ = -1;
};

}  // namespace abut::tool
