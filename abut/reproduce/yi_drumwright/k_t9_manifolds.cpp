// K-T9: the kissing manifolds of a cube on a cube, in all the ways that they can meet.
#include <fmt/format.h>

#include <cmath>

#include "abut/collide/pair_contact.h"
#include "abut/reproduce/all.h"
#include "abut/reproduce/pair.h"
#include "abut/shape/primitives.h"

namespace abut::reproduce {
namespace {

constexpr double kHalf = 0.1;  // m

struct Case {
  const char* name;
  Quat below, above;
  Vec3 shift;  // of the upper cube, sideways
  int points;
  bool indeterminate;
};

Quat turned(double angle, const Vec3& axis) {
  return Quat(Eigen::AngleAxisd(angle, axis.normalized()));
}

double height(const Polyhedron& p, const Quat& q) {
  double top = 0;
  for (const Vec3& v : p.vertices) top = std::max(top, (q * v).z());
  return top;
}

}  // namespace

Outcome manifolds(const Progress&) {
  const Quat flat = Quat::Identity(), edge_x = turned(45 * kDegree, Vec3::UnitX()),
             edge_y = turned(45 * kDegree, Vec3::UnitY()),
             corner = turned(std::acos(1 / std::sqrt(3.0)), {1, -1, 0}),
             round = turned(45 * kDegree, Vec3::UnitZ());
  const Case cases[] = {
      {"aligned", flat, flat, {0, 0, 0}, 4, false},
      {"rotated by 45 deg", flat, round, {0, 0, 0}, 8, false},
      {"offset by a quarter", flat, flat, {kHalf, kHalf, 0}, 4, false},
      {"edge on face", flat, edge_x, {0.06, 0.02, 0}, 2, false},
      {"vertex on face", flat, corner, {0.02, 0.01, 0}, 1, false},
      {"parallel edges", edge_x, edge_x, {0.06, 0, 0}, 2, false},
      {"crossing edges", edge_x, edge_y, {0, 0, 0}, 1, false},
      {"vertex on vertex", corner, corner, {0, 0, 0}, 1, true},
  };
  Outcome outcome;
  Check check;
  check.id = "K-T9";
  check.statement = "manifolds of cube on cube have the points that geometry says";
  check.expected =
      "aligned 4, rotated 8, offset 4, edge on face 2, vertex on face 1, parallel "
      "edges 2, crossing edges 1, vertex on vertex flagged as indeterminate";
  check.pass = true;
  std::vector<std::string> measured;
  const Polyhedron cube = box_polyhedron(Vec3::Constant(kHalf));
  PairContactScratch scratch;
  for (const Case& k : cases) {
    const Pair pair({ShapeKind::box, Vec3::Constant(kHalf)}, {Vec3::Zero(), k.below},
                    {ShapeKind::box, Vec3::Constant(kHalf)},
                    {k.shift + Vec3(0, 0, height(cube, k.below) + height(cube, k.above)), k.above});
    const PairContact c = pair_contact(pair.A(), pair.X_WA, pair.B(), pair.X_WB, {}, scratch);
    const bool flagged = c.proximity.indeterminate;
    measured.push_back(
        fmt::format("{} {}{}", k.name, c.manifold.count(), flagged ? " (flagged)" : ""));
    if (k.indeterminate ? !flagged : (flagged || c.manifold.count() != k.points))
      check.pass = false;
    Drawing drawing = pair_drawing(pair.A(), pair.X_WA, pair.B(), pair.X_WB, c);
    drawing.title = k.name;
    outcome.drawings.push_back(std::move(drawing));
  }
  check.measured = fmt::format("{}", fmt::join(measured, ", "));
  check.settings =
      "abut contact contact/ff_rotated and its like; cubes of 0.2 m, kissing to rounding";
  check.world = "contact/ff_rotated";
  outcome.checks.push_back(check);
  return outcome;
}

}  // namespace abut::reproduce
