// Tolerances of the room constrain. L is the size of a pair (pair_size()). This header includes
// nothing.
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

// Fraction of L. Contacts and limits within it take part in a step, and in what stabilisers do
// (abut.contact.tolerance).
// Too large: contact acts before solids touch. Too small: a contact that opens by rounding is lost
// for a step.
inline constexpr double kContactTolerance = 1e-4;

// Fraction of the size of the largest solid. Post-steps leave an overlap below it.
// Too large: piles sink by it. Too small: every step removes the rounding of the one before.
inline constexpr double kSmallOverlap = 1e-10;

// Fraction of the size of the largest solid. Post-steps leave an error of a joint below it. Errors of
// joints shrink with every post-step (C-T4), so that rounding is all that is left.
// Too large: linkages keep visible errors. Too small: every step removes rounding.
inline constexpr double kSmallJointError = 1e-13;

// Fraction of the largest position error of a post-step, in the units of its problem. The problem is
// solved to it, and to a tenth of kSmallJointError of the size.
// Too large: a post-step leaves overlap. Too small: redundant rows that differ by rounding have no
// solution.
inline constexpr double kPostStepResidual = 1e-6;

// Fraction of L. A gap below it is none in the right-hand side of a step: bodies at rest have gaps
// of 1e-13 L by rounding, another at each point of a face, and over h these are velocities that no
// rigid body can have; Newton's method answers them by moving loads between the points.
// Too large: bodies stop above each other. Too small: loads wander between the points of a face.
inline constexpr double kNoStepGap = 1e-10;

// Fraction of the largest eigenvalue of a scaled matrix. Eigenvalues below it count as 0 in a
// pseudo-inverse.
// Too large: directions that carry load are lost. Too small: redundant rows are answered by rounding.
inline constexpr double kPseudoInverseCut = 1e-10;

// Fraction of L. Solids nearer than this touch, where it is decided which pairs meet in a step.
// Too large: pairs that pass each other get impulses (ghosts). Too small: pairs at rest are taken as
// apart.
inline constexpr double kTouchAhead = 1e-6;

// 1 - cosine of an angle. Where the normal at the meeting differs by less from that at the start, the
// contacts of the start are used.
// Too large: a pair is stopped along an old normal. Too small: contacts are found twice.
inline constexpr double kSameNormalAhead = 1e-6;

// Fraction of the way of a pair in the step. A pair that ends nearer than this ends touching.
// Too large: a gap is left where solids meet. Too small: corrections run to their limit.
inline constexpr double kEndsTouching = 1e-5;

// rad. A pair that turns by less in a step ends within 1e-7 L of where its contacts, linear about the
// start, lead; it is not corrected.
// Too large: turning pairs end apart or overlap. Too small: time is lost.
inline constexpr double kTurnsAhead = 1e-3;

// Sine of half an angle. Below it a rotation vector is twice the vector part of its quaternion.
// Too large: the vector is wrong to the second order. Too small: 0 / 0.
inline constexpr double kNoTurn = 1e-12;

// Fraction of the size of the largest solid. Post-steps repeat while a larger error is left, and each
// of them takes off a tenth of it.
// Too large: overlap stays for the next step. Too small: steps are spent on what one more step removes.
inline constexpr double kPostStepLeft = 1e-4;

// Residual asked of the problems of islands of 32 bodies and more. Their last digits cost as much as
// the first eight, and redundant contacts in full fall may not have them.
// Too large: piles creep. Too small: problems end unsolved.
inline constexpr double kManyAccuracy = 1e-8;

// m/s, over 1 + the largest |b| of an island's problem. Bounds of torsional and rolling friction
// agree with the normal impulses to it (turning_bounds.h).
// Too large: couples are of the normal impulses of the step before. Too small: rounding of redundant
// contacts keeps the fixed point from its end.
inline constexpr double kTurningAccuracy = 1e-9;

// Fraction of the bound of a couple of torsional or rolling friction. A couple this near its bound moves
// with it when the bound changes (a start alone).
// Too large: couples that hold start too large. Too small: couples that slip start off their bound.
inline constexpr double kAtTurningBound = 1e-6;

// As kTurningAccuracy, of a problem that counts as solved although its fixed point has not ended.
// Too large: wrong bounds are not reported. Too small: redundant contacts are reported for rounding.
inline constexpr double kTurningSolved = 1e-8;

}  // namespace abut
