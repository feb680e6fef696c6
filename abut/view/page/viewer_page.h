// The page of the viewer, and the player of reports. Both are one script (web/), which is inside
// the library: nothing comes from the network.
//
//   if (has_viewer()) page += player(lanes, "film", 460);
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "abut/view/scene/film.h"

namespace abut::view {

// False if the library was built without npm: then there is no script.
bool has_viewer();
std::string_view viewer_script();  // compressed by gzip

// A page with the viewer alone. `boot` is a JSON object that says what it shows: docs/viewer.md.
std::string viewer_page(std::string_view title, std::string_view boot);

// A replay as a part of a page; the page needs player_script() once, after the last player.
// Well-formed XML. Several films are lanes side by side.
std::string player(std::span<const Film* const> lanes, std::string_view id, int height = 480);
std::string player_script();

// JSON that may stand in a script element.
std::string script_safe(std::string_view json);

}  // namespace abut::view
