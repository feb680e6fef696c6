// K-X4, Fig. 5 of Cheng Yi and Drumwright: a normal from centre to centre pushes a small sphere
// along a long box instead of out of it; the minimum translation does not.
#include <fmt/format.h>

#include "abut/collide/contact_drawing.h"
#include "abut/reproduce/all.h"
#include "abut/reproduce/pair.h"
#include "abut/shape/primitives.h"

namespace abut::reproduce {
namespace {

constexpr double kDeep = 0.01, kRadius = 0.05;  // m

const Shape kLongBox{ShapeKind::box, {1, 0.1, 0.1}};

Pose over(double x) { return {Vec3(x, 0, 0.1 + kRadius - kDeep), Quat::Identity()}; }

// Off the top face's normal: the line of centres, and the normal of least translation (rad).
struct Deviation {
  double centre, mtd;
};
Deviation deviation(const Pair& pair) {
  return {angle_between(pair.X_WB.p - pair.X_WA.p, Vec3::UnitZ()),
          angle_between(pair.distance().normal, Vec3::UnitZ())};
}

// The sphere as a polyhedron that stands on a corner, as deep as the sphere.
Pair with_polyhedron(double x) {
  Polyhedron ball = sphere_polyhedron(kRadius, 0.05);
  double lowest = 0;
  for (const Vec3& v : ball.vertices) lowest = std::min(lowest, v.z());
  Pose X = over(x);
  X.p.z() = 0.1 - lowest - kDeep;
  return Pair(box_polyhedron(kLongBox.size), {}, std::move(ball), X);
}

}  // namespace

Outcome centre_normal(const Progress&) {
  Outcome outcome;
  Graph graph{
      "Angle of the normal to the face's", "distance from the middle", "m", "angle", "deg", {}};
  graph.curves = {{"centre to centre", {}}, {"minimum translation", {}}};
  const Shape ball{ShapeKind::sphere, {kRadius, 0, 0}};
  for (int i = 0; i <= 90; ++i) {
    const double x = 0.01 * i;
    const Deviation d = deviation(Pair(kLongBox, {}, ball, over(x)));
    graph.curves[0].points.emplace_back(x, d.centre / kDegree);
    graph.curves[1].points.emplace_back(x, d.mtd / kDegree);
  }
  outcome.graphs.push_back(std::move(graph));

  const Pair sphere(kLongBox, {}, ball, over(0.4)), polyhedron = with_polyhedron(0.4);
  const Deviation a = deviation(sphere), b = deviation(polyhedron);
  Check check;
  check.id = "K-T4";
  check.statement =
      "off-centre on a long box, the line of centres is no normal; the minimum translation is";
  check.expected =
      "centres: > 45 deg off the face's normal; minimum translation: < 1e-9 rad, for "
      "a sphere and for a polyhedron";
  check.measured = std::vector<double>{a.centre / kDegree, a.mtd, b.centre / kDegree, b.mtd};
  check.pass = a.centre > 45 * kDegree && a.mtd < 1e-9 && b.centre > 45 * kDegree && b.mtd < 1e-9;
  check.paper =
      as_printed(std::string("the sphere will counterintuitively not be pushed in a direction "
                             "normal to the face of the box"),
                 a.centre > 45 * kDegree, "the line of centres is near the normal");
  check.settings = fmt::format(
      "abut contact contact/long_box; box 2 x 0.2 x 0.2 m, sphere of radius 0.05 m and its "
      "polyhedron ({} vertices), 0.4 m from "
      "the "
      "middle, 10 mm deep; measured: sphere (deg, rad), polyhedron (deg, rad)",
      polyhedron.B().polyhedron->vertex_count());
  check.world = "contact/long_box";
  outcome.checks.push_back(check);

  const Proximity d = sphere.distance();
  Drawing drawing = contact_drawing(sphere.A(), sphere.X_WA, sphere.B(), sphere.X_WB, d);
  drawing.title = "A small sphere in a long box";
  drawing.arrows[0].to = drawing.arrows[0].from + 0.3 * d.normal;
  drawing.arrows.push_back({Vec3(0, 0, 0), 1.5 * sphere.X_WB.p, "centre to centre", Role::b});
  outcome.drawings.push_back(std::move(drawing));
  return outcome;
}

}  // namespace abut::reproduce
