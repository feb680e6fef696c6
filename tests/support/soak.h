// How long a random test may go on: a blink in `make test`, ABUT_SOAK seconds in
// `make soak`.
//
//   for (const abut::test::Soak soak(0.2); soak.goes_on();) try_one_random_case();
#pragma once

#include <chrono>
#include <cstdlib>

namespace abut::test {

class Soak {
 public:
  // `seconds`: how long when nobody asked for a soak; `least`: rounds that are made even if they take
  // longer, as under a sanitizer.
  explicit Soak(double seconds, int least = 0) : seconds_(seconds), least_(least) {
    if (const char* asked = std::getenv("ABUT_SOAK")) seconds_ = std::atof(asked);
  }

  bool goes_on() const {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
    return rounds_++ < least_ || elapsed.count() < seconds_;
  }

 private:
  double seconds_;
  int least_;
  mutable int rounds_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace abut::test
