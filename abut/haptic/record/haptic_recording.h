// HapticRecording: what happened in a haptic run: every hand, every wrench, and every decision
// about late steps. With the same world and settings, replay() of its events gives the same bits.
//
//   abut::haptic::HapticRecording recording(30'000);      // room for so many events
//   abut::haptic::TickEvent event;                        // of LoopSettings::on_event
//   recording.add(event);                                 // allocates nothing
//   recording.write("hand.h5");
//
// The file is HDF5 (docs/haptics.md has the layout). It is written at the end of a run.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "abut/haptic/loop/haptic_loop.h"

namespace abut::haptic {

inline constexpr int kHapticRecordVersion = 1;

class HapticRecording {
 public:
  HapticRecording() = default;
  explicit HapticRecording(std::size_t room) { events_.reserve(room); }

  // An event beyond the room is counted, and lost.
  void add(const TickEvent& event) {
    if (events_.size() < events_.capacity())
      events_.push_back(event);
    else
      ++lost_;
  }
  const std::vector<TickEvent>& events() const { return events_; }
  std::int64_t lost() const { return lost_; }

  // Of the run: so that a replay of something else is noticed.
  struct Notes {
    std::string world, contact, hold, device, hash;  // hash: of the state at the end
    double rate = 0;                                 // Hz
  };
  Notes notes;

  // Throws FileError.
  void write(const std::filesystem::path& file) const;
  static HapticRecording read(const std::filesystem::path& file);

 private:
  std::vector<TickEvent> events_;
  std::int64_t lost_ = 0;
};

}  // namespace abut::haptic
