#include "abut/collide/planar/planar.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "abut/collide/patch/patch_outline.h"
#include "abut/collide/patch/tolerances.h"
#include "abut/collide/planar/tolerances.h"
#include "abut/collide/tolerances.h"

namespace abut {
namespace {

double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

Feature vertex(int i) { return {FeatureKind::vertex, i}; }
Feature edge(int i) { return {FeatureKind::edge, i}; }

// The face of a prism whose normal is the plane's; -1 if the solid is not a prism along it.
int cap_of_prism(const Polyhedron& p, const Vec3& normal, double tolerance) {
  int cap = -1, caps = 0;
  for (int f = 0; f < p.face_count(); ++f) {
    const Vec3& eta = p.faces[static_cast<std::size_t>(f)].eta;
    const double along = eta.dot(normal);
    if (std::abs(along) < tolerance) continue;
    if ((eta - (along > 0 ? 1 : -1) * normal).norm() > tolerance) return -1;
    ++caps;
    if (along > 0) cap = f;
  }
  return caps == 2 ? cap : -1;
}

// The edge of p that all of q is farthest beyond, and q's vertex nearest to it.
struct Gap {
  double height = -std::numeric_limits<double>::infinity();
  int edge = -1, vertex = -1;
};

Gap widest_gap(const Polygon& p, const Polygon& q) {
  Gap widest;
  if (q.vertex_count() == 0) return widest;
  for (int e = 0; e < p.edge_count(); ++e) {
    Gap gap{std::numeric_limits<double>::infinity(), e, -1};
    for (int v = 0; v < q.vertex_count(); ++v) {
      const double height = p.height_above(e, q.point(v));
      if (height < gap.height) gap = {height, e, v};
    }
    if (gap.height > widest.height) widest = gap;
  }
  return widest;
}

// The answer seen from p, whose edge defines the normal.
struct Answer {
  double distance = 0;
  Vec2 normal, on_p, on_q;
  Feature p, q;
  bool indeterminate = false;
};

// The pair touches at an edge of p, or overlaps there by the minimum translation.
Answer across_edge(const Polygon& p, const Polygon& q, const Gap& gap, double L) {
  Answer d;
  d.distance = gap.height;
  d.normal = p.normal(gap.edge);
  d.p = edge(gap.edge);
  d.q = vertex(gap.vertex);
  d.on_q = q.point(gap.vertex);
  if (!p.half_plane) {
    // q's lowest vertices from left to right: one vertex, or the ends of an edge parallel to p's
    const Vec2 &tail = p.point(gap.edge), &head = p.point(p.next(gap.edge));
    const double length = (head - tail).norm();
    const Vec2 along = (head - tail) / length;
    int left = gap.vertex, right = gap.vertex;
    for (const int v : {q.previous(gap.vertex), q.next(gap.vertex)}) {
      if (p.height_above(gap.edge, q.point(v)) > gap.height + kSameContactPoint * L) continue;
      if (along.dot(q.point(v) - q.point(left)) < 0) left = v;
      if (along.dot(q.point(v) - q.point(right)) > 0) right = v;
    }
    const double low = along.dot(q.point(left) - tail), high = along.dot(q.point(right) - tail);
    if (low >= 0 && low <= length) {
      d.on_q = q.point(left);
      d.q = vertex(left);
    } else if (high >= 0 && high <= length) {
      d.on_q = q.point(right);
      d.q = vertex(right);
    } else if (low < 0 && high > length) {  // p's edge is inside q's
      d.p = vertex(gap.edge);
      d.q = edge(q.next(right) == left ? right : left);
      d.on_q = tail + gap.height * d.normal;
    }
    // touching in a point that is a vertex of both: any direction between is valid
    const double kissing = kKissing * L;
    const double overlap = std::min(high, length) - std::max(low, 0.0);
    d.indeterminate = std::abs(gap.height) <= kissing && overlap <= kissing &&
                      (high <= kissing || low >= length - kissing);
  }
  d.on_p = d.on_q - d.distance * d.normal;
  return d;
}

// The vertex of q nearest to p's edges, if nearer than `best`; for polygons that are apart.
void try_vertices(const Polygon& p, const Polygon& q, Answer& best) {
  for (int e = 0; e < p.edge_count(); ++e) {
    const int head = p.next(e);
    const Vec2 side = p.point(head) - p.point(e);
    for (int v = 0; v < q.vertex_count(); ++v) {
      const double height = p.height_above(e, q.point(v));
      if (height <= 0 || height >= best.distance) continue;
      const double t = side.dot(q.point(v) - p.point(e)) / side.squaredNorm();
      Answer d;
      d.q = vertex(v);
      d.on_q = q.point(v);
      if (t > 0 && t < 1) {  // along the edge's own normal, which is exact at any distance
        d.distance = height;
        d.normal = p.normal(e);
        d.p = edge(e);
        d.on_p = d.on_q - height * d.normal;
      } else {
        d.p = vertex(t <= 0 ? e : head);
        d.on_p = p.point(d.p.index);
        d.distance = (d.on_q - d.on_p).norm();
        d.normal = d.distance > 0 ? Vec2((d.on_q - d.on_p) / d.distance) : p.normal(e);
      }
      if (d.distance < best.distance) best = d;
    }
  }
}

Answer swapped(Answer d) {
  d.normal = -d.normal;
  std::swap(d.on_p, d.on_q);
  std::swap(d.p, d.q);
  return d;
}

// Calls add() for vertices of q over edges of p, seen along `up` (from p to q).
template <class Add>
void vertices_over(const Polygon& p, const Polygon& q, const Vec2& up, double tolerance,
                   const Add& add) {
  const Vec2 across(up.y(), -up.x());
  for (int v = 0; v < q.vertex_count(); ++v) {
    const bool looks =
        q.normal(v).dot(up) < -kSteepestFace || q.normal(q.previous(v)).dot(up) < -kSteepestFace;
    if (!looks) continue;
    for (int e = 0; e < p.edge_count(); ++e) {
      const double slope = p.normal(e).dot(up);
      if (slope <= kSteepestFace) continue;
      Feature on_p = edge(e);
      if (!p.half_plane) {
        // edges that look up run against `across`
        const double place = across.dot(q.point(v)), tail = across.dot(p.point(e)),
                     head = across.dot(p.point(p.next(e)));
        if (place > tail + tolerance || place < head - tolerance) continue;
        if (place > tail - tolerance) on_p = vertex(e);
        if (place < head + tolerance) on_p = vertex(p.next(e));
      }
      add(v, on_p, p.height_above(e, q.point(v)) / slope);
    }
  }
}

// Computes normals and size from the points.
void complete(Polygon& polygon) {
  polygon.half_plane = false;
  polygon.eta.resize(polygon.points.size());
  Vec2 low = polygon.point(0), high = low;
  for (int i = 0; i < polygon.edge_count(); ++i) {
    const Vec2 side = polygon.point(polygon.next(i)) - polygon.point(i);
    polygon.eta[static_cast<std::size_t>(i)] = Vec2(side.y(), -side.x()).normalized();
    low = low.cwiseMin(polygon.point(i));
    high = high.cwiseMax(polygon.point(i));
  }
  polygon.size = (high - low).norm();
}

}  // namespace

std::optional<WorldPlane> plane_named(std::string_view name) {
  if (name == "xy") return WorldPlane{0, 1, 2};
  if (name == "yz") return WorldPlane{1, 2, 0};
  if (name == "zx") return WorldPlane{2, 0, 1};
  return std::nullopt;
}

void set_points(Polygon& polygon, std::span<const Vec2> points) {
  polygon.points.assign(points.begin(), points.end());
  complete(polygon);
}

void set_half_plane(Polygon& polygon, const Vec2& point, const Vec2& eta) {
  polygon.half_plane = true;
  polygon.points.assign(1, point);
  polygon.eta.assign(1, eta);
  polygon.size = 0;
}

bool make_polygon(const Convex& solid, const Pose& X_WS, const WorldPlane& plane,
                  const Vec3& origin, Polygon& out, double tolerance) {
  const Mat3 R = X_WS.q.toRotationMatrix();
  const Vec3 p = X_WS.p - origin;
  if (solid.is_half_space()) {
    if (std::abs(R(plane.n, 2)) > tolerance) return false;
    set_half_plane(out, plane.flat(p), plane.flat(R.col(2)).normalized());
    return true;
  }
  if (!solid.is_polyhedron()) return false;
  const Polyhedron& body = *solid.polyhedron;
  const int cap = cap_of_prism(body, R.row(plane.n).transpose(), tolerance);
  if (cap < 0) return false;

  const std::span<const int> loop = body.face_loop(cap);
  out.points.resize(loop.size());
  for (std::size_t i = 0; i < loop.size(); ++i)
    out.points[i] = plane.flat(p + R * body.vertices[static_cast<std::size_t>(loop[i])]);
  complete(out);
  return true;
}

Proximity planar_proximity(const Polygon& a, const Polygon& b, const WorldPlane& plane) {
  Proximity result;
  const Gap over_a = widest_gap(a, b), over_b = widest_gap(b, a);
  if (over_a.edge < 0 && over_b.edge < 0) return result;  // two half-planes
  const double L = a.size + b.size;
  const bool has_half_plane = a.half_plane || b.half_plane;

  // A's edges are preferred, unless B's are better by more than rounding
  const bool by_a = over_a.height >= over_b.height - kPlanarRounding * L;
  Answer d = by_a ? across_edge(a, b, over_a, L) : swapped(across_edge(b, a, over_b, L));
  if (d.distance > 0 && !has_half_plane) {
    // apart: the distance may be larger than any edge's line shows; a pair that nearly touches
    // keeps the edge's normal, because the difference of its points is rounding
    Answer nearest;
    nearest.distance = std::numeric_limits<double>::infinity();
    try_vertices(a, b, nearest);
    Answer from_b;
    from_b.distance = nearest.distance;
    try_vertices(b, a, from_b);
    if (from_b.distance < nearest.distance) nearest = swapped(from_b);
    const bool on_edge = nearest.p.kind == FeatureKind::edge || nearest.q.kind == FeatureKind::edge;
    if (nearest.distance > d.distance * (1 + kPlanarRounding) &&
        (on_edge || nearest.distance > kPlanarRounding * L)) {
      nearest.indeterminate = nearest.distance <= kKissing * L && !on_edge;
      d = nearest;
    }
  }
  result.distance = d.distance;
  result.normal = plane.lifted(d.normal);
  result.p_A = plane.lifted(d.on_p);
  result.p_B = plane.lifted(d.on_q);
  result.a = d.p;
  result.b = d.q;
  result.indeterminate = d.indeterminate;
  return result;
}

bool append_planar_patch(const Polygon& a, const Polygon& b, const WorldPlane& plane,
                         const Proximity& d, double reach, const Vec3& origin, ContactData& out) {
  if (!(d.distance <= reach)) return false;
  const double tolerance = kSameContactPoint * (a.size + b.size);
  const Vec2 n = plane.flat(d.normal);
  Patch patch;
  patch.normal = d.normal;
  patch.distance = d.distance;
  patch.a = d.a;
  patch.b = d.b;
  patch.indeterminate = d.indeterminate;
  patch.begin = out.points.count();

  const auto add = [&](const Vec2& on_a, double psi, const Feature& of_a, const Feature& of_b) {
    if (psi > reach) return;
    const std::uint64_t id = point_id(of_a, of_b);
    for (int i = patch.begin; i < out.points.count(); ++i)
      if (out.points.id[static_cast<std::size_t>(i)] == id) return;
    const Vec3 p_A = origin + plane.lifted(on_a);
    out.points.add(p_A, p_A + psi * d.normal, psi, id);
  };
  vertices_over(a, b, n, tolerance, [&](int v, const Feature& on_a, double psi) {
    add(b.point(v) - psi * n, psi, on_a, vertex(v));
  });
  vertices_over(b, a, -n, tolerance, [&](int v, const Feature& on_b, double psi) {
    add(a.point(v), psi, vertex(v), on_b);
  });

  // edges too steep for the patch: use the witness point itself
  double deepest = std::numeric_limits<double>::infinity();
  for (int i = patch.begin; i < out.points.count(); ++i)
    deepest = std::min(deepest, out.points.psi[static_cast<std::size_t>(i)]);
  if (deepest > d.distance + 10 * tolerance) add(plane.flat(d.p_A), d.distance, d.a, d.b);
  patch.end = out.points.count();
  out.patches.push_back(patch);
  return true;
}

PlanarOverlap planar_overlap(const Polygon& a, const Polygon& b, PlanarScratch& scratch) {
  PlanarOverlap overlap;
  if (a.half_plane && b.half_plane) return overlap;
  const Polygon &subject = a.half_plane ? b : a, &window = a.half_plane ? a : b;
  std::vector<Vec2>& polygon = scratch.polygon;
  polygon = subject.points;
  for (int e = 0; e < window.edge_count() && !polygon.empty(); ++e) {
    scratch.clipped.clear();
    for (std::size_t i = 0; i < polygon.size(); ++i) {
      const Vec2 &p = polygon[i], &q = polygon[i + 1 < polygon.size() ? i + 1 : 0];
      const double height_p = window.height_above(e, p), height_q = window.height_above(e, q);
      if (height_p <= 0) scratch.clipped.push_back(p);
      if ((height_p < 0 && height_q > 0) || (height_p > 0 && height_q < 0))
        scratch.clipped.push_back(p + height_p / (height_p - height_q) * (q - p));
    }
    polygon.swap(scratch.clipped);
  }
  if (polygon.empty()) return overlap;

  // a fan about the first corner loses no digits far from the origin
  Vec2 moment = Vec2::Zero();
  for (std::size_t i = 1; i + 1 < polygon.size(); ++i) {
    const Vec2 p = polygon[i] - polygon[0], q = polygon[i + 1] - polygon[0];
    const double area = 0.5 * cross(p, q);
    overlap.area += area;
    moment += area / 3 * (p + q);
  }
  overlap.area = std::max(0.0, overlap.area);
  overlap.centroid = polygon[0];
  if (overlap.area > 0) overlap.centroid += moment / overlap.area;
  return overlap;
}

}  // namespace abut
