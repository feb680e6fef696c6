#include "progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>

#include "print.h"

namespace abut::tool {

namespace {

using Clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr std::chrono::milliseconds kPatience = 2s, kRefresh = 200ms;
constexpr int kBar = 40, kLine = 78;  // characters

}  // namespace

bool wants_progress(bool quiet) { return !quiet && isatty(STDERR_FILENO); }

ProgressBar::ProgressBar(bool enabled, std::string what) : what_(printable(what)) {
  if (enabled) thread_ = std::thread([this] { draw_until_the_end(); });
}

ProgressBar::~ProgressBar() { end(); }

void ProgressBar::end() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  ends_.notify_all();
  thread_.join();
  clear();
}

void ProgressBar::clear() {
  const std::lock_guard lock(mutex_);
  if (!shown_) return;
  fmt::print(stderr, "\r{: <{}}\r", "", kLine);
  std::fflush(stderr);
  shown_ = false;
}

void ProgressBar::draw_until_the_end() {
  const Clock::time_point start = Clock::now();
  std::unique_lock lock(mutex_);
  for (Clock::time_point next = start + kPatience;; next = Clock::now() + kRefresh) {
    if (ends_.wait_until(lock, next, [this] { return ended_; })) return;
    draw(std::chrono::duration<double>(Clock::now() - start).count());
  }
}

void ProgressBar::draw(double elapsed) {
  const std::int64_t all = all_;
  const double share =
      all > 0 ? std::clamp(static_cast<double>(done_) / static_cast<double>(all), 0.0, 1.0) : 0;
  const std::string words = share > 0 ? fmt::format("{:3.0f} %, {:.0f} s left", 100 * share,
                                                    elapsed * (1 - share) / share)
                                      : fmt::format("{:.24}, {:.0f} s", what_, elapsed);
  const int filled = static_cast<int>(share * kBar);
  fmt::print(stderr, "\r{: <{}}",
             fmt::format("[{:=<{}}{: <{}}] {}", "", filled, "", kBar - filled, words), kLine);
  std::fflush(stderr);
  shown_ = true;
}

}  // namespace abut::tool
