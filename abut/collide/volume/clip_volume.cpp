#include "abut/collide/volume/clip_volume.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "abut/collide/volume/exit_face.h"
#include "abut/collide/volume/tolerances.h"
#include "abut/shape/aabb.h"
#include "abut/shape/primitives.h"

namespace abut {
namespace {

using Label = CutPolyhedron::Label;

constexpr int kStart = -1;  // label of the box that the cutting starts from

// The pair with a common working frame: A's axes, with the origin in or near the overlap. The
// origin is known in the frames of both solids, from the smaller one's centre, so that the planes
// of a small solid on a large one keep all their digits.
struct Pair {
  const Convex& A;
  const Convex& B;
  const Transform& X_AB;
  std::span<const Polyhedron::Face> planes_A, planes_B;
  Vec3 origin_A, origin_B;

  Pair(const Convex& a, const Convex& b, const Transform& X)
      : A(a), B(b), X_AB(X), planes_A(face_planes(a)), planes_B(face_planes(b)) {
    if (a.radius <= b.radius) {
      origin_A = a.center;
      origin_B = X.inverse() * a.center;
    } else {
      origin_A = X * b.center;
      origin_B = b.center;
    }
  }
  void move_origin(const Vec3& by) {
    origin_A += by;
    origin_B += X_AB.R.transpose() * by;
  }
  double distance(Label l) const {
    const Polyhedron::Face& f = l.side == 0 ? planes_A[l.face] : planes_B[l.face];
    return f.offset - f.eta.dot(l.side == 0 ? origin_A : origin_B);
  }
  Vec3 normal(Label l) const {
    return l.side == 0 ? planes_A[l.face].eta : Vec3(X_AB.R * planes_B[l.face].eta);
  }
  // Rounding error of a plane (m): of the solids themselves and of the numbers that place the
  // origin.
  double flush() const {
    return kFlush * (pair_size(A, B) + 0.1 * (origin_A.norm() + origin_B.norm()));
  }
};

// A box around the region where the bounding balls of the solids meet: along the line of their
// centres, and across it as wide as the circle in which the balls intersect.
struct MeetingBox {
  Vec3 center = Vec3::Zero();  // from the working origin
  Mat3 axes = Mat3::Identity();
  Vec3 half = Vec3::Zero();
  bool empty = false;
};

// The region where ball 1 (the smaller, at the origin) and ball 2 meet. `axis` points to ball 2, at
// `distance` (m). If r2 is infinite, ball 2 is a half-space: `axis` is its inner normal, `distance`
// the depth of the origin below its face.
MeetingBox meeting_box(double r1, double r2, const Vec3& axis, double distance, double margin) {
  MeetingBox box;
  double low = -r1, high = r1, across = r1;
  if (std::isinf(r2)) {
    low = std::max(low, -distance);
    if (distance < 0) across = std::sqrt(std::max(0.0, r1 * r1 - distance * distance));
  } else {
    low = std::max(low, distance - r2);
    high = std::min(high, distance + r2);
    const double plane =
        distance > 0 ? (distance * distance + r1 * r1 - r2 * r2) / (2 * distance) : -r1;
    if (plane > 0) across = std::sqrt(std::max(0.0, r1 * r1 - plane * plane));
  }
  box.empty = low - high > margin;
  const Vec3 side = axis.unitOrthogonal();
  box.axes << side, axis.cross(side), axis;
  box.center = 0.5 * (low + high) * axis;
  box.half = Vec3(across, across, 0.5 * std::max(0.0, high - low)).array() + margin;
  return box;
}

// The same for the pair. `margin` is relative to the smaller radius.
MeetingBox meeting_box(const Pair& pair, double margin) {
  const bool a_first = pair.A.radius <= pair.B.radius;
  const Convex &small = a_first ? pair.A : pair.B, &large = a_first ? pair.B : pair.A;
  const Vec3& origin = a_first ? pair.origin_B : pair.origin_A;  // in the frame of the larger solid
  const auto to_A = [&](const Vec3& v) { return a_first ? Vec3(pair.X_AB.R * v) : v; };
  margin *= small.radius;
  if (large.is_half_space())
    return meeting_box(small.radius, large.radius, to_A(-Vec3::UnitZ()), -origin.z(), margin);
  const Vec3 to = to_A(large.center - origin);
  const double distance = to.norm();
  const Vec3 axis = distance > 0 ? Vec3(to / distance) : Vec3(Vec3::UnitZ());
  return meeting_box(small.radius, large.radius, axis, distance, margin);
}

bool is_box(const Convex& solid) { return solid.kind == ShapeKind::box && solid.polyhedron; }

// Loads a solid that is a box, or else the meeting box. Returns the side whose planes are done, or
// kStart.
int load_start(const Pair& pair, const MeetingBox& box, CutPolyhedron& p) {
  if (is_box(pair.A)) {
    p.load(*pair.A.polyhedron, Mat3::Identity(), pair.origin_A, 0);
    return 0;
  }
  if (is_box(pair.B)) {
    p.load(*pair.B.polyhedron, pair.X_AB.R, pair.origin_B, 1);
    return 1;
  }
  static const Polyhedron cube = box_polyhedron(Vec3::Ones());
  p.load(cube, box.axes * box.half.asDiagonal(), Vec3::Zero(), kStart);
  return kStart;
}

// The state while the common part is cut out.
struct Work {
  Pair pair;
  CutPolyhedron& p;
  std::array<std::vector<std::uint8_t>, 2>& used;  // planes that have cut already
  std::array<std::vector<int>, 2>& near;
  long& looks;
  int done_side;
  double flush;

  bool cut(const Vec3& n, double d, Label label, int above) {
    used[label.side][label.face] = 1;
    return p.cut(n, d, label, above);
  }
};

// A face of `side` at a vertex, or -1.
int own_face(const CutPolyhedron& p, int v, int side) {
  for (const int f : p.corner(v).face)
    if (p.labels()[f].side == side) return p.labels()[f].face;
  return -1;
}

// Cuts until no vertex is outside a face through which it leaves a solid. This finds the relevant
// planes in a good order, and all of them up to rounding. Returns false if nothing is left.
bool cut_at_vertices(Work& w) {
  const Pair& pair = w.pair;
  CutPolyhedron& p = w.p;
  ExitFace exit[2] = {{pair.A, pair.planes_A}, {pair.B, pair.planes_B}};
  bool left = true;
  for (int v = p.unchecked(); v >= 0 && left; v = p.unchecked()) {
    const Vec3 at = p.vertex(v);
    for (const int side : {0, 1}) {
      if (side == w.done_side) continue;
      const Vec3 in_frame =
          side == 0 ? Vec3(pair.origin_A + at) : Vec3(pair.origin_B + pair.X_AB.R.transpose() * at);
      const Label label{side, exit[side].find(in_frame, own_face(p, v, side), w.flush)};
      if (label.face < 0) continue;
      // check again with the origin subtracted first: a vertex must be above the plane to be cut
      // off
      const Vec3 n = pair.normal(label);
      const double d = pair.distance(label);
      if (n.dot(at) - d <= w.flush) continue;
      left = w.cut(n, d, label, v);
      break;
    }
  }
  w.looks += exit[0].looks() + exit[1].looks();
  return left;
}

// A plane of A that lies flush on a face of B takes the face over (H-N4).
void take_flush_face(Work& w, int top, const Vec3& n, double d, Label label) {
  for (const int f : w.p.corner(top).face) {
    if (w.p.labels()[f].side == 0) continue;
    bool on_plane = true;
    int v = top;
    do {
      on_plane = on_plane && n.dot(w.p.vertex(v)) - d >= -w.flush;
      v = w.p.after(v, f);
    } while (on_plane && v != top);
    if (on_plane) w.p.relabel(f, label);
  }
}

// Finds one vertex of each plane whose face exists.
void find_near(Work& w) {
  w.near[0].assign(w.pair.planes_A.size(), -1);
  w.near[1].assign(w.pair.planes_B.size(), -1);
  for (int v = 0; v < w.p.vertex_count(); ++v)
    for (const int f : w.p.corner(v).face)
      if (const Label l = w.p.labels()[f]; l.side >= 0) w.near[l.side][l.face] = v;
}

// Start vertex of the search for the top above a plane: near that of a neighbouring plane.
int near_neighbour(const Work& w, Label label, int otherwise) {
  const Convex& solid = label.side == 0 ? w.pair.A : w.pair.B;
  if (solid.is_half_space()) return otherwise;
  const Polyhedron& polyhedron = *solid.tessellation;
  for (const int e : polyhedron.face_edge_ring(label.face)) {
    const Polyhedron::Edge& edge = polyhedron.edges[e];
    const int v = w.near[label.side][edge.f1 == label.face ? edge.f2 : edge.f1];
    if (v >= 0 && v < w.p.vertex_count()) return v;
  }
  return otherwise;
}

// Tests every other plane that comes near, and cuts if it still does. Returns false if nothing is
// left.
bool cut_by_the_rest(Work& w) {
  CutPolyhedron& p = w.p;
  Aabb box;
  for (int v = 0; v < p.vertex_count(); ++v) box.merge(p.vertex(v));
  const Vec3 middle = box.center();
  w.pair.move_origin(middle);
  p.move_origin(middle);
  const double radius = std::sqrt(p.radius2()) + w.flush;
  const bool climbs = p.vertex_count() > CutPolyhedron::kFew;
  if (climbs) find_near(w);
  for (const int side : {0, 1}) {
    if (side == w.done_side) continue;
    const auto planes = side == 0 ? w.pair.planes_A : w.pair.planes_B;
    const Vec3& origin = side == 0 ? w.pair.origin_A : w.pair.origin_B;
    int last = 0;
    w.looks += static_cast<long>(planes.size());
    for (std::size_t f = 0; f < planes.size(); ++f) {
      const double d = planes[f].offset - planes[f].eta.dot(origin);
      if (d > radius || w.used[side][f]) continue;
      const Label label{side, static_cast<int>(f)};
      const Vec3 n = w.pair.normal(label);
      last = std::min(last, p.vertex_count() - 1);
      const CutPolyhedron::Top top =
          p.top(n, d, climbs ? near_neighbour(w, label, last) : last, w.flush);
      last = top.vertex;
      if (climbs) w.near[side][f] = last;
      if (top.height > w.flush) {
        if (!w.cut(n, d, label, top.vertex)) return false;
      } else if (side == 0 && top.height > -w.flush) {
        take_flush_face(w, top.vertex, n, d, label);
      }
    }
  }
  return true;
}

// Writes the loops of `p`. Vertices with the same `representative` become one, and faces that lose
// their area are removed.
void write_faces(const CutPolyhedron& p, std::span<const int> representative,
                 std::vector<std::uint8_t>& face_seen, Intersection& common) {
  common.vertices.clear();
  common.faces.clear();
  common.loops.clear();
  face_seen.assign(p.labels().size(), 0);
  for (int start = 0; start < p.vertex_count(); ++start)
    for (const int f : p.corner(start).face) {
      if (face_seen[f]) continue;
      face_seen[f] = 1;
      const int begin = static_cast<int>(common.loops.size());
      int v = start;
      do {
        const int r = representative[v];
        if (static_cast<int>(common.loops.size()) == begin || common.loops.back() != r)
          common.loops.push_back(r);
        v = p.after(v, f);
      } while (v != start);
      while (static_cast<int>(common.loops.size()) > begin + 1 &&
             common.loops.back() == common.loops[begin])
        common.loops.pop_back();
      const int end = static_cast<int>(common.loops.size());
      if (end - begin < 3) {
        common.loops.resize(begin);
        continue;
      }
      const Label l = p.labels()[f];
      common.faces.push_back({begin, end, l.side == 1 ? Side::b : Side::a, l.face, Vec3::Zero()});
    }
}

// Numbers the vertices that loops use, in order of first use.
void write_vertices(const CutPolyhedron& p, std::vector<int>& number, Intersection& common) {
  number.assign(p.vertex_count(), -1);
  for (int& v : common.loops) {
    if (number[v] < 0) {
      number[v] = common.vertex_count();
      common.vertices.push_back(p.vertex(v));
    }
    v = number[v];
  }
}

bool closed(const Intersection& common) {
  return common.vertex_count() - common.edge_count() + common.face_count() == 2;
}

// Joins the ends of edges shorter than `shortest` (m): where more than three faces meet there are
// several vertices in one place. Returns false if there are no such edges.
bool join_short_edges(const CutPolyhedron& p, double shortest, std::vector<int>& joined) {
  bool any = false;
  const auto root = [&](int v) {
    while (joined[v] != v) v = joined[v] = joined[joined[v]];
    return v;
  };
  for (int v = 0; v < p.vertex_count(); ++v)
    for (const int u : p.corner(v).next) {
      if (u < v || (p.vertex(u) - p.vertex(v)).squaredNorm() > shortest * shortest) continue;
      const int a = root(u), b = root(v);
      if (a != b) joined[std::max(a, b)] = std::min(a, b);
      any = true;
    }
  for (int v = 0; v < p.vertex_count(); ++v) joined[v] = root(v);
  return any;
}

// Cuts out the common part. Returns false if there is none.
bool cut_out(Work& w, double margin) {
  const MeetingBox box = meeting_box(w.pair, margin);
  if (box.empty) return false;
  w.pair.move_origin(box.center);
  w.done_side = load_start(w.pair, box, w.p);
  w.used[0].assign(w.pair.planes_A.size(), 0);
  w.used[1].assign(w.pair.planes_B.size(), 0);
  const bool left = cut_at_vertices(w) && cut_by_the_rest(w);
  w.looks += w.p.looks();
  return left;
}

bool reaches_start(const CutPolyhedron& p) {
  for (int v = 0; v < p.vertex_count(); ++v)
    if (own_face(p, v, kStart) >= 0) return true;
  return false;
}

}  // namespace

void clip_volume(const Convex& A, const Convex& B, const Transform& X_AB, ClipBuffers& buffers,
                 Intersection& common) {
  common.clear();
  buffers.looks = 0;
  const Pair pair(A, B, X_AB);
  if (pair.planes_A.empty() || pair.planes_B.empty()) return;
  if (A.is_half_space() && B.is_half_space()) return;

  CutPolyhedron& p = buffers.polyhedron;
  Work w{pair, p, buffers.used, buffers.near, buffers.looks, kStart, pair.flush()};
  if (!cut_out(w, 1. / 256)) return;
  if (reaches_start(p)) {
    // a needle grew by `flush` over its faces and out of the box
    w.pair.origin_A = pair.origin_A;
    w.pair.origin_B = pair.origin_B;
    w.flush = 0;
    if (!cut_out(w, 1)) return;
    assert(!reaches_start(p));
  }

  // first with every vertex on its own, for the volume with short edges
  const double L = pair_size(A, B);
  std::vector<int>& joined = buffers.joined;
  joined.resize(p.vertex_count());
  const auto write = [&] {
    write_faces(p, joined, buffers.face_seen, common);
    write_vertices(p, buffers.number, common);
    measure(common, L);
  };
  std::iota(joined.begin(), joined.end(), 0);
  write();
  common.origin = w.pair.origin_A;
  // then without short edges, but keep edges as long as the volume is thin
  const double thickness = common.volume / common.area;
  if (join_short_edges(p, std::min(w.flush, kShortEdge * thickness), joined)) {
    write();
    if (!closed(common)) {
      std::iota(joined.begin(), joined.end(), 0);
      write();
    }
  }
}

}  // namespace abut
