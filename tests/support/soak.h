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
  // `seconds`: how long when nobody asked for a soak.
  explicit Soak(double seconds) : seconds_(seconds) {
    if (const char* asked = std::getenv("ABUT_SOAK")) seconds_ = std::atof(asked);
  }

  bool goes_on() const {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
    return elapsed.count() < seconds_;
  }

 private:
  double seconds_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace abut::test
