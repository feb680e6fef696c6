// H-X4, Figs 3 to 7 of Hasegawa and Fujii: the common part of two convex solids by dual
// transformation (4.2), the integrals of springs over its surface (eqs 1 to 6), and friction (4.6).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>

#include "abut/collide/volume/clip_volume.h"
#include "abut/collide/volume/dual_volume.h"
#include "abut/reproduce/all.h"
#include "abut/reproduce/flags.h"
#include "abut/reproduce/hasegawa_fujii/h_worlds.h"
#include "abut/reproduce/pair.h"
#include "abut/reproduce/random_hull.h"
#include "abut/shape/primitives.h"
#include "abut/simulate/simulator.h"

namespace abut::reproduce {
namespace {

constexpr int kPairs = 300;
constexpr unsigned kFreshSeed = 20261118;
constexpr int kStackSteps = 200;

// Eqs 3 and 5 with n = (a x b) / 2 in place of the printed n (H-E1), over one triangle p, p + a,
// p + b: force and moment of the heights h, h + ha, h + hb.
struct Sums {
  Vec3 force = Vec3::Zero(), moment = Vec3::Zero();
  double shadow = 0;

  void add(const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& n) {
    const Vec3 a = q - p, b = r - p, N = a.cross(b);
    const double h = n.dot(p), ha = n.dot(a), hb = n.dot(b);
    const Vec3 f = N * (h / 2 + ha / 6 + hb / 6);
    force += f;
    moment += p.cross(f) + a.cross(N) * (h / 6 + ha / 12 + hb / 24) +
              b.cross(N) * (h / 6 + ha / 24 + hb / 12);
    shadow += std::abs(N.dot(n)) / 4;
  }
};

// The same by quadrature over the triangle that is exact for third degree.
Sums by_quadrature(const Vec3& p, const Vec3& q, const Vec3& r, const Vec3& n) {
  constexpr double kPoints[4][4] = {{1.0 / 3, 1.0 / 3, 1.0 / 3, -27.0 / 48},
                                    {0.6, 0.2, 0.2, 25.0 / 48},
                                    {0.2, 0.6, 0.2, 25.0 / 48},
                                    {0.2, 0.2, 0.6, 25.0 / 48}};
  Sums sums;
  const Vec3 area = (q - p).cross(r - p) / 2;
  for (const auto& w : kPoints) {
    const Vec3 x = w[0] * p + w[1] * q + w[2] * r, f = w[3] * n.dot(x) * area;
    sums.force += f;
    sums.moment += x.cross(f);
  }
  return sums;
}

struct Worst {
  double volume = 0, integral = 0, identity = 0, printed = 0;
};

Worst random_pairs(const Progress& progress) {
  Dice dice(kFreshSeed);
  Worst worst;
  ClipBuffers buffers;
  Intersection clipped;
  for (int i = 0; i < kPairs; ++i) {
    if (progress) progress(0.5 * i / kPairs);
    const Pair pair(dice.hull(8 + i % 20), {Vec3::Zero(), dice.rotation()}, dice.hull(8 + i % 13),
                    {0.8 * dice.direction(), dice.rotation()});
    const Transform X_AB = relative(pair.X_WA, pair.X_WB);
    clip_volume(pair.A(), pair.B(), X_AB, buffers, clipped);
    const Intersection dual = dual_volume(pair.A(), pair.B(), X_AB);
    if (clipped.overlap != OverlapKind::solid || dual.overlap != OverlapKind::solid) continue;
    worst.volume = std::max(worst.volume, std::abs(dual.volume / clipped.volume - 1));
    const Vec3 n = dual.area_A.normalized();
    Sums sums;
    for_each_triangle(dual, [&](const Vec3& p, const Vec3& q, const Vec3& r, const auto&) {
      Sums one;
      one.add(p, q, r, n);
      const Sums exact = by_quadrature(p, q, r, n);
      const double scale = (q - p).cross(r - p).norm();
      worst.integral = std::max({worst.integral, (one.force - exact.force).norm() / scale,
                                 (one.moment - exact.moment).norm() / scale});
      worst.printed =
          std::max(worst.printed, (2 * one.force - exact.force).norm() / scale);  // n = a x b
      sums.add(p, q, r, n);
    });
    const Vec3 want = dual.volume * n;
    worst.identity = std::max({worst.identity, (sums.force - want).norm() / dual.volume,
                               (sums.moment - dual.centroid.cross(want)).norm() / dual.volume,
                               std::abs(sums.shadow / projected_area(dual, n) - 1)});
  }
  return worst;
}

World incline(double angle, double mu, double ratio) {
  World world;
  world.option.timestep = 1e-3;
  world.option.gravity = 9.81 * Vec3(std::sin(angle), 0, -std::cos(angle));
  world.numerics.push_back({"abut.friction.static", {ratio}, {}});
  world.worldbody.plane().friction[0] = mu;
  BodyDesc& block = world.body("block", {0, 0, 0.05});
  block.free();
  GeomDesc& box = block.box({0.1, 0.1, 0.05});
  box.mass = 2;
  box.friction[0] = 0;
  return world;
}

ContactSettings anchored() {
  ContactSettings s;
  s.model = "volumetric";
  s.friction = FrictionKind::anchor;
  return s;
}

struct Stack {
  std::vector<double> q;
  double seconds = 0;  // of processor time, a step
};

// Four blocks, with their common parts by clipping or by dual transformation.
Stack stack(const char* common) {
  World world = four_blocks(0.4, 1);
  world.texts.push_back({"abut.volumetric.common", common, {}});
  const Model model = compile(world);
  Simulator simulator(model, anchored());
  State state(model);
  const Input input(model);
  const std::clock_t start = std::clock();
  for (int i = 0; i < kStackSteps; ++i) simulator.step(state, input);
  return {state.q, double(std::clock() - start) / CLOCKS_PER_SEC / kStackSteps};
}

void add_common(Outcome& outcome) {
  const Stack clip = stack("clip"), dual = stack("dual");
  double apart = 0;
  for (std::size_t i = 0; i < clip.q.size(); ++i)
    apart = std::max(apart, std::abs(clip.q[i] - dual.q[i]));
  outcome.checks.push_back(
      {.id = "H-T6",
       .statement = "four blocks with their common parts by dual transformation and by clipping: "
                    "farthest apart after 200 steps (m); processor time of a step (us), of each",
       .paper = {},
       .expected = "<= 1e-6",
       .measured = std::vector<double>{apart, 1e6 * dual.seconds, 1e6 * clip.seconds},
       .pass = apart <= 1e-6,
       .settings = fmt::format("{} --set volumetric.common=dual, clip {}", flags_of(anchored()),
                               run_flags(0.005, 0.005 * kStackSteps)),
       .world = "four_blocks"});
}

// Place and speed along the slope after 1 s and after 2 s.
std::array<Vec2, 2> slide(double angle) {
  const Model model = compile(incline(angle, 0.4, 1.2));
  Simulator simulator(model, anchored());
  State state(model);
  const Input input(model);
  std::array<Vec2, 2> out;
  for (Vec2& at : out) {
    for (int i = 0; i < 1000; ++i) simulator.step(state, input);
    at = {state.q[0], state.v[0]};
  }
  return out;
}

void add_friction(Outcome& outcome) {
  const auto holds = slide(0.36), goes = slide(0.55);  // tan: 0.376 < 0.4, 0.61 > 0.48
  const double rate = 9.81 * (std::sin(0.55) - 0.4 * std::cos(0.55));
  const double creep = std::abs(holds[1].x() - holds[0].x()),
               off = std::abs((goes[1].y() - goes[0].y()) / rate - 1);
  Check check;
  check.id = "H-T9";
  check.statement =
      "friction by anchored springs holds below its limit (creep in a second, m), and slides above "
      "at "
      "the rate of Coulomb (deviation)";
  const bool right = creep <= 1e-6 && off <= 0.01;
  check.paper = as_printed(std::string("static friction, and dynamic friction beyond its maximum"),
                           right, "the block creeps, or slides at another rate");
  check.expected = "<= 1e-6, <= 0.01";
  check.measured = std::vector<double>{creep, off};
  check.pass = right;
  check.settings = fmt::format(
      "{} --set friction.static=1.2 {}; a block on inclines of 0.36 and 0.55 rad, mu 0.4",
      flags_of(anchored()), run_flags(1e-3, 2));
  outcome.checks.push_back(std::move(check));
}

Drawing common_part() {
  const Pair pair(box_polyhedron({0.5, 0.4, 0.3}), {}, box_polyhedron({0.3, 0.5, 0.4}),
                  {Vec3(0.4, 0.3, 0.3), Quat(Eigen::AngleAxisd(0.6, Vec3(1, 1, 0).normalized()))});
  const Intersection dual = dual_volume(pair.A(), pair.B(), relative(pair.X_WA, pair.X_WB));
  Drawing drawing;
  drawing.title = "Fig. 4: the common part by dual transformation";
  drawing.solids.push_back({transformed(*pair.A().polyhedron, pair.X_WA), Role::a, ""});
  drawing.solids.push_back({transformed(*pair.B().polyhedron, pair.X_WB), Role::b, ""});
  for (const Intersection::Face& f : dual.faces) {
    std::vector<Vec3> loop;
    for (const int v : dual.loop(f)) loop.push_back(dual.point(v));
    drawing.outlines.push_back(std::move(loop));
  }
  return drawing;
}

}  // namespace

Outcome spread_springs(const Progress& progress) {
  Outcome outcome;
  const Worst worst = random_pairs(progress);
  const std::string settings = fmt::format("{} pairs of random hulls, seed {}", kPairs, kFreshSeed);
  const auto row = [&](const char* claim, Printed paper, const char* expected, Value measured,
                       bool pass) {
    outcome.checks.push_back({.id = "H-T6",
                              .statement = claim,
                              .paper = std::move(paper),
                              .expected = expected,
                              .measured = std::move(measured),
                              .pass = pass,
                              .settings = settings});
  };
  row("the common part by dual transformation has the volume of the one by clipping: largest "
      "deviation",
      as_printed(std::string("dual transformation gives the common part"), worst.volume <= 1e-9,
                 "the volumes differ"),
      "<= 1e-9", worst.volume, worst.volume <= 1e-9);
  row("eqs 3 and 5 with n = (a x b) / 2 are the integrals over a triangle: largest deviation; with "
      "n = a x "
      "b",
      if_changed(std::string("P and M of eqs 3 and 5"), worst.integral <= 1e-12,
                 "n stands for (a x b) / 2, neither the unit normal nor n of (1) (H-E1)"),
      "<= 1e-12, > 1e-3", std::vector<double>{worst.integral, worst.printed},
      worst.integral <= 1e-12 && worst.printed > 1e-3);
  row("summed over the surface they are V n, through the centroid, and the shadow is (6) (H-E2, "
      "H-E4): "
      "largest deviation",
      {}, "<= 1e-10", worst.identity, worst.identity <= 1e-10);
  add_common(outcome);
  add_friction(outcome);
  outcome.drawings.push_back(common_part());
  return outcome;
}

}  // namespace abut::reproduce
