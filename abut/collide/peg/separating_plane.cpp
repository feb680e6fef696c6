#include "abut/collide/peg/separating_plane.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "abut/collide/peg/applicability.h"
#include "abut/collide/peg/tolerances.h"
#include "abut/collide/proximity/cold/edge_pair.h"
#include "abut/collide/proximity/cold/face_witness.h"
#include "abut/collide/proximity/proximity.h"
#include "abut/math/index.h"

namespace abut {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

// If there are more pairs of edges than this, only edges that face the other solid are tested.
constexpr std::int64_t kManyPairs = 40'000;

Feature face(int i) { return {FeatureKind::face, i}; }

double width_of(const Polygon& p) {
  double least = kInf;
  for (int e = 0; e < p.edge_count() && !p.half_plane; ++e) {
    double deepest = 0;
    for (int v = 0; v < p.vertex_count(); ++v)
      deepest = std::max(deepest, -p.height_above(e, p.point(v)));
    least = std::min(least, deepest);
  }
  return least;
}

bool is_near(const Vec3& n, const Vec3& eta) { return (n - eta).norm() < kSamePlaneNormal; }

// Whether all normals between those of the edge's two faces differ from `n` by more than the angle
// with this cosine.
bool looks_away(const EdgeArc& e, const Vec3& n, double cosine) {
  return std::max(e.eta1.dot(n), e.eta2.dot(n)) + (e.eta1 - e.eta2).norm() < cosine;
}

}  // namespace

double width_of(const Convex& solid) {
  if (solid.is_half_space()) return kInf;
  if (!solid.is_polyhedron()) return 2 * solid.dimensions.minCoeff();
  const Polyhedron& p = *solid.polyhedron;
  double least = kInf;
  for (const Polyhedron::Face& f : p.faces) {
    const double top = f.eta.dot(p.vertices[at(solid.support->farthest(f.eta))]);
    const double bottom = f.eta.dot(p.vertices[at(solid.support->farthest(-f.eta))]);
    least = std::min(least, top - bottom);
  }
  return least;
}

std::int32_t packed(const SeparatingPlane& plane) {
  constexpr int kMost = 1 << 14;
  if (plane.a.index >= kMost || plane.b.index >= kMost) return 0;
  if (plane.a.kind == FeatureKind::face) return 1 << 28 | plane.a.index;
  if (plane.b.kind == FeatureKind::face) return 2 << 28 | plane.b.index;
  if (plane.a.kind == FeatureKind::edge) return 3 << 28 | plane.a.index << 14 | plane.b.index;
  return 0;
}

SeparatingPlane unpacked_plane(std::int32_t bits) {
  const int low = bits & 0x3fff, high = bits >> 14 & 0x3fff;
  switch (bits >> 28) {
    case 1:
      return {face(low), {}};
    case 2:
      return {{}, face(low)};
    case 3:
      return {{FeatureKind::edge, high}, {FeatureKind::edge, low}};
    default:
      return {};
  }
}

PlanePair::PlanePair(const Collider& collider) : collider_(collider) {
  const ConvexSet& solids = collider.solids();
  widths_.assign(at(solids.count()), 0.0);
  for (int g = 0; g < solids.count(); ++g)
    if (solids.can_collide(g)) widths_[at(g)] = abut::width_of(solids[g]);
}

bool PlanePair::place(int geom_a, int geom_b, const Pose& X_WA, const Pose& X_WB) {
  geom_a_ = geom_a, geom_b_ = geom_b;
  A_ = &collider_.solids()[geom_a], B_ = &collider_.solids()[geom_b];
  X_WA_ = X_WA, X_WB_ = X_WB;
  X_AB_ = relative(X_WA, X_WB);
  origin_ = A_->is_half_space() ? X_WB.p : X_WA.p;
  flat_ = collider_.plane() && make_polygon(*A_, X_WA, *collider_.plane(), origin_, polygon_A_) &&
          make_polygon(*B_, X_WB, *collider_.plane(), origin_, polygon_B_);
  size_ = collider_.sizes()[at(geom_a)] + collider_.sizes()[at(geom_b)];
  width_ = flat_ ? std::min(width_of(polygon_A_), width_of(polygon_B_))
                 : std::min(widths_[at(geom_a)], widths_[at(geom_b)]);
  return flat_ || has_half_space() || (A_->is_polyhedron() && B_->is_polyhedron());
}

void PlanePair::planes(std::vector<SeparatingPlane>& out, double deepest) const {
  out.clear();
  if (A_->is_half_space() || B_->is_half_space()) {
    out.push_back(A_->is_half_space() ? SeparatingPlane{face(0), {}}
                                      : SeparatingPlane{{}, face(0)});
    return;
  }
  if (flat_) {
    for (int i = 0; i < polygon_A_.edge_count(); ++i) out.push_back({face(i), {}});
    for (int i = 0; i < polygon_B_.edge_count(); ++i) out.push_back({{}, face(i)});
    return;
  }
  const Polyhedron &A = *A_->polyhedron, &B = *B_->polyhedron;
  for (int i = 0; i < A.face_count(); ++i) out.push_back({face(i), {}});
  for (int i = 0; i < B.face_count(); ++i) out.push_back({{}, face(i)});
  const bool many = static_cast<std::int64_t>(A.edge_count()) * B.edge_count() > kManyPairs;
  // a plane with normal n is at least as deep as the overlap of the two inner balls along n
  Vec3 towards = Vec3::Zero();
  double cosine = -kInf;
  if (const Vec3 between = X_AB_ * B_->center - A_->center; many && between.norm() > 0) {
    towards = between.normalized();
    cosine = (A_->inner + B_->inner - deepest) / between.norm();
  }
  arcs_.clear();
  arc_edges_.clear();
  for (int j = 0; j < B.edge_count(); ++j) {
    const EdgeArc b = edge_arc(B, j, X_AB_);
    if (looks_away(b, -towards, cosine)) continue;
    arcs_.push_back(b);
    arc_edges_.push_back(j);
  }
  for (int i = 0; i < A.edge_count(); ++i) {
    const EdgeArc a = edge_arc(A, i);
    if (looks_away(a, towards, cosine)) continue;
    for (std::size_t k = 0; k < arcs_.size(); ++k) {
      const EdgeArc& b = arcs_[k];
      const EdgeSides sides = edge_sides(a, b);
      if (sides.a1 * sides.a2 > 0 || sides.b1 * sides.b2 > 0) continue;  // the arcs do not cross
      const EdgePair pair = edge_pair(a, b);
      if (pair.sine < kNoEdgeContact || pair.applicability < 0) continue;
      if (is_near(pair.normal, a.eta1) || is_near(pair.normal, a.eta2) ||
          is_near(-pair.normal, b.eta1) || is_near(-pair.normal, b.eta2))
        continue;
      out.push_back({{FeatureKind::edge, i}, {FeatureKind::edge, arc_edges_[k]}});
    }
  }
}

bool PlanePair::normal(const SeparatingPlane& plane, Vec3& n) const {
  const bool of_a = plane.a.kind == FeatureKind::face;
  if (of_a || plane.b.kind == FeatureKind::face) {
    const int i = of_a ? plane.a.index : plane.b.index;
    const double sign = of_a ? 1 : -1;
    const Convex& solid = of_a ? *A_ : *B_;
    const Pose& X = of_a ? X_WA_ : X_WB_;
    if (flat_) {
      const Polygon& p = of_a ? polygon_A_ : polygon_B_;
      if (i >= p.edge_count()) return false;
      n = sign * collider_.plane()->lifted(p.normal(i));
    } else if (solid.is_half_space()) {
      n = sign * (X.q * Vec3::UnitZ());
    } else {
      if (!solid.is_polyhedron() || i >= solid.polyhedron->face_count()) return false;
      n = sign * (X.q * solid.polyhedron->faces[at(i)].eta);
    }
    return true;
  }
  if (plane.a.kind != FeatureKind::edge || flat_ || !A_->is_polyhedron() || !B_->is_polyhedron() ||
      plane.a.index >= A_->polyhedron->edge_count() ||
      plane.b.index >= B_->polyhedron->edge_count())
    return false;
  const EdgePair pair = edge_pair(edge_arc(*A_->polyhedron, plane.a.index),
                                  edge_arc(*B_->polyhedron, plane.b.index, X_AB_));
  if (pair.sine < kNoEdgeContact || pair.normal.isZero()) return false;
  n = X_WA_.q * pair.normal;
  return true;
}

double PlanePair::support(bool of_a, const Vec3& n) const {
  if (flat_) {
    const Polygon& p = of_a ? polygon_A_ : polygon_B_;
    const Vec2 m = collider_.plane()->flat(n);
    double most = -kInf;
    for (const Vec2& x : p.points) most = std::max(most, m.dot(x));
    return most;
  }
  const Convex& solid = of_a ? *A_ : *B_;
  const Pose& X = of_a ? X_WA_ : X_WB_;
  const Vec3 local = X.q.conjugate() * n;
  return local.dot(solid.support->vertex(solid.support->farthest(local))) + n.dot(X.p - origin_);
}

double PlanePair::separation(const Vec3& n) const {
  if (has_half_space()) return proximity().distance;
  return -support(false, -n) - support(true, n);
}

bool PlanePair::farthest(const Vec3& n, Vec3& p_A, Vec3& p_B) const {
  if (flat_ || !A_->is_polyhedron() || !B_->is_polyhedron()) return false;
  const auto vertex = [](const Convex& solid, const Pose& X, const Vec3& along) {
    return X * solid.support->vertex(solid.support->farthest(X.q.conjugate() * along));
  };
  p_A = vertex(*A_, X_WA_, n);
  p_B = vertex(*B_, X_WB_, -n);
  return true;
}

Proximity PlanePair::proximity() const {
  if (flat_) return planar_proximity(polygon_A_, polygon_B_, *collider_.plane());
  return abut::proximity(*A_, X_WA_, *B_, X_WB_);
}

bool PlanePair::append_patch(const Vec3& n, double reach, ContactData& out, int max_points) {
  bool any = false;
  Proximity d = proximity();
  if (has_half_space()) {
    any = flat_ ? append_planar_patch(polygon_A_, polygon_B_, *collider_.plane(), d, reach, origin_,
                                      out)
                : abut::append_patch(*A_, X_WA_, *B_, X_WB_, d, {reach, max_points}, scratch_, out);
  } else if (flat_) {
    // no witness point: the vertices are the only points
    d.normal = n;
    d.distance = reach;
    any = append_planar_patch(polygon_A_, polygon_B_, *collider_.plane(), d, reach, origin_, out);
    if (any && out.patches.back().count() == 1 && out.points.psi.back() == reach) {
      out.points.resize(out.patches.back().begin);
      out.patches.pop_back();
      any = false;
    }
  } else {
    any = append_patch_along(n, 0.5 * (d.p_A + d.p_B), *A_, X_WA_, *B_, X_WB_, {reach, max_points},
                             scratch_, out);
  }
  if (any) {
    out.patches.back().geom_a = geom_a_;
    out.patches.back().geom_b = geom_b_;
  }
  return any;
}

bool PlanePair::append_witness(const Vec3& n, ContactData& out) const {
  const Proximity d = proximity();
  if (d.beyond_limit) return false;
  Patch patch;
  patch.geom_a = geom_a_, patch.geom_b = geom_b_;
  patch.normal = n;
  patch.a = d.a, patch.b = d.b;
  patch.distance = n.dot(d.p_B - d.p_A);
  patch.begin = out.points.count();
  const Vec3 middle = 0.5 * (d.p_A + d.p_B), half = 0.5 * patch.distance * n;
  out.points.add(middle - half, middle + half, patch.distance, point_id(d.a, d.b));
  patch.end = out.points.count();
  out.patches.push_back(patch);
  return true;
}

bool PlanePair::is_over_face(const FeatureContact& c) const {
  if (has_half_space()) return true;
  if (c.a.kind == FeatureKind::face) return inside_face(*A_->polyhedron, c.a.index, c.p_B) >= 0;
  return inside_face(*B_->polyhedron, c.b.index, X_AB_.R.transpose() * (c.p_A - X_AB_.p)) >= 0;
}

bool PlanePair::is_on_features(const SeparatingPlane& plane, const Vec3& point) const {
  if (has_half_space()) return true;
  const double tolerance = kOnFeature * size_;
  const bool of_a = plane.a.kind == FeatureKind::face;
  if (of_a || plane.b.kind == FeatureKind::face) {
    const int i = of_a ? plane.a.index : plane.b.index;
    if (flat_) {
      const Polygon& p = of_a ? polygon_A_ : polygon_B_;
      const Vec2 x = collider_.plane()->flat(point - origin_),
                 side = p.point(p.next(i)) - p.point(i);
      const double along = side.dot(x - p.point(i)) / side.norm();
      return along >= -tolerance && along <= side.norm() + tolerance;
    }
    const Pose& X = of_a ? X_WA_ : X_WB_;
    const Polyhedron& p = of_a ? *A_->polyhedron : *B_->polyhedron;
    return inside_face(p, i, X.q.conjugate() * (point - X.p)) >= -tolerance;
  }
  const Vec3 x = X_WA_.q.conjugate() * (point - X_WA_.p);
  const auto within = [&](const EdgeArc& e) {
    const double length = e.direction.norm(), along = e.direction.dot(x - e.tail) / length;
    return along >= -tolerance && along <= length + tolerance;
  };
  return within(edge_arc(*A_->polyhedron, plane.a.index)) &&
         within(edge_arc(*B_->polyhedron, plane.b.index, X_AB_));
}

bool PlanePair::append_vertices(const SeparatingPlane& plane, const Vec3& n, double reach,
                                ContactData& out) {
  if (has_half_space()) return append_patch(n, reach, out);
  Patch patch;
  patch.geom_a = geom_a_, patch.geom_b = geom_b_;
  patch.normal = n;
  patch.a = plane.a, patch.b = plane.b;
  patch.begin = out.points.count();
  const auto add = [&](const Vec3& x, double psi, bool on_a, const Feature& vertex) {
    if (psi > reach) return;
    const Vec3 p_A = on_a ? x : Vec3(x - psi * n);
    out.points.add(p_A, p_A + psi * n, psi,
                   on_a ? point_id(vertex, plane.b) : point_id(plane.a, vertex));
  };
  const bool of_a = plane.a.kind == FeatureKind::face;
  if (of_a || plane.b.kind == FeatureKind::face) {
    // along n from A to B: the largest height of A, or the least height of B
    const double level = of_a ? support(true, n) : -support(false, -n);
    const double sign = of_a ? 1 : -1;
    if (flat_) {
      const Polygon& p = of_a ? polygon_B_ : polygon_A_;
      const Vec2 m = collider_.plane()->flat(n);
      for (int v = 0; v < p.vertex_count(); ++v)
        add(origin_ + collider_.plane()->lifted(p.point(v)), sign * (m.dot(p.point(v)) - level),
            !of_a, {FeatureKind::vertex, v});
    } else {
      const Polyhedron& p = of_a ? *B_->polyhedron : *A_->polyhedron;
      const Pose& X = of_a ? X_WB_ : X_WA_;
      for (int v = 0; v < p.vertex_count(); ++v) {
        const Vec3 x = X.q * p.vertices[at(v)] + (X.p - origin_);
        add(origin_ + x, sign * (n.dot(x) - level), !of_a, {FeatureKind::vertex, v});
      }
    }
  } else {
    const FeatureContact c =
        feature_contact(*A_->polyhedron, plane.a, *B_->polyhedron, plane.b, X_AB_);
    if (c.a.kind == FeatureKind::edge && c.psi <= reach) {
      const Vec3 p_A = X_WA_ * c.p_A;
      out.points.add(p_A, p_A + c.psi * n, c.psi, point_id(plane.a, plane.b));
    }
  }
  patch.end = out.points.count();
  if (patch.count() == 0) return false;
  patch.distance = *std::min_element(out.points.psi.begin() + patch.begin, out.points.psi.end());
  out.patches.push_back(patch);
  return true;
}

}  // namespace abut
