// H-X5: the stiffest wall that a device can render at a rate, and what theory says of it. The loop
// is the one that `abut run --haptic` runs, on a simulated clock; the device is a mass with a
// damper, which is all that keeps a sampled wall from shaking.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "abut/contact/choose.h"
#include "abut/haptic/device/held_mass.h"
#include "abut/haptic/loop/haptic_loop.h"
#include "abut/reproduce/all.h"

namespace abut::reproduce {
namespace {

using namespace haptic;

constexpr double kPressed = 2;       // N
constexpr double kNudge = 0.3;       // of the depth at rest: the wall is not left
constexpr double kDeviceMass = 0.1;  // kg
constexpr double kOpened = 0.25;     // s: the gate of the fail-safe is open
constexpr int kTicks = 2000;         // that decide

// Rests where the wall's spring balances what presses it, until the gate is open; then it is
// nudged.
class WallDevice final : public Device {
 public:
  WallDevice(double damping, double stiffness) : damping_(damping), rest_(-kPressed / stiffness) {}
  DeviceInfo info() const override { return {.name = "wall"}; }
  void start(double cycle) override {
    cycle_ = cycle;
    mass_ = HeldMass(kDeviceMass, damping_, 0, cycle);
    place_ = Vec3(0, 0, (1 - kNudge) * rest_);
  }
  bool read(HandSample& sample) override {
    sample = {};
    sample.has_velocity = true;
    // the first sample is where the wall is touched
    if (tick_ > 0) sample.pose.p.z() = std::max(rest_, -0.01 * static_cast<double>(tick_) * cycle_);
    if (static_cast<double>(tick_++) * cycle_ < opened()) return true;
    mass_.advance(place_, speed_, {0, 0, force_ - kPressed});
    sample.pose.p = place_;
    sample.linear_velocity = speed_;
    const double away = std::abs(place_.z() - rest_);
    const int since = moved_++;
    if (since >= 3 * kTicks / 4) last_ = std::max(last_, away);
    return true;
  }
  void write(const HandWrench& wrench) override { force_ = wrench.force.z(); }
  // s: the gate is open, and the hand has come to its rest
  double opened() const { return kOpened - rest_ / 0.01; }
  // Nearer than it was nudged. A device that shakes comes to leave the wall, and bounces on it.
  bool settles() const { return last_ < -kNudge * rest_; }

 private:
  double damping_, rest_, cycle_ = 0, force_ = 0, last_ = 0;
  int moved_ = 0;
  std::int64_t tick_ = 0;
  HeldMass mass_;
  Vec3 place_ = Vec3::Zero(), speed_ = Vec3::Zero();
};

World wall_of(double stiffness, double damping) {
  World world;
  world.option.gravity.setZero();
  GeomDesc& wall = world.worldbody.box({0.1, 0.1, 0.05}, {{0, 0, -0.05}, Quat::Identity()});
  BodyDesc& pointer = world.body("pointer", {0, 0, 0.01});
  pointer.free();
  GeomDesc& cube = pointer.box({0.01, 0.01, 0.01});
  cube.mass = 0.05;
  wall.friction[0] = cube.friction[0] = 0;
  world.texts.push_back({"abut.contact", "st", {}});
  world.numerics.push_back({"abut.haptic.stiffness", {stiffness}, {}});
  world.numerics.push_back({"abut.haptic.damping", {damping}, {}});
  return world;
}

// Whether the device comes to rest at a wall of this stiffness and damping.
bool settles(double rate, double b, double K, double B) {
  Model model = compile(wall_of(K, B));
  model.option.timestep = 1 / rate;
  HapticCycle cycle(model, contact_settings(model), haptic_settings(model, rate), State(model),
                    Input(model));
  WallDevice device(b, K);
  HapticLoop loop(cycle, device,
                  {.time = device.opened() + (kTicks + 1) / rate, .clock = Clock::simulated});
  loop.run();
  return device.settles();
}

// The largest K for which x'' = -b/m x' - (K x + B v)/m, with the wall's force held for T, decays:
// both eigenvalues of the map from sample to sample lie in the unit circle (Jury's conditions on
// its trace and determinant).
bool decays(double m, double b, double K, double B, double T) {
  const double a = b / m, vv = std::exp(-a * T), xv = -std::expm1(-a * T) / a, vf = xv / m,
               xf = (T - xv) / b;
  const double p = 1 - K * xf, q = xv - B * xf, r = -K * vf, s = vv - B * vf;
  const double trace = p + s, det = p * s - q * r;
  return std::abs(det) < 1 && 1 - trace + det > 0 && 1 + trace + det > 0;
}

// By bisection of log K between `low`, which is stable, and `high`.
template <class Stable>
double limit_of(double low, double high, int halvings, const Stable& stable) {
  for (int i = 0; i < halvings; ++i) {
    const double middle = std::sqrt(low * high);
    (stable(middle) ? low : high) = middle;
  }
  return std::sqrt(low * high);
}

}  // namespace

Outcome stiffest_wall(const Progress& progress) {
  Outcome outcome;
  Graph graph{"The stiffest wall at a rate", "rate", "kHz", "stiffness", "N/mm", {}};
  struct Case {
    double b, B;
  };
  const Case cases[] = {{0.5, 0}, {2, 0}, {2, 1}};
  const double rates[] = {250, 1000, 4000, 10000, 40000};
  double done = 0;
  for (const auto& [b, B] : cases) {
    Graph::Curve measured{fmt::format("measured, b = {} N s/m, B = {}", b, B), {}},
        theory{fmt::format("eigenvalues, b = {}, B = {}", b, B), {}};
    std::vector<double> found, ratios;
    double worst = 0;
    for (const double rate : rates) {
      if (progress) progress(done);
      done += 1.0 / 15;
      const double T = 1 / rate, scale = 2 * (b + B) / T;
      const double exact = limit_of(0.01 * scale, 4 * scale, 60,
                                    [&](double K) { return decays(kDeviceMass, b, K, B, T); });
      const double K =
          limit_of(0.8 * exact, 1.25 * exact, 7, [&](double k) { return settles(rate, b, k, B); });
      worst = std::max(worst, std::abs(K / exact - 1));
      found.push_back(K);
      ratios.push_back(K * T / (2 * b));
      measured.points.emplace_back(rate / 1000, K / 1000);
      theory.points.emplace_back(rate / 1000, exact / 1000);
    }
    graph.curves.push_back(std::move(measured));
    graph.curves.push_back(std::move(theory));
    Check check;
    check.id = "H-T11";
    check.statement = fmt::format(
        "a device of {} kg and b = {} N s/m at a wall with B = {} N s/m: the stiffest wall that it "
        "rests on at 250, 1000, 4000, 10000 and 40000 Hz (N/m); each is that of the sampled "
        "system's "
        "eigenvalues within (part); K T / 2 b of each",
        kDeviceMass, b, B);
    check.expected = "within 0.02";
    std::vector<double> all = found;
    all.push_back(worst);
    all.insert(all.end(), ratios.begin(), ratios.end());
    check.measured = all;
    check.pass = worst <= 0.02;
    check.settings = "--haptic --clock simulated --contact st --friction none; no gravity";
    check.world = "haptic/virtual_wall";
    outcome.checks.push_back(std::move(check));
  }
  outcome.graphs.push_back(std::move(graph));
  return outcome;
}

}  // namespace abut::reproduce
