// Tolerances of penalty models. L is the size of a pair (pair_size()). This header includes nothing.
#pragma once

namespace abut {

// Of the depth: what is left of an overlap that a world began with no longer counts
// (initial_overlap.h). Larger: springs jump by so much. 0: the state remembers it for minutes.
inline constexpr double kPaid = 1e-9;

// Of the largest eigenvalue of static friction's system, weighed by what contacts can bear
// (held_friction.h): directions below it are redundant. Larger: what is lightly loaded slips. 0:
// rounding decides how redundant contacts share a force.
inline constexpr double kRedundant = 1e-10;

// Fraction of L. An overlap below it is none: solids that are placed next to each other have one by
// rounding, or have none in a copy of the world that is turned.
// Too large: light bodies sink in by it. Too small: rounding decides which pairs touch.
inline constexpr double kGrazingOverlap = 1e-10;

// Fraction of the size. Springs of default gains give way by so much under the weight that a body is
// expected to carry.
// Too large: piles sink visibly. Too small: springs are stiffer than the step can follow, and a step
// is divided into more parts.
inline constexpr double kSpringSag = 1e-3;

// Fraction of the size. quasirigid warns of a sag that is larger.
// Too large: users see sunk bodies without a warning. Too small: ordinary loads are warned of.
inline constexpr double kWarnedSag = 2e-3;

// Fraction of the size: thickness of layers that nobody described.
// Too large: thin solids are all layer. Too small: fast bodies pass a layer within a step.
inline constexpr double kLayerThickness = 1e-2;

// s. The step of Drumwright's experiments, for which his k_i and lambda are given; for other steps they
// are scaled.
// Another value: sums of depths weigh more or less than in the paper.
inline constexpr double kDrumwrightStep = 1e-3;

// 1 - lambda, at least: the sum of depths always forgets.
// Too large: lambda = 1 of a user changes visibly. 0: the sum grows without bound.
inline constexpr double kSlowestForgetting = 1e-9;

// Fraction of L. Points whose mean distance from their centre is less have no lever arm against
// turning.
// Too large: small contacts do not resist turning. Too small: rounding makes an arm.
inline constexpr double kNoArm = 1e-9;

// m. The least divisor where a depth divides.
// 0: a contact that only touches divides 0 by 0.
inline constexpr double kNoDepth = 1e-300;

// Square of the sine of an angle. A cylinder or capsule whose axis is this near to the normal stands
// and does not roll.
// Too large: what rolls steeply counts as standing. Too small: rounding tells the way in which a
// standing cylinder rolls.
inline constexpr double kStandsUpright2 = 1e-18;

// Fraction of a contact that a body bears, at least (step_budget.h).
// Too large: budgets count springs that carry nothing. 0: a contact without load has no bound.
inline constexpr double kLeastShare = 1e-6;

// Fraction of the forces that press a stack. Sweeps over its dampers that change less are the last.
// Too large: the top of a tower is damped less than its foot. Too small: steps take more sweeps.
inline constexpr double kDampersSettled = 1e-5;

// Square of the ratio of a shadow's width to its length, at least, where dampers resist tilting.
// Too large: an edge resists tilting about itself. 0: a line has no inverse.
inline constexpr double kThinShadow2 = 1e-6;

// Square of the difference of two unit normals. A face whose normal differs by less is along the
// contact normal.
// Too large: a tilted face gives the plane of the forces. Too small: rounding takes the plane away.
inline constexpr double kAlongNormal2 = 1e-16;

// Slope of a face along the normal. A face below it is a wall along the normal.
// Too large: leaning faces are left out, and chords are too long. Too small: chords end at walls.
inline constexpr double kWallSlope = 1e-9;

// Fraction of the radius of inertia of a contact surface. Samples that are nearer to each other, seen
// along the normal, are one of twice the area.
// Too large: small features lose a sample. Too small: both ends of a chord count.
inline constexpr double kSameSampleLine = 1e-6;

// Fraction of the second moment of a contact surface. A contact that spreads by less along the surface
// is a point and has one sample.
// Too large: narrow contacts do not resist tilting. Too small: rounding spreads samples.
inline constexpr double kPointContact = 1e-12;

// Fraction of the area of a contact surface. A middle sample with less is left out.
// Too large: load is lost with it. Too small: a sample that carries nothing.
inline constexpr double kLeastMiddle = 1e-6;

// Fraction of a surface. Where the area vectors of a solid's faces inside the other sum to less, they
// cancel: the solid is as good as inside, and its normal is taken from the distance.
// Too large: the normal jumps while solids are still apart in the middle. Too small: the normal is a
// difference of almost equal numbers.
inline constexpr double kAreaCancels = 1e-3;

// Fraction of L^2 (H-N1). A shadow of less area is none.
// Too large: small contacts carry nothing. Too small: the centre of a shadow is rounding.
inline constexpr double kNoShadow = 1e-12;

}  // namespace abut
