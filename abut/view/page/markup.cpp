#include "abut/view/page/markup.h"

#include <fmt/format.h>

#include <cmath>

namespace abut::view {

namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";  // U+FFFD
constexpr std::string_view kMinus = "\u2212";

// Bytes of the UTF-8 character at the start of text; 0: there is none.
std::size_t character_length(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::size_t n = lead < 0x80                   ? 1
                        : lead >= 0xC2 && lead < 0xE0 ? 2
                        : lead >= 0xE0 && lead < 0xF0 ? 3
                        : lead >= 0xF0 && lead < 0xF5 ? 4
                                                      : 0;
  if (n > text.size()) return 0;
  for (std::size_t i = 1; i < n; ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) return 0;
  return n;
}

// Commas into the part of a plain number before its point.
std::string grouped(std::string digits) {
  const std::size_t first = digits.find_first_of("0123456789");
  std::size_t at = std::min(digits.find('.'), digits.size());
  // four digits read well without
  if (at - first <= 4) return digits;
  for (; at > first + 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string with_minus(const std::string& digits) {
  return digits.starts_with('-') ? std::string(kMinus) + digits.substr(1) : digits;
}

}  // namespace

std::string escape(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t n = character_length(text);
    const char c = text[0];
    const bool control =
        static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r';
    if (n == 0 || control) {
      out += kReplacement;
    } else if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else if (c == '\'') {
      out += "&#39;";
    } else {
      out += text.substr(0, n);
    }
    text.remove_prefix(n == 0 ? 1 : n);
  }
  return out;
}

std::string power_of_ten(int exponent) {
  static constexpr std::string_view kRaised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string out = "10";
  for (const char c : fmt::format("{}", exponent)) out += c == '-' ? "⁻" : kRaised[c - '0'];
  return out;
}

std::string number(double x, int digits) {
  if (!std::isfinite(x)) return "–";
  if (x == 0) return "0";
  // the exponent after rounding: 0.99999 is 1
  const std::string scientific = fmt::format("{:.{}e}", x, digits - 1);
  const std::size_t e = scientific.find('e');
  const int exponent = std::stoi(scientific.substr(e + 1));
  if (exponent >= -3 && exponent < 7)
    return with_minus(
        grouped(fmt::format("{:.{}g}", std::stod(scientific), std::max(digits, exponent + 1))));
  return with_minus(fmt::format("{:g}", std::stod(scientific.substr(0, e)))) + " × " +
         power_of_ten(exponent);
}

std::string count(std::int64_t n) { return with_minus(grouped(fmt::format("{}", n))); }

std::string seconds(double s, int digits) {
  const double size = std::abs(s);
  if (size == 0 || size >= 1) return number(s, digits) + " s";
  if (size >= 1e-3) return number(s * 1e3, digits) + " ms";
  if (size >= 1e-6) return number(s * 1e6, digits) + " µs";
  return number(s * 1e9, digits) + " ns";
}

}  // namespace abut::view
