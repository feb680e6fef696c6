// Whether a haptic loop at 10 kHz could hold: computation per step of Hasegawa and Fujii's scenes
// under the penalty models, every step timed (the paper: 200 Hz on a Pentium III); and how the cost
// grows with contacts and with the features of the solids (H-17: linear).
//
// What the machine does beside adds to single steps, and decides the slowest of a thousand. The
// same steps are taken several times, bit by bit the same, and of each step the least time is taken
// as well: what is slow in that is so by itself. Beside it, the slowest of a thousand of a loop
// that does nothing for as long as a step.
//
//   contact_spread [--chart FILE.svg]     tables; and the two curves
//   contact_spread --case NAME            a thousand steps of one case, and no table (bench/instructions):
//                                         four_blocks/multipoint, blocks/64, prisms/128
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "abut/load/load.h"
#include "abut/load/mjcf/mjcf.h"
#include "abut/simulate/simulator.h"
#include "bench/support/chart.h"

namespace {

using Clock = std::chrono::steady_clock;

double us_since(Clock::time_point begin) {
  return 1e6 * std::chrono::duration<double>(Clock::now() - begin).count();
}

double at_share(std::vector<double> us, double share) {
  std::sort(us.begin(), us.end());
  return us[static_cast<std::size_t>(share * static_cast<double>(us.size() - 1))];
}

struct Cost {
  std::vector<double> us;  // each step
  double median = 0;
  int contacts = 0;
};

Cost measure(const abut::Model& model, const abut::ContactSettings& settings, int warm, int steps) {
  abut::Simulator simulator(model, settings);
  abut::State state(model);
  const abut::Input input(model);
  for (int i = 0; i < warm; ++i) simulator.step(state, input);
  Cost cost;
  for (int i = 0; i < steps; ++i) {
    const auto begin = Clock::now();
    simulator.step(state, input);
    cost.us.push_back(us_since(begin));
  }
  cost.median = at_share(cost.us, 0.5);
  cost.contacts = static_cast<int>(simulator.contact().data().patches.size());
  return cost;
}

abut::ContactSettings settings_of(const std::string& contact) {
  abut::ContactSettings settings;
  settings.model = contact;
  return settings;
}

Cost measure(const abut::Model& model, const std::string& contact, int warm, int steps) {
  return measure(model, settings_of(contact), warm, steps);
}

// The slowest of a thousand, of loops that do nothing for so long.
double empty_p999(double length, int loops) {
  std::vector<double> us;
  for (int i = 0; i < loops; ++i) {
    const auto begin = Clock::now();
    while (us_since(begin) < length) {
    }
    us.push_back(us_since(begin));
  }
  return at_share(us, 0.999);
}

void haptic_loop(const char* scene, const char* name, const abut::ContactSettings& settings) {
  constexpr int kRuns = 5, kWarm = 2000, kSteps = 20000;
  const abut::Model world = abut::load_model(std::string(ABUT_WORLDS "/") + scene + ".xml");
  std::vector<double> least, p999, empty;
  Cost cost;
  for (int run = 0; run < kRuns; ++run) {
    cost = measure(world, settings, kWarm, kSteps);
    p999.push_back(at_share(cost.us, 0.999));
    if (run == 0) least = cost.us;
    for (std::size_t i = 0; i < least.size(); ++i) least[i] = std::min(least[i], cost.us[i]);
    empty.push_back(empty_p999(at_share(least, 0.5), kSteps));
  }
  fmt::print("| {} | {} | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {} |\n", scene, name,
             at_share(least, 0.5), at_share(least, 0.999), at_share(least, 1), at_share(p999, 0.5),
             at_share(empty, 0.5), cost.contacts);
  std::fflush(stdout);
}

abut::Model row_of_blocks(int count) {
  std::string s = "<mujoco><option timestep='0.001'/><worldbody><geom type='plane' size='5 5 1'/>";
  for (int i = 0; i < count; ++i)
    s += fmt::format(
        "<body pos='{} 0 .1'><freejoint/><geom type='box' size='.1 .1 .1' mass='1'/></body>",
        0.25 * i);
  return abut::compile(abut::parse_mjcf(s + "</worldbody></mujoco>"));
}

// A prism of so many sides that stands on another.
abut::Model prisms(int sides) {
  std::string points;
  for (int i = 0; i < sides; ++i)
    for (const double z : {-0.1, 0.1})
      points += fmt::format("{} {} {} ", 0.1 * std::cos(2 * M_PI * i / sides),
                            0.1 * std::sin(2 * M_PI * i / sides), z);
  const char* body = "<body pos='{} 0 {}'><freejoint/><geom type='mesh' mesh='p' mass='1'/></body>";
  return abut::compile(
      abut::parse_mjcf("<mujoco><option timestep='0.001'/><asset><mesh name='p' vertex='" + points +
                       "'/></asset><worldbody><geom type='plane' size='5 5 1'/>" +
                       fmt::format(fmt::runtime(body), 0, 0.1) +
                       fmt::format(fmt::runtime(body), 0.01, 0.3) + "</worldbody></mujoco>"));
}

// Slope of a straight line through log-log points: 1 is linear.
double exponent(const std::vector<double>& x, const std::vector<double>& y) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const auto n = static_cast<double>(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double a = std::log(x[i]), b = std::log(y[i]);
    sx += a, sy += b, sxx += a * a, sxy += a * b;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

void run_case(const std::string& name) {
  constexpr int kWarm = 200, kSteps = 800;
  const std::size_t slash = name.find('/');
  if (slash == std::string::npos) throw std::invalid_argument("no case '" + name + "'");
  const std::string what = name.substr(0, slash), how = name.substr(slash + 1);
  if (what == "blocks") {
    measure(row_of_blocks(std::stoi(how)), "volumetric", kWarm, kSteps);
  } else if (what == "prisms") {
    measure(prisms(std::stoi(how)), "volumetric", kWarm, kSteps);
  } else {
    measure(abut::load_model(std::string(ABUT_WORLDS "/") + what + ".xml"), how, kWarm, kSteps);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 2 && std::string(argv[1]) == "--case") {
    run_case(argv[2]);
    return 0;
  }
  const std::string file = argc > 2 && std::string(argv[1]) == "--chart" ? argv[2] : std::string();
  fmt::print(
      "## A haptic loop\n\nus; of the least of five times each step took, and as they were\n\n"
      "| scene | model | median | p99.9 | worst | p99.9 of a run | of an empty loop | pairs |\n"
      "|---|---|---|---|---|---|---|---|\n");
  for (const char* scene : {"four_blocks", "six_bricks"}) {
    for (const std::string model : {"volumetric", "multipoint"})
      haptic_loop(scene, model.c_str(), settings_of(model));
    abut::ContactSettings layers = settings_of("quasirigid");
    haptic_loop(scene, "quasirigid, implicit", layers);
    layers.own_words["quasirigid.step"] = "explicit";
    haptic_loop(scene, "quasirigid, explicit", layers);
  }

  fmt::print("\n## Growth\n\n| blocks in a row | us a step | us a contact |\n|---|---|---|\n");
  std::vector<double> n, us;
  for (const int count : {1, 2, 4, 8, 16, 32, 64, 128, 256}) {
    const Cost c = measure(row_of_blocks(count), "volumetric", 200, 500);
    n.push_back(count);
    us.push_back(c.median);
    fmt::print("| {} | {:.2f} | {:.3f} |\n", count, c.median, c.median / count);
  }
  fmt::print("\nexponent from 4 on: {:.2f}\n",
             exponent({n.begin() + 2, n.end()}, {us.begin() + 2, us.end()}));
  std::vector<double> features, cost;
  fmt::print("\n| sides of two prisms | features | us a step |\n|---|---|---|\n");
  for (const int sides : {4, 8, 16, 32, 64, 128, 256, 512}) {
    const Cost c = measure(prisms(sides), "volumetric", 200, 500);
    features.push_back(2 * (6 * sides + 2));
    cost.push_back(c.median);
    fmt::print("| {} | {} | {:.2f} |\n", sides, features.back(), c.median);
  }
  fmt::print("\nexponent from 16 sides on: {:.2f}\n",
             exponent({features.begin() + 2, features.end()}, {cost.begin() + 2, cost.end()}));
  if (file.empty()) return 0;
  const auto chart = [](const char* title, const char* x, const std::vector<double>& xs,
                        const std::vector<double>& ys) {
    Chart c{title, x, "us a step", {{"volumetric", {}}, {"linear", {}}}};
    for (std::size_t i = 0; i < xs.size(); ++i) {
      c.lines[0].points.emplace_back(xs[i], ys[i]);
      c.lines[1].points.emplace_back(xs[i], ys.back() * xs[i] / xs.back());
    }
    return c;
  };
  std::ofstream(file) << to_svg({chart("blocks in a row", "contacts", n, us),
                                 chart("two prisms", "features", features, cost)},
                                2);
}
