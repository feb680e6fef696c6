// "Did you mean": what to write instead of a word that is not known.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace abut {

// "; did you mean 'x'?" if a candidate is near, else nothing.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);
// "; did you mean 'x'?" if a candidate is near, else "; write one of a, b, c".
std::string suggestion(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace abut
