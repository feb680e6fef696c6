// The frame of abut's pages: one style, nothing from the network.
#pragma once

#include <string>
#include <string_view>

namespace abut::view {

// A complete page with `body` (HTML, well-formed); it includes the style of plots and tables.
// `sealed`, for a page with a player, tells the browser that nothing may be fetched.
std::string page_around(std::string_view title, std::string_view body, bool sealed = false);

}  // namespace abut::view
