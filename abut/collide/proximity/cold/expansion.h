// Expansion: a polytope grown inside the Minkowski difference A - B of two cores until its face
// nearest to the origin is a face of the difference itself (van den Bergen's expanding polytope, in
// double precision, on exact vertices).
//
// The distance of its nearest face is a lower bound of the minimum translation; the support along
// that face's normal is an upper bound. When the two agree, the answer is certain: no direction
// needs less. Distances of faces are signed, so that the method also works if the origin lies
// slightly outside: the nearest face then separates the two.
//
//   Expansion& e = thread_expansion();
//   if (e.begin(A, B, X_AB, simplex, L)) status = e.grow(tolerance);
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "abut/collide/proximity/cold/gjk.h"

namespace abut {

class Expansion {
 public:
  enum class Status {
    certain,   // the bounds agree
    parted,    // a plane separates the two (only on request)
    confused,  // rounding broke the polytope: use another method
  };

  // Starts from GJK's last simplex. Returns false if the difference is flat.
  bool begin(const SupportMap& A, const SupportMap& B, const Transform& X_AB,
             const Simplex& simplex, double L);
  // Starts from three vertices of A - B that may be a face of it, and a point inside it.
  bool begin_at(const SupportMap& A, const SupportMap& B, const Transform& X_AB,
                const std::array<DifferenceVertex, 3>& face, const Vec3& inside, double L);
  Status grow(double tolerance, bool stop_when_parted = false);
  const DifferenceVertex& last() const { return last_; }

  // The nearest face: its vertices (w = b - a), its outward normal in A - B, which points from A to
  // B, its signed distance, and the height of the support along the normal.
  std::array<DifferenceVertex, 3> nearest_vertices() const;
  Vec3 nearest_normal() const { return normal_.at(nearest_); }
  double nearest_distance() const { return key_[static_cast<std::size_t>(nearest_)]; }
  double nearest_height() const { return height_; }
  // After `certain`: no direction but the nearest face's own needs less than this.
  double bound_of_others() const;
  int iterations() const { return iterations_; }

 private:
  // Three corners, counter-clockwise seen from outside. Half-edge e of face f has the number 4 f +
  // e and runs from corner e to the next; twin[e] is the half-edge across.
  struct Face {
    std::array<std::int32_t, 3> vertex, twin;
  };
  // An edge around the faces that a new vertex sees: the half-edge that stays, and both ends of the
  // one that is removed.
  struct Rim {
    std::int32_t kept, tail, head;
  };
  // Coordinates as columns: the vector unit processes two at a time.
  struct Columns {
    std::vector<double> x, y, z;
    void resize(std::size_t n);
    void set(int i, const Vec3& v);
    Vec3 at(int i) const;
  };

  DifferenceVertex support(const Vec3& direction) const {
    return difference_support(*A_, *B_, X_AB_, -direction);
  }
  void clear(const SupportMap& A, const SupportMap& B, const Transform& X_AB, double L);
  bool add_tetrahedron(const std::array<DifferenceVertex, 4>& v);
  bool complete(Simplex& s) const;
  int add_vertex(const DifferenceVertex& w);
  void reserve(std::size_t faces);
  int take_slot();
  bool insert(const DifferenceVertex& w, int seen_by);
  void see_all(const Vec3& p, int seen_by);
  void see_around(const Vec3& p, int seen_by);
  int take_away_seen();
  bool close_hole(int rim, int apex);
  bool place(int rim, int apex);
  bool is_seen(int f) const {
    return (seen_[static_cast<std::size_t>(f) / 64] >> (f % 64) & 1) != 0;
  }
  int find_nearest();
  int find_second() const;

  const SupportMap* A_ = nullptr;
  const SupportMap* B_ = nullptr;
  Transform X_AB_;
  double flat_ = 0;  // m: points this near to a plane are in it

  std::vector<DifferenceVertex> vertices_;
  std::vector<Vec3> points_;  // a - b
  // for each face; beyond face_count_ and for a removed face the key is infinite
  std::vector<Face> faces_;
  Columns normal_;
  std::vector<double> key_;  // distance
  int face_count_ = 0, vertex_count_ = 0;
  std::vector<std::int32_t> free_;

  std::vector<std::uint64_t> seen_;  // a bit for each face
  std::vector<std::int32_t> walk_;
  std::vector<Rim> rim_;
  std::vector<std::int32_t> slot_;      // index of the new face over each rim edge
  std::vector<std::int32_t> rim_from_;  // of each vertex: the rim edge that leaves it
  DifferenceVertex last_{};
  int nearest_ = -1;
  double height_ = 0;
  int iterations_ = 0;
};

// One object for each thread. Its buffers are kept, so that a warm query allocates nothing.
Expansion& thread_expansion();

}  // namespace abut
