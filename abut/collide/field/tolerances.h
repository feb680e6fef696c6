// Tolerances of the folder collide/field: contacts of meshes with distance fields.
#pragma once

namespace abut {

// Sine. Edges around a vertex may go back behind the plane of its contact by this angle.
// Too large: vertices beside a solid hold it from the side. Too small: curved surfaces touch at one point a step, and
// which one changes from step to step.
inline constexpr double kAroundVertex = 0.1;

// Sine: the same of the triangles at two ridges that cross.
// Too large: ridges push along each other's faces. Too small: rounding loses ridges on faces.
inline constexpr double kAroundRidge = 1e-6;

// Cosine: the same of what is around the place nearest to a ball.
// Too large: balls are held by edges of flat faces. Too small: rounding at edges loses the contact.
inline constexpr double kAroundBall = 1e-9;

// Sine. Ridges that are more nearly parallel do not cross.
// Too large: crossings of nearly parallel ridges are missed. Too small: their normal is rounding.
inline constexpr double kParallel = 1e-6;

// Fraction of the pair's size. Overlaps up to this are not looked at by facets.
// Too large: deep overlaps are taken as shallow. Too small: rounding of resting contacts counts.
inline constexpr double kShallow = 1e-6;

// Fraction of the largest depth that contacts must account for; else facets do (equation 4).
// Too large: facets stand for contacts at ridges. Too small: overlaps without a contact stay.
inline constexpr double kAccounted = 0.5;

// Cosine. Contacts whose normals differ by less are one patch (2 degrees).
// Too large: rows push along a normal that is not theirs. Too small: curved contacts have very many patches.
inline constexpr double kFieldPatch = 0.9994;

// Cosine. A patch goes on under the name of one of the last step whose normal differs by less.
// Too large: impulses are handed to the wrong side. Too small: turning bodies forget them.
inline constexpr double kSamePatch = 0.7;

}  // namespace abut
