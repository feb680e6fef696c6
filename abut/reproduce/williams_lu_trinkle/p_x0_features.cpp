// P-X0, Fig. 2 and eqs 3 and 4 of Williams, Lu and Trinkle: faces and edges of a polyhedron. The
// normal of a face from its first vertices, and for each edge two vectors that point into its
// faces.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "abut/reproduce/all.h"
#include "abut/reproduce/random_hull.h"

namespace abut::reproduce {

Outcome features_of_a_polyhedron(const Progress&) {
  constexpr int kHulls = 200;
  constexpr unsigned kFreshSeed = 20261118;
  Dice dice(kFreshSeed);
  double normal_off = 0, inside = 1;
  int wrong = 0, edges = 0;
  Polyhedron shown;
  for (int i = 0; i < kHulls; ++i) {
    const Polyhedron p = dice.hull(6 + i % 40);
    if (i == 3) shown = p;
    wrong += p.vertex_count() + p.face_count() - p.edge_count() != 2;
    std::vector<Vec3> middle;
    for (int f = 0; f < p.face_count(); ++f) {
      const std::span<const int> loop = p.face_loop(f);
      const auto v = [&](std::size_t k) { return p.vertices[std::size_t(loop[k])]; };
      // (3), with the pair of edges that spans the largest area: thin corners lose digits
      Vec3 area = Vec3::Zero(), sum = Vec3::Zero();
      for (std::size_t k = 0; k < loop.size(); ++k) {
        sum += v(k);
        if (k >= 2) area += (v(k - 1) - v(0)).cross(v(k) - v(0));
      }
      middle.push_back(sum / double(loop.size()));
      normal_off = std::max(normal_off, (area.normalized() - p.faces[std::size_t(f)].eta).norm());
    }
    for (const Polyhedron::Edge& e : p.edges) {
      ++edges;
      const Vec3 &t = p.vertices[std::size_t(e.tail)], &h = p.vertices[std::size_t(e.head)];
      const Vec3 along = (h - t).normalized(), on = 0.5 * (t + h);
      const Vec3 t1 = p.faces[std::size_t(e.f1)].eta.cross(along);  // (4)
      const Vec3 t2 = along.cross(p.faces[std::size_t(e.f2)].eta);
      for (const auto& [into, f] : {std::pair{t1, e.f1}, {t2, e.f2}})
        inside = std::min(inside, into.dot((middle[std::size_t(f)] - on).normalized()));
    }
  }
  Outcome outcome;
  Check check;
  check.id = "P-T13";
  check.statement =
      "V + F - E = 2 (hulls where not); normals by (3) are those of the faces: largest difference; "
      "t1 and t2 "
      "of (4) point into the faces of their edge: least cosine with the way to the middle";
  const bool right = wrong == 0 && normal_off <= 1e-9 && inside > 0;
  check.paper = as_printed(std::string("geometric representation of a convex polyhedron"), right,
                           "a vector points elsewhere");
  check.expected = "0, <= 1e-9, > 0";
  check.measured = std::vector<double>{double(wrong), normal_off, inside};
  check.pass = right;
  check.settings = fmt::format("{} random hulls of 6 to 45 points, {} edges, seed {}", kHulls,
                               edges, kFreshSeed);
  outcome.checks.push_back(std::move(check));
  Drawing drawing;
  drawing.title = "Fig. 2: an edge, its faces' normals, t1 and t2";
  const Polyhedron::Edge& e = shown.edges.front();
  const Vec3 t = shown.vertices[std::size_t(e.tail)], h = shown.vertices[std::size_t(e.head)];
  const Vec3 on = 0.5 * (t + h), along = (h - t).normalized();
  const Vec3 &n1 = shown.faces[std::size_t(e.f1)].eta, &n2 = shown.faces[std::size_t(e.f2)].eta;
  drawing.eye = n1 + n2 + 0.3 * along;
  drawing.arrows = {{on, on + 0.4 * n1, "eta1", Role::a},
                    {on, on + 0.4 * n2, "eta2", Role::a},
                    {on, on + 0.4 * n1.cross(along), "t1", Role::b},
                    {on, on + 0.4 * along.cross(n2), "t2", Role::b}};
  drawing.solids.push_back({std::move(shown), Role::other, ""});
  outcome.drawings.push_back(std::move(drawing));
  return outcome;
}

}  // namespace abut::reproduce
