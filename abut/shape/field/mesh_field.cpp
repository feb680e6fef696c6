#include "abut/shape/field/mesh_field.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "abut/math/index.h"
#include "abut/shape/error.h"
#include "abut/shape/field/subdivide.h"
#include "abut/shape/pieces/solid_surface.h"
#include "abut/shape/tolerances.h"

namespace abut {
namespace {

// Diagonal of the box of the largest hole (m): open sides that share vertices bound one.
double largest_hole(const SurfaceMesh& surface) {
  std::vector<int> root(surface.mesh().vertices.size());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](int v) {
    while (root[at(v)] != v) v = root[at(v)] = root[at(root[at(v)])];
    return v;
  };
  for (const SurfaceMesh::Edge& e : surface.edges())
    if (e.t2 < 0) root[at(find(e.tail))] = find(e.head);
  std::vector<Aabb> boxes(root.size());
  for (const SurfaceMesh::Edge& e : surface.edges())
    if (e.t2 < 0)
      for (const int v : {e.tail, e.head}) boxes[at(find(v))].merge(surface.mesh().vertices[at(v)]);
  double largest = 0;
  for (const Aabb& box : boxes)
    if (!box.empty()) largest = std::max(largest, box.extent().norm());
  return largest;
}

// Each side once in each direction, at most.
bool turns_in_and_out(const TriangleMesh& mesh) {
  std::vector<std::pair<int, int>> sides;
  for (const std::array<int, 3>& t : mesh.triangles)
    for (int k = 0; k < 3; ++k) sides.emplace_back(t[at(k)], t[at((k + 1) % 3)]);
  std::sort(sides.begin(), sides.end());
  return std::adjacent_find(sides.begin(), sides.end()) != sides.end();
}

// Whether places just under and over most of the surface are inside and outside by its winding number.
bool has_two_sides(const SurfaceMesh& surface) {
  double wrong = 0, all = 0;
  for (int t = 0; t < static_cast<int>(surface.mesh().triangles.size()); ++t) {
    const std::array<Vec3, 3> p = corners_of(surface.mesh(), t);
    const double area = (p[1] - p[0]).cross(p[2] - p[0]).norm();
    const Vec3 middle = (p[0] + p[1] + p[2]) / 3,
               off = kBesideSurface * surface.size() * surface.normal(t);
    const auto winding = [&](const Vec3& x) { return surface.tree().winding(surface.mesh(), x); };
    all += area;
    if (winding(middle - off) < 0.6 || winding(middle + off) > 0.4) wrong += area;
  }
  return wrong <= kWrongSurface * all;
}

std::string why_not(const SurfaceMesh& surface) {
  const TriangleMesh& mesh = surface.mesh();
  const MeshCheck found = check(mesh);
  if (found.crowded_edges > 0)
    return fmt::format("{} edges have more than two faces", found.crowded_edges);
  if (turns_in_and_out(mesh)) return "its faces are turned in and out";
  if (const double hole = largest_hole(surface); hole > kSmallHole * surface.size())
    return fmt::format(
        "it is not closed: {} edges have a face on one side only, and a hole is {:.3g} m across",
        found.open_edges, hole);
  if (solid_mesh(mesh).mass <= 0) return "its faces point inwards";
  if (const std::optional<Vec3> place = crossing(mesh))
    return fmt::format("it cuts itself, near ({:.4g}, {:.4g}, {:.4g})", place->x(), place->y(),
                       place->z());
  if (!has_two_sides(surface)) return "it has no inside: its holes are too large";
  return "";
}

}  // namespace

std::string why_no_field(const TriangleMesh& mesh) { return why_not(SurfaceMesh(mesh)); }

SurfaceMesh::Place MeshField::place(const Vec3& x, double bound) const {
  const double guess = field.value(x);
  // far away the field is off by a quarter of the distance at most
  if (0.75 * guess - error > bound) return {};
  SurfaceMesh::Place place =
      surface.place(x, guess < 0 ? std::numeric_limits<double>::infinity() : 2 * guess + 4 * error);
  if (closed || place.near.triangle < 0 || place.near.distance <= 2 * error) return place;
  if ((guess < 0) == (place.distance < 0)) return place;
  place.distance = -place.distance;
  place.normal = (x - place.near.at.p) / place.distance;
  return place;
}

MeshField make_mesh_field(const TriangleMesh& mesh, const MeshFieldOptions& options,
                          const DistanceField* known) {
  MeshField made;
  made.surface = SurfaceMesh(mesh);
  if (const std::string reason = why_not(made.surface); !reason.empty()) throw ShapeError(reason);
  if (options.area > 0) made.surface = SurfaceMesh(subdivided(mesh, options.area));
  const SurfaceMesh& surface = made.surface;
  made.closed = surface.open_edges() == 0;
  made.error = options.error * surface.size();
  if (known != nullptr) {
    made.field = *known;
    return made;
  }
  const auto exact = [&](const Vec3& x) {
    const double d = surface.distance(x);
    if (made.closed) return d;
    return surface.tree().winding(surface.mesh(), x) > 0.5 ? -std::abs(d) : std::abs(d);
  };
  made.field = DistanceField(surface.box(), exact, {.error = made.error});
  return made;
}

}  // namespace abut
