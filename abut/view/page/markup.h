// Text for pages: escaping, and numbers as people write them.
//
// Pages are written so that they are HTML and well-formed XML at once: a test can parse them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace abut::view {

// For element text and quoted attributes. Control characters, which XML cannot hold, and
// bytes that are not UTF-8 become U+FFFD.
std::string escape(std::string_view text);

// 4 significant digits unless told: "0.002", "96.03", "12,345", "1.2 × 10⁻⁹", with a true minus
// sign. What is not finite is "–".
std::string number(double x, int digits = 4);
std::string count(std::int64_t n);  // "12,345"

// A time in the unit that suits it: "2 ms", "5 s".
std::string seconds(double s, int digits = 3);

// "10⁻⁹"
std::string power_of_ten(int exponent);

}  // namespace abut::view
