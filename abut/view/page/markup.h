// Text for pages: escaping, and formatting of numbers for people.
//
// Pages are HTML and well-formed XML at once, so that a test can parse them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace abut::view {

// For element text and quoted attributes. Control characters, which XML cannot hold, and
// bytes that are not UTF-8 become U+FFFD.
std::string escape(std::string_view text);

// 4 significant digits by default: "0.002", "96.03", "12,345", "1.2 × 10⁻⁹", with a true minus
// sign. Non-finite numbers are "–".
std::string number(double x, int digits = 4);
std::string count(std::int64_t n);  // "12,345"

// A time in a suitable unit: "2 ms", "5 s".
std::string seconds(double s, int digits = 3);

// "10⁻⁹"
std::string power_of_ten(int exponent);

}  // namespace abut::view
