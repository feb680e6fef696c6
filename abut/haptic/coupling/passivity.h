// PassivityObserver: the energy that the coupling gave out (Hannaford and Ryu 2002, with positions
// in place of velocities, as Ryu, Preusche, Hannaford and Hirzinger 2005).
//
// Both ends of the coupling are watched. Forces are held for a cycle, so that force times
// displacement is the work, exactly. A passive coupling gives out less than it took, less what its
// springs store now:
//
//   W(n) = sum of f_hand . dx_hand + f_pointer . dx_pointer     given out
//   W(n) + U(n) <= 0                                            if it is passive
//
// energy_out() is the largest W(n) + U(n) of the run, or 0. Of a hand that poses the pointer there
// is one end: energy_out() is then the largest sum of work on the hand, which a world gives from
// what it has stored.
#pragma once

#include <algorithm>

#include "abut/haptic/coupling/coupling.h"
#include "abut/math/rotation.h"

namespace abut::haptic {

// J: of a wrench (torque about the origin of the frame) that was held while a frame moved.
inline double work_of(const Spatial& wrench, const Pose& from, const Pose& to) {
  return wrench.lin.dot(to.p - from.p) + wrench.ang.dot(log_rotation(to.q * from.q.conjugate()));
}

class PassivityObserver {
 public:
  void give(double work) { given_ += work; }
  void store(double energy) { out_ = std::max(out_, given_ + energy); }
  double given() const { return given_; }     // J, to hand and pointer
  double energy_out() const { return out_; }  // J

 private:
  double given_ = 0, out_ = 0;
};

}  // namespace abut::haptic
