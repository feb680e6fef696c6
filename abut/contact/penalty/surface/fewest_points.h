// FewestPoints: which points of a contact stay where there may be no more than a few (Drumwright,
// IV-D: ten a wheel; D-18). The paper does not say which. Here forces are known first:
//
//   1  the point that is pressed hardest
//   2  then, one after the other, the point that is farthest from those that stay, of those that
//      are pressed
//   3  then the same of those that are not pressed
//
// What goes leaves its area to the nearest that stays.
//
//   abut::FewestPoints few;
//   for (int i : few.choose(places, pressed, 10, area)) use(i);   // ascending
#pragma once

#include <span>
#include <vector>

#include "abut/math/types.h"

namespace abut {

class FewestPoints {
 public:
  // At most `most` (>= 1) of the points; `area` is shared out anew among them. Valid until the next
  // call; a warm call allocates nothing.
  std::span<const int> choose(std::span<const Vec3> places, std::span<const double> pressed,
                              int most, std::span<double> area);

 private:
  void take_farthest(std::span<const Vec3> places, std::span<const double> pressed, bool wanted,
                     int most);
  void take(std::span<const Vec3> places, int point);

  std::vector<int> kept_;
  std::vector<double> far2_;  // of each: to the nearest that stays (m^2); < 0: it stays
  std::vector<int> nearest_;  // which that is
};

}  // namespace abut
