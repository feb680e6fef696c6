// How a step grows with the number of contact points: multipoint against baraff and st (Drumwright:
// the penalty method is "much faster both asymptotically and empirically" than an LCP). One prism
// of N sides stands on the ground, at rest, without friction, so that all solve the same thing; and
// the six bricks of a small wall with friction, for the time of the slowest steps (haptics want 10
// kHz).
//
//   contact_points
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string>
#include <vector>

#include "abut/load/mjcf/mjcf.h"
#include "abut/simulate/simulator.h"

namespace {

using Clock = std::chrono::steady_clock;

std::string prism(int sides) {
  std::string vertices;
  for (int i = 0; i < sides; ++i)
    for (const double z : {-0.5, 0.5})
      vertices += fmt::format("{} {} {} ", 0.5 * std::cos(2 * M_PI * i / sides),
                              0.5 * std::sin(2 * M_PI * i / sides), z);
  return fmt::format(
      "<mujoco><option timestep='0.001'/><asset><mesh name='m' vertex='{}'/></asset><worldbody>"
      "<geom type='plane' size='5 5 1'/><body pos='0 0 0.5'><freejoint/>"
      "<geom type='mesh' mesh='m' mass='10'/></body></worldbody></mujoco>",
      vertices);
}

std::string bricks() {
  std::string s;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3 - r; ++c)
      s += fmt::format(
          "<body pos='{} 0 {}'><freejoint/><geom type='box' size='.1 .05 .03' mass='1'/></body>",
          0.21 * (c - 0.5 * (2 - r)), 0.03 + 0.06 * r);
  return "<mujoco><option timestep='0.001'/><worldbody><geom type='plane' size='5 5 1'/>" + s +
         "</worldbody></mujoco>";
}

struct Cost {
  double median = 0, slowest = 0;  // us a step; slowest but one in a thousand
};

Cost measure(const std::string& text, const std::string& contact, bool friction, int steps,
             double most_seconds) {
  const abut::Model model = abut::compile(abut::parse_mjcf(text));
  abut::ContactSettings settings;
  settings.model = contact;
  if (!friction) settings.friction = abut::FrictionKind::none;
  abut::Simulator simulator(model, settings);
  abut::State state(model);
  const abut::Input input(model);
  std::vector<double> us;
  const auto end = Clock::now() + std::chrono::duration<double>(most_seconds);
  for (int i = 0; i < 2 * steps && (us.size() < 5 || Clock::now() < end); ++i) {
    const auto start = Clock::now();
    simulator.step(state, input);
    const double t = 1e6 * std::chrono::duration<double>(Clock::now() - start).count();
    if (i >= steps / 2) us.push_back(t);  // at rest
  }
  std::sort(us.begin(), us.end());
  const auto at = [&](double share) {
    return us[static_cast<std::size_t>(share * static_cast<double>(us.size() - 1))];
  };
  return {at(0.5), at(0.999)};
}

}  // namespace

int main() {
  fmt::print("a prism of N sides on the ground, no friction, h = 1 ms: us a step at rest\n\n");
  fmt::print("| points | multipoint | baraff | st | baraff / multipoint | st / multipoint |\n");
  fmt::print("|---:|---:|---:|---:|---:|---:|\n");
  for (const int n : {4, 8, 16, 32, 64, 128, 256, 512}) {
    const int steps = n <= 64 ? 2000 : 200;
    const double many = measure(prism(n), "multipoint", false, steps, 5).median;
    const double lcp = measure(prism(n), "baraff", false, steps, 5).median;
    const double st = measure(prism(n), "st", false, steps, 5).median;
    fmt::print("| {} | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {:.1f} |\n", n, many, lcp, st,
               lcp / many, st / many);
    std::fflush(stdout);
  }
  fmt::print("\nsix bricks with friction, h = 1 ms, at rest: us a step, median and p99.9\n\n");
  fmt::print("| model | median | p99.9 |\n|---|---:|---:|\n");
  for (const std::string m : {"multipoint", "deepest", "st"}) {
    const Cost c = measure(bricks(), m, true, 4000, 20);
    fmt::print("| {} | {:.1f} | {:.1f} |\n", m, c.median, c.slowest);
  }
}
