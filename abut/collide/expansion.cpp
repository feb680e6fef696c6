#include "abut/collide/expansion.h"

#include <emmintrin.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <span>

namespace abut {
namespace {

constexpr int kMostVertices = 20000;
// Relative to L: heights below this are rounding.
constexpr double kFlat = 1e-13;
// Relative to L: thinner than this, a first tetrahedron is no use.
constexpr double kThin = 1e-10;
// Faces are searched for the nearest in blocks of this many.
constexpr int kBlock = 16;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// A unit vector across `d`.
Vec3 across(const Vec3& d) {
  const Vec3 a = d.cwiseAbs();
  const Vec3 axis = a[0] <= a[1] && a[0] <= a[2] ? Vec3::UnitX()
                    : a[1] <= a[2]               ? Vec3::UnitY()
                                                 : Vec3::UnitZ();
  return d.cross(axis).normalized();
}

// Whether a tetrahedron's last vertex is no higher than this over the others.
bool is_thin(const Simplex& s, double height) {
  const Vec3& p = s.vertex[0].w;
  const Vec3 n = (s.vertex[1].w - p).cross(s.vertex[2].w - p);
  const double volume = n.dot(s.vertex[3].w - p);
  return !(volume * volume > height * height * n.squaredNorm());
}

// The least of a block of keys (16), and which it is.
int least_of(const double* key, double& least) {
  __m128d even = _mm_loadu_pd(key), odd = _mm_loadu_pd(key + 2);
  for (int k = 4; k < kBlock; k += 4) {
    even = _mm_min_pd(even, _mm_loadu_pd(key + k));
    odd = _mm_min_pd(odd, _mm_loadu_pd(key + k + 2));
  }
  even = _mm_min_pd(even, odd);
  even = _mm_min_sd(even, _mm_unpackhi_pd(even, even));
  least = _mm_cvtsd_f64(even);
  const __m128d all = _mm_unpacklo_pd(even, even);
  int mask = 0;
  for (int k = 0; k < kBlock; k += 2)
    mask |= _mm_movemask_pd(_mm_cmpeq_pd(_mm_loadu_pd(key + k), all)) << k;
  return std::countr_zero(static_cast<unsigned>(mask));
}

}  // namespace

Expansion& thread_expansion() {
  thread_local Expansion expansion;
  return expansion;
}

void Expansion::add_vertex(const DifferenceVertex& w) {
  vertices_.push_back(w);
  points_.push_back(-w.w);
}

// `cross`: outward, of any length. -1: it has none.
inline int Expansion::add_face(int i, int j, int k, const Vec3& cross) {
  const double squared = cross.squaredNorm();
  if (!(squared > 0)) return -1;
  int f;
  if (free_.empty()) {
    f = static_cast<int>(faces_.size());
    faces_.emplace_back();
    if (f % kBlock == 0) {
      key_.resize(key_.size() + kBlock, kInfinity);
      least_.push_back(kInfinity);
    }
  } else {
    f = free_.back();
    free_.pop_back();
  }
  Face& face = faces_[at(f)];
  face.normal = cross * (1 / std::sqrt(squared));
  face.vertex = {i, j, k};
  face.alive = true;
  const double distance = face.normal.dot(point(k));
  key_[at(f)] = distance;
  double& least = least_[at(f / kBlock)];
  least = std::min(least, distance);
  return f;
}

inline void Expansion::join(int f, int edge_of_f, int g, int edge_of_g) {
  faces_[at(f)].beside[at(edge_of_f)] = g;
  faces_[at(f)].across[at(edge_of_f)] = static_cast<std::uint8_t>(edge_of_g);
  faces_[at(g)].beside[at(edge_of_g)] = f;
  faces_[at(g)].across[at(edge_of_g)] = static_cast<std::uint8_t>(edge_of_f);
}

inline void Expansion::bury(int f) {
  faces_[at(f)].alive = false;
  key_[at(f)] = kInfinity;
  free_.push_back(f);
}

void Expansion::clear(const SupportMap& A, const SupportMap& B, const Transform& X_AB, double L) {
  A_ = &A;
  B_ = &B;
  X_AB_ = X_AB;
  flat_ = kFlat * L;
  vertices_.clear();
  points_.clear();
  faces_.clear();
  key_.clear();
  least_.clear();
  free_.clear();
  nearest_ = -1;
  iterations_ = 0;
}

bool Expansion::begin_at(const SupportMap& A, const SupportMap& B, const Transform& X_AB,
                         const std::array<DifferenceVertex, 3>& face, const Vec3& inside,
                         double L) {
  clear(A, B, X_AB, L);
  Simplex s;
  s.count = 4;
  s.vertex = {face[0], face[1], face[2], {-inside, -1, -1}};
  return !is_thin(s, 1e-6 * L) && add_tetrahedron(s.vertex);
}

bool Expansion::begin(const SupportMap& A, const SupportMap& B, const Transform& X_AB,
                      const Simplex& simplex, double L) {
  clear(A, B, X_AB, L);
  Simplex s = simplex;
  if (s.count == 4 && is_thin(s, kThin * L)) s.count = 3;
  if (s.count < 4) {
    for (int dropped = 0; s.count < 4;) {
      if (complete(s)) continue;
      // what there is lies on a point or a line: try again without the last of it
      if (s.count == 1 || ++dropped > 3) return false;
      --s.count;
    }
    if (is_thin(s, 1e-2 * kThin * L)) return false;
  }

  return add_tetrahedron(s.vertex);
}

bool Expansion::add_tetrahedron(const std::array<DifferenceVertex, 4>& v) {
  for (const DifferenceVertex& w : v) add_vertex(w);
  // counter-clockwise seen from outside
  if ((point(1) - point(0)).cross(point(2) - point(0)).dot(point(3) - point(0)) > 0) {
    std::swap(vertices_[1], vertices_[2]);
    std::swap(points_[1], points_[2]);
  }
  const auto add = [this](int i, int j, int k) {
    return add_face(i, j, k, (point(j) - point(i)).cross(point(k) - point(i)));
  };
  const int f0 = add(0, 1, 2), f1 = add(0, 3, 1), f2 = add(1, 3, 2), f3 = add(2, 3, 0);
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

// Blocks keep a bound of their least key, put right when it is looked at.
int Expansion::find_nearest() {
  for (;;) {
    std::size_t block = 0;
    for (std::size_t k = 1; k < least_.size(); ++k) block = least_[k] < least_[block] ? k : block;
    double least;
    const int i = least_of(key_.data() + block * kBlock, least);
    if (least <= least_[block])
      return least < kInfinity ? static_cast<int>(block) * kBlock + i : -1;
    least_[block] = least;
  }
}

Expansion::Status Expansion::grow(double tolerance) {
  for (;;) {
    nearest_ = find_nearest();
    if (nearest_ < 0) return Status::confused;
    const Vec3& n = nearest_normal();
    const DifferenceVertex w = support(n);
    ++iterations_;
    height_ = -n.dot(w.w);
    if (height_ - nearest_distance() <= tolerance) return Status::certain;
    if (static_cast<int>(vertices_.size()) >= kMostVertices) return Status::confused;
    if (!insert(w, nearest_)) return Status::confused;
  }
}

// Takes away what `w` sees and closes the hole with a fan around it.
bool Expansion::insert(const DifferenceVertex& w, int seen_by) {
  const Vec3 apex = -w.w;
  find_rim(apex, seen_by);
  if (rim_count_ < 3) return false;
  const int v = static_cast<int>(vertices_.size());
  add_vertex(w);
  int first = -1, last = -1;
  int tail = faces_[at(rim_[0].face)].vertex[at((rim_[0].edge + 1) % 3)];
  const int start = tail;
  Vec3 to_tail = point(tail) - apex;
  for (const Rim& r : std::span(rim_.data(), at(rim_count_))) {
    // the rim's edge runs the other way round in the new face
    const Face& kept = faces_[at(r.face)];
    if (kept.vertex[at((r.edge + 1) % 3)] != tail) return false;  // the rim is not one loop
    const int head = kept.vertex[at(r.edge)];
    const Vec3 to_head = point(head) - apex;
    const int f = add_face(tail, head, v, to_tail.cross(to_head));
    if (f < 0) return false;
    join(f, 0, r.face, r.edge);
    if (last >= 0) {
      join(last, 1, f, 2);
    } else {
      first = f;
    }
    last = f;
    tail = head;
    to_tail = to_head;
  }
  if (tail != start) return false;
  join(last, 1, first, 2);
  return true;
}

// The edges around all that `p` sees, in order, by a walk from a face that sees it; what
// is seen is buried.
void Expansion::find_rim(const Vec3& p, int seen_by) {
  // each face is walked into from its three sides at most
  if (walk_.size() < 3 * faces_.size()) walk_.resize(6 * faces_.size());
  if (rim_.size() < 3 * faces_.size()) rim_.resize(6 * faces_.size());
  Rim* walk = walk_.data();
  Rim* rim = rim_.data();
  bury(seen_by);
  const Face& start = faces_[at(seen_by)];
  for (int e = 2; e >= 0; --e) *walk++ = {start.beside[at(e)], start.across[at(e)]};
  while (walk != walk_.data()) {
    const Rim r = *--walk;
    const Face& face = faces_[at(r.face)];
    if (!face.alive) continue;  // seen already
    if (face.normal.dot(p) - key_[at(r.face)] <= flat_) {
      *rim++ = r;
      continue;
    }
    bury(r.face);
    const auto second = at(r.edge == 0 ? 2 : r.edge - 1), first = at(r.edge == 2 ? 0 : r.edge + 1);
    *walk++ = {face.beside[second], face.across[second]};
    *walk++ = {face.beside[first], face.across[first]};
  }
  rim_count_ = static_cast<int>(rim - rim_.data());
}

std::array<DifferenceVertex, 3> Expansion::nearest_vertices() const {
  const Face& f = faces_[at(nearest_)];
  return {vertices_[at(f.vertex[0])], vertices_[at(f.vertex[1])], vertices_[at(f.vertex[2])]};
}

// The nearest face in another plane than the nearest one of all (1e-7 rad).
int Expansion::find_second() const {
  int second = -1;
  double least = kInfinity;
  const Vec3& n = nearest_normal();
  for (std::size_t f = 0; f < faces_.size(); ++f)
    if (key_[f] < least && (faces_[f].normal - n).squaredNorm() >= 1e-14) {
      least = key_[f];
      second = static_cast<int>(f);
    }
  return second;
}

double Expansion::bound_of_others() const {
  const int f = find_second();
  return f < 0 ? nearest_distance() : key_[at(f)];
}

}  // namespace abut
