// C-X2, Fig. 1 of Cline and Pai: a pendulum held by a joint that is not stabilised. Each step goes
// along the tangent and then turns by w h, so the held point moves by (w h)^2 / 2 of the arm, along
// the arm: downward as long as the rod hangs. The centre of mass goes outward with it, but not for
// ever: see docs/decisions.md, "A pendulum's drift".
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "abut/reproduce/all.h"
#include "abut/reproduce/cline_pai/c_worlds.h"
#include "abut/reproduce/flags.h"
#include "abut/reproduce/watch.h"
#include "abut/shape/primitives.h"
#include "abut/simulate/simulator.h"

namespace abut::reproduce {
namespace {

constexpr double kStep = kPendulumStep, kTime = 2;  // s
constexpr int kPictureEvery = 40;

struct Radius {
  Graph::Curve curve;         // of the centre of mass: mm over s
  double grown = 0;           // mm, in all
  double least_at_first = 1;  // mm: least growth of a step, until it hangs straight down
  double least = 1;           // ditto, of the whole run
  double least_fall = 1;      // mm: of the held point, in a step
};

Radius swing(const char* stabilize, Drawing* drawing) {
  const Model model = compile(rod_pendulum());
  ContactSettings contact;
  contact.model = "ap";
  set_stabilize(contact, stabilize);
  Simulator simulator(model, contact);
  State state(model);
  const Input input(model);
  Watch watch(model);
  const Polyhedron rod = box_polyhedron({kRod / 2, 1e-4, 0.03 * kRod});
  Radius out;
  out.curve.name = stabilize;
  double last = 1e3 * kRod / 2, last_height = 0;
  bool first_quarter = true;
  out.curve.points.emplace_back(0, last);
  const int steps = static_cast<int>(std::lround(kTime / kStep));
  for (int i = 0; i <= steps; ++i) {
    watch.joint_error(state, input);
    const Pose& X = watch.derived().body_pose[1];
    if (drawing && i % kPictureEvery == 0)
      drawing->solids.push_back(
          {transformed(rod, X), i + kPictureEvery > steps ? Role::b : Role::a, ""});
    const double radius = 1e3 * X.p.norm();
    const double height = 1e3 * (X * Vec3(-kRod / 2, 0, 0)).z();
    if (i > 0) {
      out.curve.points.emplace_back(i * kStep, radius);
      first_quarter = first_quarter && X.p.x() > 0;
      if (first_quarter) out.least_at_first = std::min(out.least_at_first, radius - last);
      out.least = std::min(out.least, radius - last);
      out.least_fall = std::min(out.least_fall, last_height - height);
    }
    last = radius;
    last_height = height;
    simulator.step(state, input);
  }
  out.grown = last - 1e3 * kRod / 2;
  return out;
}

}  // namespace

Outcome pendulum(const Progress&) {
  Outcome outcome;
  Drawing drawing;
  drawing.title = "Fig. 1: a pendulum without stabilisation";
  drawing.eye = {0, -1, 0};
  drawing.notes = {fmt::format("poses {} ms apart; the circle that its centre should follow",
                               1e3 * kStep * kPictureEvery)};
  std::vector<Vec3> circle;
  for (int i = 0; i < 90; ++i) {
    const double a = 2 * std::numbers::pi * i / 90;
    circle.emplace_back(kRod / 2 * std::cos(a), 0, kRod / 2 * std::sin(a));
  }
  drawing.outlines.push_back(circle);
  drawing.dots.push_back({Vec3::Zero(), "A"});

  const Radius free = swing("none", &drawing), held = swing("post:1", nullptr);
  outcome.drawings.push_back(std::move(drawing));
  outcome.graphs.push_back({"Distance of the centre of mass from the anchor",
                            "time",
                            "s",
                            "distance",
                            "mm",
                            {free.curve, held.curve},
                            {{1e3 * kRod / 2, "the circle"}}});
  const auto row = [&](const char* claim, const char* stabilize, Printed paper,
                       const char* expected, Value measured, std::optional<bool> pass) {
    outcome.checks.push_back(
        {.id = "C-T6",
         .statement = claim,
         .paper = std::move(paper),
         .expected = expected,
         .measured = std::move(measured),
         .pass = pass,
         .settings = fmt::format("--contact ap --stabilize {} {}; a rod of {} m from "
                                 "horizontal",
                                 stabilize, run_flags(kStep, kTime), kRod),
         .world = "rod_pendulum"});
  };
  row("without stabilisation the centre of mass leaves its circle: growth in all (mm)", "none",
      as_printed(std::string("continues to fall further from that path"), free.grown > 0.1,
                 "the centre of mass stays on its circle"),
      "> 0.1", free.grown, free.grown > 0.1);
  row("it goes outward in every step until it hangs: least growth (mm)", "none", {}, ">= 0",
      free.least_at_first, free.least_at_first >= 0);
  row("it goes outward in every step of the whole run: least growth (mm)", "none",
      as_printed(std::string("continues to fall further from that path"), free.least >= 0,
                 "the held point falls along the rod: outward while the rod hangs below it, inward "
                 "for parts of later swings (docs/decisions.md)"),
      "reported", free.least, {});
  row("the held point falls further in every step: least fall (mm)", "none", {}, ">= -1e-6",
      free.least_fall, free.least_fall >= -1e-6);
  row("with one post-step a step it stays on the circle: growth in all (mm)", "post:1", {},
      "|growth| <= 1e-3", held.grown, std::abs(held.grown) <= 1e-3);
  return outcome;
}

}  // namespace abut::reproduce
