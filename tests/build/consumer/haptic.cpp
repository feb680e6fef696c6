// A hand that rests: where it is after a cycle.
#include <cstdio>

#include "abut/haptic/device/simulated_device.h"

int main() {
  abut::haptic::SimulatedDevice device{{}};
  device.start(0.001);
  abut::haptic::HandSample sample;
  std::printf("%d\n", device.read(sample) ? 1 : 0);
}
