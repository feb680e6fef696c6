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
  Status grow(double tolerance);

  // Of the nearest face: its vertices (w = b - a), outward normal of A - B, which points
  // from A to B, and signed distance.
  std::array<DifferenceVertex, 3> nearest_vertices() const;
  const Vec3& nearest_normal() const { return normal_[static_cast<std::size_t>(nearest_)]; }
  double nearest_distance() const { return distance_[static_cast<std::size_t>(nearest_)]; }
  // Distance of the nearest face that does not lie in the same plane (1e-7 rad).
  double second_distance() const;
  int iterations() const { return iterations_; }

 private:
  struct Face {
    std::array<int, 3> vertex;
    std::array<int, 3> beside;  // beside[i]: across the edge from vertex[i] to vertex[i + 1]
    std::array<int, 3> across;  // the number of that edge there
    int born = 0;               // which face of this place it is; odd: alive
  };
  struct Entry {
    double distance;
    int face, born;
    bool operator<(const Entry& other) const {  // std heaps keep the largest on top
      return distance > other.distance || (distance == other.distance && face > other.face);
    }
  };
  struct Rim {
    int face, edge;
  };

  Vec3 point(int v) const { return -vertices_[static_cast<std::size_t>(v)].w; }
  DifferenceVertex support(const Vec3& direction) const {
    return difference_support(*A_, *B_, X_AB_, -direction);
  }
  bool complete(Simplex& s) const;
  int add_face(int i, int j, int k);
  void join(int f, int edge_of_f, int g, int edge_of_g);
  void bury(int f);
  bool insert(const DifferenceVertex& w, int seen_by);
  bool find_rim(const Vec3& p, int seen_by);
  int pop_nearest();

  const SupportMap* A_ = nullptr;
  const SupportMap* B_ = nullptr;
  Transform X_AB_;
  double flat_ = 0;  // m: points this near to a plane are in it

  std::vector<DifferenceVertex> vertices_;
  std::vector<Face> faces_;
  std::vector<Vec3> normal_;
  std::vector<double> distance_;
  std::vector<int> free_;
  std::vector<Entry> heap_;
  std::vector<Rim> rim_, walk_;
  int nearest_ = -1;
  int iterations_ = 0;
};

// One for each thread: its buffers are kept, so that a warm query allocates nothing.
Expansion& thread_expansion();

}  // namespace abut
