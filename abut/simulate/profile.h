// Time spent in each stage of a step; the names are the headings of
// docs/architecture.md and the keys that `abut run --profile` prints.
#pragma once

#include <array>
#include <chrono>
#include <string_view>

namespace abut {

enum class Stage {
  kinematics,
  forces,
  dynamics,
  contact_data,
  contact_model,
  integrate,
  stabilise,
  count
};

inline constexpr std::array<std::string_view, static_cast<std::size_t>(Stage::count)> kStageNames{
    "kinematics", "forces", "dynamics", "contact data", "contact model", "integrate", "stabilise"};

class Profile {
 public:
  using Clock = std::chrono::steady_clock;

  bool enabled = false;

  void begin() {
    if (enabled) last_ = Clock::now();
  }
  // Adds the time since the last mark to a stage.
  void mark(Stage stage) {
    if (!enabled) return;
    const auto now = Clock::now();
    seconds_[static_cast<std::size_t>(stage)] += std::chrono::duration<double>(now - last_).count();
    last_ = now;
  }
  double seconds(Stage stage) const { return seconds_[static_cast<std::size_t>(stage)]; }

 private:
  Clock::time_point last_{};
  std::array<double, static_cast<std::size_t>(Stage::count)> seconds_{};
};

}  // namespace abut
