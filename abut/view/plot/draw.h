// Draws solids as an SVG picture in parallel projection.
//
// Solids are transparent: faces towards the eye are tinted, edges behind are dashed, so that the
// region between two solids is visible. For a curved solid only the outline and the creases are
// drawn. The picture is self-contained or part of a page.
//
//   abut::view::PageFile("contact.svg").write(to_svg(drawing));
#pragma once

#include <string>

#include "abut/shape/drawing.h"

namespace abut::view {

std::string to_svg(const Drawing& drawing, double width = 460, double height = 360);

}  // namespace abut::view
