// K-X7, Fig. 8 and the appendix of Cheng Yi and Drumwright: the mean of point forces along an edge
// is the mean of the forces at its two ends, whatever their number (eq. 6 to 17). It holds for the
// force; for the torque it does not, and neither for polygons (K-E5).
//
// What is asked is abut's own layer: wedges with upright sides and a slanted bottom are put into a
// layer of the ground under `quasirigid`, whole and cut into seven, sampled at the vertices of the
// common volume and integrated. The depth is linear over the bottom, so that force and moment have
// closed forms.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "abut/model/kinematics.h"
#include "abut/reproduce/all.h"
#include "abut/reproduce/flags.h"
#include "abut/reproduce/pair.h"
#include "abut/reproduce/random_hull.h"
#include "abut/shape/hull.h"
#include "abut/simulate/simulator.h"

namespace abut::reproduce {
namespace {

constexpr int kCuts = 7, kWedges = 40;  // 7 pieces: 8 points along an edge, as in the figure
constexpr unsigned kFreshSeed = 20261118;
// Samples are taken a hundredth inside the rim (layer_samples.h).
constexpr double kInward = 0.01;

// A bottom of length a along x, and of width b at x = -a/2 and b_end at x = a/2, that is
// `depth` + slope x deep in the ground.
struct Wedge {
  double a = 1, b = 1, b_end = 1;  // m
  double depth = 0.1, slope = 0;
  double stiffness = 1e4, damping = 0;  // N/m^3, N s/m^3
  Vec3 velocity = Vec3::Zero(), spin = Vec3::Zero();
};

std::vector<Vec3> corners(const Wedge& w, double from, double to) {
  std::vector<Vec3> points;
  for (const double x : {from, to}) {
    const double half = 0.5 * (w.b + (w.b_end - w.b) * (x / w.a + 0.5));
    for (const double y : {-half, half})
      for (const double z : {-w.depth - w.slope * x, 1.0}) points.emplace_back(x, y, z);
  }
  return points;
}

World world_of(const Wedge& w, int pieces) {
  World world;
  world.option.timestep = 1e-4;
  world.option.gravity = Vec3::Zero();
  world.worldbody.plane().name = "ground";
  world.numerics.push_back({"abut.layer.ground", {10, w.stiffness, w.damping}, {}});
  world.texts.push_back({"abut.quasirigid.step", "explicit", {}});
  BodyDesc& body = world.body("wedge");
  body.free();
  body.inertial = InertialDesc{1e6, {}, {1e6, 1e6, 1e6}, {}, {}};
  for (int i = 0; i < pieces; ++i) {
    MeshDesc& mesh = world.meshes.emplace_back();
    mesh.name = fmt::format("piece{}", i);
    mesh.vertices =
        corners(w, w.a * (double(i) / pieces - 0.5), w.a * (double(i + 1) / pieces - 0.5));
    body.mesh(mesh.name).friction[0] = 0;
  }
  return world;
}

ContactSettings layer_settings(ContactSource data) {
  ContactSettings s;
  s.model = "quasirigid";
  s.friction = FrictionKind::none;
  s.data = data;
  s.own_words["quasirigid.step"] = "explicit";
  return s;
}

// Force up (N), and moment about y (N m), on the wedge.
Vec2 pressed(const Wedge& w, int pieces, ContactSource data) {
  const Model model = compile(world_of(w, pieces));
  Simulator simulator(model, layer_settings(data));
  State state(model);
  const Input input(model);
  for (int k = 0; k < 3; ++k) {
    state.v[std::size_t(k)] = w.velocity[k];
    state.v[std::size_t(k + 3)] = w.spin[k];
  }
  simulator.step(state, input);
  const Spatial on = simulator.contact_forces().on_body(model, 1, Vec3::Zero());
  return {on.lin.z(), on.ang.y()};
}

// The same over a rectangle, in closed form: pressure is linear in x and y.
Vec2 in_closed_form(const Wedge& w) {
  // rate of the depth: -(v + spin x r) . z = -v_z - spin_x y + spin_y x
  const double mean = w.stiffness * w.depth - w.damping * w.velocity.z();
  const double along_x = w.stiffness * w.slope + w.damping * w.spin.y();
  return {mean * w.a * w.b, -along_x * w.a * w.a * w.a * w.b / 12};
}

Wedge random_wedge(Dice& dice) {
  Wedge w;
  w.a = dice.uniform(0.2, 2);
  w.b = w.b_end = dice.uniform(0.2, 2);
  w.depth = dice.uniform(0.05, 0.2);
  w.slope = dice.uniform(0.2, 0.9) * 2 * w.depth / w.a;
  w.stiffness = dice.uniform(1e3, 1e5);
  // dampers never turn the pressure at a point around
  w.damping = 0.01 * w.stiffness;
  w.velocity = dice.vec(0.2);
  w.spin = Vec3(0, dice.uniform(-0.3, 0.3), 0);
  return w;
}

Drawing picture() {
  Drawing drawing;
  drawing.title = "Fig. 8: eight points along an edge in the layer";
  drawing.eye = {0.25, -1, 0.25};
  const Wedge w{.a = 0.4, .b = 0.2, .b_end = 0.2, .depth = 0.06, .slope = 0.2};
  drawing.solids.push_back({convex_hull(corners(w, -w.a / 2, w.a / 2)), Role::b, ""});
  drawing.sheets.push_back(
      {{Vec3(-.4, -.2, 0), Vec3(.4, -.2, 0), Vec3(.4, .2, 0), Vec3(-.4, .2, 0)}, Role::a, ""});
  for (int i = 0; i <= kCuts; ++i) {
    const double x = w.a * (double(i) / kCuts - 0.5), d = w.depth + w.slope * x;
    const Vec3 p(x, -w.b / 2, -d);
    drawing.dots.push_back({p, ""});
    drawing.arrows.push_back({p, p + 0.6 * d * Vec3::UnitZ(), "", Role::other});
  }
  return drawing;
}

}  // namespace

Outcome edge_subdivision(const Progress& progress) {
  Dice dice(kFreshSeed);
  double force_off = 0, volume_off = 0, thrice_off = 0, cut_off = 0, torque_volume_off = 0;
  constexpr double kOfCut = 1 + 2.0 / (kCuts * kCuts);
  for (int i = 0; i < kWedges; ++i) {
    if (progress) progress(double(i) / kWedges);
    const Wedge w = random_wedge(dice);
    const Vec2 exact = in_closed_form(w), ends = pressed(w, 1, ContactSource::vertices),
               cut = pressed(w, kCuts, ContactSource::vertices),
               all = pressed(w, 1, ContactSource::volume);
    for (const Vec2& of : {ends, cut})
      force_off = std::max(force_off, std::abs(of.x() / exact.x() - 1));
    volume_off = std::max(volume_off, std::abs(all.x() / exact.x() - 1));
    thrice_off = std::max(thrice_off, std::abs(ends.y() / exact.y() / 3 - 1));
    cut_off = std::max(cut_off, std::abs(cut.y() / exact.y() / kOfCut - 1));
    torque_volume_off = std::max(torque_volume_off, std::abs(all.y() / exact.y() - 1));
  }
  const std::string scene = fmt::format(
      "{} --step 0.0001, and --data volume; layer of the ground; {} wedges of 0.2 to 2 m, whole "
      "and cut "
      "into {}, random slopes, velocities and layers (seed {})",
      flags_of(layer_settings(ContactSource::vertices)), kWedges, kCuts, kFreshSeed);

  Outcome outcome;
  Check force;
  force.id = "K-T7";
  force.statement =
      "the force sampled at the ends of edges, and at 8 points along them, is that of the whole "
      "bottom: "
      "largest deviation; deviation of the integrated one";
  // depth a hundredth towards the volume's centroid: the mean shifts by at most that of a third
  force.paper = as_printed(std::string("the mean force exerted on the two vertices of an edge is "
                                       "equivalent to the mean force exerted all along the edge"),
                           force_off <= kInward / 3 + 1e-9, "forces differ");
  force.expected = "<= 0.0034 (samples lie 1 % inside the rim), <= 1e-9";
  force.measured = std::vector<double>{force_off, volume_off};
  force.pass = force_off <= kInward / 3 + 1e-9 && volume_off <= 1e-9;
  force.settings = scene;
  outcome.checks.push_back(force);

  Check torque;
  torque.id = "K-T8";
  torque.statement =
      "the torque is not: from the ends of edges it is 3 times that of the whole bottom, from 8 "
      "points 1 + "
      "2/49 times, integrated once: largest deviations from these";
  torque.paper = as_printed(
      std::string(
          "the volumetric approach computes the result as if contact forces were applied to the "
          "surface of the intersection volume"),
      thrice_off > 0.5,
      "the proof is of the force along an edge alone; the ends of an edge have three times its "
      "second moment (K-E5)");
  torque.expected = "<= 0.02, <= 0.02, <= 1e-9";
  torque.measured = std::vector<double>{thrice_off, cut_off, torque_volume_off};
  torque.pass = thrice_off <= 2 * kInward && cut_off <= 2 * kInward && torque_volume_off <= 1e-9;
  torque.settings = scene;
  outcome.checks.push_back(torque);

  // of a trapezoid whose deep side is the short one
  const Wedge trapezoid{.a = 1, .b = 1, .b_end = 0.2, .depth = 0.11, .slope = 0.2};
  const double exact = trapezoid.stiffness * (0.01 * 0.6 + 0.2 * 0.6 * 7 / 18),
               by_corners = trapezoid.stiffness * 0.11 * 0.6;
  Check polygon;
  polygon.id = "K-T8";
  polygon.statement =
      "nor is the force on a polygon: a trapezoid of sides 1 and 0.2, the short one deep, sampled "
      "at its "
      "corners and integrated, over the integral";
  polygon.expected = fmt::format("{:.4f} within 2 %, 1 to 1e-9", by_corners / exact);
  polygon.measured = std::vector<double>{pressed(trapezoid, 1, ContactSource::vertices).x() / exact,
                                         pressed(trapezoid, 1, ContactSource::volume).x() / exact};
  const auto& both = std::get<std::vector<double>>(polygon.measured);
  polygon.pass =
      std::abs(both[0] * exact / by_corners - 1) <= 2 * kInward && std::abs(both[1] - 1) <= 1e-9;
  polygon.settings = scene;
  outcome.checks.push_back(polygon);

  Graph graph{
      "Moment of a linear pressure, sampled, over its integral", "pieces", "", "ratio", "", {}};
  graph.curves = {{"sampled at the vertices of the pieces", {}}, {"integrated", {}}};
  const Wedge shown{.a = 1, .b = 0.5, .b_end = 0.5, .depth = 0.1, .slope = 0.1};
  for (int n = 1; n <= 16; ++n) {
    const double of = in_closed_form(shown).y();
    graph.curves[0].points.emplace_back(n, pressed(shown, n, ContactSource::vertices).y() / of);
    graph.curves[1].points.emplace_back(n, pressed(shown, n, ContactSource::volume).y() / of);
  }
  outcome.graphs.push_back(std::move(graph));
  outcome.drawings.push_back(picture());
  return outcome;
}

}  // namespace abut::reproduce
