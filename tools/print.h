// Everything that the tool prints. Names come from files that others wrote: what a terminal would
// obey (escape sequences, control characters) is shown as text, and never sent as it is.
//
//   print_safe("{:<20} {}\n", model.body_names[b], mass);
//   print_safe(stderr, "warning: {}\n", line);
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <type_traits>

namespace abut::tool {

// Control characters (of ASCII, and U+0080 to U+009F), marks that turn the direction of text, and
// bytes that are no UTF-8, as \n, \x1b or \u202e; all else as it is.
std::string printable(std::string_view text);
// The same but for line breaks: those after the first line are followed by spaces, so that no name
// can pass for a message of its own.
std::string printable_lines(std::string_view text);
// The same for a JSON document, whose values stay what they are.
std::string printable_json(std::string_view document);

// Text that is safe already. A failure is kept for stdout_works().
void put(std::FILE* to, std::string_view text);
// False, from then on, if something could not be printed; sends what waits in the buffer. `why`:
// the system's words.
bool stdout_works(std::string* why = nullptr);

template <class T>
auto safe_argument(const T& x) {
  if constexpr (std::is_convertible_v<const T&, std::string_view>)
    return printable(x);
  else
    return x;
}

template <class... Arguments>
void print_safe(std::FILE* to, fmt::format_string<Arguments...> form, Arguments&&... arguments) {
  const auto print = [&](const auto&... safe) {
    put(to, fmt::vformat(form, fmt::make_format_args(safe...)));
  };
  print(safe_argument(arguments)...);
}
template <class... Arguments>
void print_safe(fmt::format_string<Arguments...> form, Arguments&&... arguments) {
  print_safe(stdout, form, std::forward<Arguments>(arguments)...);
}

}  // namespace abut::tool
