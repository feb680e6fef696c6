#include "abut/haptic/coupling/guard.h"

#include <algorithm>

namespace abut::haptic {

void Guard::tick(double T, bool has_data, bool clutch) {
  silence_ = has_data ? 0 : silence_ + T;
  const bool was_silent = silent_;
  silent_ = silence_ > kSilence + T / 2;  // half a tick, against rounding
  if (silent_ && !was_silent) ++silences_;
  const bool closes = silent() || tripped_ || clutch;
  gate_ = closes ? std::max(0.0, gate_ - T / kClosing) : std::min(1.0, gate_ + T / kOpening);
  hold_ = silent() ? std::max(0.0, hold_ - T / kClosing) : std::min(1.0, hold_ + T / kOpening);
}

Spatial Guard::pass(double T, const Spatial& wrench) {
  if (!wrench.lin.allFinite() || !wrench.ang.allFinite()) {
    if (!tripped_) ++trips_;
    tripped_ = true;
    calm_ = 0;
    gate_ = 0;
    return {};
  }
  const bool beyond = wrench.lin.norm() > most_force_ || wrench.ang.norm() > most_torque_;
  excess_ = beyond ? excess_ + T : 0;
  calm_ = beyond ? 0 : calm_ + T;
  if (excess_ > kPatience && !tripped_) {
    tripped_ = true;
    ++trips_;
  }
  if (tripped_ && calm_ > kRest) tripped_ = false;
  return {gate_ * limited(wrench.lin, most_force_), gate_ * limited(wrench.ang, most_torque_)};
}

}  // namespace abut::haptic
