// What somebody else may have put where a file is to be written.
#pragma once

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

namespace abut::test {

namespace fs = std::filesystem;

inline void put_text(const fs::path& file, const std::string& text) {
  std::ofstream(file, std::ios::binary) << text;
}
inline std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
inline mode_t mode_of(const fs::path& file) {
  struct stat s {};
  return lstat(file.c_str(), &s) == 0 ? s.st_mode : 0;
}

struct Attack {
  std::string name, word;                      // `word` is in the refusal
  std::function<bool(const fs::path&)> plant;  // false: not allowed here
};

// `precious` is a file that must stay as it is.
inline std::vector<Attack> attacks(const fs::path& precious) {
  const auto link_to = [](const fs::path& to) {
    return [to](const fs::path& at) { return symlink(to.c_str(), at.c_str()) == 0; };
  };
  return {
      {"link to a file", "symbolic link", link_to(precious)},
      {"link to nothing", "symbolic link", link_to(precious.string() + ".none")},
      {"link to a device", "symbolic link", link_to("/dev/null")},
      {"folder", "is a folder", [](const fs::path& at) { return mkdir(at.c_str(), 0777) == 0; }},
      {"pipe", "a pipe", [](const fs::path& at) { return mkfifo(at.c_str(), 0666) == 0; }},
      // the one that /dev/null is; only root can make it
      {"device", "a device",
       [](const fs::path& at) { return mknod(at.c_str(), S_IFCHR | 0666, makedev(1, 3)) == 0; }},
      {"socket", "a socket", [](const fs::path& at) {
         sockaddr_un address{};
         address.sun_family = AF_UNIX;
         if (at.string().size() >= sizeof address.sun_path) return false;
         std::strcpy(address.sun_path, at.c_str());
         const int s = socket(AF_UNIX, SOCK_STREAM, 0);
         const bool made = bind(s, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
         close(s);
         return made;
       }}};
}

}  // namespace abut::test
