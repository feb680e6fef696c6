// K-X2, Fig. 2 of Cheng Yi and Drumwright: the minimum translation may push bodies apart in another
// direction than they took while interpenetrating.
//
// A plate of 10 mm enters a block along x, flush with the block's top. Once it is deeper
// than it is thick, the least translation is along z.
#include <fmt/format.h>

#include "abut/collide/contact_drawing.h"
#include "abut/reproduce/all.h"
#include "abut/reproduce/pair.h"

namespace abut::reproduce {
namespace {

constexpr double kBlock = 0.1, kThick = 0.01;  // half side, thickness (m)

// The plate, 0.2 m long, with its front so far inside the block.
Pair plate_in(double entered) {
  return Pair({ShapeKind::box, Vec3::Constant(kBlock)}, {},
              {ShapeKind::box, {kBlock, kBlock, kThick / 2}},
              {Vec3(2 * kBlock - entered, 0, kBlock - kThick / 2), Quat::Identity()});
}

}  // namespace

Outcome thin_plate(const Progress&) {
  Outcome outcome;
  Graph graph{"Push-out of a thin plate", "entered", "m", "distance to go", "m", {}};
  graph.curves.resize(2);
  graph.curves[0].name = "back the way it came";
  graph.curves[1].name = "minimum translation";
  double worst = 0;  // against min(entered, thickness)
  for (int i = 1; i <= 150; ++i) {
    const double entered = 0.001 * i;
    const Proximity d = plate_in(entered).distance();
    worst = std::max(worst, std::abs(-d.distance - std::min(entered, kThick)));
    graph.curves[0].points.emplace_back(entered, entered);
    graph.curves[1].points.emplace_back(entered, -d.distance);
  }
  outcome.graphs.push_back(std::move(graph));

  const Pair pair = plate_in(0.15);
  const Proximity d = pair.distance();
  const double off_entry = angle_between(d.normal, Vec3::UnitX()) / kDegree;
  const double off_mtd = angle_between(d.normal, Vec3::UnitZ());
  Check check;
  check.id = "K-T2";
  check.statement =
      "a plate pushed in for more than half of its way leaves along the minimum translation, not "
      "the way it came";
  check.expected =
      "angle to the way in 90 deg; angle to the least translation < 1e-9 rad; its "
      "length right to 1e-12 m at every depth";
  check.measured = std::vector<double>{off_entry, off_mtd, worst};
  check.pass = std::abs(off_entry - 90) < 1e-7 && off_mtd < 1e-9 && worst < 1e-12;
  check.paper = as_printed(
      std::string(
          "minimum translational distance can cause bodies to be pushed apart in a different "
          "direction than they took while interpenetrating"),
      off_entry > 45, "the plate is pushed back the way it came");
  check.settings =
      "abut contact contact/thin_plate; block 0.2 m, plate 0.2 x 0.2 x 0.01 m flush with its top, "
      "entered by 0.15 m "
      "(lengths: 1 to 150 mm)";
  check.world = "contact/thin_plate";
  outcome.checks.push_back(check);

  Drawing drawing = contact_drawing(pair.A(), pair.X_WA, pair.B(), pair.X_WB, d);
  drawing.title = "A thin plate, in along x, out along n";
  drawing.arrows.push_back({Vec3(0.32, 0, 0.095), Vec3(0.2, 0, 0.095), "way in", Role::b});
  drawing.notes = {
      fmt::format("minimum translation {:.4g} m, entered {:.4g} m", -d.distance, 0.15)};
  outcome.drawings.push_back(std::move(drawing));
  return outcome;
}

}  // namespace abut::reproduce
