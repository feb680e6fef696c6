// Watch: a thread that tells each second when one piece of work takes longer than that.
//
//   Watch watch([](double seconds, Command::Do what) { .. });
//   watch.begin(Command::Do::step);
//   ..
//   watch.end();
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

#include "abut/view/live/command.h"

namespace abut::view {

class Watch {
 public:
  // `tell` is called on the watch's own thread.
  explicit Watch(std::function<void(double seconds, Command::Do what)> tell);
  ~Watch();
  // Ends the thread: it tells nothing more.
  void stop();

  // From one thread. The second of two begins without an end changes `what` alone.
  void begin(Command::Do what);
  void end() { since_ = 0; }

 private:
  void run();

  std::function<void(double, Command::Do)> tell_;
  std::atomic<std::int64_t> since_{0};  // of the steady clock; 0: idle
  std::atomic<Command::Do> what_{Command::Do::step};
  std::mutex mutex_;
  std::condition_variable stopped_;
  bool stop_ = false;
  std::thread thread_;
};

}  // namespace abut::view
