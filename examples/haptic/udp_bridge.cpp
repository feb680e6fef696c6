// A bridge between a haptic device and abut, over UDP (docs/haptics.md has the protocol):
//
//   c++ -std=c++17 -O2 udp_bridge.cpp -o udp_bridge
//   abut run haptic/four_blocks --haptic --device udp &
//   ./udp_bridge 127.0.0.1 10200
//
// Put your device's library (CHAI3D, OpenHaptics, a serial line ..) into struct MyDevice. As it
// stands, the device is a mass of 0.2 kg on a spring that goes to and fro, so that the bridge can
// be tried without one.
#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

struct MyDevice {
  double z = 0, v = 0, t = 0;
  double force[3] = {}, torque[3] = {};

  // m, unit quaternion w x y z, m/s, rad/s; CHAI3D: getPosition(), getRotation(),
  // getLinearVelocity() ..
  void read(double dt, double p[3], double q[4], double lin[3], double ang[3]) {
    t += dt;
    const double goal = -0.01 * (1 - std::cos(2 * t));
    v += dt / 0.2 * (300 * (goal - z) - 8 * v + force[2]);
    z += dt * v;
    p[0] = p[1] = 0, p[2] = z;
    q[0] = 1, q[1] = q[2] = q[3] = 0;
    lin[0] = lin[1] = 0, lin[2] = v;
    ang[0] = ang[1] = ang[2] = 0;
  }
  uint32_t buttons() const { return 0; }
  // N, N m; CHAI3D: setForceAndTorque()
  void write(const double f[3], const double tau[3]) {
    std::memcpy(force, f, sizeof force);
    std::memcpy(torque, tau, sizeof torque);
  }
};

// Little-endian machines send numbers as they lie in memory.
template <class T>
void put(char* packet, int at, const T& value) {
  std::memcpy(packet + at, &value, sizeof value);
}
template <class T>
T get(const char* packet, int at) {
  T value;
  std::memcpy(&value, packet + at, sizeof value);
  return value;
}

int main(int argc, char** argv) {
  const char* address = argc > 1 ? argv[1] : "127.0.0.1";
  const int port = argc > 2 ? std::atoi(argv[2]) : 10200;
  const double time = argc > 3 ? std::atof(argv[3]) : 1e9, cycle = 0.001;
  sockaddr_in abut{};
  abut.sin_family = AF_INET;
  abut.sin_port = htons(static_cast<uint16_t>(port));
  const int s = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
  if (inet_pton(AF_INET, address, &abut.sin_addr) != 1 || s < 0 ||
      connect(s, reinterpret_cast<sockaddr*>(&abut), sizeof abut) != 0) {
    std::fprintf(stderr, "udp_bridge: cannot reach %s:%d\n", address, port);
    return 2;
  }

  MyDevice device;
  const double none[3] = {};
  uint32_t sequence = 0, heard = 0;
  int silent = 0, answers = 0;
  double most = 0;
  bool ended = false;
  auto next = std::chrono::steady_clock::now();
  while (!ended && device.t < time) {
    double p[3], q[4], lin[3], ang[3];
    device.read(cycle, p, q, lin, ang);
    char hand[136] = {'a', 'b', 'h', 'd'};
    put(hand, 4, uint16_t{1}), put(hand, 6, uint16_t{sizeof hand});
    put(hand, 8, ++sequence), put(hand, 12, device.buttons());
    put(hand, 16, uint32_t{1});  // velocities are given
    put(hand, 24, device.t);
    std::memcpy(hand + 32, p, 24), std::memcpy(hand + 56, q, 32);
    std::memcpy(hand + 88, lin, 24), std::memcpy(hand + 112, ang, 24);
    if (send(s, hand, sizeof hand, 0) < 0 && argc > 4) break;  // nobody listens yet: try again

    // the newest wrench; none for 20 ms: let go
    char wrench[128];
    ++silent;
    for (ssize_t n; (n = recv(s, wrench, sizeof wrench, 0)) > 0;) {
      if (n != 72 || std::memcmp(wrench, "abwr", 4) != 0 || get<uint16_t>(wrench, 4) != 1) continue;
      if (static_cast<int32_t>(get<uint32_t>(wrench, 8) - heard) <= 0) continue;
      heard = get<uint32_t>(wrench, 8);
      ended = get<uint32_t>(wrench, 16) == 1;
      double f[3], tau[3];
      std::memcpy(f, wrench + 24, 24), std::memcpy(tau, wrench + 48, 24);
      device.write(f, tau);
      most = std::fmax(most, std::fabs(f[2]));
      silent = 0, ++answers;
    }
    if (silent > 20) device.write(none, none);
    std::this_thread::sleep_until(next += std::chrono::microseconds(1000));
  }
  device.write(none, none);
  std::printf("%d wrenches, %.3f N at most\n", answers, most);
  close(s);
}
