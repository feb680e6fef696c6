#include "abut/collide/expansion.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace abut {
namespace {

constexpr int kMostVertices = 20000;
// Relative to L: heights below this are rounding.
constexpr double kFlat = 1e-13;
// Relative to L: thinner than this, a first tetrahedron is no use.
constexpr double kThin = 1e-10;

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// A unit vector across `d`.
Vec3 across(const Vec3& d) {
  const Vec3 a = d.cwiseAbs();
  const Vec3 axis = a[0] <= a[1] && a[0] <= a[2] ? Vec3::UnitX()
                    : a[1] <= a[2]               ? Vec3::UnitY()
                                                 : Vec3::UnitZ();
  return d.cross(axis).normalized();
}

}  // namespace

Expansion& thread_expansion() {
  thread_local Expansion expansion;
  return expansion;
}

bool Expansion::begin(const SupportMap& A, const SupportMap& B, const Transform& X_AB,
                      const Simplex& simplex, double L) {
  A_ = &A;
  B_ = &B;
  X_AB_ = X_AB;
  flat_ = kFlat * L;
  vertices_.clear();
  faces_.clear();
  normal_.clear();
  distance_.clear();
  free_.clear();
  heap_.clear();
  nearest_ = -1;
  iterations_ = 0;

  Simplex s = simplex;
  const double thin = kThin * L;
  const auto height = [&s](int i, int j, int k, int top) {
    const Vec3 &p = s.vertex[at(i)].w, &q = s.vertex[at(j)].w, &r = s.vertex[at(k)].w;
    const Vec3 n = (q - p).cross(r - p);
    const double length = n.norm();
    return length > 0 ? n.dot(s.vertex[at(top)].w - p) / length : 0;
  };
  if (s.count == 4 && std::abs(height(0, 1, 2, 3)) < thin) s.count = 3;
  for (int dropped = 0; s.count < 4;) {
    if (complete(s)) continue;
    // what there is lies on a point or a line: try again without the last of it
    if (s.count == 1 || ++dropped > 3) return false;
    --s.count;
  }
  if (std::abs(height(0, 1, 2, 3)) < thin * 1e-2) return false;

  for (int i = 0; i < 4; ++i) vertices_.push_back(s.vertex[at(i)]);
  // points are a - b: seen from outside counter-clockwise
  const Vec3 p0 = point(0), p1 = point(1), p2 = point(2), p3 = point(3);
  if ((p1 - p0).cross(p2 - p0).dot(p3 - p0) > 0) std::swap(vertices_[1], vertices_[2]);
  const int f0 = add_face(0, 1, 2), f1 = add_face(0, 3, 1), f2 = add_face(1, 3, 2),
            f3 = add_face(2, 3, 0);
  if (f0 < 0 || f1 < 0 || f2 < 0 || f3 < 0) return false;
  join(f0, 0, f1, 2);  // edge 0 1
  join(f0, 1, f2, 2);  // edge 1 2
  join(f0, 2, f3, 2);  // edge 2 0
  join(f1, 1, f2, 0);  // edge 3 1
  join(f2, 1, f3, 0);  // edge 3 2
  join(f3, 1, f1, 0);  // edge 3 0
  return true;
}

// One more vertex, as far as possible from the span of those there are.
bool Expansion::complete(Simplex& s) const {
  const double thin = flat_ / kFlat * kThin;
  const Vec3& p = s.vertex[0].w;
  std::array<Vec3, 3> directions;
  int count = 0;
  if (s.count == 1) {
    directions = {Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
    count = 3;
  } else if (s.count == 2) {
    const Vec3 e = s.vertex[1].w - p;
    directions[0] = across(e);
    directions[1] = e.cross(directions[0]).normalized();
    count = 2;
  } else {
    const Vec3 e = s.vertex[1].w - p, f = s.vertex[2].w - p;
    const Vec3 n = e.cross(f);
    const double length = n.norm();
    if (length <= thin * std::max(e.norm(), f.norm())) return false;
    directions[0] = n / length;
    count = 1;
  }
  double farthest = thin;
  DifferenceVertex best{};
  for (int i = 0; i < count; ++i)
    for (const double sign : {1.0, -1.0}) {
      const Vec3 direction = sign * directions[at(i)];
      const DifferenceVertex w = support(direction);
      const double away = direction.dot(p - w.w);
      if (away > farthest) {
        farthest = away;
        best = w;
      }
    }
  if (farthest <= thin) return false;
  s.vertex[at(s.count++)] = best;
  return true;
}

int Expansion::add_face(int i, int j, int k) {
  const Vec3 p = point(i), q = point(j), r = point(k);
  const Vec3 n = (q - p).cross(r - p);
  const double length = n.norm();
  if (!(length > 0)) return -1;
  int f;
  if (free_.empty()) {
    f = static_cast<int>(faces_.size());
    faces_.emplace_back();
    normal_.emplace_back();
    distance_.emplace_back();
  } else {
    f = free_.back();
    free_.pop_back();
  }
  Face& face = faces_[at(f)];
  face.vertex = {i, j, k};
  ++face.born;
  const Vec3 unit = n / length;
  normal_[at(f)] = unit;
  // from the vertex nearest to the origin, where the least is lost
  const double d = std::max({unit.dot(p), unit.dot(q), unit.dot(r)});
  distance_[at(f)] = d;
  heap_.push_back({d, f, face.born});
  std::push_heap(heap_.begin(), heap_.end());
  return f;
}

void Expansion::join(int f, int edge_of_f, int g, int edge_of_g) {
  faces_[at(f)].beside[at(edge_of_f)] = g;
  faces_[at(f)].across[at(edge_of_f)] = edge_of_g;
  faces_[at(g)].beside[at(edge_of_g)] = f;
  faces_[at(g)].across[at(edge_of_g)] = edge_of_f;
}

void Expansion::bury(int f) {
  ++faces_[at(f)].born;
  free_.push_back(f);
}

int Expansion::pop_nearest() {
  while (!heap_.empty()) {
    const Entry top = heap_.front();
    if (faces_[at(top.face)].born == top.born) return top.face;
    std::pop_heap(heap_.begin(), heap_.end());
    heap_.pop_back();
  }
  return -1;
}

Expansion::Status Expansion::grow(double tolerance) {
  for (;;) {
    nearest_ = pop_nearest();
    if (nearest_ < 0) return Status::confused;
    const Vec3 n = nearest_normal();
    const DifferenceVertex w = support(n);
    ++iterations_;
    if (-n.dot(w.w) - nearest_distance() <= tolerance) return Status::certain;
    if (static_cast<int>(vertices_.size()) >= kMostVertices) return Status::confused;
    if (!insert(w, nearest_)) return Status::confused;
  }
}

// Takes away what `w` sees and closes the hole with a fan around it.
bool Expansion::insert(const DifferenceVertex& w, int seen_by) {
  if (!find_rim(-w.w, seen_by)) return false;
  const int v = static_cast<int>(vertices_.size());
  vertices_.push_back(w);
  int first = -1, last = -1;
  for (const Rim& r : rim_) {
    const Face& kept = faces_[at(r.face)];
    // the rim's edge runs the other way round in the new face
    const int tail = kept.vertex[at((r.edge + 1) % 3)], head = kept.vertex[at(r.edge)];
    const int f = add_face(tail, head, v);
    if (f < 0) return false;
    join(f, 0, r.face, r.edge);
    if (last >= 0) {
      if (faces_[at(last)].vertex[1] != tail) return false;  // the rim is not one loop
      join(last, 1, f, 2);
    } else {
      first = f;
    }
    last = f;
  }
  if (first < 0 || faces_[at(last)].vertex[1] != faces_[at(first)].vertex[0]) return false;
  join(last, 1, first, 2);
  return true;
}

// The edges around all that `p` sees, in order, by a walk from a face that sees it; what
// is seen is buried.
bool Expansion::find_rim(const Vec3& p, int seen_by) {
  rim_.clear();
  walk_.clear();
  bury(seen_by);
  const Face start = faces_[at(seen_by)];
  for (int e = 2; e >= 0; --e) walk_.push_back({start.beside[at(e)], start.across[at(e)]});
  while (!walk_.empty()) {
    const Rim r = walk_.back();
    walk_.pop_back();
    const Face& face = faces_[at(r.face)];
    if (face.born % 2 == 0) continue;  // seen already
    if (normal_[at(r.face)].dot(p) - distance_[at(r.face)] <= flat_) {
      rim_.push_back(r);
      continue;
    }
    bury(r.face);
    for (const int step : {2, 1}) {
      const auto e = at((r.edge + step) % 3);
      walk_.push_back({face.beside[e], face.across[e]});
    }
  }
  return rim_.size() >= 3;
}

std::array<DifferenceVertex, 3> Expansion::nearest_vertices() const {
  const Face& f = faces_[at(nearest_)];
  return {vertices_[at(f.vertex[0])], vertices_[at(f.vertex[1])], vertices_[at(f.vertex[2])]};
}

double Expansion::second_distance() const {
  double second = std::numeric_limits<double>::infinity();
  const Vec3& n = nearest_normal();
  for (int f = 0; f < static_cast<int>(faces_.size()); ++f) {
    if (faces_[at(f)].born % 2 == 0 || f == nearest_) continue;
    if ((normal_[at(f)] - n).squaredNorm() < 1e-14) continue;
    second = std::min(second, distance_[at(f)]);
  }
  return second;
}

}  // namespace abut
