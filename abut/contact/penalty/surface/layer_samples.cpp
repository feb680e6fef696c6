#include "abut/contact/penalty/surface/layer_samples.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "abut/contact/penalty/tolerances.h"
#include "abut/math/index.h"
#include "abut/solve/problem.h"

namespace abut {

namespace {

// How far the line along n through `p` goes on in the common part (m).
struct Line {
  double up = 0, down = 0;
};
Line line_through(const Intersection& common, const Vec3& n, const Vec3& p) {
  double up = kInfinity, down = kInfinity;
  for (const Intersection::Face& f : common.faces) {
    const double area = f.area.norm();
    if (!(area > 0)) continue;
    const double slope = f.area.dot(n) / area;
    if (std::abs(slope) < kWallSlope) continue;
    const Vec3& on = common.vertices[at(common.loop(f)[0])];
    const double gap = std::max(f.area.dot(on - p) / area, 0.0);
    (slope > 0 ? up : down) = std::min(slope > 0 ? up : down, gap / std::abs(slope));
  }
  return std::isfinite(up) && std::isfinite(down) ? Line{up, down} : Line{};
}

std::uint64_t face_name(const Intersection::Face& f) {
  std::uint64_t x = static_cast<std::uint64_t>(f.face) * 2 + (f.side == Side::b ? 1 : 0) + 1;
  x *= 0x9e3779b97f4a7c15ull;
  return x ^ (x >> 29);
}

}  // namespace

void sample_vertices(const CommonPart& part, const ContactSurface& surface,
                     std::vector<LayerSample>& out, const LayerTop* top) {
  const Intersection& common = part.common;
  const Vec3 n = part.X_WA.q.conjugate() * surface.normal;
  const double each = surface.area / static_cast<double>(common.vertices.size());
  const std::size_t begin = out.size();
  // a hundredth inside the rim, where a side wall that leans a little does not show
  constexpr double kInward = 0.01;
  const auto depth_at = [&](const Vec3& p) {
    const Line line = line_through(common, n, p);
    if (top == nullptr) return line.up + line.down;
    const double over = top->offset - surface.normal.dot(part.X_WA * (common.origin + p));
    return top->of_a ? over + line.down : line.up - over;
  };
  for (const Vec3& v : common.vertices) {
    const Vec3 inward = v + kInward * (common.centroid - v);
    out.push_back({part.X_WA * (common.origin + v), depth_at(inward), each, each, 0});
  }
  for (const Intersection::Face& f : common.faces)
    for (const int v : common.loop(f)) out[begin + at(v)].id += face_name(f);
  // the ends of a line along n are one sample of twice the area
  const double close2 = kSameSampleLine * kSameSampleLine * surface.second.trace();
  std::size_t kept = begin;
  for (std::size_t i = begin; i < out.size(); ++i) {
    const auto same =
        std::find_if(out.begin() + std::ptrdiff_t(begin), out.begin() + std::ptrdiff_t(kept),
                     [&](const LayerSample& s) {
                       return (s.point - out[i].point).cross(surface.normal).squaredNorm() < close2;
                     });
    if (same == out.begin() + std::ptrdiff_t(kept)) {
      out[kept++] = out[i];
      continue;
    }
    same->point = 0.5 * (same->point + out[i].point);
    same->area += out[i].area;
    same->rim += out[i].rim;
    same->id += out[i].id;
  }
  out.resize(kept);
}

void sample_moments(const ContactSurface& s, bool at_rim, std::vector<LayerSample>& found) {
  const double farthest = at_rim ? std::sqrt(3.0) : M_SQRT2;
  Eigen::Matrix<double, 3, 2> plane;
  plane.col(0) = s.normal.unitOrthogonal();
  plane.col(1) = s.normal.cross(plane.col(0));
  // what rolls is not tilted, and has no samples ahead and behind
  const Mat3 second = s.tilting.transpose() * s.second * s.tilting;
  const Vec2 mean = plane.transpose() * (s.tilting.transpose() * s.first);
  const Eigen::Matrix2d spread = plane.transpose() * second * plane - mean * mean.transpose();
  if (spread.trace() <= kPointContact * s.second.trace()) {
    found.push_back({s.center, s.mean_depth(), s.area, s.area, 5});
    return;
  }
  Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d> eigen;
  eigen.computeDirect(spread);
  double middle = 1;  // of the area, what is left for the mean
  for (int k = 0; k < 2; ++k) {
    const double sigma = std::sqrt(std::max(eigen.eigenvalues()[k], 0.0));
    const Vec2 axis = eigen.eigenvectors().col(k);
    // nearer where the depth there would be less than none
    const double off = std::abs(axis.dot(mean));
    const double out = off > 0 ? std::clamp(sigma / off, M_SQRT2, farthest) : farthest;
    const double part = 1 / (2 * out * out);
    // the volume's centroid is the origin: the depth's slope moves the mean there
    const double lean = sigma > 0 ? std::clamp(out * axis.dot(mean) / sigma, -1.0, 1.0) : 0;
    for (const double sign : {1.0, -1.0}) {
      const Vec2 y = mean + sign * out * sigma * axis;
      found.push_back({s.center + plane * y, s.mean_depth() * (1 - sign * lean), part * s.area,
                       s.area / 4, static_cast<std::uint64_t>(2 * k + (sign > 0 ? 1 : 2))});
    }
    middle -= 2 * part;
  }
  if (middle > kLeastMiddle)
    found.push_back({s.center + plane * mean, s.mean_depth(), middle * s.area, 0, 5});
}

}  // namespace abut
