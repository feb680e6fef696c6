// A driver for the devices of Force Dimension (omega, sigma, delta), as a shared library:
//
//   c++ -std=c++17 -O2 -shared -fPIC $(pkg-config --cflags abut) force_dimension.cpp -ldhd -o libforce_dimension.so
//   abut run haptic/peg_in_hole --haptic --rate 4000 --device ./libforce_dimension.so
//
// It was written from the manual of the Force Dimension SDK 3, and has been compiled against a stub
// of its dhdc.h; nobody has tried it with a device yet.
#include "dhdc.h"  // of the SDK; in no package of Debian

#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "abut/haptic/device/driver.h"

namespace {

struct Opened {
  char id;
};

void* open_device(const char* options, char* why, std::size_t why_size) {
  const int id = options[0] == '\0' ? dhdOpen() : dhdOpenID(static_cast<char>(std::atoi(options)));
  if (id < 0) {
    std::snprintf(why, why_size, "dhdOpen: %s", dhdErrorGetLastStr());
    return nullptr;
  }
  dhdEnableForce(DHD_ON, static_cast<char>(id));
  return new Opened{static_cast<char>(id)};
}

// The quaternion of a rotation matrix, by its largest part.
void to_quaternion(const double m[3][3], double q[4]) {
  const double t[4] = {m[0][0] + m[1][1] + m[2][2], m[0][0] - m[1][1] - m[2][2],
                       m[1][1] - m[0][0] - m[2][2], m[2][2] - m[0][0] - m[1][1]};
  int k = 0;
  for (int i = 1; i < 4; ++i) k = t[i] > t[k] ? i : k;
  const double s = 0.5 / std::sqrt(1 + t[k]);
  const double w[4] = {m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1], 0};
  if (k == 0) {
    q[0] = 0.25 / s;
    for (int i = 0; i < 3; ++i) q[i + 1] = w[i] * s;
    return;
  }
  const int a = k - 1, b = (a + 1) % 3, c = (a + 2) % 3;
  q[0] = w[a] * s;
  q[a + 1] = 0.25 / s;
  q[b + 1] = (m[a][b] + m[b][a]) * s;
  q[c + 1] = (m[a][c] + m[c][a]) * s;
}

int read_hand(void* device, abut_hand* hand) {
  const char id = static_cast<Opened*>(device)->id;
  double m[3][3];
  double *p = hand->position, *v = hand->linear_velocity, *w = hand->angular_velocity;
  if (dhdGetPositionAndOrientationFrame(&p[0], &p[1], &p[2], m, id) < 0 ||
      dhdGetLinearVelocity(&v[0], &v[1], &v[2], id) < 0)
    return -1;
  to_quaternion(m, hand->quaternion);
  hand->has_velocity = dhdGetAngularVelocityRad(&w[0], &w[1], &w[2], id) >= 0 ? 1 : 0;
  hand->buttons = dhdGetButton(0, id) == DHD_ON ? 1 : 0;
  return 1;
}

void write_wrench(void* device, const abut_wrench* w) {
  dhdSetForceAndTorque(w->force[0], w->force[1], w->force[2], w->torque[0], w->torque[1],
                       w->torque[2], static_cast<Opened*>(device)->id);
}

void close_device(void* device) {
  auto* opened = static_cast<Opened*>(device);
  dhdSetForceAndTorque(0, 0, 0, 0, 0, 0, opened->id);
  dhdClose(opened->id);
  delete opened;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) const abut_driver* abut_haptic_driver(void) {
  static const abut_driver driver = {ABUT_DRIVER_VERSION,
                                     sizeof(abut_driver),
                                     "force dimension",
                                     open_device,
                                     read_hand,
                                     write_wrench,
                                     close_device,
                                     12,
                                     0.4};
  return &driver;
}
