// Tolerances of the room constrain. This header includes nothing.
#pragma once

namespace abut {

// Fraction of the motion that the bodies of a loop would have without the loop. A direction in
// which the loop moves its bodies by less counts as redundant (loop_softness.h).
// Too large: joints yield under load, by its square of the motion without the joint. Too small:
// errors of rounding in redundant rows push bodies about.
inline constexpr double kLoopPlay = 1e-6;

// Fraction of the largest error of position. A post-step that leaves the largest error where it was,
// because loops contradict each other, may still repair the others.
// Too large: post-steps that do harm are taken. Too small: rounding of the largest error stops them.
inline constexpr double kSameError = 1e-9;

}  // namespace abut
