// Command: a request of a page to a live run, one small JSON object for each message
// (docs/viewer.md).
//
//   {"do": "grab", "body": 3, "point": [0, 0, 0.1], "target": [0.2, 0, 1]}
//
// For any message of a client, parse_command() returns a command with finite numbers in their
// ranges, or throws a CommandError with a sentence for the client. The session checks whether a
// body or a name exists.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "abut/math/types.h"
#include "abut/view/scene/frame.h"

namespace abut::view {

class CommandError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A longer message is refused.
inline constexpr std::size_t kMostCommandBytes = 16384;
inline constexpr int kMostLanes = 4;

struct Command {
  enum class Do {
    play,
    pause,
    step,       // count: how many
    back,       // count
    reset,      // to the start
    seek,       // count: the step to go to
    undo,       // the last interaction
    speed,      // value: times real time
    grab,       // body, at (in the body), to (in the scene): pull by a spring
    hand,       // to (m, scene axes), at (radians, scene axes), count: buttons. Moves a haptic hand
    twist,      // body, at (radians, scene axes): turn by a spring
    push,       // at (in the scene), value (m): a ball that repels
    release,    // release the body
    throw_box,  // at, to (m/s), value (m, half its side)
    contact,    // lane, name: contact model
    friction,   // lane, name
    stabilize,  // lane, name
    timestep,   // value (s)
    keyframe,   // name
    lanes,      // names: contact models side by side
    control,    // count: actuator, value
    joint,      // count: joint, value: put a hinge or a slide there
    show,       // what to compute for this client
    seen        // this client has drawn a frame
  };
  Do what = Do::seen;
  std::int64_t count = 1;
  int body = -1, lane = 0;
  double value = 0;
  Vec3 at = Vec3::Zero(), to = Vec3::Zero();
  std::string name = {};
  std::vector<std::string> names = {};
  Show show = {};
};

Command parse_command(std::string_view text);

// The words of "do", in the order of Do.
std::string_view name(Command::Do what);

}  // namespace abut::view
