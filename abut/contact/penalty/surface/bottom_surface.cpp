#include "abut/contact/penalty/surface/bottom_surface.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "abut/collide/tolerances.h"
#include "abut/contact/penalty/tolerances.h"
#include "abut/math/index.h"

namespace abut {

namespace {

// How far a face's normal is from `out`, squared; 4 if the feature is no face.
double off(const Convex& solid, const Feature& f, const Vec3& out_S) {
  const std::span<const Polyhedron::Face> faces = face_planes(solid);
  if (f.kind != FeatureKind::face || f.index < 0 || at(f.index) >= faces.size()) return 4;
  return (faces[at(f.index)].eta - out_S).squaredNorm();
}

// Whose face has the contact's normal. The other's points are measured from it; from their own face
// they would all be equally deep.
enum class PlaneOf { a, b, none };
PlaneOf plane_of(const PairView& pair) {
  if (pair.solid_a().is_half_space()) return PlaneOf::a;
  if (pair.solid_b().is_half_space()) return PlaneOf::b;
  const Vec3& n = pair.patch.normal;
  const double a = off(pair.solid_a(), pair.patch.a, pair.pose_a().q.conjugate() * n);
  const double b = off(pair.solid_b(), pair.patch.b, pair.pose_b().q.conjugate() * -n);
  return std::min(a, b) > kAlongNormal2 ? PlaneOf::none : a <= b ? PlaneOf::a : PlaneOf::b;
}

double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

}  // namespace

// Half of each triangle of the fan around the centroid goes to each of its two corners: exact for
// what is linear over the polygon, and a corner that splits in two changes nothing but by their
// distance.
void add_lumped_areas(std::span<const Vec2> flat, std::span<const int> loop,
                      std::span<double> area) {
  const std::size_t n = loop.size();
  if (n < 3) return;
  const auto corner = [&](std::size_t k) { return flat[at(loop[k < n ? k : 0])]; };
  const Vec2 apex = corner(0);
  double twice = 0;
  Vec2 centroid = Vec2::Zero();
  for (std::size_t k = 1; k + 1 < n; ++k) {
    const Vec2 p = corner(k) - apex, q = corner(k + 1) - apex;
    twice += cross(p, q);
    centroid += cross(p, q) / 3 * (p + q);
  }
  if (twice == 0) return;
  centroid = apex + centroid / twice;
  for (std::size_t k = 0; k < n; ++k) {
    const double half = 0.25 * std::abs(cross(corner(k) - centroid, corner(k + 1) - centroid));
    area[at(loop[k])] += half;
    area[at(loop[k + 1 < n ? k + 1 : 0])] += half;
  }
}

std::span<const BottomPoint> BottomSurface::find(const PairView& pair) {
  points_.clear();
  whole_ = 0;
  const Convex &A = pair.solid_a(), &B = pair.solid_b();
  const double tolerance = kSameContactPoint * pair_size(A, B);
  if (pair.patch.distance >= -kGrazingOverlap * pair_size(A, B)) return points_;
  const bool has_points_alone = manifold_ || pair.patch.of_field;
  const PlaneOf plane = has_points_alone ? PlaneOf::none : plane_of(pair);
  if (plane == PlaneOf::none) {
    from_patch(pair, tolerance);
    return points_;
  }
  if (find_round_part(A, pair.pose_a(), B, pair.pose_b(), pair.patch.a, pair.patch.b, round_)) {
    from_round_part();
    return points_;
  }
  const bool half_space = A.is_half_space() || B.is_half_space(), of_b = plane == PlaneOf::b;
  const bool solid =
      half_space ? from_half_space(pair, of_b, tolerance) : from_volume(pair, of_b, tolerance);
  // what touches has no volume to speak of; but a curved solid is its polyhedron, here as above
  const auto curved = [](const Convex& c) { return !c.is_half_space() && !c.is_polyhedron(); };
  if (!solid && !curved(A) && !curved(B)) from_patch(pair, tolerance);
  return points_;
}

void BottomSurface::from_round_part() {
  const RoundPart& r = round_;
  whole_ = r.area;
  // between the two surfaces where the depth is a part of the largest
  const auto add = [&](const Vec3& in_plane, double part, double weight) {
    points_.push_back({r.middle + in_plane + 0.5 * part * (r.reach_A - r.reach_B) * r.normal,
                       part * r.depth(), weight * r.area});
  };
  // a cap that leans: the deepest place stands for that in the mean moment of depth, a sixth of it
  add(1.5 * r.lean, 1, 1.0 / 9);
  constexpr double kRing = 0.75, kDeep = 1 - kRing * kRing;
  for (const Vec3& axis : r.axes)
    for (const double side : {1.0, -1.0}) add(side * kRing * axis, kDeep, 2.0 / 9);
}

// The same surface as from_volume() has, from the vertices below the plane alone.
bool BottomSurface::from_half_space(const PairView& pair, bool plane_of_b, double tolerance) {
  const Convex& solid = plane_of_b ? pair.solid_a() : pair.solid_b();
  if (solid.tessellation == nullptr) return false;
  const Pose X_WS = plane_of_b ? pair.pose_a() : pair.pose_b();
  const Pose X_WH = plane_of_b ? pair.pose_b() : pair.pose_a();
  const Vec3 into = plane_of_b ? pair.patch.normal : Vec3(-pair.patch.normal);
  const Vec3 down = X_WS.q.conjugate() * into, t1 = down.unitOrthogonal(), t2 = down.cross(t1);
  // rings begin where the plane says, so that nothing turns with the solid
  const Vec3 across = X_WS.q.conjugate() * (X_WH.q * Vec3::UnitX());
  const Polyhedron* p =
      buffers_.facets_A.around(solid, down, across, -pair.patch.distance).tessellation;
  const double level = into.dot(X_WS.p - X_WH.p);
  const auto depth = [&](int v) { return down.dot(p->vertices[at(v)]) + level; };
  const auto place = [&](const Vec3& x) { return Vec2(t1.dot(x), t2.dot(x)); };

  // those below hang together, so a walk from the lowest finds them all
  walk_.clear();
  places_.clear();
  flat_.clear();
  depth_.clear();
  area_.clear();
  name_.resize(std::max(name_.size(), p->vertices.size()), -1);
  const auto visit = [&](int v) {
    if (name_[at(v)] >= 0 || depth(v) <= 0) return;
    name_[at(v)] = static_cast<int>(walk_.size());
    walk_.push_back(v);
    places_.push_back(p->vertices[at(v)]);
    flat_.push_back(place(p->vertices[at(v)]));
    depth_.push_back(depth(v));
    area_.push_back(0);
  };
  visit(support(*p, down));
  for (std::size_t i = 0; i < walk_.size(); ++i)
    for (const int next : p->neighbours(walk_[i])) visit(next);

  // faces that look down, cut off at the plane; each by the first of its vertices that is below
  for (std::size_t i = 0; i < walk_.size(); ++i)
    for (const int f : p->faces_around(walk_[i])) {
      if (p->faces[at(f)].eta.dot(down) <= 0) continue;
      const std::span<const int> loop = p->face_loop(f);
      const auto first = [&](int v) {
        return name_[at(v)] >= 0 && name_[at(v)] < static_cast<int>(i);
      };
      if (std::ranges::any_of(loop, first)) continue;
      corners_.clear();
      owner_.clear();
      for (std::size_t k = 0; k < loop.size(); ++k) {
        const int v = loop[k], w = loop[k + 1 < loop.size() ? k + 1 : 0];
        const double dv = depth(v), dw = depth(w);
        if (dv > 0) {
          corners_.push_back(flat_[at(name_[at(v)])]);
          owner_.push_back(name_[at(v)]);
        }
        if ((dv > 0) != (dw > 0)) {
          const double t = dv / (dv - dw);
          corners_.push_back(
              place(p->vertices[at(v)] + t * (p->vertices[at(w)] - p->vertices[at(v)])));
          owner_.push_back(-1);
        }
      }
      shares_.assign(corners_.size(), 0.0);
      loop_.resize(corners_.size());
      std::iota(loop_.begin(), loop_.end(), 0);
      add_lumped_areas(corners_, loop_, shares_);
      for (std::size_t k = 0; k < shares_.size(); ++k) {
        whole_ += shares_[k];
        if (owner_[k] >= 0) area_[at(owner_[k])] += shares_[k];
      }
    }
  for (const int v : walk_) name_[at(v)] = -1;
  if (walk_.empty() || whole_ <= 0) return false;
  keep_bottom(X_WS, down, tolerance);
  return true;
}

bool BottomSurface::from_volume(const PairView& pair, bool plane_of_b, double tolerance) {
  const Pose X_WA = pair.pose_a();
  clip_pair(pair, buffers_, common_);
  if (common_.overlap != OverlapKind::solid) return false;
  // into the volume, from the contact plane
  const Vec3 into =
      X_WA.q.conjugate() * (plane_of_b ? pair.patch.normal : Vec3(-pair.patch.normal));
  const Vec3 t1 = into.unitOrthogonal(), t2 = into.cross(t1);

  const auto count = common_.vertices.size();
  places_.resize(count);
  flat_.resize(count);
  depth_.resize(count);
  area_.assign(count, 0.0);
  double least = common_.vertices.empty() ? 0 : common_.vertices[0].dot(into);
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3& v = common_.vertices[i];
    places_[i] = common_.origin + v;
    flat_[i] = {t1.dot(v), t2.dot(v)};
    depth_[i] = into.dot(v);
    least = std::min(least, depth_[i]);
  }
  for (double& d : depth_) d -= least;
  for (const Intersection::Face& face : common_.faces)
    if (face.area.dot(into) > 0) add_lumped_areas(flat_, common_.loop(face), area_);
  for (const double a : area_) whole_ += a;
  keep_bottom(X_WA, into, tolerance);
  return true;
}

// Of places_, flat_, depth_ and area_.
void BottomSurface::keep_bottom(const Pose& X_WS, const Vec3& into, double tolerance) {
  const std::span<const int> kept = scan_.find(flat_, depth_, tolerance);
  const double rim = kGrazingOverlap / kSameContactPoint * tolerance;  // not deep, but by rounding
  // Of vertices in one place the scan keeps one, which has the shares of all. The rim's shares
  // press on nothing, whether the scan keeps it or not: rounding decides about that.
  is_kept_.assign(flat_.size(), 0);
  for (const int i : kept) is_kept_[at(i)] = 1;
  for (std::size_t i = 0; i < flat_.size(); ++i) {
    if (is_kept_[i] || area_[i] <= 0 || depth_[i] <= rim) continue;
    const auto far = [&](int k) { return (flat_[at(k)] - flat_[i]).squaredNorm(); };
    area_[at(std::ranges::min(kept, {}, far))] += area_[i];
  }
  for (const int i : kept) {
    const double d = depth_[at(i)];
    // the scan keeps what is outside of all that is deeper; of a volume that is askew some of it is
    // on the sides, and no face at it looks down
    if (d <= rim || area_[at(i)] <= 0) continue;
    points_.push_back({X_WS * Vec3(places_[at(i)] - 0.5 * d * into), d, area_[at(i)]});
  }
}

void BottomSurface::from_patch(const PairView& pair, double tolerance) {
  const ContactPoints& given = pair.points();
  const Vec3& n = pair.patch.normal;
  const Vec3 t1 = n.unitOrthogonal(), t2 = n.cross(t1);
  flat_.clear();
  for (int i = pair.patch.begin; i < pair.patch.end; ++i) {
    if (given.psi[at(i)] >= -kGrazingOverlap / kSameContactPoint * tolerance) continue;
    const Vec3 p = 0.5 * (given.p_A[at(i)] + given.p_B[at(i)]);
    points_.push_back({p, -given.psi[at(i)], 0});
    const Vec3 from = p - points_[0].position;
    flat_.emplace_back(t1.dot(from), t2.dot(from));
  }
  if (points_.empty()) return;
  planar_hull(flat_, tolerance, tolerance * tolerance, outline_);
  area_.assign(flat_.size(), 0.0);
  add_lumped_areas(flat_, outline_.source, area_);
  // a point, or two ends of a line
  if (outline_.count() < 3)
    for (const int i : outline_.source) area_[at(i)] = 1;
  for (std::size_t i = 0; i < points_.size(); ++i) {
    points_[i].area = area_[i];
    whole_ += area_[i];
  }
}

}  // namespace abut
