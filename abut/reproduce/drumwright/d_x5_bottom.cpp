// D-X5, Figs 4 and 5 of Drumwright: the bottom of a volume of penetration, by the scan of III-A. A
// sunk trapezoid, random volumes against the definition, and how the work grows.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "abut/collide/volume/clip_volume.h"
#include "abut/contact/penalty/surface/bottom_points.h"
#include "abut/reproduce/all.h"
#include "abut/reproduce/random_hull.h"
#include "abut/shape/hull.h"
#include "abut/shape/primitives.h"

namespace abut::reproduce {
namespace {

struct Scanned {
  std::vector<int> kept;
  std::int64_t operations = 0;
};

Scanned scan(const std::vector<Vec3>& points, const Vec3& n, double tolerance) {
  const Vec3 t1 = n.unitOrthogonal(), t2 = n.cross(t1);
  std::vector<Vec2> flat;
  std::vector<double> depth;
  for (const Vec3& p : points) {
    flat.emplace_back(t1.dot(p), t2.dot(p));
    depth.push_back(-n.dot(p));
  }
  BottomScan s;
  const std::span<const int> kept = s.find(flat, depth, tolerance);
  return {{kept.begin(), kept.end()}, s.operations()};
}

// An extruded isosceles trapezoid, its wide side down, `depth` in the ground.
Check trapezoid(Outcome& outcome) {
  constexpr double kDepth = 0.3;
  std::vector<Vec3> corners;
  for (const double y : {-0.6, 0.6})
    for (const auto& [x, z] : {std::pair{-1.0, -kDepth}, {1.0, -kDepth}, {0.5, 0.7}, {-0.5, 0.7}})
      corners.emplace_back(x, y, z);
  ConvexSet solids;
  const int solid = solids.add(convex_hull(corners));
  const int ground = solids.add({ShapeKind::plane, Vec3::Zero()}, {});
  ClipBuffers buffers;
  Intersection common;
  clip_volume(solids[solid], solids[ground], relative({}, {}), buffers, common);
  std::vector<Vec3> points;
  for (int i = 0; i < common.vertex_count(); ++i) points.push_back(common.point(i));
  const Scanned found = scan(points, Vec3::UnitZ(), 1e-9);
  int wide = 0;
  for (const int i : found.kept) wide += points[static_cast<std::size_t>(i)].z() < -kDepth + 1e-9;

  Drawing drawing;
  drawing.title = "Fig. 4: the bottom of a trapezoid in the ground";
  drawing.notes = {"marked: the points that are pressed"};
  drawing.eye = {1, -2.4, -0.5};
  drawing.solids.push_back({convex_hull(corners), Role::b, ""});
  drawing.sheets.push_back({{{-2, -1.5, 0}, {2, -1.5, 0}, {2, 1.5, 0}, {-2, 1.5, 0}}, Role::a, ""});
  for (const int i : found.kept) drawing.dots.push_back({points[static_cast<std::size_t>(i)], ""});
  outcome.drawings.push_back(std::move(drawing));

  Check check;
  check.id = "D-T9";
  check.statement =
      "of the trapezoid's volume the wide side is kept: vertices, kept, of the wide side";
  check.paper = as_printed(std::string("bottom points are depicted in green"), wide == 4,
                           "points of the wide side are missing");
  check.expected = "8, 4, 4";
  check.measured =
      std::vector<double>{double(points.size()), double(found.kept.size()), double(wide)};
  check.pass = points.size() == 8 && found.kept.size() == 4 && wide == 4;
  check.settings = "an extruded trapezoid, its wide side 0.3 m deep in the ground";
  return check;
}

}  // namespace

Outcome bottom_of_volume(const Progress& progress) {
  Outcome outcome;
  outcome.checks.push_back(trapezoid(outcome));

  // against the definition: the vertices of faces that look down
  Dice dice(5);
  const auto direction = [&] { return dice.direction(); };
  constexpr int kVolumes = 1000;
  int volumes = 0, wrong = 0, sides = 0, kept = 0, all = 0;
  ClipBuffers buffers;
  Intersection common;
  while (volumes < kVolumes) {
    if (progress && volumes % 100 == 0) progress(0.5 * volumes / kVolumes);
    ConvexSet solids;
    for (int s = 0; s < 2; ++s) {
      std::vector<Vec3> points;
      for (int i = 0; i < 8 + 30 * s; ++i) points.push_back(direction());
      solids.add(convex_hull(points));
    }
    const Quat turned = dice.rotation();
    clip_volume(solids[0], solids[1], relative({}, {1.5 * direction(), turned}), buffers, common);
    const Vec3 n = direction();
    std::set<int> definition;
    bool steep = common.overlap != OverlapKind::solid;
    for (const Intersection::Face& f : common.faces) {
      const double slope = f.area.dot(n) / f.area.norm();
      steep = steep || std::abs(slope) < 1e-5;  // the definition itself is in doubt
      if (slope < 0)
        for (const int v : common.loop(f)) definition.insert(v);
    }
    if (steep) continue;
    const Scanned found = scan(common.vertices, n, 1e-9);
    // those that the faces strike out, and those that are missing (vertices in one place are one)
    const std::set<int> got(found.kept.begin(), found.kept.end());
    for (const int v : got) sides += !definition.contains(v);
    for (const int v : definition)
      wrong += std::none_of(found.kept.begin(), found.kept.end(), [&](int k) {
        const Vec3 apart = common.vertices[static_cast<std::size_t>(k)] -
                           common.vertices[static_cast<std::size_t>(v)];
        return (apart - apart.dot(n) * n).norm() < 1e-9;
      });
    kept += static_cast<int>(found.kept.size());
    all += common.vertex_count();
    ++volumes;
  }
  Check same;
  same.id = "D-T9";
  same.statement =
      "on random volumes, seen from anywhere, the scan keeps every vertex of a face that looks "
      "down: volumes, missing, kept of all vertices, kept without such a face (struck out)";
  same.paper = as_printed(
      std::string("all vertices of the polygon are on the bottom"), sides == 0,
      "a point may be outside of all that is deeper, seen along the normal, and yet above the "
      "chord "
      "between a deeper and a shallower one (D-E7); abut strikes such points out by the faces");
  same.expected = "missing 0, struck out < 0.02";
  same.measured =
      std::vector<double>{double(volumes), double(wrong), double(kept) / all, double(sides) / kept};
  same.pass = wrong == 0 && sides < 0.02 * kept;
  same.settings = "common volumes of two random hulls, seed 5, a random normal each";
  outcome.checks.push_back(std::move(same));

  // a ball's bottom: everything is kept, which is the most work
  Graph graph{"Operations of the scan",  "points", "",
              "operations / (N log2 N)", "",       {{"bowl", {}}}};
  std::vector<double> operations;
  double least = 1e300, most = 0;
  for (const int count : {200, 1600, 12800, 100000}) {
    if (progress) progress(0.5 + 0.5 * count / 100001);
    std::vector<Vec3> points;
    while (static_cast<int>(points.size()) < count) {
      const Vec3 p = direction();
      if (p.z() < -1e-3) points.push_back(p);
    }
    const Scanned found = scan(points, Vec3::UnitZ(), 1e-15);
    operations.push_back(static_cast<double>(found.operations));
    const double per = operations.back() / (count * std::log2(count));
    least = std::min(least, per);
    most = std::max(most, per);
    graph.curves[0].points.emplace_back(count, per);
  }
  outcome.graphs.push_back(std::move(graph));
  Check growth;
  growth.id = "D-T9";
  growth.statement = "operations for 200, 1600, 12800, 100000 points grow as N log N";
  growth.expected = "less than 12 times as many for 8 times the points";
  growth.measured = operations;
  growth.pass = operations[1] < 12 * operations[0] && operations[2] < 12 * operations[1] &&
                operations[3] < 12 * operations[2];
  growth.paper =
      as_printed(std::string("O(N lg N)"), growth.pass.value_or(false), "operations grow faster");
  growth.settings = fmt::format(
      "points of a half sphere, all of them kept; comparisons, words searched, points taken off; "
      "{:.2g} to {:.2g} a N log2 N",
      least, most);
  outcome.checks.push_back(std::move(growth));
  return outcome;
}

}  // namespace abut::reproduce
