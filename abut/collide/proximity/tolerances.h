// Tolerances of distance and depth queries, those of cold/ and of warm/. This header includes
// nothing, because the kernels of axis_search_kernel.inl include it for each vector unit.
//
// L is the size of the pair (convex.h, pair_size). Lengths are fractions of L. A name that ends in 2
// is compared with a square: of a sine, of a length over L, of a difference of unit vectors.
// "Degenerate" means that rounding decides the result.
#pragma once

namespace abut {

// ---- rounding ----

// Relative rounding of a coordinate or of a unit vector after a few operations.
// Too large: V-Clip takes features as equally near that are not. Too small: V-Clip's walk alternates
// between two features forever and falls back on the exhaustive search.
inline constexpr double kUnitRounding = 1e-15, kUnitRounding2 = 1e-30;

// Fraction of L. Error of the height of a vertex over a plane, in certificates of depth.
// Too large: a vertex that is a little deeper is overlooked. Too small: certificates fail, and warm
// queries become cold.
inline constexpr double kHeightRounding = 1e-14;

// Fraction of L. Balls inside the Minkowski difference are smaller by this, so that none touches a
// face of the difference.
// Too large: certificates fail more often. Too small: a certificate may be wrong.
inline constexpr double kBallRounding = 1e-12;

// ---- parallel directions ----

// Sine. Edges whose directions differ by less have no common normal.
// Too large: the axis of crossing edges is overlooked, and the depth is too large. Too small: the
// normal is degenerate.
inline constexpr double kParallelEdges = 1e-9, kParallelEdges2 = 1e-18;

// Sine, squared. Segments are parallel for the closest-point formulas.
// Too large: the closest points of crossing segments are wrong. Too small: division by rounding.
inline constexpr double kParallelSegments2 = 1e-24;

// Sine. Edges of a face of the Minkowski difference: as kParallelEdges, but stricter, as the walk
// from face to face has a fallback.
inline constexpr double kParallelDifferenceEdges = 1e-7;

// Sine, and squared. V-Clip asks this of two edges before it calls them closest, and of two edges
// before it takes a normal from them.
// Too large: edges that cross at a small angle get their normal from elsewhere. Too small: that
// normal is off by more than 1e-10 rad.
inline constexpr double kLeastSine = 1e-6, kLeastSine2 = 1e-12;

// Sine, squared (0.01). At a wider angle the plain formula for the closest points of two edges is
// accurate enough.
// Too large: more queries take the slower formula. Too small: points lose digits.
inline constexpr double kWideAngle2 = 1e-4;

// Sine, squared (1e-4). At a smaller angle between edges of two boxes the separation is computed
// again by projection, because the rounding of the rotation counts.
// Too large: more work. Too small: the separation loses digits.
inline constexpr double kSmallAngle2 = 1e-8;

// Fraction of L^2. The cross product of an edge and a segment that is shorter gives no axis.
// Too large: an axis is overlooked. Too small: the axis is degenerate.
inline constexpr double kNoCrossProduct = 1e-9;

// 1 - cosine. A face whose normal is this near to the normal found may be the face meant.
// Too large: the features of an answer can be those of a neighbouring face. Too small: an edge of
// the right face is reported instead of the face.
inline constexpr double kAligned = 1e-7;

// 1 - cosine. Normals that differ by less are the same normal, with another feature under it.
// Too large: the last features are not kept although their normal differs. Too small: the same
// normal counts as a change of features.
inline constexpr double kSameNormalCosine = 1e-12;

// Difference of unit vectors, squared (1e-13 rad). The exact normal of features is the normal that
// the expanding polytope has certified.
// Too large: a vertex that is deeper along the exact normal is overlooked. Too small: the support
// vertices are searched again.
inline constexpr double kCertifiedNormal2 = 1e-26;

// Difference of unit vectors, squared (1e-7 rad). Faces of the polytope that differ by less lie in
// one plane.
// Too large: the lower bound on the depth along any other direction is too large. Too small: that
// bound is the depth itself, and the next query gains nothing from it.
inline constexpr double kSecondPlane2 = 1e-14;

// Difference of unit vectors (rad). Normals of a kissing pair that differ by more make the normal
// indeterminate.
// Too large: an indeterminate normal is not reported. Too small: rounding reports one.
inline constexpr double kSeveralNormals = 1e-5;

// ---- agreement of bounds ----

// Fraction of L. Upper and lower bound of the least translation agree.
// Too large: the depth is not the least. Too small: the expanding polytope does not end.
inline constexpr double kAgree = 1e-12;

// Fraction of the distance, squared distances. GJK ends when its bounds agree to this.
// Too large: the distance is too large. Too small: GJK ends only when no vertex is new.
inline constexpr double kGjkConverged = 1e-13;

// The same: GJK's answer is good enough to need no second method.
// Too large: features may be wrong. Too small: V-Clip is asked more often.
inline constexpr double kGjkGood = 1e-9;

// Fraction of L. Nearer than this, the vector that GJK ends with is rounding, and the expanding
// polytope finds the normal.
// Too large: more queries start a polytope. Too small: the normal of a touching pair is degenerate.
inline constexpr double kGjkTouch = 2e-10;

// Fraction of L. Nearer than this, features that are nearly parallel can lead a walk astray, and a
// second method checks the answer.
// Too large: more queries pay for the check. Too small: some distances are wrong by up to 1e-7 L.
inline constexpr double kSecondLook = 1e-5;

// Fraction of L. The axis of a face may be this much worse than that of two edges, and is preferred.
// Too large: depths are too large by this. Too small: features flicker between a face and edges.
inline constexpr double kFaceBias = 1e-12;

// Fraction of L. The separation along the exact normal of features must be as promised by the
// search, to this.
// Too large: a wrong axis is believed. Too small: right axes are refused and the slow search runs.
inline constexpr double kPromiseKept = 1e-10;

// Fraction of L. Witness points must lie on their features, and the normal must separate the solids
// by the distance, to this.
// Too large: points lie visibly beside the solids. Too small: good answers are refused and the slow
// search runs.
inline constexpr double kHoldsUp = 4e-10;

// Fraction of L. Slack of the search over separating axes, for rounding of bounds.
// Too large: more axes are looked at. Too small: the best axis can be ruled out.
inline constexpr double kAxisSlack = 1e-8;

// Fraction of L. Vertices of a simplex whose heights along a normal differ by less lie in one plane
// across the normal.
// Too large: the normal of a neighbouring face is taken. Too small: GJK's own, less exact normal is
// kept.
inline constexpr double kLevelSimplex = 1e-12;

// Fraction of L, squared. A support vertex this near to the origin gives no direction.
// Too large: a second try is left out. Too small: the direction is degenerate.
inline constexpr double kAtOrigin2 = 1e-18;

// ---- features of an answer ----

// Fraction of L. Heights over a face that differ by less are equal, and points this far beyond a
// border are inside the face.
// Too large: the wrong vertex is named. Too small: no witness is found on a face that lies flush.
inline constexpr double kWitness = 4e-10;

// Fraction of L. The features of the last query are kept while their depth is larger than the least
// depth by no more than this (D-N4).
// Too large: depths are too large by this. Too small: features and contact points flicker.
inline constexpr double kSteady = 1e-6;

// Fraction of L: about as far as a coherent pair moves between two queries. Axes that are worse by
// this are searched as well, for the lower bound that the warm start keeps.
// Too large: cold queries with a warm start to fill are slower. Too small: the bound helps less.
inline constexpr double kCoherentMotion = 3e-3;

// Fraction of L. Depths that differ by less are equal, for the walk downhill.
// Too large: the walk ends at a face that is not the least deep. Too small: rounding keeps the walk
// going.
inline constexpr double kEqualDepth = 1e-11;

// Fraction of L. The origin's projection is inside a face of the difference by more than this: then
// it is not on the border by rounding.
// Too large: certificates fail near borders. Too small: a certificate may be wrong.
inline constexpr double kInsideFace = 1e-12;

// Fraction of the edge's length. Edges that cross this far beyond an end still cross.
// Too large: a warm start keeps edges that have passed each other. Too small: warm starts are lost
// at ends of edges.
inline constexpr double kBeyondEdge = 1e-9;

// ---- V-Clip ----

// Fraction of L. Nearer than this, a vertex and a vertex, or a vertex and an edge, do not define a
// normal: still_closest() says no.
// Too large: fewer warm starts. Too small: their normal is degenerate.
inline constexpr double kLeastGap = 1e-6;

// Fraction of L. Nearer than this, the normal comes from the faces and edges around the features
// and not from the difference of the points.
// Too large: a valid normal is replaced. Too small: the normal is degenerate.
inline constexpr double kNormalFromPoints = 1e-6;

// Fraction of L. Nearer than this, the normal is turned until no direction of either solid at its
// feature rises along it.
// Too large: work for nothing. Too small: the solids overlap a little along the normal.
inline constexpr double kTurnedNormal = 1e-3;

// Fraction of the gap. A face or two edges that show all of the gap but this name the pair.
// Too large: a face that shows less than the gap names the pair. Too small: a vertex names a pair
// that a face should.
inline constexpr double kNamedGap = 1e-6;

// Fractions of L. A walk that returns to where it was accepts the closest pair of its round with
// the first slack, then with the second.
// Too large: a pair is accepted that is not closest. Too small: the exhaustive search runs.
inline constexpr double kRoundTight = 1e-12, kRoundLoose = 3e-10;

// ---- expanding polytope ----

// Fraction of L. A point this near to a plane of the polytope is in the plane.
// Too large: the polytope stops short. Too small: faces without a normal.
inline constexpr double kPolytopeFlat = 1e-13;

// Fractions of L. The least height of a first tetrahedron: made of what GJK ended with; completed
// from fewer vertices; built on three vertices of a face.
// Too large: polytopes are refused that would work. Too small: the first polytope is inside out.
inline constexpr double kThinTetrahedron = 1e-10, kThinnestTetrahedron = 1e-2 * kThinTetrahedron,
                        kThinOnFace = 1e-6;

// ---- closed forms (primitive_pairs.h) ----

// Fraction of L. Nearer than this, the difference of two points is not a direction good to 1e-12.
// Too large: a more expensive formula. Too small: the normal loses digits.
inline constexpr double kDirectionFromPoints = 1e-3;

// Fraction of L, squared (1e-14). Axes of capsules that are nearer meet: both sides are as good.
// Too large: `indeterminate` is reported for a valid normal. Too small: it is not reported.
inline constexpr double kAxesMeet2 = 1e-28;

// Fraction of the solid's dimensions. Ways out of a box or cylinder that differ by less are equal.
// Too large, too small: as kAxesMeet2.
inline constexpr double kEqualWaysOut = 1e-15;

// ---- cylinders and ellipsoids (curved.h) ----

// Fraction of the component along the axis. A direction whose component across a cylinder's axis is
// smaller is along the axis.
// Too large: the support is the middle of the cap, which is not the farthest point. Too small:
// division by rounding.
inline constexpr double kAlongAxis = 1e-14;

// Relative. Triangles (squared sine) and tetrahedra (sine) of a simplex that are flatter than this
// are degenerate.
// Too large: parts of a simplex are not tried, and GJK stops short. Too small: weights are rounding.
inline constexpr double kFlatTriangle2 = 1e-24, kFlatTetrahedron = 1e-14;

// Fractions of L. GJK's bounds of the distance agree; nearer than the second the solids touch.
// Too large: distances are too large; overlap is assumed where there is none. Too small: hundreds
// of steps on curved surfaces; degenerate normals.
inline constexpr double kCurvedAgree = 1e-9, kCurvedTouch = 1e-10;

// Fraction of L. Nearer than this, the normal is looked for as if the solids overlapped.
// Too large: work for nothing. Too small: rounding turns the normal.
inline constexpr double kCurvedTurned = 1e-6;

// Fraction of L. The bounds of the least width agree.
// Too large: the depth is not the least. Too small: thousands of facets.
inline constexpr double kCurvedWidth = 5e-9;

// Fraction of L. Witness points of an overlap are found to this.
// Too large: points beside the surface. Too small: GJK runs to its limit of steps.
inline constexpr double kCurvedWitness = 1e-12;

// Fraction of L. A point this near to a facet of the polytope is in its plane.
// Too large: the polytope stops short. Too small: facets without a normal.
inline constexpr double kCurvedFlat = 1e-13;

// Sine. Facets of the polytope that are narrower are degenerate.
// Too large: the polytope is given up early. Too small: the normal of a facet is rounding.
inline constexpr double kFlatFacet = 1e-13;

// rad. The search for the least width ends at steps smaller than this.
// Too large: the width is too large. Too small: steps that rounding swallows.
inline constexpr double kLeastTurn = 1e-10;

// Fraction of the polyhedron's size. A point this near to a vertex or an edge lies on it.
// Too large: the vertex names a point of the edge. Too small: the edge's vertex names its points.
inline constexpr double kAtFeature = 1e-6;

// 1 - cosine. A normal this near to that of a face is the face's.
// Too large: a face names the contact of its edge. Too small: an edge names the contact of its face.
inline constexpr double kAlongFaceNormal = 1e-9;

}  // namespace abut
