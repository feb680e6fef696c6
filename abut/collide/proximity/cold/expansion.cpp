#include "abut/collide/proximity/cold/expansion.h"

#include <emmintrin.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <span>

#include "abut/collide/proximity/tolerances.h"
#include "abut/math/index.h"

namespace abut {
namespace {

constexpr int kMostVertices = 20000;
// Up to this many faces, all faces are tested for visibility; beyond it, only those around the
// first.
constexpr int kAskAll = 256;
constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A unit vector perpendicular to `d`.
Vec3 across(const Vec3& d) {
  const Vec3 a = d.cwiseAbs();
  const Vec3 axis = a[0] <= a[1] && a[0] <= a[2] ? Vec3::UnitX()
                    : a[1] <= a[2]               ? Vec3::UnitY()
                                                 : Vec3::UnitZ();
  return d.cross(axis).normalized();
}

// Whether the last vertex of a tetrahedron is no higher than this over the others.
bool is_thin(const Simplex& s, double height) {
  const Vec3& p = s.vertex[0].w;
  const Vec3 n = (s.vertex[1].w - p).cross(s.vertex[2].w - p);
  const double volume = n.dot(s.vertex[3].w - p);
  return !(volume * volume > height * height * n.squaredNorm());
}

__m128d load(const std::vector<double>& v, int i) { return _mm_loadu_pd(v.data() + i); }
__m128d both(const double* low, const double* high) { return _mm_loadh_pd(_mm_load_sd(low), high); }
void put(__m128d x, double* low, double* high) {
  _mm_storel_pd(low, x);
  _mm_storeh_pd(high, x);
}

}  // namespace

Expansion& thread_expansion() {
  thread_local Expansion expansion;
  return expansion;
}

inline int Expansion::add_vertex(const DifferenceVertex& w) {
  vertices_[at(vertex_count_)] = w;
  points_[at(vertex_count_)] = -w.w;
  return vertex_count_++;
}

void Expansion::Columns::resize(std::size_t n) {
  x.resize(n);
  y.resize(n);
  z.resize(n);
}

inline void Expansion::Columns::set(int i, const Vec3& v) {
  x[abut::at(i)] = v[0];
  y[abut::at(i)] = v[1];
  z[abut::at(i)] = v[2];
}

Vec3 Expansion::Columns::at(int i) const {
  return {x[abut::at(i)], y[abut::at(i)], z[abut::at(i)]};
}

// Reserves memory for this many faces, and for a rim around all of them.
void Expansion::reserve(std::size_t faces) {
  if (faces_.size() >= faces) return;
  const std::size_t n = (2 * faces + 63) / 64 * 64;
  faces_.resize(n);
  normal_.resize(n);
  key_.resize(n, kInfinity);
  seen_.resize(n / 64);
  rim_.resize(3 * n + 2);
  slot_.resize(3 * n + 2);
  rim_from_.resize(n);  // vertices are fewer than faces
  vertices_.resize(n);
  points_.resize(n);
}

inline int Expansion::take_slot() {
  if (free_.empty()) return face_count_++;
  const int f = free_.back();
  free_.pop_back();
  return f;
}

void Expansion::clear(const SupportMap& A, const SupportMap& B, const Transform& X_AB, double L) {
  A_ = &A;
  B_ = &B;
  X_AB_ = X_AB;
  flat_ = kPolytopeFlat * L;
  vertex_count_ = 0;
  reserve(64);
  std::fill_n(key_.begin(), face_count_, kInfinity);
  face_count_ = 0;
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
  return !is_thin(s, kThinOnFace * L) && add_tetrahedron(s.vertex);
}

bool Expansion::begin(const SupportMap& A, const SupportMap& B, const Transform& X_AB,
                      const Simplex& simplex, double L) {
  clear(A, B, X_AB, L);
  Simplex s = simplex;
  if (s.count == 4 && is_thin(s, kThinTetrahedron * L)) s.count = 3;
  if (s.count < 4) {
    for (int dropped = 0; s.count < 4;) {
      if (complete(s)) continue;
      // the vertices lie on a point or a line: try again without the last one
      if (s.count == 1 || ++dropped > 3) return false;
      --s.count;
    }
    if (is_thin(s, kThinnestTetrahedron * L)) return false;
  }

  return add_tetrahedron(s.vertex);
}

bool Expansion::add_tetrahedron(const std::array<DifferenceVertex, 4>& v) {
  for (const DifferenceVertex& w : v) add_vertex(w);
  // counter-clockwise seen from outside
  if ((points_[1] - points_[0]).cross(points_[2] - points_[0]).dot(points_[3] - points_[0]) > 0) {
    std::swap(vertices_[1], vertices_[2]);
    std::swap(points_[1], points_[2]);
  }
  // the first face, then a fan from its border to the last vertex
  const Vec3 cross = (points_[1] - points_[0]).cross(points_[2] - points_[0]);
  const double squared = cross.squaredNorm();
  if (!(squared > 0)) return false;
  const Vec3 n = cross * (1 / std::sqrt(squared));
  face_count_ = 1;
  faces_[0].vertex = {0, 1, 2};
  normal_.set(0, n);
  key_[0] = n.dot(points_[2]);
  for (int e = 0; e < 3; ++e) rim_[at(e)] = {e, (e + 1) % 3, e};
  return close_hole(3, 3);
}

// Adds one more vertex, as far as possible from the span of the others.
bool Expansion::complete(Simplex& s) const {
  const double thin = flat_ / kPolytopeFlat * kThinTetrahedron;
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

// The first face with the least key; -1: none is alive.
int Expansion::find_nearest() {
  __m128d even = load(key_, 0), odd = load(key_, 2);
  for (int f = 4; f < face_count_; f += 4) {  // the arrays have at least 64 entries
    even = _mm_min_pd(even, load(key_, f));
    odd = _mm_min_pd(odd, load(key_, f + 2));
  }
  even = _mm_min_pd(even, odd);
  even = _mm_min_sd(even, _mm_unpackhi_pd(even, even));
  if (!(_mm_cvtsd_f64(even) < kInfinity)) return -1;
  const __m128d least = _mm_unpacklo_pd(even, even);
  for (int f = 0;; f += 8) {
    int mask = 0;
    for (int k = 0; k < 8; k += 2)
      mask |= _mm_movemask_pd(_mm_cmpeq_pd(load(key_, f + k), least)) << k;
    if (mask != 0) return f + std::countr_zero(static_cast<unsigned>(mask));
  }
}

Expansion::Status Expansion::grow(double tolerance, bool stop_when_parted) {
  for (;;) {
    nearest_ = find_nearest();
    if (nearest_ < 0) return Status::confused;
    const Vec3 n = nearest_normal();
    const DifferenceVertex w = support(n);
    ++iterations_;
    height_ = -n.dot(w.w);
    last_ = w;
    if (height_ < 0 && stop_when_parted) return Status::parted;
    if (height_ - nearest_distance() <= tolerance) return Status::certain;
    if (vertex_count_ >= kMostVertices) return Status::confused;
    if (!insert(w, nearest_)) return Status::confused;
  }
}

// Removes the faces that `w` sees and closes the hole with a fan around it.
bool Expansion::insert(const DifferenceVertex& w, int seen_by) {
  const Vec3 apex = -w.w;
  if (face_count_ <= kAskAll) {
    see_all(apex, seen_by);
  } else {
    see_around(apex, seen_by);
  }
  const int v = add_vertex(w);
  const int rim = take_away_seen();
  return rim >= 3 && close_hole(rim, v);
}

// Marks every face whose plane `p` is beyond.
void Expansion::see_all(const Vec3& p, int seen_by) {
  const __m128d x = _mm_set1_pd(p[0]), y = _mm_set1_pd(p[1]), z = _mm_set1_pd(p[2]);
  const __m128d flat = _mm_set1_pd(flat_);
  for (int begin = 0; begin < face_count_; begin += 64) {
    std::uint64_t word = 0;
    const int end = std::min(face_count_, begin + 64);
    for (int f = begin; f < end; f += 2) {
      const __m128d height = _mm_add_pd(
          _mm_add_pd(_mm_mul_pd(load(normal_.x, f), x), _mm_mul_pd(load(normal_.y, f), y)),
          _mm_mul_pd(load(normal_.z, f), z));
      const __m128d beyond = _mm_cmpgt_pd(_mm_sub_pd(height, load(key_, f)), flat);
      word |= static_cast<std::uint64_t>(_mm_movemask_pd(beyond)) << (f - begin);
    }
    seen_[at(begin / 64)] = word;
  }
  seen_[at(seen_by / 64)] |= std::uint64_t{1} << (seen_by % 64);
}

// The same by a walk from a face that `p` sees, for large polytopes.
void Expansion::see_around(const Vec3& p, int seen_by) {
  std::fill_n(seen_.begin(), (face_count_ + 63) / 64, 0);
  const auto mark = [this](int f) {
    seen_[at(f / 64)] |= std::uint64_t{1} << (f % 64);
    walk_.push_back(f);
  };
  walk_.clear();
  mark(seen_by);
  while (!walk_.empty()) {
    const Face& face = faces_[at(walk_.back())];
    walk_.pop_back();
    for (const int twin : face.twin) {
      const int f = twin / 4;
      if (!is_seen(f) && normal_.at(f).dot(p) - key_[at(f)] > flat_) mark(f);
    }
  }
}

// Removes the visible faces and lists the edges around them, with their ends as seen from the last
// vertex. Returns their number.
int Expansion::take_away_seen() {
  int count = 0;
  Rim* rim = rim_.data();
  for (int word = 0; 64 * word < face_count_; ++word)
    for (std::uint64_t left = seen_[at(word)]; left != 0; left &= left - 1) {
      const int f = 64 * word + std::countr_zero(left);
      const Face& face = faces_[at(f)];
      const auto keep_edge = [&](std::size_t e, std::size_t next) {
        // always written, kept if the face across stays: cheaper than a branch
        rim[count] = {face.twin[e], face.vertex[e], face.vertex[next]};
        count += is_seen(face.twin[e] / 4) ? 0 : 1;
      };
      keep_edge(0, 1);
      keep_edge(1, 2);
      keep_edge(2, 0);
      key_[at(f)] = kInfinity;
      free_.push_back(f);
    }
  return count;
}

// Makes a face over each edge of the rim, to the vertex `apex`. Returns false if the rim is not one
// loop or a face has no normal.
bool Expansion::close_hole(int rim, int apex) {
  reserve(at(face_count_ + rim));
  if (!place(rim, apex)) return false;
  const Rim* edge = rim_.data();
  Face* face = faces_.data();
  std::int32_t *slot = slot_.data(), *from = rim_from_.data();
  for (int i = 0; i < rim; ++i) from[edge[i].tail] = i;
  // the neighbours: across the rim, and the next face around the apex
  for (int i = 0; i < rim; ++i) {
    const int f = slot[i], next = from[edge[i].head];
    if (edge[next].tail != edge[i].head) return false;
    const int next_f = slot[next];
    Face& made = face[f];
    made.vertex = {edge[i].tail, edge[i].head, apex};
    made.twin[0] = edge[i].kept;
    face[edge[i].kept / 4].twin[edge[i].kept % 4] = 4 * f;
    made.twin[1] = 4 * next_f + 2;
    face[next_f].twin[2] = 4 * f + 1;
  }
  // the rim must be one loop
  int steps = 1;
  for (int i = from[edge[0].head]; i != 0 && steps <= rim; i = from[edge[i].head]) ++steps;
  return steps == rim;
}

// Computes normals and distances of the faces over the rim.
bool Expansion::place(int rim, int apex) {
  const Vec3* point = points_.data();
  const Vec3& p = point[apex];
  const __m128d x = _mm_set1_pd(p[0]), y = _mm_set1_pd(p[1]), z = _mm_set1_pd(p[2]);
  const __m128d one = _mm_set1_pd(1);
  rim_[at(rim)] = rim_[at(rim - 1)];  // they are processed in pairs
  for (int i = 0; i < rim; ++i) slot_[at(i)] = take_slot();
  slot_[at(rim)] = slot_[at(rim - 1)];
  double *nx = normal_.x.data(), *ny = normal_.y.data(), *nz = normal_.z.data();
  double* key = key_.data();
  int good = 3;
  for (int i = 0; i < rim; i += 2) {
    const Rim &r = rim_[at(i)], &s = rim_[at(i + 1)];
    const double *rt = point[r.tail].data(), *st = point[s.tail].data();
    const double *rh = point[r.head].data(), *sh = point[s.head].data();
    const __m128d tx = _mm_sub_pd(both(rt, st), x), ty = _mm_sub_pd(both(rt + 1, st + 1), y),
                  tz = _mm_sub_pd(both(rt + 2, st + 2), z);
    const __m128d hx = _mm_sub_pd(both(rh, sh), x), hy = _mm_sub_pd(both(rh + 1, sh + 1), y),
                  hz = _mm_sub_pd(both(rh + 2, sh + 2), z);
    const __m128d cx = _mm_sub_pd(_mm_mul_pd(ty, hz), _mm_mul_pd(tz, hy));
    const __m128d cy = _mm_sub_pd(_mm_mul_pd(tz, hx), _mm_mul_pd(tx, hz));
    const __m128d cz = _mm_sub_pd(_mm_mul_pd(tx, hy), _mm_mul_pd(ty, hx));
    const __m128d squared =
        _mm_add_pd(_mm_add_pd(_mm_mul_pd(cx, cx), _mm_mul_pd(cy, cy)), _mm_mul_pd(cz, cz));
    good &= _mm_movemask_pd(_mm_cmpgt_pd(squared, _mm_setzero_pd()));
    const __m128d scale = _mm_div_pd(one, _mm_sqrt_pd(squared));
    const __m128d ux = _mm_mul_pd(cx, scale), uy = _mm_mul_pd(cy, scale),
                  uz = _mm_mul_pd(cz, scale);
    const __m128d distance =
        _mm_add_pd(_mm_add_pd(_mm_mul_pd(ux, x), _mm_mul_pd(uy, y)), _mm_mul_pd(uz, z));
    const int f = slot_[at(i)], g = slot_[at(i + 1)];
    put(ux, nx + f, nx + g);
    put(uy, ny + f, ny + g);
    put(uz, nz + f, nz + g);
    put(distance, key + f, key + g);
  }
  return good == 3;
}

std::array<DifferenceVertex, 3> Expansion::nearest_vertices() const {
  const Face& f = faces_[at(nearest_)];
  return {vertices_[at(f.vertex[0])], vertices_[at(f.vertex[1])], vertices_[at(f.vertex[2])]};
}

// The nearest face in another plane than that of the nearest face (1e-7 rad).
int Expansion::find_second() const {
  int second = -1;
  double least = kInfinity;
  const Vec3 n = nearest_normal();
  for (int f = 0; f < face_count_; ++f)
    if (key_[at(f)] < least && (normal_.at(f) - n).squaredNorm() >= kSecondPlane2) {
      least = key_[at(f)];
      second = f;
    }
  return second;
}

double Expansion::bound_of_others() const {
  const int f = find_second();
  return f < 0 ? nearest_distance() : key_[at(f)];
}

}  // namespace abut
