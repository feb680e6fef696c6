#include "abut/load/attributes.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "abut/load/tolerances.h"
#include "abut/math/suggest.h"

namespace abut {
namespace {

bool blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// Calls with each word of a value.
template <typename F>
void for_each_word(std::string_view text, F&& f) {
  std::size_t i = 0;
  while (true) {
    while (i < text.size() && blank(text[i])) ++i;
    if (i == text.size()) return;
    const std::size_t begin = i;
    while (i < text.size() && !blank(text[i])) ++i;
    f(text.substr(begin, i - begin));
  }
}

std::string shortened(std::string_view text) {
  constexpr std::size_t kMost = 40;
  return text.size() <= kMost ? std::string(text) : std::string(text.substr(0, kMost)) + "...";
}

template <typename T>
T to_number(const Element& e, std::string_view name, std::string_view word) {
  std::string_view digits = word;
  if (digits.size() > 1 && digits.front() == '+') digits.remove_prefix(1);
  T value{};
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool whole = end == digits.data() + digits.size();
  if constexpr (std::is_floating_point_v<T>) {
    // a number too small for a double is zero
    const bool small = digits.find("e-") != digits.npos || digits.find("E-") != digits.npos;
    if (status == std::errc::result_out_of_range && whole && small) return 0;
    if (whole && (status == std::errc::result_out_of_range ||
                  (status == std::errc{} && !(std::abs(value) <= kLargestNumber))))
      fail(e, name,
           fmt::format("'{}' is not a usable number; write a finite one below {:g}",
                       shortened(word), kLargestNumber));
  }
  if (status != std::errc{} || !whole) {
    const bool comma = word.find(',') != std::string_view::npos;
    fail(e, name,
         fmt::format("'{}' is not {}{}", shortened(word),
                     std::is_integral_v<T> ? "a whole number; write one such as 3"
                                           : "a number; write "
                                             "one such as 0.5",
                     comma ? ", and separate numbers by blanks, not commas" : ""));
  }
  return value;
}

template <typename T>
bool read_span(const Element& e, std::string_view name, std::span<T> out, int& count) {
  const Attribute* a = e.find(name);
  if (!a) return false;
  std::size_t n = 0;
  for_each_word(a->value, [&](std::string_view word) {
    const T value = to_number<T>(e, name, word);
    if (n < out.size()) out[n] = value;
    ++n;
  });
  count = static_cast<int>(n);
  return n > 0;  // MJCF takes x="" for no x
}

[[noreturn]] void wrong_count(const Element& e, std::string_view name, std::string_view expected,
                              int got) {
  fail(e, name, fmt::format("needs {}, has {}", expected, got));
}

std::string numbers(std::size_t n) { return fmt::format("{} number{}", n, n == 1 ? "" : "s"); }

template <typename T>
bool read_exactly(const Element& e, std::string_view name, std::span<T> out) {
  int count = 0;
  if (!read_span(e, name, out, count)) return false;
  if (count != static_cast<int>(out.size())) wrong_count(e, name, numbers(out.size()), count);
  return true;
}

template <typename T>
bool read_any(const Element& e, std::string_view name, std::vector<T>& out) {
  const Attribute* a = e.find(name);
  if (!a) return false;
  out.clear();
  for_each_word(a->value,
                [&](std::string_view word) { out.push_back(to_number<T>(e, name, word)); });
  return true;
}

template <typename T>
bool read_optional(const Element& e, std::string_view name, std::optional<T>& out) {
  T value{};
  if (!read(e, name, value)) return false;
  out = value;
  return true;
}

}  // namespace

void fail(const Element& e, const std::string& message) { throw WorldError(e.where, message); }

void fail(const Element& e, std::string_view attribute, const std::string& message) {
  fail(e, fmt::format("attribute '{}' of <{}>: {}", attribute, e.tag, message));
}

bool read(const Element& e, std::string_view name, double& out) {
  return read_exactly(e, name, std::span<double>(&out, 1));
}

bool read(const Element& e, std::string_view name, int& out) {
  return read_exactly(e, name, std::span<int>(&out, 1));
}

bool read(const Element& e, std::string_view name, bool& out) {
  constexpr std::pair<std::string_view, bool> words[] = {{"false", false}, {"true", true}};
  return read_word(e, name, words, out);
}

bool read(const Element& e, std::string_view name, std::string& out) {
  const Attribute* a = e.find(name);
  if (!a) return false;
  out = a->value;
  return true;
}

bool read(const Element& e, std::string_view name, std::optional<bool>& out) {
  const std::pair<std::string_view, std::optional<bool>> words[] = {
      {"false", false}, {"true", true}, {"auto", std::nullopt}};
  return read_word(e, name, words, out);
}

bool read(const Element& e, std::string_view name, std::optional<double>& out) {
  return read_optional(e, name, out);
}

bool read(const Element& e, std::string_view name, std::optional<int>& out) {
  return read_optional(e, name, out);
}

bool read_all(const Element& e, std::string_view name, std::span<double> out) {
  return read_exactly(e, name, out);
}

bool read_all(const Element& e, std::string_view name, std::span<int> out) {
  return read_exactly(e, name, out);
}

bool read(const Element& e, std::string_view name, Vec3& out) {
  return read_exactly(e, name, std::span<double>(out.data(), 3));
}

bool read(const Element& e, std::string_view name, Vec4& out) {
  return read_exactly(e, name, std::span<double>(out.data(), 4));
}

int read_some(const Element& e, std::string_view name, std::span<double> out) {
  int count = 0;
  if (!read_span(e, name, out, count)) return 0;
  if (count < 1 || count > static_cast<int>(out.size()))
    wrong_count(e, name, fmt::format("1 to {}", numbers(out.size())), count);
  return count;
}

bool read_list(const Element& e, std::string_view name, std::vector<double>& out) {
  return read_any(e, name, out);
}

bool read_list(const Element& e, std::string_view name, std::vector<int>& out) {
  return read_any(e, name, out);
}

int find_word(const Element& e, std::string_view name, std::span<const std::string_view> words) {
  const std::string_view value = e.text(name);
  for (std::size_t i = 0; i < words.size(); ++i)
    if (words[i] == value) return static_cast<int>(i);
  fail(e, name, fmt::format("'{}' is unknown{}", shortened(value), suggestion(value, words)));
}

std::string required(const Element& e, std::string_view name) {
  const Attribute* a = e.find(name);
  if (!a || a->value.empty())
    fail(e, fmt::format("<{0}> needs the attribute '{1}'; write <{0} {1}=\"...\">", e.tag, name));
  return std::string(a->value);
}

}  // namespace abut
