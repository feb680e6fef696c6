// Tolerances of the search of peg: unit, meaning, and what happens if one is wrong.
#pragma once

namespace abut::peg_tolerance {

// Relative to the size of the pair. A pair whose overlap is not more than this is apart. Larger:
// bodies sink into each other step by step. Smaller: rounding makes pairs overlap that touch.
constexpr double kApart = 1e-9;
// Ditto: a pair that presses is no further apart than this. Larger: impulses act at a distance.
constexpr double kTouches = 1e-7;
// Ditto: a plane that parts the pair at the start to within this parts it.
constexpr double kPartedAtStart = 1e-6;

// Ditto: contacts that the next solve would move no further are where they belong.
constexpr double kStill = 1e-11;
// Ditto, where the tolerance of the solver lets contacts come no nearer.
constexpr double kStillEnough = 1e-10;
// Ditto, where forces are not unique and every solve has others: the gaps at the end that the last
// solve leads to are off by the square of this, and PegBranch::holds() looks at them.
constexpr double kSecondOrder = 3e-5;
// Relative to the velocities: a solve that changes them no more has come to rest; 1e-12 is
// rounding, the others are where the tolerance of the solver ends.
constexpr double kUnchanged = 1e-12;
constexpr double kSettled = 1e-9;
constexpr double kNearEnough = 1e-8;
// Ditto: impulses of the motion that was found, and no new search for them.
constexpr double kFinished = 1e-8;
// Ditto: what parts no faster than this is at rest.
constexpr double kAtRest = 1e-9;

// Motions that differ by less than this part of them are equal. Larger: a better plane is passed
// over. Smaller: rounding chooses, and turned copies of a world end otherwise.
constexpr double kTie = 1e-9;
// Ditto, of two faces that lie on each other.
constexpr double kSameMotion = 1e-6;
// J: the motion of what rests is none.
constexpr double kNothing = 1e-20;
// rad: planes no further turned from each other are one. A box that rests has its own face and that
// of the other.
constexpr double kSamePlane = 1e-3;
// Components of normals that differ by less are equal in the order of normals.
constexpr double kSameComponent = 1e-9;
// Relative to the size of the pair: vertices so near to the deepest one are over its plane too.
constexpr double kBeside = 1e-6;

// Of the diagonal of the contacts: how much impulses resist to change from one problem to the next
// (StepTerms::proximal), once a problem of the step was too hard. Friction forces of a heap are not
// unique: without it each solve finds others, and some find none. With 1e-6 three times as many
// problems of dominoes that lie stay unsolved; with 1e-2 the iteration of the gaps does not come to
// an end.
constexpr double kProximal = 1e-4;

// Of applicability (a sine): planes of features that face each other part two solids, those of others
// need not (P-E7). Smaller: what lies flush depends on rounding. Larger: overlaps are accepted.
constexpr double kFacing = 1e-6;

// Relative to the size of the pair: features this near to a plane of other features lie on it. Larger:
// what is free is rejected where it is nearer than this. Smaller: a corner of a face that tilts is
// held by none.
constexpr double kFlush = 1e-3;

}  // namespace abut::peg_tolerance
