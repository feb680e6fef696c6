#include "abut/collide/proximity/proximity_answer.h"

#include <utility>

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
  place(w, Transform(X_WA));
  return w;
}

}  // namespace abut
