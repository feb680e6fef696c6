#include "abut/view/live/watch.h"

#include <chrono>
#include <utility>

namespace abut::view {

namespace {
using Clock = std::chrono::steady_clock;
constexpr auto kLong = std::chrono::seconds(1);
}  // namespace

Watch::Watch(std::function<void(double, Command::Do)> tell) : tell_(std::move(tell)) {
  thread_ = std::thread([this] { run(); });
}

Watch::~Watch() { stop(); }

void Watch::stop() {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
  }
  stopped_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Watch::begin(Command::Do what) {
  what_ = what;
  if (since_ == 0) since_ = Clock::now().time_since_epoch().count();
}

void Watch::run() {
  std::unique_lock lock(mutex_);
  while (!stopped_.wait_for(lock, kLong, [&] { return stop_; })) {
    const std::int64_t since = since_;
    const auto taken = Clock::now().time_since_epoch() - Clock::duration(since);
    if (since != 0 && taken >= kLong) tell_(std::chrono::duration<double>(taken).count(), what_);
  }
}

}  // namespace abut::view
