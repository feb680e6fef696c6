// Typed reading of an element's attributes.
//
// Each function leaves `out` unchanged and returns false (or 0) if the attribute is absent (or, for
// numbers, empty), so that a default remains. A value that is malformed, not finite, absurdly large
// or of the wrong length is a WorldError that names file, line and attribute.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "abut/load/xml_tree.h"

namespace abut {

bool read(const Element& e, std::string_view name, double& out);
bool read(const Element& e, std::string_view name, int& out);
bool read(const Element& e, std::string_view name, bool& out);  // true, false
bool read(const Element& e, std::string_view name, std::string& out);
bool read(const Element& e, std::string_view name, std::optional<bool>& out);  // .., auto = empty
bool read(const Element& e, std::string_view name, std::optional<double>& out);
bool read(const Element& e, std::string_view name, std::optional<int>& out);

// Exactly out.size() numbers.
bool read_all(const Element& e, std::string_view name, std::span<double> out);
bool read_all(const Element& e, std::string_view name, std::span<int> out);
bool read(const Element& e, std::string_view name, Vec3& out);
bool read(const Element& e, std::string_view name, Vec4& out);
template <std::size_t n>
bool read(const Element& e, std::string_view name, std::array<double, n>& out) {
  return read_all(e, name, out);
}
template <std::size_t n>
bool read(const Element& e, std::string_view name, std::optional<std::array<double, n>>& out) {
  std::array<double, n> values{};
  if (!read_all(e, name, values)) return false;
  out = values;
  return true;
}

// One to out.size() numbers; returns their number. The others keep their default.
int read_some(const Element& e, std::string_view name, std::span<double> out);

// Any number of values.
bool read_list(const Element& e, std::string_view name, std::vector<double>& out);
bool read_list(const Element& e, std::string_view name, std::vector<int>& out);

// One of a list of words.
template <typename T>
using Words = std::span<const std::pair<std::string_view, T>>;
int find_word(const Element& e, std::string_view name, std::span<const std::string_view> words);
template <typename T, std::size_t n>
bool read_word(const Element& e, std::string_view name,
               const std::pair<std::string_view, T> (&words)[n], T& out) {
  if (!e.find(name)) return false;
  std::string_view list[n];
  for (std::size_t i = 0; i < n; ++i) list[i] = words[i].first;
  out = words[find_word(e, name, list)].second;
  return true;
}

// The value of a required attribute.
std::string required(const Element& e, std::string_view name);

// A WorldError about this element or one of its attributes.
[[noreturn]] void fail(const Element& e, const std::string& message);
[[noreturn]] void fail(const Element& e, std::string_view attribute, const std::string& message);

}  // namespace abut
