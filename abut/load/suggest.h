// "Did you mean": the nearest of a list of names.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace abut {

// The candidate with the smallest edit distance to `word`, if that is near enough to
// be a slip of the fingers (at most a third of the word, at least 1); else empty.
std::string nearest(std::string_view word, std::span<const std::string_view> candidates);

// "; did you mean 'x'?" or "; write one of a, b, c".
std::string suggestion(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace abut
