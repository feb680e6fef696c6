// K-T12 to K-T14: volumes of intersection that are thin, of many vertices, and closed.
#include <fmt/format.h>

#include <cmath>

#include "abut/collide/volume/clip_volume.h"
#include "abut/collide/volume/dual_volume.h"
#include "abut/reproduce/all.h"
#include "abut/reproduce/pair.h"
#include "abut/reproduce/random_hull.h"
#include "abut/shape/primitives.h"

namespace abut::reproduce {
namespace {

Intersection clipped(const Convex& A, const Convex& B, const Transform& X_AB) {
  ClipBuffers buffers;
  Intersection common;
  clip_volume(A, B, X_AB, buffers, common);
  return common;
}

int euler(const Intersection& i) { return i.vertex_count() - i.edge_count() + i.face_count(); }

Check thin_volumes(Graph& graph) {
  const Pair pair(box_polyhedron(Vec3::Constant(0.5)), {}, box_polyhedron(Vec3::Constant(0.5)), {});
  double clip_off = 0, dual_off = 0;
  graph = {"Error of thin volumes",
           "overlap, power of ten",
           "m",
           "relative error, power of ten",
           "",
           {{"clipping", {}}, {"duality", {}}}};
  for (int e = 12; e >= 2; --e) {
    const double z = 1 - std::pow(10.0, -e);
    const double overlap = 1 - z;  // exact: what the rounded position leaves of it
    const Transform X_AB(Mat3::Identity(), Vec3(0.4, 0.3, z));
    const double exact = 0.6 * 0.7 * overlap;
    const double c = std::abs(clipped(pair.A(), pair.B(), X_AB).volume / exact - 1);
    const double d = std::abs(dual_volume(pair.A(), pair.B(), X_AB).volume / exact - 1);
    clip_off = std::max(clip_off, c);
    dual_off = std::max(dual_off, d);
    graph.curves[0].points.emplace_back(-e, std::log10(std::max(c, 1e-17)));
    graph.curves[1].points.emplace_back(-e, std::log10(std::max(d, 1e-17)));
  }
  Check check;
  check.id = "K-T12";
  check.statement = "thin volumes do not fail: overlaps from 1e-2 down to 1e-12 of the size";
  check.expected = "<= 2e-5 of the volume at every overlap, by clipping and by duality";
  check.measured = std::vector<double>{clip_off, dual_off};
  check.pass = clip_off <= 2e-5 && dual_off <= 2e-5;
  check.settings = "unit boxes, offset by 0.4 and 0.3 m";
  check.world = "contact/thin_overlap";
  return check;
}

Check many_vertices(const Progress& progress) {
  Dice dice(13);
  double off = 0;
  int vertices = 0;
  for (int i = 0; i < 4; ++i) {
    if (progress) progress(0.2 + 0.2 * i);
    const Pair pair(dice.hull(2200), {}, dice.hull(2200),
                    {dice.direction() * dice.uniform(0.1, 1), dice.rotation()});
    vertices = std::max(vertices, pair.A().polyhedron->vertex_count());
    const Transform X_AB = relative(pair.X_WA, pair.X_WB);
    const double c = clipped(pair.A(), pair.B(), X_AB).volume;
    const double d = dual_volume(pair.A(), pair.B(), X_AB).volume;
    off = std::max(off, std::abs(c - d) / std::max(c, d));
  }
  Check check;
  check.id = "K-T13";
  check.statement = "polyhedra of thousands of vertices: clipping and duality agree";
  check.expected = "<= 1e-9 of the volume";
  check.measured = off;
  check.pass = off <= 1e-9;
  check.paper = as_printed(std::string("robust for polyhedra with thousands of vertices"),
                           off <= 1e-9, "the two ways do not agree");
  check.settings = fmt::format("4 pairs of random hulls of {} vertices (seed 13)", vertices);
  return check;
}

Check euler_formula() {
  Dice dice(14);
  int wrong = 0, hulls = 0, volumes = 0;
  for (int i = 0; i < 200; ++i) {
    const Pair pair(dice.hull(6 + i), {}, dice.hull(6 + i),
                    {dice.direction() * dice.uniform(0, 1.5), dice.rotation()});
    for (const Convex* s : {&pair.A(), &pair.B()}) {
      ++hulls;
      wrong += euler_characteristic(*s->polyhedron) != 2;
    }
    const Transform X_AB = relative(pair.X_WA, pair.X_WB);
    for (const Intersection& common :
         {clipped(pair.A(), pair.B(), X_AB), dual_volume(pair.A(), pair.B(), X_AB)}) {
      if (common.overlap != OverlapKind::solid) continue;
      ++volumes;
      wrong += euler(common) != 2;
    }
  }
  Check check;
  check.id = "K-T14";
  check.statement = "V + F - E = 2 (eq. 1) for every hull and every intersection";
  check.expected = "0 exceptions";
  check.measured = static_cast<double>(wrong);
  check.pass = wrong == 0 && volumes > 200;
  check.paper = as_printed(2.0, wrong == 0, "there are exceptions");
  check.settings =
      fmt::format("{} random hulls of 6 to 205 points, {} intersections (seed 14)", hulls, volumes);
  return check;
}

}  // namespace

Outcome volumes(const Progress& progress) {
  Outcome outcome;
  outcome.checks.push_back(thin_volumes(outcome.graphs.emplace_back()));
  outcome.checks.push_back(many_vertices(progress));
  outcome.checks.push_back(euler_formula());
  return outcome;
}

}  // namespace abut::reproduce
