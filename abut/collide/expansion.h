// Expansion: a polytope grown inside the Minkowski difference A - B of two cores until
// its face nearest to the origin is a face of the difference itself (van den Bergen's
// expanding polytope, in double precision, on exact vertices).
//
// Its nearest face bounds the least translation from below, a support along that face's
// normal from above. When the two agree, the answer is certain: no direction at all
// needs less. Distances of faces are signed, so it also works when the origin lies a
// hair outside: the nearest face is then one that parts the two.
//
//   Expansion& e = thread_expansion();
//   if (e.begin(A, B, X_AB, simplex, L)) status = e.grow(tolerance);
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "abut/collide/gjk.h"

namespace abut {

class Expansion {
 public:
  enum class Status {
    certain,   // the bounds agree
    confused,  // rounding broke the polytope: ask someone else
  };

  // From what GJK ended with. False if the difference is flat.
  bool begin(const SupportMap& A, const SupportMap& B, const Transform& X_AB,
             const Simplex& simplex, double L);
  // From three vertices of A - B that may be a face of it, and a point inside it.
  bool begin_at(const SupportMap& A, const SupportMap& B, const Transform& X_AB,
                const std::array<DifferenceVertex, 3>& face, const Vec3& inside, double L);
  Status grow(double tolerance);

  // Of the nearest face: its vertices (w = b - a), outward normal of A - B, which points
  // from A to B, signed distance, and height of the support along the normal.
  std::array<DifferenceVertex, 3> nearest_vertices() const;
  const Vec3& nearest_normal() const { return faces_[static_cast<std::size_t>(nearest_)].normal; }
  double nearest_distance() const { return key_[static_cast<std::size_t>(nearest_)]; }
  double nearest_height() const { return height_; }
  // After `certain`: no direction but the nearest face's own needs less than this.
  double bound_of_others() const;
  int iterations() const { return iterations_; }

 private:
  struct Face {
    Vec3 normal;
    std::array<std::int32_t, 3> vertex;
    std::array<std::int32_t, 3> beside;  // beside[i]: across the edge from vertex i to i + 1
    std::array<std::uint8_t, 3> across;  // the number of that edge there
    bool alive;
  };
  struct Rim {
    std::int32_t face, edge;
  };

  const Vec3& point(int v) const { return points_[static_cast<std::size_t>(v)]; }
  DifferenceVertex support(const Vec3& direction) const {
    return difference_support(*A_, *B_, X_AB_, -direction);
  }
  void clear(const SupportMap& A, const SupportMap& B, const Transform& X_AB, double L);
  bool add_tetrahedron(const std::array<DifferenceVertex, 4>& v);
  bool complete(Simplex& s) const;
  void add_vertex(const DifferenceVertex& w);
  int add_face(int i, int j, int k, const Vec3& cross);
  void join(int f, int edge_of_f, int g, int edge_of_g);
  void bury(int f);
  bool insert(const DifferenceVertex& w, int seen_by);
  void find_rim(const Vec3& p, int seen_by);
  int find_nearest();
  int find_second() const;

  const SupportMap* A_ = nullptr;
  const SupportMap* B_ = nullptr;
  Transform X_AB_;
  double flat_ = 0;  // m: points this near to a plane are in it

  std::vector<DifferenceVertex> vertices_;
  std::vector<Vec3> points_;  // a - b
  std::vector<Face> faces_;
  std::vector<double> key_;    // distance of each face; infinite: dead
  std::vector<double> least_;  // no more than the least key of each block of faces
  std::vector<std::int32_t> free_;
  std::vector<Rim> rim_, walk_;
  int rim_count_ = 0;
  int nearest_ = -1;
  double height_ = 0;
  int iterations_ = 0;
};

// One for each thread: its buffers are kept, so that a warm query allocates nothing.
Expansion& thread_expansion();

}  // namespace abut
