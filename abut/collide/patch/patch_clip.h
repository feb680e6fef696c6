// One cell of a patch's map: a face of one solid clipped by a face of the other, seen along the
// normal (Sutherland and Hodgman, with the features of every corner).
#pragma once

#include <vector>

#include "abut/collide/patch/patch_outline.h"

namespace abut {

// Writes the part of `subject` inside `window` (three or more points) to `result`; heights are the
// subject's. A point within `tolerance` (m) of a side of the window lies on it, so that the
// outlines of two equal boxes on each other share four corners and no other points. `mine` names
// the feature of the subject that a corner lies on, `other` that of the window. `spare` is a
// buffer.
void clip_outline(const Outline& subject, const Outline& window, double tolerance,
                  std::vector<OutlinePoint>& result, std::vector<OutlinePoint>& spare);

}  // namespace abut
