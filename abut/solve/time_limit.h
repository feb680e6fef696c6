// TimeLimit: how long solvers may take. What is cut short depends on the machine and its load, so a
// run under a limit is not repeatable.
//
//   abut::TimeLimit limit(0.002);   // s
//   limit.start();
//   const bool late = limit.is_over();
#pragma once

#include <chrono>

namespace abut {

class TimeLimit {
 public:
  explicit TimeLimit(double seconds) : seconds_(seconds) {}
  void start() {
    end_ = Clock::now() +
           std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(seconds_));
  }
  bool is_over() const { return Clock::now() >= end_; }

 private:
  using Clock = std::chrono::steady_clock;
  double seconds_;
  Clock::time_point end_ = Clock::time_point::max();
};

}  // namespace abut
