// C-T12 and C-T13: friction as eq. 8 of Cline and Pai has it. A block on an incline sticks below
// the friction angle and slides above it as Coulomb says; Painleve's rods have a solution in
// velocities where there is none in accelerations.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "abut/reproduce/all.h"
#include "abut/reproduce/cline_pai/c_worlds.h"
#include "abut/reproduce/flags.h"
#include "abut/simulate/simulator.h"
#include "abut/solve/generate/generate.h"
#include "abut/solve/solver.h"

namespace abut::reproduce {
namespace {

constexpr double kMu = 0.4, kStep = 0.01, kTime = 1;

// A pyramid of N directions lies inside the cone: friction is between mu cos(pi / N) and mu. With
// 8 that lets a block at 0.5 rad go faster by up to mu cos a (1 - cos(pi / 8)) / (sin a - mu cos
// a).
constexpr double kEightOff = 0.2082;

// Speed down the fall line, and across it, after 1 s.
Vec2 speed_after(double angle, double heading, const char* friction) {
  const Model model = compile(incline(angle, heading, kMu));
  ContactSettings contact;
  contact.model = "ap";
  set_friction(contact, friction);
  Simulator simulator(model, contact);
  State state(model);
  const Input input(model);
  for (int i = 0; i < std::lround(kTime / kStep); ++i) simulator.step(state, input);
  const Vec3 v(state.v[0], state.v[1], state.v[2]);
  const Vec3 axis(-std::sin(heading), std::cos(heading), 0);
  const Vec3 down =
      Quat(Eigen::AngleAxisd(angle, axis)) * Vec3(std::cos(heading), std::sin(heading), 0);
  return {v.dot(down), v.dot(axis)};
}

// Speed down the fall line as that turns, in 5 degrees: where a pyramid differs from the cone.
Graph by_heading() {
  Graph graph{
      "Sliding for 1 s at 0.5 rad, mu 0.4", "fall line from x", "degrees", "speed", "m/s", {}};
  for (const char* kind : {"cone", "pyramid:4", "pyramid:8", "pyramid:16"}) {
    Graph::Curve curve{kind, {}};
    for (int degrees = 0; degrees <= 90; degrees += 5)
      curve.points.emplace_back(degrees,
                                speed_after(0.5, degrees * std::numbers::pi / 180, kind).x());
    graph.curves.push_back(std::move(curve));
  }
  return graph;
}

}  // namespace

Outcome friction(const Progress& progress) {
  Outcome outcome;
  const double slide = 9.81 * (std::sin(0.5) - kMu * std::cos(0.5)) * kTime;
  struct Case {
    double angle, heading;
    const char* friction;
    double within;  // of the speed
  };
  const Case cases[] = {{0.3, 0, "pyramid:4", 0},      {0.3, 0.4, "cone", 0},
                        {0.5, 0, "pyramid:4", 0.01},   {0.5, 0, "cone", 0.001},
                        {0.5, 0.4, "cone", 0.001},     {0.5, 0.4, "pyramid:8", kEightOff},
                        {0.5, 0.4, "pyramid:16", 0.01}};
  double share = 0;
  for (const Case& c : cases) {
    if (progress) progress(share);
    share += 0.1;
    const bool sticks = std::tan(c.angle) < kMu;
    const Vec2 v = speed_after(c.angle, c.heading, c.friction);
    const double off = std::abs(v.x() - slide);
    outcome.checks.push_back(
        {.id = "C-T12",
         .statement = sticks
                          ? "a block sticks below the friction angle: speed down, across after 1 s"
                          : "a block slides above it as g (sin a - mu cos a): speed down, across "
                            "after 1 s",
         .paper = {},
         .expected = sticks ? "<= 1e-9"
                            : fmt::format("{:.7g} within {:.3g} %{}", slide, 100 * c.within,
                                          c.within > 0.01 ? " (not 1 %: docs/decisions.md)" : ""),
         .measured = std::vector<double>{v.x(), v.y()},
         .pass = sticks ? v.norm() <= 1e-9 : off <= c.within * slide,
         .settings =
             fmt::format("--contact ap --friction {} {}; incline {} rad with its fall line {} "
                         "rad from x, mu {}",
                         c.friction, run_flags(kStep, kTime), c.angle, c.heading, kMu)});
  }

  outcome.graphs.push_back(by_heading());

  constexpr int kRods = 200;
  int solved = 0, none = 0;
  double worst = 0;
  const auto lemke = make_solver("lemke");
  Answer answer;
  for (int seed = 1; seed <= kRods; ++seed) {
    lemke->solve(generate("painleve", 4, std::uint64_t(seed)), answer);
    solved += answer.status == SolveStatus::solved;
    worst = std::max(worst, answer.residuals.relative);
    lemke->solve(generate("painleve-acceleration", 1, std::uint64_t(seed)), answer);
    none += answer.status == SolveStatus::infeasible;
  }
  outcome.checks.push_back(
      {.id = "C-T13",
       .statement = "sliding rods after Painleve: problems in velocities solved, their largest "
                    "residual; problems in accelerations proved to have no solution",
       .paper = as_printed(std::string("a solution to the dynamics equations may not exist"),
                           none == kRods, "problems in accelerations have solutions"),
       .expected = "200, <= 1e-10, 200",
       .measured = std::vector<double>{double(solved), worst, double(none)},
       .pass = solved == kRods && worst <= 1e-10 && none == kRods,
       .settings =
           "--solver lemke; rods between 20 and 70 degrees, friction 1.05 to 2 times the critical, "
           "seeds 1 to 200"});
  return outcome;
}

}  // namespace abut::reproduce
