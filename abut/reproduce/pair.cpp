#include "abut/reproduce/pair.h"

#include <cmath>

namespace abut::reproduce {

Pair::Pair(Polyhedron a, const Pose& X_A, Polyhedron b, const Pose& X_B) : X_WA(X_A), X_WB(X_B) {
  solids.add(std::move(a));
  solids.add(std::move(b));
}

Pair::Pair(const Shape& a, const Pose& X_A, const Shape& b, const Pose& X_B)
    : X_WA(X_A), X_WB(X_B) {
  solids.add(a, {});
  solids.add(b, {});
}

double angle_between(const Vec3& a, const Vec3& b) {
  return std::atan2(a.cross(b).norm(), a.dot(b));
}

}  // namespace abut::reproduce
