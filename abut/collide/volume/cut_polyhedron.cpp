#include "abut/collide/volume/cut_polyhedron.h"

#include <algorithm>

namespace abut {

void CutPolyhedron::resize(int n) {
  const auto size = static_cast<std::size_t>(n);
  x_.resize(size), y_.resize(size), z_.resize(size), height_.resize(size);
  corners_.resize(size), is_lost_.resize(size), is_checked_.resize(size);
}

void CutPolyhedron::set(int i, const Vec3& p) {
  x_[i] = p.x();
  y_[i] = p.y();
  z_[i] = p.z();
}

void CutPolyhedron::load(const Polyhedron& p, const Mat3& R, const Vec3& origin, int side) {
  looks_ = 0;
  resize(p.vertex_count());
  std::fill(is_lost_.begin(), is_lost_.end(), std::uint8_t{0});
  pending_.clear();
  for (int v = p.vertex_count() - 1; v >= 0; --v) uncheck(v);
  for (int v = 0; v < p.vertex_count(); ++v) {
    set(v, R * (p.vertices[v] - origin));
    const auto next = p.neighbours(v), face = p.faces_around(v);
    assert(next.size() == 3);
    corners_[v] = {{next[0], next[1], next[2]}, {face[0], face[1], face[2]}};
  }
  labels_.clear();
  for (int f = 0; f < p.face_count(); ++f) labels_.push_back({side, f});
}

double CutPolyhedron::radius2() const {
  double r2 = 0;
  for (std::size_t i = 0; i < x_.size(); ++i)
    r2 = std::max(r2, x_[i] * x_[i] + y_[i] * y_[i] + z_[i] * z_[i]);
  return r2;
}

void CutPolyhedron::move_origin(const Vec3& p) {
  for (double& v : x_) v -= p.x();
  for (double& v : y_) v -= p.y();
  for (double& v : z_) v -= p.z();
}

int CutPolyhedron::unchecked() {
  while (!pending_.empty()) {
    const int v = pending_.back();
    pending_.pop_back();
    if (v >= vertex_count() || is_checked_[v]) continue;
    is_checked_[v] = 1;
    return v;
  }
  return -1;
}

CutPolyhedron::Top CutPolyhedron::top(const Vec3& n, double d, int from, double flat) {
  if (vertex_count() <= kFew) return top_of_all(n, d);
  Top best{};
  for (int at = from; at >= 0; at = higher_on_plateau(n, d, best.vertex, best.height, flat)) {
    best = {at, height_above(n, d, at)};
    for (int before = -1; before != best.vertex;) {
      before = best.vertex;
      for (const int u : corners_[before].next)
        if (const double h = height_above(n, d, u); h > best.height) best = {u, h};
    }
  }
  return best;
}

CutPolyhedron::Top CutPolyhedron::top_of_all(const Vec3& n, double d) {
  Top best{0, height_above(n, d, 0)};
  for (int v = 1; v < vertex_count(); ++v)
    if (const double h = height_above(n, d, v); h > best.height) best = {v, h};
  return best;
}

// A vertex higher than v among those connected with it through vertices at most `flat` (m) lower,
// or next to one of them; -1: none.
int CutPolyhedron::higher_on_plateau(const Vec3& n, double d, int v, double height, double flat) {
  const auto is_flat = [&](int u) { return height_above(n, d, u) >= height - flat; };
  // usually there is no plateau
  const std::array<int, 3>& next = corners_[v].next;
  if (!is_flat(next[0]) && !is_flat(next[1]) && !is_flat(next[2])) return -1;
  int higher = -1;
  stack_.assign(1, v);
  is_lost_[v] = 1;
  for (std::size_t k = 0; k < stack_.size() && higher < 0; ++k)
    for (const int u : corners_[stack_[k]].next) {
      if (is_lost_[u] || !is_flat(u)) continue;
      if (height_above(n, d, u) > height) higher = u;
      is_lost_[u] = 1;
      stack_.push_back(u);
    }
  for (const int u : stack_) is_lost_[u] = 0;
  return higher;
}

bool CutPolyhedron::cut(const Vec3& n, double d, Label label, int above) {
  find_lost(n, d, above);
  if (static_cast<int>(lost_.size()) == vertex_count()) {
    for (const int v : lost_) is_lost_[v] = 0;
    return false;
  }
  const int crossings = count_crossings();
  trace_ring();
  if (static_cast<int>(ring_.size()) != crossings) {
    keep_one_part(n, d);
    count_crossings();
    trace_ring();
  }
  const int face = static_cast<int>(labels_.size());
  labels_.push_back(label);
  close(face);
  return true;
}

// Finds the vertices above the plane that are connected, above the plane, with one that is well
// above. Any other vertex is above by rounding alone: a convex solid rises from every vertex to its
// top.
void CutPolyhedron::find_lost(const Vec3& n, double d, int above) {
  lost_.assign(1, above);
  is_lost_[above] = 1;
  height_[above] = height_above(n, d, above);
  for (std::size_t k = 0; k < lost_.size(); ++k) {
    for (const int u : corners_[lost_[k]].next) {
      if (is_lost_[u]) continue;
      height_[u] = height_above(n, d, u);
      if (height_[u] <= 0) continue;
      is_lost_[u] = 1;
      lost_.push_back(u);
    }
  }
}

int CutPolyhedron::count_crossings() {
  int crossings = 0;
  for (const int v : lost_) {
    const Corner& c = corners_[v];
    for (const int u : c.next) {
      if (is_lost_[u]) continue;
      ++crossings;
      first_kept_ = u;
      const Corner& k = corners_[u];
      first_slot_ = k.next[0] == v ? 0 : k.next[1] == v ? 1 : 2;
    }
  }
  return crossings;
}

// Of several kept parts, keeps the one with the lowest vertex. The others are below the plane by
// rounding alone and are removed.
void CutPolyhedron::keep_one_part(const Vec3& n, double d) {
  constexpr std::uint8_t kKept = 2;
  for (int v = 0; v < vertex_count(); ++v) height_[v] = height_above(n, d, v);
  const int lowest =
      static_cast<int>(std::min_element(height_.begin(), height_.end()) - height_.begin());
  stack_.assign(1, lowest);
  is_lost_[lowest] = kKept;
  while (!stack_.empty()) {
    const int v = stack_.back();
    stack_.pop_back();
    for (const int u : corners_[v].next) {
      if (is_lost_[u]) continue;
      is_lost_[u] = kKept;
      stack_.push_back(u);
    }
  }
  lost_.clear();
  for (int v = 0; v < vertex_count(); ++v) {
    is_lost_[v] = is_lost_[v] != kKept;
    if (is_lost_[v]) lost_.push_back(v);
  }
}

// Lists the crossing edges in order. Each is found from the last one by walking on the lost side of
// the face to its left.
void CutPolyhedron::trace_ring() {
  ring_.clear();
  int kept = first_kept_, slot = first_slot_;
  do {
    const int face = corners_[kept].face[slot], lost = corners_[kept].next[slot];
    ring_.push_back({kept, slot, lost, face, crossing_point(kept, lost)});
    int v = lost;
    do v = after(v, face);
    while (is_lost_[v]);
    // the next crossing edge follows, counter-clockwise, the edge by which the walk left the face
    const Corner& c = corners_[v];
    kept = v;
    slot = c.face[0] == face ? 1 : c.face[1] == face ? 2 : 0;
  } while (kept != first_kept_ || slot != first_slot_);
}

Vec3 CutPolyhedron::crossing_point(int kept, int lost) const {
  const double low = height_[kept], high = height_[lost];
  // on the wrong side by rounding: use the vertex itself
  if (low >= 0) return vertex(kept);
  if (high <= 0) return vertex(lost);
  // from the nearer end, and never beyond an end
  const Vec3 a = vertex(kept), b = vertex(lost);
  return -low < high ? Vec3(a + low / (low - high) * (b - a))
                     : Vec3(b + high / (high - low) * (a - b));
}

// Stores the new vertices in place of the lost ones, and adds the new face. Seen from outside with
// the lost part up, the ring runs to the left.
void CutPolyhedron::close(int face) {
  const int crossings = static_cast<int>(ring_.size()), lost = static_cast<int>(lost_.size());
  const int old_count = vertex_count();
  const auto id = [&](int i) { return i < lost ? lost_[i] : old_count + i - lost; };
  if (crossings > lost) resize(old_count + crossings - lost);
  for (int i = 0; i < crossings; ++i) {
    const Crossing& c = ring_[i];
    const int right = i > 0 ? i - 1 : crossings - 1, left = i + 1 < crossings ? i + 1 : 0;
    const int v = id(i);
    set(v, c.position);
    corners_[v] = {{c.kept, id(right), id(left)}, {ring_[right].left, face, c.left}};
    corners_[c.kept].next[c.slot] = v;
    is_lost_[v] = 0;
    uncheck(v);
  }
  if (crossings < lost) drop_rest(crossings);
}

// Fills the holes lost_[from ..] with vertices from the end.
void CutPolyhedron::drop_rest(int from) {
  int last = vertex_count() - 1;
  for (int k = from; k < static_cast<int>(lost_.size()); ++k) {
    while (last >= 0 && is_lost_[last]) is_lost_[last--] = 0;
    const int hole = lost_[k];
    if (hole > last) continue;
    is_lost_[hole] = 0;
    set(hole, vertex(last));
    corners_[hole] = corners_[last];
    is_checked_[hole] = is_checked_[last];
    if (!is_checked_[hole]) pending_.push_back(hole);
    for (const int u : corners_[hole].next)
      for (int& w : corners_[u].next)
        if (w == last) w = hole;
    --last;
  }
  resize(last + 1);
}

}  // namespace abut
