// Tolerances of feature pairs and separating planes for PEG. L is the size of the pair.
#pragma once

namespace abut {

// Sine. Edges whose directions differ by less have no contact of their own: the contacts of their
// vertices cover them (P-N5).
// Too large: crossing edges pass through each other. Too small: the normal of edges that are nearly
// parallel is rounding.
inline constexpr double kNoEdgeContact = 1e-6;

// Sine. Up to this, edges have a contact only where the segments themselves cross (P-N5).
// Too large: edges that will cross within the step are left out. Too small: nearly parallel edges
// whose lines cross far outside the segments get a contact there.
inline constexpr double kNearlyParallel = 1e-2;

// rad. The plane of two edges that is turned from the plane of a face by less is that of the face.
// Too large: the plane of an edge pair is left out where it is the only one that separates the
// solids. Too small: one plane is listed twice.
inline constexpr double kSamePlaneNormal = 1e-6;

// Fraction of L. A point this far outside a finite face or edge still lies on it.
// Too large: a contact may act beside the features. Too small: rounding takes contacts at corners
// away.
inline constexpr double kOnFeature = 1e-8;

}  // namespace abut
