#include "abut/contact/penalty/bottom_surface.h"

#include <algorithm>
#include <cmath>

namespace abut {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// Points as near as this, relative to the pair's size, are one (spec 0.6).
constexpr double kSamePoint = 1e-9;

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
  constexpr double kSame = 1e-16;
  return std::min(a, b) > kSame ? PlaneOf::none : a <= b ? PlaneOf::a : PlaneOf::b;
}

double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

}  // namespace

// The mean over all fans: the apex has a third of the area, each corner once, and the two others of
// a triangle a third of it, whose area is linear in the apex: that of the mean apex will do.
void add_lumped_areas(std::span<const Vec2> flat, std::span<const int> loop,
                      std::span<double> area) {
  const std::size_t n = loop.size();
  if (n < 3) return;
  Vec2 mean = Vec2::Zero();
  for (const int i : loop) mean += flat[at(i)] / static_cast<double>(n);
  double whole = 0;
  for (std::size_t k = 0; k < n; ++k) {
    const int i = loop[k], j = loop[k + 1 < n ? k + 1 : 0];
    const double triangle = 0.5 * std::abs(cross(flat[at(i)] - mean, flat[at(j)] - mean));
    area[at(i)] += triangle / 3;
    area[at(j)] += triangle / 3;
    whole += triangle;
  }
  for (const int i : loop) area[at(i)] += whole / (3 * static_cast<double>(n));
}

std::span<const BottomPoint> BottomSurface::find(const PairView& pair) {
  points_.clear();
  whole_ = 0;
  if (pair.patch.distance >= 0) return points_;
  const double tolerance = kSamePoint * pair_size(pair.solid_a(), pair.solid_b());
  const PlaneOf plane = manifold_ ? PlaneOf::none : plane_of(pair);
  // what touches has no volume to speak of
  if (plane == PlaneOf::none || !from_volume(pair, plane == PlaneOf::b, tolerance))
    from_patch(pair, tolerance);
  return points_;
}

bool BottomSurface::from_volume(const PairView& pair, bool plane_of_b, double tolerance) {
  const Pose X_WA = pair.pose_a();
  clip_volume(pair.solid_a(), pair.solid_b(), relative(X_WA, pair.pose_b()), buffers_, common_);
  if (common_.overlap != Overlap::solid) return false;
  // into the volume, from the contact plane
  const Vec3 into =
      X_WA.q.conjugate() * (plane_of_b ? pair.patch.normal : Vec3(-pair.patch.normal));
  const Vec3 t1 = into.unitOrthogonal(), t2 = into.cross(t1);

  const auto count = common_.vertices.size();
  flat_.resize(count);
  depth_.resize(count);
  area_.assign(count, 0.0);
  double least = common_.vertices.empty() ? 0 : common_.vertices[0].dot(into);
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3& v = common_.vertices[i];
    flat_[i] = {t1.dot(v), t2.dot(v)};
    depth_[i] = into.dot(v);
    least = std::min(least, depth_[i]);
  }
  for (double& d : depth_) d -= least;
  for (const Intersection::Face& face : common_.faces)
    if (face.area.dot(into) > 0) add_lumped_areas(flat_, common_.loop(face), area_);

  for (const double a : area_) whole_ += a;
  for (const int i : scan_.find(flat_, depth_, tolerance)) {
    const double d = depth_[at(i)];
    if (d <= 0) continue;
    const Vec3 middle = common_.point(i) - 0.5 * d * into;
    points_.push_back({X_WA * middle, d, area_[at(i)]});
  }
  return true;
}

void BottomSurface::from_patch(const PairView& pair, double tolerance) {
  const ContactPoints& given = pair.points();
  const Vec3& n = pair.patch.normal;
  const Vec3 t1 = n.unitOrthogonal(), t2 = n.cross(t1);
  flat_.clear();
  for (int i = pair.patch.begin; i < pair.patch.end; ++i) {
    if (given.psi[at(i)] >= 0) continue;
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
