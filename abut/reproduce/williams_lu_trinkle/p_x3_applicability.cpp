// P-X3, Fig. 4 of Williams, Lu and Trinkle: a vertex near two edges of a corner, turned towards one
// of them. Only that one may press, but both are needed: without the second, the first would go on
// for ever.
#include <fmt/format.h>

#include <algorithm>

#include "abut/reproduce/all.h"
#include "abut/reproduce/williams_lu_trinkle/p_sets.h"
#include "abut/shape/hull.h"

namespace abut::reproduce {

Outcome which_contacts(const Progress&) {
  Outcome outcome;
  const std::vector<Vec2> a{{0.45, 0.55}, {0.6, 1.4}, {-0.3, 1.2}};
  const std::vector<Vec2> b{{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
  const PlacedPair pair = PlacedPair::of(a, b);
  const FeatureConstraints set = pair.constraints(0.2);

  // of the vertex of A: its contact with the upper side and with the right one
  const LocalContact *up = nullptr, *right = nullptr;
  for (const LocalContact& c : set.contacts()) {
    if (c.a.kind != FeatureKind::vertex) continue;
    if (c.normal.y() < -0.9) up = &c;
    if (c.normal.x() < -0.9) right = &c;
  }
  Drawing drawing;
  drawing.title = "Fig. 4: a vertex near two edges";
  drawing.eye = {0, -1e-3, 1};
  const auto solid = [](const std::vector<Vec2>& p) {
    std::vector<Vec3> points;
    for (const double z : {-0.01, 0.01})
      for (const Vec2& x : p) points.emplace_back(x.x(), x.y(), z);
    return convex_hull(points);
  };
  drawing.solids.push_back({solid(a), Role::a, "A"});
  drawing.solids.push_back({solid(b), Role::b, "B"});
  for (const LocalContact* c : {up, right})
    if (c)
      drawing.arrows.push_back(
          {c->p_B, c->p_B - 0.2 * c->normal, fmt::format("{:.2f}", c->applicability)});
  drawing.notes = {"normals of the two contacts, with their applicability"};
  for (const std::string& t : texts(set)) drawing.notes.push_back(t);
  outcome.drawings.push_back(std::move(drawing));

  Check both;
  both.id = "P-T3";
  both.statement =
      "the vertex is applicable to the first edge and not to the second, and both contacts are "
      "returned: applicability of each";
  both.expected = ">= 0, < -0.3";
  if (up && right) both.measured = std::vector<double>{up->applicability, right->applicability};
  both.pass = up && right && up->applicability >= 0 && right->applicability < -0.3;
  both.paper = as_printed(std::string("APPL(va, eb1) = true, APPL(va, eb2) = false"),
                          both.pass.value_or(false), "applicability is another");
  both.settings = "a triangle whose vertex is near the corner of a square; features within 0.2 m";
  outcome.checks.push_back(both);

  Check kinds;
  kinds.id = "P-T3";
  kinds.statement = "the first may press (iota), the second is there for its geometry (kappa)";
  kinds.expected = "an I with the first before, the second behind the comma";
  std::string text;
  const auto is_of_both = [&](const FeatureConstraint& c) {
    const auto index = [&](const LocalContact* of) { return int(of - set.contacts().data()); };
    return c.kind == FeatureConstraint::Kind::I && c.iota == std::vector<int>{index(up)} &&
           c.kappa == std::vector<int>{index(right)};
  };
  const bool one =
      up && right && std::any_of(set.constraints().begin(), set.constraints().end(), is_of_both);
  for (const std::string& t : texts(set)) text += (text.empty() ? "" : "; ") + t;
  kinds.measured = text;
  kinds.pass = one && up->presses && !right->presses;
  kinds.settings = both.settings;
  outcome.checks.push_back(kinds);
  return outcome;
}

}  // namespace abut::reproduce
