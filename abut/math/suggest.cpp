#include "abut/math/suggest.h"

#include <fmt/format.h>

#include <set>

#include "abut/model/model.h"

namespace abut {

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
  NameTable table;
  for (std::string_view name : std::set<std::string_view>(candidates.begin(), candidates.end()))
    table.add(std::string(name));
  constexpr std::size_t kLongestSlip = 64;  // a longer word is no slip of the fingers
  const std::string near = word.size() <= kLongestSlip ? table.nearest(word) : std::string();
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
