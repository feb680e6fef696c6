// A progress bar on stderr that shows itself only when something takes more than two seconds. A
// thread draws it, so that one long step or a large mesh does not silence it.
//
//   ProgressBar bar(wanted, "loading big.xml");   // [                    ] loading big.xml, 3 s
//   bar.show(done, all);                          // [====                ]  20 %, 12 s left
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

namespace abut::tool {

class ProgressBar {
 public:
  // `what`: shown while nothing is known of how much there is to do.
  explicit ProgressBar(bool enabled, std::string what = "working");
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  // How far it is; from any thread.
  void show(std::int64_t done, std::int64_t all) { done_ = done, all_ = all; }
  // Takes the bar off the screen, for a line to be printed there. It comes back by itself.
  void clear();
  // Takes it off for good.
  void end();

 private:
  void draw_until_the_end();
  void draw(double elapsed);

  const std::string what_;
  std::atomic<std::int64_t> done_{0}, all_{0};
  std::mutex mutex_;
  std::condition_variable ends_;
  bool ended_ = false, shown_ = false;  // under the mutex
  std::thread thread_;
};

// A user looks at stderr and did not ask for quiet.
bool wants_progress(bool quiet);

}  // namespace abut::tool
