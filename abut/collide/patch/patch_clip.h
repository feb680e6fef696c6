// One cell of a patch's map: a face of one solid cut by a face of the other, as seen along
// the normal (Sutherland and Hodgman, with every corner knowing the features it lies on).
#pragma once

#include <vector>

#include "abut/collide/patch/patch_outline.h"

namespace abut {

// The part of `subject` inside `window` (three or more points), into `result`; heights
// are the subject's. A point within `tolerance` (m) of a side of the window lies on it, so
// the outlines of two equal boxes standing on each other share four corners and
// nothing else. Corners name in `mine` what they lie on of the subject, in `other` of the
// window; `spare` is a buffer.
void clip_outline(const Outline& subject, const Outline& window, double tolerance,
                  std::vector<OutlinePoint>& result, std::vector<OutlinePoint>& spare);

}  // namespace abut
