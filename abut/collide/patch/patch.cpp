#include "abut/collide/patch/patch.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "abut/collide/patch/patch_clip.h"
#include "abut/collide/patch/patch_reduce.h"
#include "abut/collide/patch/tolerances.h"
#include "abut/collide/tolerances.h"

namespace abut {
namespace {

// The frame of a patch: origin at the witness on A, so that small numbers stay exact far
// from the world's origin; third axis along the normal.
struct Frame {
  Mat3 R_WP;
  Vec3 origin;

  Frame(const Vec3& normal, const Vec3& witness) : origin(witness) {
    R_WP.col(0) = normal.unitOrthogonal();
    R_WP.col(1) = normal.cross(R_WP.col(0));
    R_WP.col(2) = normal;
  }
  Transform place(const Pose& X_WS) const {
    return {R_WP.transpose() * X_WS.q.toRotationMatrix(), R_WP.transpose() * (X_WS.p - origin)};
  }
};

struct Builder {
  PatchScratch& scratch;
  double reach;
  double tolerance;  // m: kSameContactPoint of the pair's size

  // Returns false if the point is beyond reach or present already.
  bool add(const PatchPoint& p) {
    if (!(p.psi <= reach)) return false;
    const std::uint64_t name = point_id(unpacked_feature(p.a), unpacked_feature(p.b));
    if (!scratch.names.insert(name)) return false;
    scratch.points.push_back(p);
    return true;
  }
};

// solids that show faces ---------------------------------------------------------------

class Map {
 public:
  Map(Builder& builder, const SeenSolid& A, const SeenSolid& B)
      : builder_(builder),
        scratch_(builder.scratch),
        A_(A),
        B_(B),
        one_cell_(A.shows_one_face() && B.shows_one_face()) {}

  // Walks over the map from the cells around the witness point, as far as the gap is within reach.
  // That region is convex, and the gap is linear in each cell. Therefore every cell that meets the
  // region has a corner in it, and the region is connected through such corners.
  void explore(const Feature& a, const Feature& b) {
    scratch_.cells.clear();
    add_cells(known(A_, a), known(B_, b));
    walk();
  }

  // The same from given faces.
  void explore_from(std::span<const std::int32_t> faces_a, std::span<const std::int32_t> faces_b) {
    scratch_.cells.clear();
    for (const std::int32_t a : faces_a)
      for (const std::int32_t b : faces_b)
        scratch_.cells.insert(static_cast<std::uint64_t>(a) << 32 | static_cast<std::uint32_t>(b));
    walk();
  }

 private:
  void walk() {
    for (int i = 0; i < scratch_.cells.count(); ++i) {
      const std::uint64_t cell = scratch_.cells[i];
      visit(static_cast<int>(cell >> 32), static_cast<int>(cell & 0xffffffffu));
    }
  }

  // Queries on curved solids may not know the feature of the witness point.
  static Feature known(const SeenSolid& solid, const Feature& feature) {
    const bool is_known = feature.kind == FeatureKind::vertex ||
                          feature.kind == FeatureKind::edge || feature.kind == FeatureKind::face;
    return is_known ? feature : solid.nearest();
  }

  void add_cells(const Feature& a, const Feature& b) {
    std::vector<std::int32_t>& faces = scratch_.walk;
    faces.clear();
    A_.faces_at(a, faces);
    const std::size_t count_a = faces.size();
    if (count_a == 0) return;
    B_.faces_at(b, faces);
    for (std::size_t i = 0; i < count_a; ++i)
      for (std::size_t j = count_a; j < faces.size(); ++j)
        scratch_.cells.insert(static_cast<std::uint64_t>(faces[i]) << 32 |
                              static_cast<std::uint32_t>(faces[j]));
  }

  void add(const PatchPoint& p) {
    if (builder_.add(p) && !one_cell_) add_cells(unpacked_feature(p.a), unpacked_feature(p.b));
  }

  void visit(int face_a, int face_b) {
    Outline &a = scratch_.outline_A, &b = scratch_.outline_B;
    A_.draw(face_a, a);
    B_.draw(face_b, b);
    if (a.is_segment() && b.is_segment()) {
      lie_side_by_side(a, b);
    } else if (a.is_segment()) {
      clip_outline(a, b, builder_.tolerance, scratch_.polygon, scratch_.clipped);
      for (const OutlinePoint& p : scratch_.polygon) {
        const double w = p.w + bulge(A_, p);
        add({p.u, p.v, w, b.height(p.u, p.v) - w, p.mine, p.other});
      }
    } else {
      clip_outline(b, a, builder_.tolerance, scratch_.polygon, scratch_.clipped);
      for (const OutlinePoint& p : scratch_.polygon) {
        const double w = a.height(p.u, p.v);
        add({p.u, p.v, w, p.w - bulge(B_, p) - w, p.other, p.mine});
      }
    }
  }

  static double bulge(const SeenSolid& solid, const OutlinePoint& p) {
    const bool between_ends = unpacked_feature(p.mine).kind == FeatureKind::edge;
    return between_ends ? solid.bulge() : 0;
  }

  // Two capsules, or cylinders on their sides: the two ends of their overlap. Lines that are
  // slightly skew are `offset` apart sideways there, and both surfaces bend away from each other.
  void lie_side_by_side(const Outline& a, const Outline& b) {
    const OutlinePoint &a0 = a.points[0], &a1 = a.points[1], &b0 = b.points[0], &b1 = b.points[1];
    const Vec2 from(a0.u, a0.v), along_a(a1.u - a0.u, a1.v - a0.v),
        along_b(b1.u - b0.u, b1.v - b0.v);
    const double length_a = along_a.norm(), length_b = along_b.norm();
    if (length_a <= builder_.tolerance || length_b <= builder_.tolerance) return;
    const double cosine = along_a.dot(along_b) / (length_a * length_b);
    if (std::abs(cosine) < kSideBySide) return;

    // positions along the middle line of the two, from A's first end
    const Vec2 t = (along_a / length_a + (cosine < 0 ? -1 : 1) * along_b / length_b).normalized();
    const Vec2 side(-t.y(), t.x());
    const double stop_a = t.dot(along_a);
    const double s0 = t.dot(Vec2(b0.u, b0.v) - from), s1 = t.dot(Vec2(b1.u, b1.v) - from);
    const double low = std::max(0.0, std::min(s0, s1)), high = std::min(stop_a, std::max(s0, s1));
    if (low > high + builder_.tolerance) return;
    const auto end_name = [&](double s, double start, double stop, const Outline& line) {
      if (std::abs(s - start) <= builder_.tolerance) return line.points[0].mine;
      if (std::abs(s - stop) <= builder_.tolerance) return line.points[1].mine;
      return line.face;
    };
    const double bend_a = A_.bend(), bend_b = B_.bend();
    for (const double s : {low, high}) {
      const double share_a = s / stop_a, share_b = (s - s0) / (s1 - s0);
      const Vec2 on_a = from + share_a * along_a;
      const Vec2 on_b = Vec2(b0.u, b0.v) + share_b * along_b;
      const double offset = side.dot(on_b - on_a);
      const double offset_a = offset * bend_a / (bend_a + bend_b), offset_b = offset - offset_a;
      if (std::abs(offset_a) > 0.5 * bend_a) continue;  // they pass beside each other
      const double drop_a = bend_a - std::sqrt(bend_a * bend_a - offset_a * offset_a);
      const double drop_b = bend_b - std::sqrt(bend_b * bend_b - offset_b * offset_b);
      const Vec2 place = on_a + offset_a * side;
      const double w_a = a0.w + share_a * (a1.w - a0.w) - drop_a;
      const double w_b = b0.w + share_b * (b1.w - b0.w) + drop_b;
      add({place.x(), place.y(), w_a, w_b - w_a, end_name(s, 0, stop_a, a),
           end_name(s, s0, s1, b)});
    }
  }

  Builder& builder_;
  PatchScratch& scratch_;
  const SeenSolid &A_, &B_;
  bool one_cell_;  // a box on a box: there is only one cell
};

// half-spaces --------------------------------------------------------------------------

struct HalfSpace {
  Vec3 eta;  // outward, in the patch's frame
  double offset;
  double up;  // +1 for A, -1 for B

  HalfSpace(const Transform& X_PH, double side)
      : eta(X_PH.R.col(2)), offset(eta.dot(X_PH.p)), up(side) {}
  // Gap along the patch's normal (m).
  double gap(const Vec3& p) const { return up * (eta.dot(p) - offset) / eta.z(); }
};

void add_over(Builder& builder, const HalfSpace& h, const Vec3& p, std::int32_t name) {
  const double psi = h.gap(p);
  const std::int32_t face = packed({FeatureKind::face, 0});
  if (h.up > 0) {
    builder.add({p.x(), p.y(), p.z() - psi, psi, face, name});
  } else {
    builder.add({p.x(), p.y(), p.z(), psi, name, face});
  }
}

// The vertices below a height are connected, so that a walk from the lowest one finds all of them.
// Vertices whose faces all look away (the upper side of a thin plate) are skipped: they cannot
// touch before the others do.
void add_vertices_over(Builder& builder, const HalfSpace& h, const Convex& solid,
                       const Transform& X_PS, const SeenSolid& seen) {
  PatchScratch& scratch = builder.scratch;
  const Polyhedron& p = *solid.polyhedron;
  const Vec3 down = X_PS.R.transpose() * -h.eta;
  scratch.cells.clear();
  scratch.cells.insert(static_cast<std::uint64_t>(solid.support->farthest(down)));
  for (int i = 0; i < scratch.cells.count(); ++i) {
    const int v = static_cast<int>(scratch.cells[i]);
    const Vec3 x = X_PS * p.vertices[static_cast<std::size_t>(v)];
    if (!(h.gap(x) <= builder.reach)) continue;
    const Feature vertex{FeatureKind::vertex, v};
    scratch.walk.clear();
    seen.faces_at(vertex, scratch.walk);
    if (!scratch.walk.empty()) add_over(builder, h, x, packed(vertex));
    for (const int next : p.neighbours(v)) scratch.cells.insert(static_cast<std::uint64_t>(next));
  }
}

void meet_half_space(Builder& builder, const HalfSpace& h, const Convex& solid,
                     const Transform& X_PS) {
  const SeenSolid seen(solid, X_PS, -h.up, builder.tolerance);
  if (solid.is_polyhedron()) return add_vertices_over(builder, h, solid, X_PS, seen);
  for (const OutlinePoint& p : seen.rim()) add_over(builder, h, {p.u, p.v, p.w}, p.mine);
}

// all ----------------------------------------------------------------------------------

// Merges points at one place. The result is named after the features of least dimension of each
// side: a vertex before an edge, an edge before a face, then the lower index.
void merge_same(std::vector<PatchPoint>& points, double tolerance) {
  const bool many = points.size() > 16;
  if (many)
    std::sort(points.begin(), points.end(), [](const PatchPoint& p, const PatchPoint& q) {
      return p.u != q.u ? p.u < q.u : p.a != q.a ? p.a < q.a : p.b < q.b;
    });
  std::size_t kept = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const PatchPoint p = points[i];
    PatchPoint* same = nullptr;
    for (std::size_t k = kept; k-- > 0 && !same;) {
      PatchPoint& q = points[k];
      const double du = q.u - p.u, dv = q.v - p.v;
      if (du * du + dv * dv <= tolerance * tolerance) same = &q;
      if (many && q.u < p.u - tolerance) break;
    }
    if (!same) {
      points[kept++] = p;
      continue;
    }
    if (std::abs(p.psi - same->psi) > 10 * tolerance) {  // one is above the other
      if (p.psi < same->psi) *same = p;
      continue;
    }
    same->a = std::min(same->a, p.a);
    same->b = std::min(same->b, p.b);
    same->psi = std::min(same->psi, p.psi);
  }
  points.resize(kept);
}

// The witness point is a corner of the map, or lies between corners with the same gap, and then
// adds nothing. It adds a point if the faces around it are too steep to be part of the map.
void add_witness(Builder& builder, const Proximity& d) {
  for (const PatchPoint& p : builder.scratch.points)
    if (p.psi <= d.distance + 10 * builder.tolerance) return;
  const std::int32_t a = packed(d.a), b = packed(d.b);
  for (PatchPoint& p : builder.scratch.points)
    if (p.a == a && p.b == b) {
      p = {0, 0, 0, d.distance, a, b};
      return;
    }
  builder.scratch.points.push_back({0, 0, 0, d.distance, a, b});
}

}  // namespace

namespace {

void append_points(const std::vector<PatchPoint>& points, const Frame& frame, const Vec3& normal,
                   Patch patch, ContactData& out) {
  patch.normal = normal;
  patch.begin = out.points.count();
  for (const PatchPoint& p : points) {
    const Vec3 p_A = frame.origin + frame.R_WP * Vec3(p.u, p.v, p.w);
    out.points.add(p_A, p_A + p.psi * normal, p.psi,
                   point_id(unpacked_feature(p.a), unpacked_feature(p.b)));
  }
  patch.end = out.points.count();
  out.patches.push_back(patch);
}

void sort_by_id(std::vector<PatchPoint>& points) {
  std::sort(points.begin(), points.end(), [](const PatchPoint& p, const PatchPoint& q) {
    return p.a != q.a ? p.a < q.a : p.b < q.b;
  });
}

void reduce(const PatchOptions& options, double size, PatchScratch& scratch) {
  if (options.max_points <= 0 || std::ssize(scratch.points) <= options.max_points) return;
  keep_few(scratch, {options.max_points, options.reach, size, options.kept_before});
}

// Where a line along the third axis of the patch's frame, through x (in the solid's frame), leaves
// the solid: that face is added.
void add_face_on_line(const Polyhedron& p, const Vec3& along, const Vec3& x,
                      std::vector<std::int32_t>& out) {
  double enter = -std::numeric_limits<double>::infinity();
  double leave = std::numeric_limits<double>::infinity();
  int face = -1;
  for (int f = 0; f < p.face_count(); ++f) {
    const double slope = along.dot(p.faces[static_cast<std::size_t>(f)].eta);
    const double height = p.height_above(f, x);
    if (slope == 0) {
      if (height > 0) return;
    } else if (slope > 0) {
      if (-height / slope >= leave) continue;
      leave = -height / slope;
      face = f;
    } else {
      enter = std::max(enter, -height / slope);
    }
  }
  if (face >= 0 && enter <= leave && std::find(out.begin(), out.end(), face) == out.end())
    out.push_back(face);
}

// The faces of a solid that look along `up`, if the solid has few faces. Otherwise the faces
// through which lines along `up` at these places leave the solid.
void faces_to_start_from(const Polyhedron& p, const Transform& X_PS, double up,
                         std::span<const Vec2> places, std::vector<std::int32_t>& out) {
  out.clear();
  constexpr int kFew = 20;
  const Vec3 along = up * X_PS.R.row(2).transpose();
  if (p.face_count() <= kFew) {
    for (int f = 0; f < p.face_count(); ++f)
      if (along.dot(p.faces[static_cast<std::size_t>(f)].eta) > kSteepestFace) out.push_back(f);
    return;
  }
  for (const Vec2& place : places)
    add_face_on_line(p, along, X_PS.R.transpose() * (Vec3(place.x(), place.y(), 0) - X_PS.p), out);
}

void outline_of(const Polyhedron& p, const Transform& X_PS, double tolerance, PatchScratch& scratch,
                PlanarSet& out) {
  scratch.places.clear();
  for (const Vec3& v : p.vertices) scratch.places.push_back((X_PS * v).head<2>());
  planar_hull(scratch.places, tolerance, tolerance * tolerance, out);
}

// Places where one solid is above the other: the middle of the common shadow, and a place near each
// of its corners.
void find_common_places(const Polyhedron& A, const Transform& X_PA, const Polyhedron& B,
                        const Transform& X_PB, double tolerance, PatchScratch& scratch) {
  outline_of(A, X_PA, tolerance, scratch, scratch.shade_A);
  outline_of(B, X_PB, tolerance, scratch, scratch.shade_B);
  intersect(scratch.shade_A, scratch.shade_B, tolerance, tolerance * tolerance, scratch.shared);
  scratch.places.clear();
  const std::vector<Vec2>& corners = scratch.shared.set.points;
  if (corners.empty()) return;
  Vec2 middle = Vec2::Zero();
  for (const Vec2& c : corners) middle += c / static_cast<double>(corners.size());
  scratch.places.push_back(middle);
  for (const Vec2& c : corners) scratch.places.push_back(c + kCornerInset * (middle - c));
}

}  // namespace

bool append_patch_along(const Vec3& normal, const Vec3& between, const Convex& A, const Pose& X_WA,
                        const Convex& B, const Pose& X_WB, const PatchOptions& options,
                        PatchScratch& scratch, ContactData& out) {
  Builder builder{scratch, options.reach, kSameContactPoint * pair_size(A, B)};
  std::vector<PatchPoint>& points = scratch.points;
  points.clear();
  scratch.names.clear();
  const Frame frame(normal, between);
  const Transform X_PA = frame.place(X_WA), X_PB = frame.place(X_WB);
  const SeenSolid seen_A(A, X_PA, +1, builder.tolerance), seen_B(B, X_PB, -1, builder.tolerance);
  const auto explore = [&] {
    faces_to_start_from(*A.polyhedron, X_PA, +1, scratch.places, scratch.start_A);
    faces_to_start_from(*B.polyhedron, X_PB, -1, scratch.places, scratch.start_B);
    Map(builder, seen_A, seen_B).explore_from(scratch.start_A, scratch.start_B);
  };
  scratch.places.assign(1, Vec2::Zero());
  explore();
  if (points.empty()) {
    // the solids need not be above each other at their nearest points
    find_common_places(*A.polyhedron, X_PA, *B.polyhedron, X_PB, builder.tolerance, scratch);
    if (scratch.places.empty()) return false;
    explore();
  }
  if (points.empty()) return false;
  merge_same(points, builder.tolerance);
  sort_by_id(points);
  reduce(options, pair_size(A, B), scratch);
  Patch patch;
  patch.distance = points.front().psi;
  for (const PatchPoint& p : points) patch.distance = std::min(patch.distance, p.psi);
  append_points(points, frame, normal, patch, out);
  return true;
}

bool append_patch(const Convex& A, const Pose& X_WA, const Convex& B, const Pose& X_WB,
                  const Proximity& d_W, const PatchOptions& options, PatchScratch& scratch,
                  ContactData& out) {
  if (d_W.beyond_limit || !(d_W.distance <= options.reach)) return false;
  Builder builder{scratch, options.reach, kSameContactPoint * pair_size(A, B)};
  std::vector<PatchPoint>& points = scratch.points;
  points.clear();
  scratch.names.clear();

  const Frame frame(d_W.normal, d_W.p_A);
  const bool shows_A = SeenSolid::can_show(A), shows_B = SeenSolid::can_show(B);
  if (shows_A && shows_B) {
    const SeenSolid seen_A(A, frame.place(X_WA), +1, builder.tolerance);
    const SeenSolid seen_B(B, frame.place(X_WB), -1, builder.tolerance);
    Map(builder, seen_A, seen_B).explore(d_W.a, d_W.b);
  } else if (A.is_half_space() && shows_B) {
    meet_half_space(builder, HalfSpace(frame.place(X_WA), +1), B, frame.place(X_WB));
  } else if (shows_A && B.is_half_space()) {
    meet_half_space(builder, HalfSpace(frame.place(X_WB), -1), A, frame.place(X_WA));
  }
  merge_same(points, builder.tolerance);
  add_witness(builder, d_W);

  sort_by_id(points);
  reduce(options, pair_size(A, B), scratch);

  Patch patch;
  patch.distance = d_W.distance;
  patch.a = d_W.a;
  patch.b = d_W.b;
  patch.indeterminate = d_W.indeterminate;
  append_points(points, frame, d_W.normal, patch, out);
  return true;
}

}  // namespace abut
