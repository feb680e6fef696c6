#include "abut/collide/proximity.h"

namespace abut {

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
