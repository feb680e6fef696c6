// Stabilisers: what keeps joints, limits and contacts from drifting apart or into each other.
//
//   post              after the move: positions go back onto the constraints (post_step.h);
//                     post_pinv, post_plain: by pseudo-inverses
//   baumgarte         a term alpha g beside the rate of the rows (Cline and Pai; C-7)
//   gamma             the same with gamma / h for alpha (Anitescu and Hart; C-15)
//   baumgarte_acc     alpha g' + beta g beside the acceleration of the rows (Cline and Pai, eq. 9)
#pragma once

namespace abut {

enum class Stabilize { none, post, post_pinv, post_plain, baumgarte, baumgarte_acc, gamma };

inline bool is_post(Stabilize s) {
  return s == Stabilize::post || s == Stabilize::post_pinv || s == Stabilize::post_plain;
}
// Post-steps of a step: as many as it takes, within PostStep::kMostSteps.
inline constexpr int kPostUntilDone = 0;

// A stabiliser with its numbers.
struct Stabilizer {
  Stabilize kind = Stabilize::post;
  double rate = 0;        // baumgarte, baumgarte_acc: alpha (1/s); gamma: 0 to 1
  double stiff = 0;       // baumgarte_acc: beta (1/s^2)
  bool contacts = false;  // acts on contacts too, and not on joints and limits alone

  // 1/s: how fast errors of position are to shrink, as part of the rows' rate.
  double position_rate(double h) const {
    if (kind == Stabilize::baumgarte) return rate;
    return kind == Stabilize::gamma ? rate / h : 0;
  }
};

}  // namespace abut
