// The frame of abut's pages: one look, nothing from the network.
#pragma once

#include <string>
#include <string_view>

namespace abut::view {

// A whole page with `body` (HTML, well-formed) in it; plots and tables have their style. One with
// a player in it is told to the browser to be sealed: nothing may be fetched.
std::string page_around(std::string_view title, std::string_view body, bool sealed = false);

}  // namespace abut::view
