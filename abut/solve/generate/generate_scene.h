// Bodies with contacts and joints, as the rows of a complementarity problem: shared by the
// generators of contact problems. Sums run in a fixed order over plain doubles, so that the numbers
// are the same on every machine.
#pragma once

#include <array>
#include <vector>

#include "abut/math/random.h"
#include "abut/solve/problem.h"

namespace abut::family {

using Row6 = std::array<double, 6>;

struct SceneBody {
  Vec3 center;
  Row6 inverse_inertia;  // 1/m three times, then 1/I about the world's axes
  Row6 velocity;         // velocity after a step without contacts: v + h M^-1 f
};

// One row of a Jacobian: the relative velocity of b to a along a direction. -1 is the ground.
struct SceneRow {
  int a = -1, b = -1;
  Row6 Ja{}, Jb{};
};

struct Scene {
  std::vector<SceneBody> bodies;

  // A body of mass 2^lo .. 2^hi near `center`.
  void add_body(const Vec3& center, int lo, int hi, double speed, SplitMix& random);
  SceneRow row(int a, int b, const Vec3& point, const Vec3& direction) const;
  double free_velocity(const SceneRow& row) const;              // J (v + h M^-1 f)
  double delassus(const SceneRow& p, const SceneRow& q) const;  // J_p M^-1 J_q'
};

// Two directions that make a right-handed frame with the normal.
struct Tangents {
  Vec3 first, second;
};
Tangents tangents(const Vec3& normal);

// The symmetric matrix of all pairs of rows, into the top left corner of a dense A.
void fill_delassus(const Scene& scene, const std::vector<SceneRow>& rows, DenseRows& A);

}  // namespace abut::family
