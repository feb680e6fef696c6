// PlaneShift: how far the plane of a pair's contacts is to be moved for the pair to end touching.
//
// Contacts at a corner have the normal of one of its faces or edges. By the end of the step another
// feature may be the nearest; contacts of that end have its normal, and with those the first
// feature is the nearest again. With either normal the pair ends apart. But a plane that lets the
// pair come nearer by s lets the pair end nearer, and without the plane the pair overlaps: for some
// s between the two the pair ends touching. s is found by false position; where that stays on one
// side, by bisection.
//
// The gap may jump over zero, and then there is no such s. A body that nothing pushes falls by
// h (v + v') / 2, and one that is pushed moves by h v': what just reaches a ceiling ends
// overlapping without an impulse, and h^2 g / 2 lower with the least one. Friction may jam.
// settle() takes the overlap if it is less than the gap or that fall, and leaves the overlap to the
// stabiliser.
//
//   PlaneShift plane;
//   while (gap is not small) { plane.correct(gap); gap = end of the step with plane.shift(); }
#pragma once

namespace abut {

class PlaneShift {
 public:
  // m: by how much nearer the pair may come than its contacts allow.
  double shift() const { return shift_; }
  // `gap` (m) is where shift() led to.
  void correct(double gap);
  // No more corrections: the best so far. `fall` is h^2 g / 2 (m).
  void settle(double fall);
  // There is no such s: 0 from now on.
  void give_up();

 private:
  struct Side {
    bool known = false;
    double shift = 0, gap = 0;
  };
  double shift_ = 0, first_gap_ = 0, stride_ = 0;
  Side apart_, overlapping_;
  bool last_apart_ = false;  // the side that was found last
  bool given_up_ = false;
};

}  // namespace abut
