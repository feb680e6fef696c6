// Signals that ask the tool to end: SIGINT (^C), SIGTERM, SIGHUP. The exit code is 128 and the
// signal's number, whichever way the command ends: 130, 143, 129.
//
// A command that has nothing to close is ended at once, wherever it is. One that has says so by an
// EndsItself, and looks at stop_asked() between its steps. If it is still in a step a second later,
// or a second signal comes, a thread of its own closes what the command has open, and ends the
// process: a step may take minutes. A further signal ends the process whatever it is doing.
#pragma once

#include <atomic>
#include <functional>

namespace abut::tool {

// To be called once, first thing in main.
void watch_signals();

// The signal that asked the command to end; 0: none has.
int interrupted_by();
inline bool interrupted() { return interrupted_by() != 0; }
int interrupted_exit_code();
// Set by the first signal. A command may set it itself, to stop for a reason of its own.
std::atomic<bool>& stop_asked();

// While one lives, the process is not ended. Of the main thread.
class Uninterrupted {
 public:
  Uninterrupted();
  ~Uninterrupted();
  Uninterrupted(const Uninterrupted&) = delete;
  Uninterrupted& operator=(const Uninterrupted&) = delete;
  // Lets the process be ended for a while.
  void pause();
  void resume();

 private:
  bool holds_ = false;
};

// While one lives, the command ends by itself after a signal. `close` is called on another thread
// if it does not, while no Uninterrupted lives; then the process ends.
class EndsItself {
 public:
  explicit EndsItself(std::function<void()> close = {});
  ~EndsItself();
  EndsItself(const EndsItself&) = delete;
  EndsItself& operator=(const EndsItself&) = delete;
};

}  // namespace abut::tool
