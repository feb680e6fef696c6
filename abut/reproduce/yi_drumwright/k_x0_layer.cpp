// K-X0, Fig. 1 of Cheng Yi and Drumwright: a rigid core in a compliant layer. In the figure the
// layer lies over the faces of the core alone: in the Voronoi regions of vertices there is none, as
// the normal is indeterminate there. So it is with abut.quasirigid.layers = faces. abut's own layer
// is the outer part of the solid itself, corners and all.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "abut/reproduce/all.h"
#include "abut/reproduce/flags.h"
#include "abut/reproduce/pair.h"
#include "abut/reproduce/random_hull.h"
#include "abut/shape/hull.h"
#include "abut/shape/primitives.h"
#include "abut/simulate/simulator.h"

namespace abut::reproduce {
namespace {

constexpr double kThick = 0.05, kSide = 0.3, kSmall = 0.004;  // m
constexpr int kPlaces = 400;
constexpr unsigned kFreshSeed = 20261118;

// A prism along y over an equilateral triangle whose sides are `grown` (m) farther out.
std::vector<Vec3> triangle(double grown) {
  const double r = kSide / std::sqrt(3.0) + 2 * grown;  // sides move by half of what corners do
  std::vector<Vec3> points;
  for (int i = 0; i < 3; ++i)
    for (const double y : {-1.0, 1.0}) {
      const double f = M_PI / 2 + 2 * M_PI * i / 3;
      points.emplace_back(r * std::cos(f), y, r * std::sin(f));
    }
  return points;
}

// Where the layer is: over the faces of the core, as in the figure, or inside the solid.
enum class Around { faces, solid };

ContactSettings layer_settings(Around around) {
  ContactSettings s;
  s.model = "quasirigid";
  s.friction = FrictionKind::none;
  if (around == Around::faces) {
    s.own_words["quasirigid.layers"] = "faces";
    s.data = ContactSource::vertices;
  } else {
    s.own_words["quasirigid.step"] = "explicit";
  }
  return s;
}

// What a small cube that is at X is pushed with, by the layer of the triangle (N).
Vec3 push_at(const Pose& X, Around around) {
  World world;
  world.option.timestep = 1e-4;
  world.option.gravity = Vec3::Zero();
  MeshDesc& mesh = world.meshes.emplace_back();
  mesh.name = "triangle";
  mesh.vertices = triangle(around == Around::solid ? kThick : 0);
  world.worldbody.mesh("triangle").name = "triangle";
  world.numerics.push_back({"abut.layer.triangle", {kThick, 1e6, 0}, {}});
  BodyDesc& body = world.body("small", X.p, X.q);
  body.free();
  body.box(Vec3::Constant(kSmall)).mass = 1;
  const Model model = compile(world);
  Simulator simulator(model, layer_settings(around));
  State state(model);
  const Input input(model);
  simulator.step(state, input);
  return simulator.contact_forces().on_body(model, 1, X.p).lin;
}

struct Regions {
  int over_faces = 0, pushed_over_faces = 0;  // places in the layer of the figure
  double angle = 0;  // rad: of the push to the normal of the closest features
  int at_vertices = 0, pushed_at_vertices = 0;
  std::vector<Vec3> shown[2];
};

Regions look(Around around, const Progress& progress) {
  Regions out;
  Dice dice(kFreshSeed);
  const Polyhedron core = convex_hull(triangle(0));
  while (out.over_faces + out.at_vertices < kPlaces) {
    const double f = dice.uniform(0, 2 * M_PI), r = dice.uniform(0.05, 0.35);
    const Pose X{Vec3(r * std::cos(f), dice.uniform(-0.5, 0.5), r * std::sin(f)), dice.rotation()};
    const Pair pair(core, {}, box_polyhedron(Vec3::Constant(kSmall)), X);
    const Proximity d = pair.distance();
    // clear of the core, and wholly in the layer, so that its depth has one meaning
    if (d.distance < 2 * kSmall || d.distance > kThick - 4 * kSmall) continue;
    if (progress) progress(double(out.over_faces + out.at_vertices) / kPlaces);
    const bool over_face = d.a.kind == FeatureKind::face;
    const Vec3 push = push_at(X, around);
    const bool pushed = push.norm() > 0;
    ++(over_face ? out.over_faces : out.at_vertices);
    if (pushed) ++(over_face ? out.pushed_over_faces : out.pushed_at_vertices);
    if (over_face && pushed) out.angle = std::max(out.angle, angle_between(push, d.normal));
    out.shown[over_face ? 0 : 1].emplace_back(X.p.x(), 0, X.p.z());
  }
  return out;
}

Drawing picture(const Regions& r) {
  Drawing drawing;
  drawing.title = "Fig. 1: a core, its layer, and where the figure has none";
  drawing.notes = {
      "dots: over faces of the core; crosses of outlines: in the regions of its vertices"};
  drawing.eye = {0, -1, 1e-3};
  const auto flat = [](std::vector<Vec3> points) {
    for (Vec3& p : points) p.y() *= 1e-3;
    return convex_hull(points);
  };
  drawing.solids.push_back({flat(triangle(0)), Role::a, "core"});
  const std::vector<Vec3> outer = triangle(kThick);
  drawing.outlines.push_back({outer[0], outer[2], outer[4]});
  for (const Vec3& p : r.shown[0]) drawing.dots.push_back({p, ""});
  for (const Vec3& p : r.shown[1])
    drawing.outlines.push_back({p - Vec3(0.004, 0, 0), p + Vec3(0.004, 0, 0)});
  return drawing;
}

void add_rows(Outcome& outcome, const Regions& r, Around around) {
  const bool of_figure = around == Around::faces;
  const std::string settings = fmt::format(
      "{} --step 0.0001 --set layer.triangle={},1e6,0; cubes of {} m in the layer of a triangle of "
      "{} m, {} places (seed {})",
      flags_of(layer_settings(around)), kThick, 2 * kSmall, kSide, kPlaces, kFreshSeed);
  const std::string which = of_figure ? "layer over faces, as in the figure" : "abut's layer";
  Check over;
  over.id = "K-T15";
  over.statement = fmt::format(
      "{}: over the faces of the core it pushes along the normal of the core's closest features: "
      "places, pushed, largest angle (rad)",
      which);
  const bool all = r.over_faces > 50 && r.pushed_over_faces == r.over_faces;
  const bool along = all && r.angle <= 1e-6;
  over.paper =
      as_printed(std::string("springs and dampers act to push the bodies apart; the normal is the "
                             "vector between the closest features"),
                 along,
                 "abut takes the normal of the common part's area: a body that sticks out over a "
                 "corner of the layer is pushed aslant");
  over.expected = of_figure ? "all pushed, <= 1e-6" : "all pushed";
  over.measured = std::vector<double>{double(r.over_faces), double(r.pushed_over_faces), r.angle};
  over.pass = of_figure ? along : all;
  over.settings = settings;
  outcome.checks.push_back(std::move(over));
  Check at;
  at.id = "K-T15";
  at.statement = fmt::format("{}: in the regions of the core's vertices: places, pushed", which);
  at.paper = as_printed(
      std::string("no deformable layer in the Voronoi regions of the vertices"),
      r.pushed_at_vertices == 0,
      "abut's layer is the outer part of the solid, corners and all: without it a body that "
      "comes upon a corner would meet the core unbraked");
  at.expected = of_figure ? "> 20, 0" : "reported";
  at.measured = std::vector<double>{double(r.at_vertices), double(r.pushed_at_vertices)};
  if (of_figure) at.pass = r.at_vertices > 20 && r.pushed_at_vertices == 0;
  at.settings = settings;
  outcome.checks.push_back(std::move(at));
}

}  // namespace

Outcome quasi_rigid_layer(const Progress& progress) {
  Outcome outcome;
  const Regions figure = look(Around::faces, [&](double share) {
    if (progress) progress(0.5 * share);
  });
  add_rows(outcome, figure, Around::faces);
  const Regions ours = look(Around::solid, [&](double share) {
    if (progress) progress(0.5 + 0.5 * share);
  });
  add_rows(outcome, ours, Around::solid);
  outcome.drawings.push_back(picture(figure));
  return outcome;
}

}  // namespace abut::reproduce
