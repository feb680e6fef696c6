// A driver for the mice of 3Dconnexion, by libspnav and its daemon spacenavd:
//
//   c++ -std=c++17 -O2 -shared -fPIC $(pkg-config --cflags abut) space_mouse.cpp -lspnav
//       -o libspace_mouse.so
//   abut view haptic/four_blocks --haptic --device ./libspace_mouse.so
//
// The cap is pushed a little and springs back: how far it is pushed is how fast the hand goes. The
// device cannot push back. It was compiled against a stub of spnav.h; nobody has tried it with a
// device yet.
#include <spnav.h>

#include <chrono>
#include <cmath>
#include <cstdio>

#include "abut/haptic/device/driver.h"

namespace {

constexpr double kSpeed = 0.1 / 350, kTurn = 1.0 / 350;  // m/s and rad/s for a count; 350: full

struct Mouse {
  double p[3] = {}, q[4] = {1, 0, 0, 0}, v[3] = {}, w[3] = {};
  uint32_t buttons = 0;
  std::chrono::steady_clock::time_point last = std::chrono::steady_clock::now();
};

void* open_mouse(const char*, char* why, std::size_t why_size) {
  if (spnav_open() >= 0) return new Mouse;
  std::snprintf(why, why_size, "no answer of spacenavd: is it installed, and does it run?");
  return nullptr;
}

// q <- exp(w dt) q
void turn(double q[4], const double w[3], double dt) {
  const double rate = std::sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]);
  if (rate == 0) return;
  const double c = std::cos(rate * dt / 2), s = std::sin(rate * dt / 2) / rate;
  const double a = s * w[0], b = s * w[1], d = s * w[2];
  const double r[4] = {
      c * q[0] - a * q[1] - b * q[2] - d * q[3], c * q[1] + a * q[0] + b * q[3] - d * q[2],
      c * q[2] + b * q[0] + d * q[1] - a * q[3], c * q[3] + d * q[0] + a * q[2] - b * q[1]};
  const double n = std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] + r[3] * r[3]);
  for (int i = 0; i < 4; ++i) q[i] = r[i] / n;
}

int read_mouse(void* device, abut_hand* hand) {
  auto& m = *static_cast<Mouse*>(device);
  spnav_event event;
  while (spnav_poll_event(&event) != 0) {
    if (event.type == SPNAV_EVENT_MOTION) {
      // its axes are right, up and back; those of worlds right, forward and up
      const double push[3] = {double(event.motion.x), -double(event.motion.z),
                              double(event.motion.y)};
      const double twist[3] = {double(event.motion.rx), -double(event.motion.rz),
                               double(event.motion.ry)};
      for (int i = 0; i < 3; ++i) m.v[i] = kSpeed * push[i], m.w[i] = kTurn * twist[i];
    } else if (event.type == SPNAV_EVENT_BUTTON && event.button.bnum < 32) {
      const uint32_t bit = 1u << event.button.bnum;
      m.buttons = event.button.press ? m.buttons | bit : m.buttons & ~bit;
    }
  }
  const auto now = std::chrono::steady_clock::now();
  const double dt = std::chrono::duration<double>(now - m.last).count();
  m.last = now;
  turn(m.q, m.w, dt);
  for (int i = 0; i < 3; ++i) {
    m.p[i] += dt * m.v[i];
    hand->position[i] = m.p[i];
    hand->linear_velocity[i] = m.v[i];
    hand->angular_velocity[i] = m.w[i];
  }
  for (int i = 0; i < 4; ++i) hand->quaternion[i] = m.q[i];
  hand->has_velocity = 1;
  hand->buttons = m.buttons;
  return 1;
}

void write_nothing(void*, const abut_wrench*) {}

void close_mouse(void* device) {
  spnav_close();
  delete static_cast<Mouse*>(device);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const abut_driver* abut_haptic_driver(void) {
  static const abut_driver driver = {ABUT_DRIVER_VERSION,
                                     sizeof(abut_driver),
                                     "space mouse",
                                     open_mouse,
                                     read_mouse,
                                     write_nothing,
                                     close_mouse,
                                     0,
                                     0};
  return &driver;
}
