// Draws solids as an SVG picture, seen from far away (parallel projection).
//
// Solids are glass: faces towards the eye are tinted, edges behind are dashed, so that
// what happens between two solids is seen. Of a curved solid's many edges only the outline and the
// creases are drawn. The picture stands alone or inside a page.
//
//   abut::view::PageFile("contact.svg").write(to_svg(drawing));
#pragma once

#include <string>

#include "abut/shape/drawing.h"

namespace abut::view {

std::string to_svg(const Drawing& drawing, double width = 460, double height = 360);

}  // namespace abut::view
