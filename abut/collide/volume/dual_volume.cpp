#include "abut/collide/volume/dual_volume.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "abut/collide/volume/tolerances.h"
#include "abut/math/linear_program.h"
#include "abut/shape/qhull_facets.h"
#include "abut/shape/weld.h"

namespace abut {
namespace {

struct Plane {
  Vec3 n;    // in A's axes, unit
  double d;  // from the inner point (m), > 0
  Side side;
  int face;
};

// Stretched space: x = M y with y of size about 1, relative to the inner point.
struct Stretched {
  std::vector<Plane> planes;
  Vec3 moved = Vec3::Zero();  // m: motion of the inner point since the start
  Mat3 M = Mat3::Identity();

  // The plane as a . y = d with a of length 1; returns d.
  double row(const Plane& plane, Vec3& a) const {
    a = M.transpose() * plane.n;
    const double length = a.norm();
    a /= length;
    return plane.d / length;
  }
};

// The vertex farthest along u, in stretched space.
Vec3 extreme(LinearProgram& lp, const Vec3& u) {
  const LinearProgram::Answer best = lp.maximise({u.x(), u.y(), u.z()});
  return {best.x[0], best.x[1], best.x[2]};
}

// The longest chord between extreme points along the given axes and their opposites.
template <std::size_t N>
Vec3 longest_chord(LinearProgram& lp, const Vec3 (&axes)[N]) {
  std::vector<Vec3> points;
  for (const Vec3& u : axes)
    for (const double sign : {-1.0, 1.0}) points.push_back(extreme(lp, sign * u));
  Vec3 longest = Vec3::Zero();
  for (const Vec3& p : points)
    for (const Vec3& q : points)
      if ((p - q).squaredNorm() > longest.squaredNorm()) longest = p - q;
  return longest;
}

// Stretches space so that the volume fills a good part of a cube of width 2: one axis along a long
// chord, the next along a long chord perpendicular to it, as in Barequet and Har-Peled's
// approximate bounding box. `widest` bounds the volume in the present space.
void stretch(Stretched& s, double widest) {
  LinearProgram lp(3, widest);
  Vec3 a;
  for (const Plane& plane : s.planes) {
    const double d = s.row(plane, a);
    lp.add({a.x(), a.y(), a.z()}, d);
  }
  const auto width = [&](const Vec3& u) { return (extreme(lp, u) - extreme(lp, -u)).dot(u); };
  const Vec3 unit[] = {Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
  const Vec3 e1 = longest_chord(lp, unit).normalized();
  const Vec3 u = e1.unitOrthogonal();
  const Vec3 across[] = {u, e1.cross(u)};
  Vec3 chord = longest_chord(lp, across);
  chord -= chord.dot(e1) * e1;
  const Vec3 e2 = chord.norm() > 0 ? Vec3(chord.normalized()) : u;
  const Vec3 e3 = e1.cross(e2).normalized();
  Mat3 axes;
  axes << 0.5 * width(e1) * e1, 0.5 * width(e2) * e2, 0.5 * width(e3) * e3;
  s.M = s.M * axes;
}

// Moves the inner point to the centre of the largest ball in stretched space; returns its radius
// there.
double centre(Stretched& s) {
  LinearProgram lp(4, 10);
  Vec3 a;
  for (const Plane& plane : s.planes) {
    const double d = s.row(plane, a);
    lp.add({a.x(), a.y(), a.z(), 1}, d);
  }
  const LinearProgram::Answer best = lp.maximise({0, 0, 0, 1});
  const Vec3 step = s.M * Vec3(best.x[0], best.x[1], best.x[2]);
  s.moved += step;
  for (Plane& plane : s.planes) plane.d -= plane.n.dot(step);
  return best.x[3];
}

// Returns false if rounding has left no inner point.
bool make_round(Stretched& s, double radius, double size) {
  s.M = radius * Mat3::Identity();
  double widest = 4 * size / radius;
  for (int pass = 0; pass < 3; ++pass) {
    stretch(s, widest);
    if (!s.M.allFinite()) return false;
    const double ball = centre(s);
    if (!(ball > 0)) return false;
    if (ball > kRoundEnough) return true;
    widest = 10;
  }
  return true;
}

// The vertex that a facet of the dual hull represents: its plane m . y = c as m/c.
Vec3 dual_of_facet(std::span<const Vec3> points, std::span<const int> loop) {
  Vec3 m = Vec3::Zero(), middle = Vec3::Zero();
  for (const int i : loop) middle += points[i] / static_cast<double>(loop.size());
  for (std::size_t k = 0; k < loop.size(); ++k)
    m += (points[loop[k]] - middle).cross(points[loop[(k + 1) % loop.size()]] - middle);
  return m / m.dot(middle);
}

// Writes the faces of the common part: around each point of the dual hull, its facets in order.
void write_faces(std::span<const std::vector<int>> facets, std::span<const Plane> planes,
                 Intersection& common) {
  std::map<std::pair<int, int>, int> facet_of;  // left of a directed edge
  std::vector<int> first(planes.size(), -1);
  for (int f = 0; f < static_cast<int>(facets.size()); ++f)
    for (std::size_t k = 0; k < facets[f].size(); ++k) {
      const int from = facets[f][k], to = facets[f][(k + 1) % facets[f].size()];
      facet_of[{from, to}] = f;
      if (first[from] < 0) first[from] = to;
    }
  for (int i = 0; i < static_cast<int>(planes.size()); ++i) {
    if (first[i] < 0) continue;
    const int begin = static_cast<int>(common.loops.size());
    int to = first[i];
    do {
      const int f = facet_of.at({i, to});
      common.loops.push_back(f);
      // counter-clockwise: cross the facet's other edge at i
      const auto at = std::find(facets[f].begin(), facets[f].end(), i);
      to = at == facets[f].begin() ? facets[f].back() : *(at - 1);
    } while (to != first[i]);
    const int end = static_cast<int>(common.loops.size());
    if (end - begin < 3) {  // a point on an edge of the dual hull: its face has no area
      common.loops.resize(begin);
      continue;
    }
    common.faces.push_back({begin, end, planes[i].side, planes[i].face, Vec3::Zero()});
  }
}

// Of coinciding planes, keeps the first.
std::vector<Plane> distinct(const Stretched& s, std::vector<Vec3>& points) {
  std::vector<Vec3> all;
  Vec3 a;
  for (const Plane& plane : s.planes) {
    const double d = s.row(plane, a);
    all.push_back(a / d);
  }
  const std::vector<int> twin = weld(all, kSameDualPoint);
  std::vector<Plane> planes;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (twin[i] != static_cast<int>(i)) continue;
    planes.push_back(s.planes[i]);
    points.push_back(all[i]);
  }
  return planes;
}

bool closed(const Intersection& common) {
  return common.vertex_count() - common.edge_count() + common.face_count() == 2;
}

}  // namespace

Intersection dual_volume(const Convex& A, const Convex& B, const Transform& X_AB) {
  Intersection common;
  const auto planes_A = face_planes(A), planes_B = face_planes(B);
  if (planes_A.empty() || planes_B.empty()) return common;
  if (A.is_half_space() && B.is_half_space()) return common;

  const double L = pair_size(A, B);
  const InteriorPoint inner = interior_point(A, B, X_AB);
  if (inner.radius < -kNoBall * L) return common;
  common.overlap = OverlapKind::touching;
  common.origin = inner.point;
  if (inner.radius <= kNoBall * L) return common;

  Stretched s;
  for (int f = 0; f < static_cast<int>(planes_A.size()); ++f) {
    const Polyhedron::Face& p = planes_A[f];
    s.planes.push_back({p.eta, p.offset - p.eta.dot(inner.point), Side::a, f});
  }
  for (int f = 0; f < static_cast<int>(planes_B.size()); ++f) {
    const Polyhedron::Face& p = planes_B[f];
    s.planes.push_back({X_AB.R * p.eta, p.offset - p.eta.dot(inner.point_B), Side::b, f});
  }
  if (!make_round(s, inner.radius, std::min(A.radius, B.radius))) return common;

  std::vector<Vec3> points;
  const std::vector<Plane> planes = distinct(s, points);
  for (const QhullMode mode : {QhullMode::merged, QhullMode::joggled}) {
    const std::vector<std::vector<int>> facets = qhull_facets(points, mode);
    common.vertices.clear();
    common.faces.clear();
    common.loops.clear();
    for (const std::vector<int>& loop : facets)
      common.vertices.push_back(s.M * dual_of_facet(points, loop));
    write_faces(facets, planes, common);
    if (!common.faces.empty() && closed(common)) break;
  }
  if (common.faces.empty()) return common;
  common.origin = inner.point + s.moved;
  measure(common, L);
  return common;
}

}  // namespace abut
