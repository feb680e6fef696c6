// P-X4, Figs 5, 7 and 8 of Williams, Lu and Trinkle: the constraints that features near each other
// make, as lists (eqs 17, 20 to 24), with the labels that (17) needs and the sign that (21) needs
// (P-E2, P-E5).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "abut/collide/peg/applicability.h"
#include "abut/reproduce/all.h"
#include "abut/reproduce/random_hull.h"
#include "abut/reproduce/williams_lu_trinkle/p_sets.h"
#include "abut/reproduce/williams_lu_trinkle/p_triangles.h"

namespace abut::reproduce {

namespace {

using Kind = FeatureConstraint::Kind;

int count(const FeatureConstraints& set, Kind kind) {
  int n = 0;
  for (const FeatureConstraint& c : set.constraints()) n += c.kind == kind;
  return n;
}

// Whether the edges of both contacts of each X lie on the same side of the line from B to A.
bool pairs_are_lateral(const FeatureConstraints& set, const Vec2& towards_a) {
  const auto side = [&](int i) {
    const LocalContact& c = set.contacts()[static_cast<std::size_t>(i)];
    const Vec3 eta = c.a.kind == FeatureKind::vertex ? Vec3(-c.normal) : c.normal;
    return towards_a.x() * eta.y() - towards_a.y() * eta.x() > 0;
  };
  return std::all_of(set.constraints().begin(), set.constraints().end(), [&](const auto& c) {
    return c.kind != Kind::X || side(c.iota.front()) == side(c.kappa.front());
  });
}

struct Corners {
  int made = 0, two_and_two = 0, lateral = 0;
};

// Two triangles, vertex to vertex: turned, mirrored, with their vertices named in any order and
// either of them first.
Corners random_corners(int count_of) {
  Corners out;
  Dice dice(4);
  for (int i = 0; i < count_of; ++i) {
    Triangles t = triangles_on_a_line();
    t = moved(t, {dice.uniform(-0.1, 0.1), dice.uniform(-0.1, 0.1), dice.uniform(-0.3, 0.3), 0, 0,
                  dice.uniform(-0.3, 0.3)});
    std::vector<Vec2> a(t.A.begin(), t.A.end()), b(t.B.begin(), t.B.end());
    if (i % 2)
      for (std::vector<Vec2>* p : {&a, &b})
        for (Vec2& x : *p) x.y() = -x.y();
    for (std::vector<Vec2>* p : {&a, &b})
      std::rotate(p->begin(), p->begin() + int(dice.uniform(0, 3)), p->end());
    if (i % 4 >= 2) std::swap(a, b);
    const auto centre = [](const std::vector<Vec2>& p) { return Vec2((p[0] + p[1] + p[2]) / 3); };
    const FeatureConstraints set = PlacedPair::of(a, b).constraints(0.4);
    ++out.made;
    out.two_and_two += count(set, Kind::I) == 2 && count(set, Kind::X) == 2 && set.count() == 4;
    out.lateral += pairs_are_lateral(set, centre(a) - centre(b));
  }
  return out;
}

Drawing picture(const PlacedPair& pair, std::string title, const FeatureConstraints& set) {
  Drawing drawing;
  drawing.title = std::move(title);
  if (pair.view().is_flat()) drawing.eye = {0, -1e-3, 1};
  const PlanePair& v = pair.view();
  drawing.solids.push_back({transformed(*v.a().polyhedron, v.X_WA()), Role::a, "A"});
  const Pose X_WB{v.X_WA() * v.X_AB().p, v.X_WA().q * Quat(v.X_AB().R)};
  drawing.solids.push_back({transformed(*v.b().polyhedron, X_WB), Role::b, "B"});
  drawing.notes = texts(set);
  constexpr std::size_t kMost = 10;
  if (drawing.notes.size() > kMost) {
    const std::size_t more = drawing.notes.size() - kMost;
    drawing.notes.resize(kMost);
    drawing.notes.push_back(fmt::format(".. and {} more", more));
  }
  return drawing;
}

std::string joined(const FeatureConstraints& set) {
  std::string text;
  for (const std::string& t : texts(set)) text += (text.empty() ? "" : "; ") + t;
  return text;
}

}  // namespace

Outcome constraint_sets(const Progress&) {
  Outcome outcome;
  const auto row = [&](std::string claim, Value paper, std::string expected, Value measured,
                       std::optional<bool> pass, std::string settings) {
    Check c;
    c.id = "P-T4";
    c.claim = std::move(claim);
    c.paper = std::move(paper);
    c.expected = std::move(expected);
    c.measured = std::move(measured);
    c.pass = pass;
    c.settings = std::move(settings);
    outcome.checks.push_back(std::move(c));
  };

  // 2D: vertex and vertex (17)
  const Triangles t = triangles_tilted();
  const PlacedPair flat = PlacedPair::of(std::vector<Vec2>(t.A.begin(), t.A.end()),
                                         std::vector<Vec2>(t.B.begin(), t.B.end()));
  const FeatureConstraints corner = flat.constraints(0.4);
  outcome.drawings.push_back(picture(flat, "Fig. 5: a vertex near a vertex in 2D", corner));
  row("2D, vertex and vertex: the set (17)",
      std::string("I({C1,C2},{}), I({C3,C4},{}), X(C1,C4), X(C2,C3)"), "2 I and 2 X, 4 contacts",
      joined(corner),
      corner.contacts().size() == 4 && count(corner, Kind::I) == 2 && count(corner, Kind::X) == 2 &&
          corner.count() == 4,
      "F11-T; contacts that cannot press are in the second set of an I");
  constexpr int kCorners = 200;
  const Corners corners = random_corners(kCorners);
  row("its X pair contacts on the same side of the bodies, whatever the labels (P-E2): sets of 2 I "
      "and 2 X, sets with all pairs so",
      {}, fmt::format("{0}, {0}", kCorners),
      std::vector<double>{double(corners.two_and_two), double(corners.lateral)},
      corners.two_and_two == kCorners && corners.lateral == kCorners,
      "random turns, mirrored, vertices named in any order, either body first (seed 4)");

  // 3D: vertex and edge (20, 21), with a tetrahedron over a ridge
  const PlacedPair ridge = PlacedPair::of(
      std::vector<Vec3>{{0, 0, 1.05}, {-1, 0.1, 1.5}, {0.2, 0.7, 2}, {0.3, -0.8, 1.9}},
      std::vector<Vec3>{{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}, {0, -1, 1}, {0, 1, 1}});
  const FeatureConstraints over = ridge.constraints(0.2);
  outcome.drawings.push_back(picture(ridge, "Fig. 7: a vertex near an edge", over));
  int vf = 0, ee = 0, facing = 0;
  FeatureContacts all;
  FeatureLimits limits;
  limits.eps_vf = limits.eps_ee = 0.2;
  limits.theta = 1.57;
  limits.applicable_only = false;
  feature_contacts(ridge.view().a(), ridge.view().b(), ridge.view().X_AB(), limits, all);
  for (const FeatureContact& c : all.list) (c.a.kind == FeatureKind::edge ? ee : vf) += 1;
  for (const LocalContact& c : over.contacts()) facing += c.a.kind == FeatureKind::edge;
  row("3D, vertex and edge, a tetrahedron: contacts of vertex and face, of edge and edge",
      std::string("2 and 3"), "2, 3", std::vector<double>{double(vf), double(ee)},
      vf == 2 && ee == 3, "tip of a tetrahedron 0.05 m over a ridge");
  row("its set (20, 21): an I over the two faces, and an X for each edge that faces the ridge",
      std::string("I(C1, C2), X(C1 or C2, C(eai, eb)) for each edge"),
      fmt::format("1 I of 2 contacts, {} X", facing), joined(over),
      count(over, Kind::I) == 1 && count(over, Kind::X) == facing && facing > 0,
      "X of edges that are turned away from the ridge are left out: they would weaken it (P-E7)");

  // 3D: vertex and vertex (22 to 24)
  const PlacedPair tips = PlacedPair::of(
      std::vector<Vec3>{{0.02, 0.03, 1.05}, {-0.8, 0.1, 2}, {0.2, 0.7, 2}, {0.5, -0.8, 2}},
      std::vector<Vec3>{{0, 0, 1}, {-0.8, -0.7, 0}, {0.9, -0.6, 0}, {0.1, 0.8, 0}});
  const FeatureConstraints points = tips.constraints(0.2);
  outcome.drawings.push_back(picture(tips, "Fig. 8: a vertex near a vertex", points));
  int crossing = 0, contacts_vf = 0;
  for (const LocalContact& c : points.contacts())
    (c.a.kind == FeatureKind::edge ? crossing : contacts_vf) += 1;
  row("3D, vertex and vertex, two tetrahedra: contacts of vertex and face, of edges that face each "
      "other; I, X",
      std::string("I for each vertex, X for each face pair"), "6, some; 2, 9",
      std::vector<double>{double(contacts_vf), double(crossing), double(count(points, Kind::I)),
                          double(count(points, Kind::X))},
      contacts_vf == 6 && crossing > 0 && count(points, Kind::I) == 2 &&
          count(points, Kind::X) == 9,
      "tips 0.06 m apart");
  return outcome;
}

}  // namespace abut::reproduce
