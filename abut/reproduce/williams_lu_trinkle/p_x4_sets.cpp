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

constexpr FeatureChoice kAsPrinted{.crossings = Crossings::printed};

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
    const FeatureConstraints set = PlacedPair::of(a, b).constraints(0.4, kAsPrinted);
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

// By hand, for tests of what abut finds: whether the plane along both edges has all of A on one
// side and all of B on the other. The first two points of an edge are its ends; nothing of abut's
// own applicability is used. `sure` is cleared where a point is too near to the plane to tell.
bool parts_them(const std::vector<Vec3>& a, const std::vector<Vec3>& b, const Vec3& along_a,
                const Vec3& along_b, const Vec3& on_a, const Vec3& on_b, bool& sure) {
  constexpr double kDoubt = 1e-3;  // m
  const Vec3 n = along_a.cross(along_b).normalized();
  const auto side = [&](const std::vector<Vec3>& points, const Vec3& on, const Vec3& along) {
    double least = 0, most = 0;
    for (const Vec3& p : points) {
      if ((p - on).cross(along).norm() < 1e-9) continue;  // the edge itself
      const double h = n.dot(p - on);
      sure = sure && std::abs(h) > kDoubt;
      least = std::min(least, h);
      most = std::max(most, h);
    }
    return least < 0 && most > 0 ? 0 : most > 0 ? 1 : -1;
  };
  return side(a, on_a, along_a) * side(b, on_b, along_b) == -1;
}

struct Tips {
  int made = 0,
      right = 0;   // sets, and those with the contacts and constraints that geometry asks for
  int edges = 0;   // that face each other, in all of them
  int turned = 0;  // tips that are turned away from all faces of the other
};

std::vector<Vec3> random_tip(Dice& dice, const Vec3& at, double up) {
  std::vector<Vec3> points{at};
  const double turn = dice.uniform(0, 6.28);
  for (int i = 0; i < 3; ++i) {
    const double angle = turn + 2.094 * i + dice.uniform(-0.5, 0.5), r = dice.uniform(0.3, 1);
    points.push_back(at +
                     Vec3(r * std::cos(angle), r * std::sin(angle), up * dice.uniform(0.5, 1)));
  }
  return points;
}

// Tips of tetrahedra over a ridge: 2 contacts with faces in one I, and an X for each edge of the
// tip that faces the ridge.
Tips random_ridges(int count_of) {
  Tips out;
  Dice dice(20261118);
  const std::vector<Vec3> roof{{-1, -1, 0}, {1, -1, 0}, {1, 1, 0},
                               {-1, 1, 0},  {0, -1, 1}, {0, 1, 1}};
  while (out.made < count_of) {
    const Vec3 tip(dice.uniform(-0.02, 0.02), dice.uniform(-0.3, 0.3), dice.uniform(1.03, 1.08));
    const std::vector<Vec3> a = random_tip(dice, tip, 1);
    bool sure = true;
    int facing = 0;
    for (int i = 1; i <= 3; ++i)
      facing += parts_them(a, roof, a[std::size_t(i)] - tip, Vec3::UnitY(), tip, roof[4], sure);
    if (!sure) continue;
    const FeatureConstraints set = PlacedPair::of(a, roof).constraints(0.2, kAsPrinted);
    ++out.made;
    out.edges += facing;
    out.right += count(set, Kind::I) == 1 && count(set, Kind::X) == facing;
  }
  return out;
}

// By hand: whether tip a[0] can press on some face of tip b, its edges turned away by `eps` (a sine)
// at most (6). Else it has no force that an I could hold it by (10).
bool can_press(const std::vector<Vec3>& a, const std::vector<Vec3>& b, double eps, bool& sure) {
  constexpr double kDoubt = 1e-3;
  bool presses = false;
  for (std::size_t k = 1; k <= 3; ++k) {
    const Vec3 &p = b[k], &q = b[k % 3 + 1], &behind = b[(k + 1) % 3 + 1];
    Vec3 out = (p - b[0]).cross(q - b[0]).normalized();
    if (out.dot(behind - b[0]) > 0) out = -out;
    double least = 1;
    for (std::size_t i = 1; i <= 3; ++i)
      least = std::min(least, out.dot((a[i] - a[0]).normalized()));
    sure = sure && std::abs(least + eps) > kDoubt;
    presses = presses || least >= -eps;
  }
  return presses;
}

// Tips over tips: 6 contacts with faces, an I for each tip that can press, nine X, and those edges
// that face each other.
Tips random_tips(int count_of) {
  Tips out;
  Dice dice(20261119);
  while (out.made < count_of) {
    const Vec3 low(0, 0, 1),
        high = low + Vec3(dice.uniform(-0.03, 0.03), dice.uniform(-0.03, 0.03), 0.05);
    const std::vector<Vec3> a = random_tip(dice, high, 1), b = random_tip(dice, low, -1);
    bool sure = true;
    int facing = 0;
    for (std::size_t i = 1; i <= 3; ++i)
      for (std::size_t j = 1; j <= 3; ++j)
        facing += parts_them(a, b, a[i] - high, b[j] - low, high, low, sure);
    const int pressing =
        can_press(a, b, kAsPrinted.eps, sure) + can_press(b, a, kAsPrinted.eps, sure);
    if (!sure) continue;
    const FeatureConstraints set = PlacedPair::of(a, b).constraints(0.2, kAsPrinted);
    int crossing = 0;
    for (const LocalContact& c : set.contacts()) crossing += c.a.kind == FeatureKind::edge;
    ++out.made;
    out.edges += facing;
    out.turned += 2 - pressing;
    out.right += crossing == facing && static_cast<int>(set.contacts().size()) == 6 + facing &&
                 count(set, Kind::I) == pressing && count(set, Kind::X) == 9;
  }
  return out;
}

}  // namespace

Outcome constraint_sets(const Progress&) {
  Outcome outcome;
  const auto row = [&](std::string claim, Printed paper, std::string expected, Value measured,
                       std::optional<bool> pass, std::string settings) {
    Check c;
    c.id = "P-T4";
    c.statement = std::move(claim);
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
  const FeatureConstraints corner = flat.constraints(0.4, kAsPrinted);
  outcome.drawings.push_back(picture(flat, "Fig. 5: a vertex near a vertex in 2D", corner));
  const bool of_17 = corner.contacts().size() == 4 && count(corner, Kind::I) == 2 &&
                     count(corner, Kind::X) == 2 && corner.count() == 4;
  row("2D, vertex and vertex: the set (17)",
      as_printed(std::string("I({C1,C2},{}), I({C3,C4},{}), X(C1,C4), X(C2,C3)"), of_17,
                 "the set is another"),
      "2 I and 2 X, 4 contacts", joined(corner), of_17,
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
  const FeatureConstraints over = ridge.constraints(0.2, kAsPrinted);
  outcome.drawings.push_back(picture(ridge, "Fig. 7: a vertex near an edge", over));
  int vf = 0, ee = 0;
  FeatureContacts all;
  FeatureLimits limits;
  limits.eps_vf = limits.eps_ee = 0.2;
  limits.theta = 1.57;
  limits.applicable_only = false;
  feature_contacts(ridge.view().a(), ridge.view().b(), ridge.view().X_AB(), limits, all);
  for (const FeatureContact& c : all.list) (c.a.kind == FeatureKind::edge ? ee : vf) += 1;
  row("3D, vertex and edge, a tetrahedron: contacts of vertex and face, of edge and edge",
      as_printed(std::vector<double>{2, 3}, vf == 2 && ee == 3, "there are others"), "2, 3",
      std::vector<double>{double(vf), double(ee)}, vf == 2 && ee == 3,
      "tip of a tetrahedron 0.05 m over a ridge");
  row("its set (20, 21)", {}, "reported", joined(over), {}, "the same");
  constexpr int kTips = 200;
  const Tips ridges = random_ridges(kTips);
  row("random tips over a ridge: sets of one I and an X for each edge that faces the ridge, by a "
      "test of "
      "its own; edges that do",
      if_changed(
          std::string("I(C1, C2), X(C1 or C2, C(eai, eb)) for each edge"), ridges.right == kTips,
          "X of edges that are turned away from the ridge are left out, as they would weaken it "
          "(P-E7); the face is the one on the edge's side, the reverse of the printed test (P-E5)"),
      fmt::format("{}, > 20", kTips),
      std::vector<double>{double(ridges.right), double(ridges.edges)},
      ridges.right == kTips && ridges.edges > 20, "200 tetrahedra, seed 20261118");

  // 3D: vertex and face (18)
  const PlacedPair face = PlacedPair::of(
      std::vector<Vec3>{{0.02, 0.03, 1.05}, {-0.8, 0.1, 2}, {0.2, 0.7, 2}, {0.5, -0.8, 2}},
      std::vector<Vec3>{{-1, -1, 0},
                        {1, -1, 0},
                        {1, 1, 0},
                        {-1, 1, 0},
                        {-1, -1, 1},
                        {1, -1, 1},
                        {1, 1, 1},
                        {-1, 1, 1}});
  const FeatureConstraints on_face = face.constraints(0.2, kAsPrinted);
  outcome.drawings.push_back(picture(face, "Fig. 6: a vertex over a face", on_face));
  const bool of_18 = on_face.count() == 1 && count(on_face, Kind::U) == 1;
  row("3D, vertex and face: the set (18)",
      as_printed(std::string("U(C(va, fb)): well defined"), of_18, "the set is another"), "one U",
      joined(on_face), of_18, "tip of a tetrahedron 0.05 m over the middle of a face");

  // 3D: vertex and vertex (22 to 24)
  const PlacedPair tips = PlacedPair::of(
      std::vector<Vec3>{{0.02, 0.03, 1.05}, {-0.8, 0.1, 2}, {0.2, 0.7, 2}, {0.5, -0.8, 2}},
      std::vector<Vec3>{{0, 0, 1}, {-0.8, -0.7, 0}, {0.9, -0.6, 0}, {0.1, 0.8, 0}});
  outcome.drawings.push_back(
      picture(tips, "Fig. 8: a vertex near a vertex", tips.constraints(0.2, kAsPrinted)));
  const Tips of_tips = random_tips(kTips);
  const bool all_right = of_tips.right == kTips && of_tips.turned > 5;
  row("random tips near tips: sets of 6 contacts with faces, of the edges that face each other by "
      "a "
      "test of its own, an I for each tip that can press, 9 X; edges that do; tips that cannot",
      if_changed(std::string("I for each vertex, X for each face pair"), all_right,
                 "a tip that is turned away from all faces of the other has no I: none of its "
                 "contacts may have a force, and (10) asks for one"),
      fmt::format("{}, > 20, > 5", kTips),
      std::vector<double>{double(of_tips.right), double(of_tips.edges), double(of_tips.turned)},
      all_right, "200 pairs of tetrahedra, seed 20261119");
  return outcome;
}

}  // namespace abut::reproduce
