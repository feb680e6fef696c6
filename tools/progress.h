// A progress bar on stderr that shows itself only when a run takes more than two seconds.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <cstdio>

namespace abut::tool {

class ProgressBar {
 public:
  explicit ProgressBar(bool enabled) : enabled_(enabled), start_(Clock::now()) {}

  void show(std::int64_t done, std::int64_t all) {
    const double elapsed = std::chrono::duration<double>(Clock::now() - start_).count();
    if (!enabled_ || elapsed < 2 || all <= 0) return;
    constexpr int kWidth = 40;
    const double share = static_cast<double>(done) / static_cast<double>(all);
    const int filled = static_cast<int>(share * kWidth);
    fmt::print(stderr, "\r[{:=<{}}{: <{}}] {:3.0f} %, {:.0f} s left ", "", filled, "",
               kWidth - filled, 100 * share, elapsed * (1 - share) / share);
    std::fflush(stderr);
    shown_ = true;
  }
  void clear() {
    if (shown_) fmt::print(stderr, "\r{: <70}\r", "");
  }

 private:
  using Clock = std::chrono::steady_clock;
  bool enabled_, shown_ = false;
  Clock::time_point start_;
};

}  // namespace abut::tool
