// K-X7, Fig. 8 and the appendix of Cheng Yi and Drumwright: the mean of point forces along an edge
// is the mean of the forces at its two ends, whatever their number (eq. 6 to 17). It holds for the
// force; for the torque it does not, and neither for polygons (K-E5).
#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <random>

#include "abut/reproduce/all.h"
#include "abut/reproduce/pair.h"
#include "abut/shape/hull.h"

namespace abut::reproduce {
namespace {

constexpr int kPoints = 8, kPoses = 1000;

// A hexagonal prism, as in the figure.
Polyhedron hexagon() {
  std::vector<Vec3> corners;
  for (int i = 0; i < 6; ++i)
    for (const double y : {-0.05, 0.05}) {
      const double f = i * std::numbers::pi / 3;
      corners.emplace_back(0.1 * std::cos(f), y, 0.1 * std::sin(f));
    }
  return convex_hull(corners);
}

// The compliant layer's law at a point of the body: stiffness times depth plus damping
// times the rate of the depth, which is minus the normal velocity (K-E4).
struct Layer {
  double stiffness, damping;
  Vec3 centre, velocity, spin;

  double force(const Vec3& p) const {
    const double depth = -p.z();
    const double rate = -(velocity + spin.cross(p - centre)).z();
    return stiffness * depth + damping * rate;
  }
};

}  // namespace

Outcome edge_subdivision(const Progress&) {
  const Polyhedron body = hexagon();
  std::mt19937 random(8);
  std::uniform_real_distribution<double> u(-1, 1);
  double worst = 0;  // relative to the largest force along the edge
  for (int pose = 0; pose < kPoses; ++pose) {
    const Pose X{Vec3(u(random), u(random), 0.05 * u(random)),
                 Quat(u(random), u(random), u(random), u(random)).normalized()};
    const Layer layer{5000 * (1.1 + u(random)), 250 * (1.1 + u(random)), X.p,
                      Vec3(u(random), u(random), u(random)), Vec3(u(random), u(random), u(random))};
    for (const Polyhedron::Edge& e : body.edges) {
      const Vec3 t = X * body.vertices[static_cast<std::size_t>(e.tail)];
      const Vec3 h = X * body.vertices[static_cast<std::size_t>(e.head)];
      double mean = 0;
      for (int i = 0; i < kPoints; ++i)
        mean += layer.force(h + (t - h) * (i / (kPoints - 1.0))) / kPoints;
      const double ft = layer.force(t), fh = layer.force(h);
      worst = std::max(
          worst, std::abs(mean - (fh + ft) / 2) / std::max({std::abs(ft), std::abs(fh), 1.0}));
    }
  }
  Outcome outcome;
  Check force;
  force.id = "K-T7";
  force.claim = "the mean of 8 point forces along an edge is the mean of those at its ends";
  force.paper = std::string("equal (proved)");
  force.expected = "<= 1e-14 of the force";
  force.measured = worst;
  force.pass = worst <= 1e-14;
  force.settings =
      "18 edges of a hexagonal prism in 1,000 random poses over a half-space, random twists and "
      "gains (seed 8)";
  outcome.checks.push_back(force);

  // moment about the middle of a force that is linear along a unit edge: f(s) = s - 1/2
  auto moment = [](int n) {
    double sum = 0;
    for (int i = 0; i < n; ++i) {
      const double s = i / (n - 1.0) - 0.5;
      sum += s * s / n;
    }
    return sum;
  };
  // depth over a trapezoid of parallel sides 1 at depth 0 and 0.2 at depth 1
  const double corners = (0 + 0 + 1 + 1) / 4.0, area = (1 + 2 * 0.2) / (3 * (1 + 0.2));
  Check torque;
  torque.id = "K-T8";
  torque.claim =
      "the same is not true of the torque, nor of polygons: the ends of an edge triple its moment";
  torque.expected =
      "moment 1/4 from two points, 3/28 from 8, 1/12 from all; depth of a trapezoid 1/2 by "
      "corners, 7/18 by area";
  torque.measured = std::vector<double>{moment(2), moment(kPoints), moment(100001), corners, area};
  torque.pass = std::abs(moment(2) - 0.25) < 1e-15 && std::abs(moment(8) - 3.0 / 28) < 1e-15 &&
                std::abs(moment(100001) - 1.0 / 12) < 1e-5 && std::abs(area - 7.0 / 18) < 1e-15;
  torque.settings = "f(s) = s - 1/2 on a unit edge; trapezoid of sides 1 and 0.2";
  outcome.checks.push_back(torque);

  Graph graph{"Moment of a linear force on a unit edge", "points", "", "moment", "", {}};
  graph.curves = {{"sampled", {}}, {"continuum", {}}};
  for (int n = 2; n <= 32; ++n) {
    graph.curves[0].points.emplace_back(n, moment(n));
    graph.curves[1].points.emplace_back(n, 1.0 / 12);
  }
  outcome.graphs.push_back(std::move(graph));

  Drawing drawing;
  drawing.title = "Eight points along an edge in the layer";
  drawing.eye = {0.25, -1, 0.25};
  const Pose X{Vec3(0, 0, 0.075), Quat(Eigen::AngleAxisd(0.35, Vec3::UnitY()))};
  drawing.solids.push_back({transformed(body, X), Role::b, ""});
  drawing.sheets.push_back(
      {{Vec3(-.2, -.1, 0), Vec3(.2, -.1, 0), Vec3(.2, .1, 0), Vec3(-.2, .1, 0)}, Role::a, ""});
  // the lowest edge of the near side
  Vec3 t = Vec3::Zero(), h = Vec3::Zero();
  double lowest = 1;
  for (const Polyhedron::Edge& e : body.edges) {
    const Vec3 a = X * body.vertices[static_cast<std::size_t>(e.tail)];
    const Vec3 b = X * body.vertices[static_cast<std::size_t>(e.head)];
    if (a.y() < 0 && b.y() < 0 && a.z() + b.z() < lowest) {
      lowest = a.z() + b.z();
      t = a, h = b;
    }
  }
  for (int i = 0; i < kPoints; ++i) {
    const Vec3 p = h + (t - h) * (i / (kPoints - 1.0));
    drawing.dots.push_back({p, ""});
    drawing.arrows.push_back({p, p - 0.6 * p.z() * Vec3::UnitZ(), "", Role::other});
  }
  outcome.drawings.push_back(std::move(drawing));
  return outcome;
}

}  // namespace abut::reproduce
