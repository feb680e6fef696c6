// "Did you mean": a suggestion for an unknown word.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace abut {

// The candidate that is nearest to a word with slips of the fingers in it; empty if none is near.
std::string_view nearest_word(std::string_view word, std::span<const std::string_view> candidates);

// "; did you mean 'x'?" if a candidate is near, else nothing.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);
// "; did you mean 'x'?" if a candidate is near, else "; write one of a, b, c".
std::string suggestion(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace abut
