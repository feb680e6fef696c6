#include "abut/collide/normal.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "abut/collide/tolerances.h"
#include "abut/collide/volume/interior_point.h"

namespace abut {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
ContactNormal found(const Vec3& n) {
  ContactNormal answer;
  answer.normal = n;
  answer.defined = true;
  return answer;
}

ContactNormal from_proximity(const NormalQuery& q, bool overlapping) {
  if (!q.proximity || q.proximity->beyond_limit) return {};
  const Closeness close = closeness(q.proximity->distance, pair_size(q.A, q.B));
  if (close == (overlapping ? Closeness::apart : Closeness::overlapping)) return {};
  ContactNormal answer = found(q.proximity->normal);
  answer.indeterminate = q.proximity->indeterminate;
  answer.a = q.proximity->a;
  answer.b = q.proximity->b;
  return answer;
}

ContactNormal center_to_center(const NormalQuery& q) {
  if (q.A.is_half_space()) return found(Vec3::UnitZ());
  if (q.B.is_half_space()) return found(-q.X_AB.R.col(2));
  const Vec3 d = q.X_AB * q.B.center - q.A.center;
  const double length = d.norm();
  if (length <= kSameCenter * pair_size(q.A, q.B)) return {};
  return found(d / length);
}

// The least n . x over a solid, in its own frame: how far it reaches below the plane through the
// origin with normal n.
double lowest(const Convex& solid, const Vec3& n) {
  if (solid.is_half_space()) return n.z() <= -1 + kAlongHalfSpace ? 0 : -kInfinity;
  double low = kInfinity;
  for (const Vec3& v : solid.tessellation->vertices) low = std::min(low, n.dot(v));
  return low;
}

// Cheng Yi and Drumwright, IV-D: the solids are moved to touch, and the planes of faces through a
// common point are candidates. The paper takes every such face. At a corner of the contact the
// faces beside the contact also pass through the point. Therefore we require that the plane has the
// solids on its two sides. For two sharp ends that are apart, such a plane may still face away from
// the gap. Motion along its normal would then bring the solids nearer, which no contact normal may
// do (K-8 a). For touching solids, any plane between the two is valid.
ContactNormal contact_plane(const NormalQuery& q) {
  if (!q.proximity || q.proximity->beyond_limit) return {};
  const Proximity& d = *q.proximity;
  const double L = pair_size(q.A, q.B);
  const Transform X(q.X_AB.R, q.X_AB.p - d.distance * d.normal), X_BA = X.inverse();
  const InteriorPoint at = interior_point(q.A, q.B, X);

  bool looks_away = false;
  // widen the tolerance until a face is found, up to kissing
  for (double zero = kFirstFaceThrough * L; zero <= 2 * kKissing * L; zero *= 10) {
    ContactNormal answer;
    const auto consider = [&](const Vec3& n, Feature a, Feature b) {
      if (d.distance > kKissing * L && n.dot(d.normal) <= 0) {
        looks_away = true;
        return;
      }
      if (!answer.defined) {
        answer = found(n);
        answer.a = a;
        answer.b = b;
        return;
      }
      if ((n - answer.normal).norm() <= kSameDirection) {
        if (b.index >= 0 && answer.b.index < 0) answer.b = b;
        return;
      }
      answer.indeterminate = true;
      if (n.dot(d.normal) > answer.normal.dot(d.normal))
        answer.normal = n, answer.a = a, answer.b = b;
    };
    const auto faces_A = face_planes(q.A), faces_B = face_planes(q.B);
    for (int f = 0; f < static_cast<int>(faces_A.size()); ++f) {
      const Polyhedron::Face& p = faces_A[f];
      if (std::abs(p.eta.dot(at.point) - p.offset) > zero) continue;
      const double above = lowest(q.B, X.R.transpose() * p.eta) + p.eta.dot(X.p) - p.offset;
      if (above >= -kKissing * L) consider(p.eta, {FeatureKind::face, f}, {});
    }
    for (int f = 0; f < static_cast<int>(faces_B.size()); ++f) {
      const Polyhedron::Face& p = faces_B[f];
      if (std::abs(p.eta.dot(at.point_B) - p.offset) > zero) continue;
      const double above = lowest(q.A, X.R * p.eta) + p.eta.dot(X_BA.p) - p.offset;
      if (above >= -kKissing * L) consider(-(X.R * p.eta), {}, {FeatureKind::face, f});
    }
    if (answer.defined) {
      answer.indeterminate |= looks_away;
      return answer;
    }
  }
  // crossing edges: no face separates the solids, but the normal is known (K-E8)
  ContactNormal answer = found(d.normal);
  answer.indeterminate = d.indeterminate || looks_away;
  answer.a = d.a;
  answer.b = d.b;
  return answer;
}

ContactNormal area_weighted(const NormalQuery& q) {
  if (!q.common || q.common->faces.empty()) return {};
  // in area vectors eq. (1) is 2 (sum over B - sum over A), and points from B to A (H-E3)
  Vec3 n = q.common->area_A - q.common->area_B;
  const double length = n.norm();
  if (length <= kNoAreaVector * q.common->area) return {};
  n /= length;
  // the sign (H-N2)
  const Vec3 side = q.previous.squaredNorm() > 0 ? q.previous
                    : q.proximity                ? q.proximity->normal
                                                 : n;
  return found(n.dot(side) < 0 ? Vec3(-n) : n);
}

// Eq. (4) for the facets of one solid. The depth of a facet is that of the other solid's deepest
// point below its plane. The rule takes the facet of least depth.
struct Facets {
  struct Plane {
    Vec3 n;
    double d;  // m: distance from the origin of the common part
    int face;
  };
  std::vector<Plane> planes;
  std::vector<Vec3> points;

  double depth(const Plane& plane) const {
    double most = 0;
    for (const Vec3& p : points) most = std::max(most, plane.d - plane.n.dot(p));
    return most;
  }
  // Returns the facet (-1: none) and its depth. `outward` is an approximate outward direction of
  // the facets. `side` decides between facets of equal depth, such as the two of a plate that is
  // pierced.
  std::pair<int, double> least(const Vec3& outward, const Vec3& side, double rounding) const {
    if (points.empty() || planes.empty()) return {-1, kInfinity};
    // use the deepest point alone first: if no other point is deeper below the facet found, no
    // other facet can be better
    Vec3 deepest = points[0];
    for (const Vec3& p : points)
      if (p.dot(outward) < deepest.dot(outward)) deepest = p;
    const Plane* best = &planes[0];
    for (const Plane& plane : planes)
      if (plane.d - plane.n.dot(deepest) < best->d - best->n.dot(deepest)) best = &plane;
    double value = depth(*best);
    if (value > best->d - best->n.dot(deepest) + rounding)
      for (const Plane& plane : planes)
        if (const double v = depth(plane); v < value) value = v, best = &plane;
    const double equal = value + rounding;
    for (const Plane& plane : planes)
      if (plane.n.dot(side) > best->n.dot(side) && plane.d - plane.n.dot(deepest) <= equal &&
          depth(plane) <= equal)
        best = &plane;
    return {best->face, value};
  }
  const Plane* find(int face) const {
    for (const Plane& plane : planes)
      if (plane.face == face) return &plane;
    return nullptr;
  }
};

Facets facets_of(const NormalQuery& q, Side side) {
  const Intersection& common = *q.common;
  const auto faces = face_planes(side == Side::a ? q.A : q.B);
  const Vec3 origin = side == Side::a ? common.origin : q.X_AB.inverse() * common.origin;
  Facets out;
  const auto add = [&](int f) {
    const Vec3& eta = faces[f].eta;
    out.planes.push_back(
        {side == Side::a ? eta : Vec3(q.X_AB.R * eta), faces[f].offset - eta.dot(origin), f});
  };
  // facets inside the other solid are faces of the common part; points of the other solid inside
  // this one are corners of the other's faces there
  std::vector<std::uint8_t> on_other(common.vertices.size(), 0);
  for (const Intersection::Face& f : common.faces) {
    if (f.side == side)
      add(f.face);
    else
      for (const int v : common.loop(f)) on_other[v] = 1;
  }
  // the other solid is completely inside: no facet is near it, so that all facets are candidates
  if (out.planes.empty())
    for (int f = 0; f < static_cast<int>(faces.size()); ++f) add(f);
  for (int v = 0; v < common.vertex_count(); ++v)
    if (on_other[v]) out.points.push_back(common.vertices[v]);
  return out;
}

ContactNormal minmax_facet(const NormalQuery& q) {
  if (!q.common || q.common->faces.empty()) return {};
  const double L = pair_size(q.A, q.B);
  const Facets of_A = facets_of(q, Side::a), of_B = facets_of(q, Side::b);
  const Vec3 out = q.common->area_A;
  const Vec3 side = q.proximity ? q.proximity->normal : Vec3(Vec3::Zero());
  const double rounding = kFacetDepthRounding * L;
  const auto [face_a, depth_a] = of_A.least(out, side, rounding);
  const auto [face_b, depth_b] = of_B.least(-out, -side, rounding);
  if (face_a < 0 && face_b < 0) return {};
  const auto answer = [&](const Facets& facets, int face, Side side) {
    const Vec3 n = facets.find(face)->n;
    ContactNormal result = found(side == Side::a ? n : Vec3(-n));
    (side == Side::a ? result.a : result.b) = {FeatureKind::face, face};
    return result;
  };
  // D-N4: keep the facet of the last step while it is as good
  const double good = std::min(depth_a, depth_b) + kNormalHysteresis * L;
  const auto still_good = [&](const Facets& facets, const Feature& f) {
    if (f.kind != FeatureKind::face || facets.points.empty()) return false;
    const Facets::Plane* plane = facets.find(f.index);
    return plane && facets.depth(*plane) <= good;
  };
  if (still_good(of_A, q.previous_a)) return answer(of_A, q.previous_a.index, Side::a);
  if (still_good(of_B, q.previous_b)) return answer(of_B, q.previous_b.index, Side::b);
  if (std::abs(depth_a - depth_b) > rounding)
    return depth_a < depth_b ? answer(of_A, face_a, Side::a) : answer(of_B, face_b, Side::b);
  const ContactNormal by_A = answer(of_A, face_a, Side::a), by_B = answer(of_B, face_b, Side::b);
  return by_A.normal.dot(side) >= by_B.normal.dot(side) ? by_A : by_B;
}

}  // namespace

const char* name(NormalRule rule) {
  switch (rule) {
    case NormalRule::closest_feature:
      return "closest-feature";
    case NormalRule::minimum_translation:
      return "minimum-translation";
    case NormalRule::contact_plane:
      return "contact-plane";
    case NormalRule::center_to_center:
      return "center-to-center";
    case NormalRule::area_weighted:
      return "area-weighted";
    case NormalRule::minmax_facet:
      return "minmax-facet";
  }
  return "";
}

Closeness closeness(double distance, double L) {
  if (std::abs(distance) <= kKissing * L) return Closeness::kissing;
  return distance > 0 ? Closeness::apart : Closeness::overlapping;
}

bool is_defined(NormalRule rule, Closeness closeness) {
  switch (rule) {
    case NormalRule::closest_feature:
      return closeness != Closeness::overlapping;
    case NormalRule::minimum_translation:
      return closeness != Closeness::apart;
    case NormalRule::contact_plane:
    case NormalRule::center_to_center:
      return true;
    case NormalRule::area_weighted:
    case NormalRule::minmax_facet:
      return closeness == Closeness::overlapping;
  }
  return false;
}

ContactNormal contact_normal(NormalRule rule, const NormalQuery& query) {
  switch (rule) {
    case NormalRule::closest_feature:
      return from_proximity(query, false);
    case NormalRule::minimum_translation:
      return from_proximity(query, true);
    case NormalRule::contact_plane:
      return contact_plane(query);
    case NormalRule::center_to_center:
      return center_to_center(query);
    case NormalRule::area_weighted:
      return area_weighted(query);
    case NormalRule::minmax_facet:
      return minmax_facet(query);
  }
  return {};
}

}  // namespace abut
