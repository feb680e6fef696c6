// CutPolyhedron: a convex polyhedron that planes cut down in place. Each vertex has three edges, so
// that its arrays have a fixed stride.
//
// A cut sorts the vertices into kept and lost, never into "on the plane", and ensures that both
// parts are connected even if rounding says otherwise. Then the edges between the parts cross a
// ring of faces, each once. Each such edge gets a new vertex, the ring gets a new face, and each
// vertex has three edges again. So the surface stays closed and Euler's formula holds whatever the
// rounding. Where more than three faces meet there are several vertices in one place.
//
//   abut::CutPolyhedron p;
//   p.load(box, Mat3::Identity(), Vec3::Zero(), 0);
//   const auto top = p.top(n, d, 0, 1e-14);
//   if (top.height > 0) p.cut(n, d, {1, 7}, top.vertex);  // the new face: side 1's face 7
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "abut/math/types.h"
#include "abut/shape/polyhedron.h"

namespace abut {

class CutPolyhedron {
 public:
  // As in Polyhedron, edges run counter-clockwise seen from outside, edge k leads to
  // next[k], and face[k] lies between edges k and k + 1.
  struct Corner {
    std::array<int, 3> next;
    std::array<int, 3> face;
  };
  struct Label {
    int side;  // solid that the face's plane belongs to
    int face;
  };
  // Loads `p`, which must have three edges at each vertex, transformed to R (v - origin). Its faces
  // become faces 0, 1, .. of `side`.
  void load(const Polyhedron& p, const Mat3& R, const Vec3& origin, int side);

  // The vertex highest above the plane n . x = d, and its height (m). With more than kFew vertices
  // it climbs from vertex `from`, so that a good start makes it fast. All vertices within `flat`
  // (m) of the height where a climb ends are examined, because rounding may end it early.
  static constexpr int kFew = 24;
  struct Top {
    int vertex;
    double height;
  };
  Top top(const Vec3& n, double d, int from, double flat);

  // Keeps n . x <= d. `above` is a vertex well above the plane. The cost depends on what is cut off
  // and not on what remains. Returns false if nothing is left.
  bool cut(const Vec3& n, double d, Label label, int above);

  // Number of vertices that top() and cut() examined since load().
  long looks() const { return looks_; }

  int vertex_count() const { return static_cast<int>(x_.size()); }
  Vec3 vertex(int i) const { return {x_[i], y_[i], z_[i]}; }
  const Corner& corner(int i) const { return corners_[i]; }
  // Faces in order of creation; some are lost again. A face's index is its place here.
  const std::vector<Label>& labels() const { return labels_; }
  void relabel(int face, Label label) { labels_[face] = label; }
  // The vertex after v around f.
  int after(int v, int f) const {
    const Corner& c = corners_[v];
    return c.next[c.face[0] == f ? 0 : c.face[1] == f ? 1 : 2];
  }

  // Squared distance of the farthest vertex from the origin (m^2).
  double radius2() const;
  // Moves the origin to `p`.
  void move_origin(const Vec3& p);

  // A vertex that this function has not returned since its creation, the latest first; -1: none.
  int unchecked();

 private:
  // An edge from the kept part to the lost part, and the new vertex at its end.
  struct Crossing {
    int kept, slot, lost;
    int left;  // the face to its left, seen on the way out
    Vec3 position;
  };

  double height_above(const Vec3& n, double d, int v) {
    ++looks_;
    return n.x() * x_[v] + n.y() * y_[v] + n.z() * z_[v] - d;
  }
  void uncheck(int v) {
    is_checked_[v] = 0;
    pending_.push_back(v);
  }
  void find_lost(const Vec3& n, double d, int above);
  void keep_one_part(const Vec3& n, double d);
  int count_crossings();
  void trace_ring();
  Vec3 crossing_point(int kept, int lost) const;
  void close(int face);
  void set(int i, const Vec3& p);
  void resize(int n);
  void drop_rest(int from);
  Top top_of_all(const Vec3& n, double d);
  int higher_on_plateau(const Vec3& n, double d, int v, double height, double flat);

  std::vector<double> x_, y_, z_;
  std::vector<double> height_;  // above the current plane
  std::vector<Corner> corners_;
  std::vector<std::uint8_t> is_lost_, is_checked_;
  std::vector<Label> labels_;
  std::vector<int> lost_, stack_;
  std::vector<int> pending_;  // contains every unchecked vertex, and others
  std::vector<Crossing> ring_;
  long looks_ = 0;
  int first_kept_ = -1, first_slot_ = -1;  // one crossing edge
};

}  // namespace abut
