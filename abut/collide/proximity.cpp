#include "abut/collide/proximity.h"

#include <utility>

#include "abut/collide/core_proximity.h"

namespace abut {

Proximity proximity(const Convex& A, const Convex& B, const Transform& X_AB, PairHint* hint,
                    double limit) {
  return core_proximity(A, B, X_AB, hint, limit);
}

Proximity proximity(const Convex& A, const Pose& X_WA, const Convex& B, const Pose& X_WB,
                    PairHint* hint, double limit) {
  return placed(proximity(A, B, relative(X_WA, X_WB), hint, limit), X_WA);
}

Proximity swapped(const Proximity& d) {
  Proximity s = d;
  s.normal = -d.normal;
  std::swap(s.p_A, s.p_B);
  std::swap(s.a, s.b);
  return s;
}

Proximity placed(const Proximity& d, const Pose& X_WA) {
  Proximity w = d;
  w.normal = X_WA.q * d.normal;
  w.p_A = X_WA * d.p_A;
  w.p_B = X_WA * d.p_B;
  return w;
}

}  // namespace abut
