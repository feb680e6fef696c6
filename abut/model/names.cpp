#include <algorithm>
#include <charconv>
#include <numeric>

#include "abut/model/model.h"

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

int NameTable::add(const std::string& name, const Source& where) {
  const int id = size();
  if (!name.empty()) {
    const auto [taken, fresh] = index_.emplace(name, id);
    if (!fresh) {
      const std::string first = to_string(places_[static_cast<std::size_t>(taken->second)]);
      throw WorldError(where, "a " + kind_ + " named '" + name + "' exists already" +
                                  (first.empty() ? "" : " (" + first + ")") +
                                  "; give one of them another name");
    }
  }
  names_.push_back(name);
  places_.push_back(where);
  return id;
}

int NameTable::find(std::string_view name) const {
  if (const auto it = index_.find(std::string(name)); it != index_.end()) return it->second;

  // "body#3": the thing with that index, if it has no name of its own
  if (name.size() < kind_.size() + 2 || !name.starts_with(kind_) || name[kind_.size()] != '#') {
    return -1;
  }
  const std::string_view digits = name.substr(kind_.size() + 1);
  int id = -1;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), id);
  const bool whole = error == std::errc() && end == digits.data() + digits.size();
  return whole && id >= 0 && id < size() && !named(id) ? id : -1;
}

std::string NameTable::operator[](int id) const {
  return named(id) ? names_[static_cast<std::size_t>(id)] : kind_ + "#" + std::to_string(id);
}

std::string NameTable::nearest(std::string_view name) const {
  // a third of the letters may be wrong; beyond that a suggestion is a guess
  int best = static_cast<int>(std::max<std::size_t>(name.size() / 3, 1)) + 1;
  std::string found;
  for (const std::string& candidate : names_) {
    const auto difference =
        static_cast<std::ptrdiff_t>(candidate.size()) - static_cast<std::ptrdiff_t>(name.size());
    if (candidate.empty() || std::abs(difference) >= best) continue;
    const int distance = edit_distance(name, candidate);
    if (distance < best) {
      best = distance;
      found = candidate;
    }
  }
  return found;
}

}  // namespace abut
