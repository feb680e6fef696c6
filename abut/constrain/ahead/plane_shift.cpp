#include "abut/constrain/ahead/plane_shift.h"

#include <algorithm>
#include <cmath>

namespace abut {

namespace {

// Times the gap without a shift: a plane that has to move by more than this is not what holds the
// pair, and a shift would let the two pass through each other.
constexpr double kMost = 8;

}  // namespace

void PlaneShift::correct(double gap) {
  if (given_up_) return;
  Side& found = gap > 0 ? apart_ : overlapping_;
  const bool again = (gap > 0) == last_apart_;
  found = {true, shift_, gap};
  last_apart_ = gap > 0;
  if (apart_.known && overlapping_.known) {
    const double middle = 0.5 * (apart_.shift + overlapping_.shift);
    const double straight = (apart_.shift * overlapping_.gap - overlapping_.shift * apart_.gap) /
                            (overlapping_.gap - apart_.gap);
    shift_ = again ? middle : straight;
    return;
  }
  if (stride_ == 0) first_gap_ = std::abs(gap);
  stride_ = stride_ == 0 ? gap : 2 * stride_;
  shift_ += stride_;
  if (std::abs(shift_) > kMost * first_gap_) give_up();
}

void PlaneShift::settle(double fall) {
  if (!apart_.known || !overlapping_.known) return give_up();
  const bool overlaps = -overlapping_.gap <= std::max(apart_.gap, fall);
  shift_ = overlaps ? overlapping_.shift : apart_.shift;
}

void PlaneShift::give_up() {
  given_up_ = true;
  shift_ = 0;
}

}  // namespace abut
