#include <charconv>

#include "abut/math/suggest.h"
#include "abut/model/model.h"

namespace abut {

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
  const std::vector<std::string_view> all(names_.begin(), names_.end());
  return std::string(nearest_word(name, all));
}

}  // namespace abut
