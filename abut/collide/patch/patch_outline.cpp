#include "abut/collide/patch/patch_outline.h"

#include <cmath>
#include <numbers>

#include "abut/collide/patch/tolerances.h"

namespace abut {
namespace {

constexpr int kCap = 0, kSegment = 1;  // the faces of curved solids
constexpr int kRimPoints = 8;

// Indices of a cylinder's features, all of kind surface: rim points 0 to 7, the deepest point, the
// chords from one to the next; those of the upper cap are 64 higher. A cylinder that rocks keeps
// the names of its line's ends, whichever end is lower.
constexpr int kDeepest = 8, kChord = 16, kCapFace = 48, kUpperCap = 64, kSideLine = 128;

std::int32_t on_surface(int index) { return packed({FeatureKind::surface, index}); }

}  // namespace

SeenSolid::SeenSolid(const Convex& solid, const Transform& X_PS, double up, double tolerance)
    : polyhedron_(solid.polyhedron),
      support_(solid.support),
      X_PS_(X_PS),
      up_(up),
      to_other_(up * X_PS.R.row(2).transpose()) {
  if (solid.kind == ShapeKind::capsule) show_capsule(solid);
  if (solid.kind == ShapeKind::cylinder) show_cylinder(solid, tolerance);
}

void SeenSolid::show_capsule(const Convex& solid) {
  const double r = solid.dimensions[0], h = solid.dimensions[1];
  const std::int32_t line = packed({FeatureKind::edge, 0});
  for (int end = 0; end < 2; ++end) {
    const Vec3 p = X_PS_ * Vec3(0, 0, end == 0 ? -h : h);
    rim_[rim_count_++] = {p.x(), p.y(), p.z() + up_ * r, packed({FeatureKind::vertex, end}), -1,
                          line,  true};
  }
  has_segment_ = true;
  bend_ = r;
  // between the ends the surface is r / cos(tilt) away, unless that is beyond an end
  const double sine = X_PS_.R(2, 2);
  if (std::abs(sine) < 0.5) bulge_ = r * (1 / std::sqrt(1 - sine * sine) - 1);
}

void SeenSolid::show_cylinder(const Convex& solid, double tolerance) {
  const double r = solid.dimensions[0], h = solid.dimensions[1];
  const Vec3 x = X_PS_.R.col(0), y = X_PS_.R.col(1), axis = X_PS_.R.col(2);
  const bool upper = up_ * axis.z() >= 0;
  const int names = upper ? kUpperCap : 0;
  cap_eta_ = upper ? axis : Vec3(-axis);
  cap_name_ = on_surface(names + kCapFace);
  const Vec3 cap_center = X_PS_.p + h * cap_eta_;
  const auto at = [&](const Vec3& p, int name, int edge) {
    return OutlinePoint{p.x(), p.y(), p.z(), on_surface(names + name), -1, on_surface(names + edge),
                        true};
  };

  // the rim's deepest point lies along the direction to the other solid, minus its component along
  // the axis; `sine` is the tilt of the axis against the normal
  const double along_x = up_ * x.z(), along_y = up_ * y.z(), sine = std::hypot(along_x, along_y);
  const Vec3 deepest_direction = sine > 0 ? Vec3((along_x * x + along_y * y) / sine) : x;
  const Vec3 deepest = cap_center + r * deepest_direction;

  if (std::abs(axis.z()) > kSteepestFace) {
    const double step = 2 * std::numbers::pi / kRimPoints;
    double azimuth = std::atan2(along_y, along_x) / step;
    if (azimuth < 0) azimuth += kRimPoints;
    const int before = static_cast<int>(azimuth) % kRimPoints;
    const double off = (azimuth - std::round(azimuth)) * step;
    const bool shows_deepest = r * sine * (1 - std::cos(off)) > tolerance;
    for (int k = 0; k < kRimPoints; ++k) {
      const Vec3 p = cap_center + r * (std::cos(k * step) * x + std::sin(k * step) * y);
      rim_[rim_count_++] = at(p, k, kChord + k);
      if (shows_deepest && k == before)
        rim_[rim_count_++] = at(deepest, kDeepest, kChord + kDeepest);
    }
    cap_ = rim_count_;
    // seen against the axis the points run clockwise
    if (axis.z() < 0) {
      std::reverse(rim_.begin(), rim_.begin() + cap_);
      const std::int32_t last = rim_[0].edge;
      for (std::size_t i = 0; i + 1 < cap_; ++i) rim_[i].edge = rim_[i + 1].edge;
      rim_[cap_ - 1].edge = last;
    }
  }
  if (sine > kSteepestFace) {
    const Vec3 opposite = deepest - 2 * h * cap_eta_;
    for (const bool end : {upper, !upper}) {
      const Vec3& p = end == upper ? deepest : opposite;
      rim_[rim_count_++] = {p.x(), p.y(),
                            p.z(), on_surface(kDeepest + (end ? kUpperCap : 0)),
                            -1,    on_surface(kSideLine),
                            true};
    }
    has_segment_ = true;
    bend_ = r;
  }
}

Feature SeenSolid::nearest() const {
  if (!polyhedron_) return {};
  return {FeatureKind::vertex, support_->farthest(to_other_)};
}

void SeenSolid::faces_at(const Feature& feature, std::vector<std::int32_t>& faces) const {
  if (!polyhedron_) {
    if (cap_ > 0) faces.push_back(kCap);
    if (has_segment_) faces.push_back(kSegment);
    return;
  }
  const Polyhedron& p = *polyhedron_;
  const auto add = [&](int f) {
    if (looks_over(p.faces[static_cast<std::size_t>(f)].eta)) faces.push_back(f);
  };
  switch (feature.kind) {
    case FeatureKind::vertex:
      for (const int f : p.faces_around(feature.index)) add(f);
      break;
    case FeatureKind::edge:
      add(p.edges[static_cast<std::size_t>(feature.index)].f1);
      add(p.edges[static_cast<std::size_t>(feature.index)].f2);
      break;
    case FeatureKind::face:
      add(feature.index);
      break;
    case FeatureKind::none:
    case FeatureKind::surface:
      break;
  }
}

bool SeenSolid::shows_one_face() const {
  constexpr int kFew = 8;
  if (!polyhedron_ || polyhedron_->face_count() > kFew) return false;
  int count = 0;
  for (const Polyhedron::Face& f : polyhedron_->faces) count += looks_over(f.eta);
  return count == 1;
}

void SeenSolid::draw(int face, Outline& out) const {
  out.points.clear();
  if (polyhedron_) return draw_polygon(face, out);
  if (face == kSegment) {
    out.points.assign(rim_.begin() + static_cast<std::ptrdiff_t>(rim_count_) - 2,
                      rim_.begin() + static_cast<std::ptrdiff_t>(rim_count_));
    out.face = out.points[0].edge;
    return;
  }
  out.points.assign(rim_.begin(), rim_.begin() + static_cast<std::ptrdiff_t>(cap_));
  out.face = cap_name_;
  const OutlinePoint& p = out.points[0];
  out.slope_u = -cap_eta_.x() / cap_eta_.z();
  out.slope_v = -cap_eta_.y() / cap_eta_.z();
  out.rise = p.w - out.slope_u * p.u - out.slope_v * p.v;
}

void SeenSolid::draw_polygon(int face, Outline& out) const {
  const Polyhedron& p = *polyhedron_;
  const std::span<const int> vertices = p.face_loop(face), edges = p.face_edge_ring(face);
  const std::size_t count = vertices.size();
  out.points.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    // B's faces are seen from inside: clockwise
    const std::size_t k = up_ > 0 ? i : count - 1 - i;
    const std::size_t leaving = up_ > 0 ? k : (k > 0 ? k : count) - 1;
    const int v = vertices[k];
    const Vec3 x = X_PS_ * p.vertices[static_cast<std::size_t>(v)];
    out.points[i] = {x.x(), x.y(),
                     x.z(), packed({FeatureKind::vertex, v}),
                     -1,    packed({FeatureKind::edge, edges[leaving]}),
                     true};
  }
  out.face = packed({FeatureKind::face, face});
  const Polyhedron::Face& f = p.faces[static_cast<std::size_t>(face)];
  const Vec3 eta = X_PS_.R * f.eta;
  const double steepness = 1 / eta.z();
  out.slope_u = -eta.x() * steepness;
  out.slope_v = -eta.y() * steepness;
  out.rise = (f.offset + eta.dot(X_PS_.p)) * steepness;
}

}  // namespace abut
