#include "abut/math/suggest.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <set>
#include <vector>

namespace abut {

namespace {

// Insertions, deletions, substitutions and swaps of neighbours that turn a into b.
int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(last.begin(), last.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int substituted = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, substituted});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
    before_last.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

}  // namespace

std::string_view nearest_word(std::string_view word, std::span<const std::string_view> candidates) {
  // a third of the letters may be wrong; beyond that a suggestion is a guess
  int best = static_cast<int>(std::max<std::size_t>(word.size() / 3, 1)) + 1;
  std::string_view found;
  for (const std::string_view candidate : candidates) {
    const auto difference =
        static_cast<std::ptrdiff_t>(candidate.size()) - static_cast<std::ptrdiff_t>(word.size());
    if (candidate.empty() || std::abs(difference) >= best) continue;
    const int distance = edit_distance(word, candidate);
    if (distance < best) {
      best = distance;
      found = candidate;
    }
  }
  return found;
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
  const std::set<std::string_view> once(candidates.begin(), candidates.end());
  const std::vector<std::string_view> sorted(once.begin(), once.end());
  constexpr std::size_t kLongestSlip = 64;  // a longer word is no slip of the fingers
  const std::string_view near =
      word.size() <= kLongestSlip ? nearest_word(word, sorted) : std::string_view();
  return near.empty() ? std::string() : fmt::format("; did you mean '{}'?", near);
}

std::string suggestion(std::string_view word, std::span<const std::string_view> candidates) {
  if (std::string near = did_you_mean(word, candidates); !near.empty()) return near;
  if (candidates.empty()) return {};

  std::string list = "; write one of ";
  constexpr std::size_t kMost = 40;
  for (std::size_t i = 0; i < std::min(candidates.size(), kMost); ++i) {
    if (i > 0) list += ", ";
    list += candidates[i];
  }
  return candidates.size() > kMost ? list + ", ..." : list;
}

}  // namespace abut
