// K-X6, Fig. 7 of Cheng Yi and Drumwright: a box on the edge of a prism. The contact plane is that
// of the box's lower face; the manifold is the part of the edge below it.
#include <fmt/format.h>

#include "abut/collide/manifold/contact_plane.h"
#include "abut/collide/pair_contact.h"
#include "abut/reproduce/all.h"
#include "abut/reproduce/pair.h"
#include "abut/shape/hull.h"
#include "abut/shape/primitives.h"

namespace abut::reproduce {

Outcome box_on_prism(const Progress&) {
  const std::vector<Vec3> corners = {{-0.15, -0.08, -0.1}, {0.15, -0.08, -0.1}, {-0.15, 0.08, -0.1},
                                     {0.15, 0.08, -0.1},   {-0.15, 0, 0},       {0.15, 0, 0}};
  const Pair pair(convex_hull(corners), {}, box_polyhedron({0.1, 0.1, 0.1}),
                  {Vec3(0.02, 0.01, 0.1), Quat::Identity()});
  PairContactScratch scratch;
  const PairContact c = pair_contact(pair.A(), pair.X_WA, pair.B(), pair.X_WB, {}, scratch);

  const double off = angle_between(c.manifold.normal, Vec3::UnitZ());
  double ends_off = 1;
  if (c.manifold.count() == 2) {
    const Vec3 low(-0.08, 0, 0), high(0.12, 0, 0);
    const auto& p = c.manifold.points;
    ends_off = std::min((p[0] - low).norm() + (p[1] - high).norm(),
                        (p[1] - low).norm() + (p[0] - high).norm());
  }
  // the same plane as the paper finds it, from a point common to both (IV-D)
  const ContactPlane plane =
      contact_plane(pair.A(), pair.B(), relative(pair.X_WA, pair.X_WB), Vec3(0.01, 0, 0));
  const double plane_off = plane.found ? angle_between(plane.normal, Vec3::UnitZ()) : 1;

  Outcome outcome;
  Check check;
  check.id = "K-T6";
  check.statement =
      "a box on a prism's edge: the contact plane is the box's face, the manifold a "
      "segment";
  check.expected =
      "2 points, at the ends of the edge's part below the box to 1e-12 m; plane within "
      "1e-9 rad and 1e-12 m of the face, by the query and by the paper's rule";
  check.measured =
      std::vector<double>{double(c.manifold.count()), ends_off, off, c.manifold.offset, plane_off};
  check.pass = c.manifold.count() == 2 && ends_off < 1e-12 && off < 1e-9 &&
               std::abs(c.manifold.offset) < 1e-12 && !plane.indeterminate && plane_off < 1e-9;
  check.paper = as_printed(
      std::string(
          "the contact plane is coplanar with the bottom face of the box; the top edge of the "
          "prism also lies on the plane"),
      check.pass.value_or(false), "the plane is another");
  check.settings =
      "abut contact contact/prism; prism 0.3 m long, box 0.2 m; measured: points, off by (m), "
      "angle (rad), height "
      "of the plane (m), angle by the paper's rule (rad)";
  check.world = "contact/prism";
  outcome.checks.push_back(check);

  Drawing drawing = pair_drawing(pair.A(), pair.X_WA, pair.B(), pair.X_WB, c);
  drawing.title = "A box on the edge of a prism";
  drawing.sheets.push_back(
      {{Vec3(-.2, -.17, 0), Vec3(.22, -.17, 0), Vec3(.22, .19, 0), Vec3(-.2, .19, 0)},
       Role::other,
       "contact plane"});
  outcome.drawings.push_back(std::move(drawing));
  return outcome;
}

}  // namespace abut::reproduce
