#include "print.h"

#include <cerrno>
#include <cstdint>
#include <system_error>

namespace abut::tool {

namespace {

struct Character {
  std::uint32_t code = 0;
  std::size_t length = 0;  // bytes; 0: they are no UTF-8
};

// The character that the text begins with.
Character first_of(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xf0 && lead < 0xf5   ? 4
                             : lead >= 0xe0 && lead < 0xf0 ? 3
                             : lead >= 0xc2 && lead < 0xe0 ? 2
                                                           : 0;
  if (length == 0 || text.size() < length) return {};
  std::uint32_t code = lead & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3fu);
  }
  // longer than needed, halves of UTF-16, beyond Unicode
  const bool wrong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000) ||
                     (code >= 0xd800 && code < 0xe000) || code > 0x10ffff;
  return wrong ? Character{} : Character{code, length};
}

bool is_obeyed(std::uint32_t code) {
  const bool control = code < 0x20 || (code >= 0x7f && code < 0xa0);
  const bool turns = code == 0x061c || code == 0x200e || code == 0x200f ||
                     (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  const bool breaks = code == 0x2028 || code == 0x2029;
  return control || turns || breaks;
}

std::string escaped(std::uint32_t code) {
  switch (code) {
    case '\n':
      return "\\n";
    case '\t':
      return "\\t";
    case '\r':
      return "\\r";
    default:
      return code < 0x80 ? fmt::format("\\x{:02x}", code) : fmt::format("\\u{:04x}", code);
  }
}

// `keep` is left as it is; `escape` shows the others that a terminal obeys.
template <class Escape>
std::string with_escapes(std::string_view text, std::string_view keep, const Escape& escape) {
  std::string out;
  while (!text.empty()) {
    const Character c = first_of(text);
    const std::size_t length = c.length == 0 ? 1 : c.length;
    if (c.length == 0)
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    else if (is_obeyed(c.code) && keep.find(text[0]) == keep.npos)
      out += escape(c.code);
    else
      out += text.substr(0, length);
    text.remove_prefix(length);
  }
  return out;
}

int stdout_error = 0;  // errno of the first failure

}  // namespace

std::string printable(std::string_view text) { return with_escapes(text, "", escaped); }

std::string printable_lines(std::string_view text) {
  std::string out;
  for (const char c : with_escapes(text, "\n", escaped)) {
    out += c;
    if (c == '\n') out += "      ";
  }
  return out;
}

std::string printable_json(std::string_view document) {
  return with_escapes(document, "\n",
                      [](std::uint32_t code) { return fmt::format("\\u{:04x}", code); });
}

void put(std::FILE* to, std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), to) != text.size() && to == stdout &&
      stdout_error == 0)
    stdout_error = errno;
}

bool stdout_works(std::string* why) {
  if (std::fflush(stdout) != 0 && stdout_error == 0) stdout_error = errno;
  if (std::ferror(stdout) != 0 && stdout_error == 0) stdout_error = EIO;
  if (why && stdout_error != 0) *why = std::system_category().message(stdout_error);
  return stdout_error == 0;
}

}  // namespace abut::tool
