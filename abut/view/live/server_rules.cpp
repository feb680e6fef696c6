// Who may ask what of a Server.
#include <fmt/format.h>

#include <random>

#include "abut/view/live/server.h"

namespace abut::view {

std::string new_token() {
  static constexpr char kLetters[] = "abcdefghijklmnopqrstuvwxyz234567";
  std::random_device source;  // the system's: /dev/urandom or the processor's
  std::string token;
  for (int i = 0; i < 26; ++i) token += kLetters[source() & 31u];
  return token;
}

// A name that an attacker's page gave to 127.0.0.1 is no host of ours.
bool is_own_host(std::string_view host, std::string_view bind, std::uint16_t port) {
  const std::string suffix = fmt::format(":{}", port);
  if (!host.ends_with(suffix)) return false;
  host.remove_suffix(suffix.size());
  if (host == "127.0.0.1" || host == "localhost" || host == "[::1]") return true;
  if (host == bind) return true;
  // bound to every address: a number is no name that someone could have given it
  const bool all = bind == "0.0.0.0" || bind == "::";
  const bool number = host.find_first_not_of("0123456789.") == std::string_view::npos ||
                      (host.starts_with('[') && host.ends_with(']'));
  return all && number && !host.empty();
}

bool is_own_origin(std::string_view origin, std::string_view host) {
  for (const std::string_view scheme : {"http://", "https://"})
    if (origin.starts_with(scheme)) return origin.substr(scheme.size()) == host;
  return false;
}

std::string query_field(std::string_view target, std::string_view name) {
  const auto question = target.find('?');
  if (question == std::string_view::npos) return "";
  std::string_view rest = target.substr(question + 1);
  while (!rest.empty()) {
    const auto end = std::min(rest.find('&'), rest.size());
    const std::string_view field = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const auto equals = field.find('=');
    if (equals != std::string_view::npos && field.substr(0, equals) == name)
      return std::string(field.substr(equals + 1));
  }
  return "";
}

// In a time that does not tell how much of it was right.
bool equal_secrets(std::string_view a, std::string_view b) {
  unsigned different = a.size() == b.size() ? 0 : 1;
  for (std::size_t i = 0; i < a.size() && i < b.size(); ++i)
    different |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  return different == 0 && !a.empty();
}

}  // namespace abut::view
