// Live: a Session that runs in real time on its own thread, with its input and output.
//
// Commands wait in a bounded queue; frames and texts go to an Outlet, which must not block. So no
// client can delay the simulation. It uses no socket, so that tests can drive it.
//
//   abut::view::Live live(std::move(session), outlet);
//   live.received(client, R"({"do": "play"})");
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "abut/view/live/session.h"
#include "abut/view/live/watch.h"

namespace abut::view {

using LiveText = std::shared_ptr<const std::string>;

// Called on the simulation's thread; text_to_all also on that of a Watch.
struct Outlet {
  std::function<void(std::uint64_t client, LiveText)> text;
  std::function<void(LiveText)> text_to_all;
  std::function<void(int lane, LiveText)> frame;
};

class Live {
 public:
  // Starts paused. The session belongs to the thread from now on.
  Live(std::unique_ptr<Session> session, Outlet outlet, bool playing = false);
  ~Live();
  // Ends the thread: it sends nothing more and ignores input.
  void stop();
  Live(const Live&) = delete;
  Live& operator=(const Live&) = delete;

  // For any thread; never blocks. A message that is no command is answered with an error.
  void opened(std::uint64_t client);
  void received(std::uint64_t client, std::string_view text);
  void closed(std::uint64_t client);

  std::int64_t steps() const { return steps_; }  // taken since the start

 private:
  struct Asked {
    std::uint64_t client;
    Command command;
  };
  void run();
  bool take_commands();
  void obey(const Asked& asked);
  void go_on(const Command& command);
  bool advance_to_goal();
  void stay();
  void tell(std::uint64_t client, const std::string& problem);
  bool advance_to_clock();
  void send_frames();
  void send_status();
  Show wanted();

  std::unique_ptr<Session> session_;
  Outlet outlet_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Asked> asked_;
  std::deque<std::uint64_t> greet_;
  std::map<std::uint64_t, Show> shows_;  // what each client wants to see
  bool stop_ = false;
  // used by the thread only
  bool playing_;
  double speed_ = 1, due_ = 0;  // due_: simulated seconds that the clock is ahead
  struct Ahead {
    std::int64_t goal = -1;  // the step to which somebody goes back; -1: none
    std::int64_t steps = 0;  // that somebody asked for
  } ahead_;
  int generation_ = -1;
  std::array<Frame, kMostLanes> frames_;
  struct Measuring {
    double seconds = 0;
    int every = 1, frames = 0;
  } measuring_;
  std::chrono::steady_clock::time_point last_, last_status_;
  std::atomic<std::int64_t> steps_{0};
  Watch watch_;
  std::thread thread_;
};

}  // namespace abut::view
