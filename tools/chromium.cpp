#include "chromium.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <sstream>
#include <thread>
#include <vector>

#include "common.h"

namespace abut::tool {

namespace fs = std::filesystem;

std::string find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "/usr/bin:/bin");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (const fs::path file = fs::path(folder) / name; access(file.c_str(), X_OK) == 0)
      return file.string();
  return "";
}

std::string find_chromium() {
  if (const char* given = std::getenv("ABUT_CHROMIUM"); given && *given) return given;
  for (const char* name : {"chromium", "chromium-browser", "google-chrome"})
    if (const std::string found = find_program(name); !found.empty()) return found;
  throw UsageError(
      "pictures are drawn by Chromium, and there is none: install it (Debian: apt-get install "
      "chromium), or name one in ABUT_CHROMIUM");
}

Browser::Browser(const std::string& program, const std::string& address, int width, int height,
                 bool gpu) {
  std::vector<std::string> words = {
      program, "--headless=new", "--no-first-run", "--disable-extensions", "--mute-audio",
      "--disable-background-networking", "--disable-component-update", "--hide-scrollbars",
      // a window that nobody sees must draw all the same
      "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
      "--disable-backgrounding-occluded-windows", "--disable-dev-shm-usage",
      "--force-device-scale-factor=1", "--user-data-dir=" + folder_.path().string(),
      fmt::format("--window-size={},{}", width + 40, height + 140)};
  if (!gpu)
    for (const char* word : {"--use-gl=angle", "--use-angle=swiftshader",
                             "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"})
      words.push_back(word);
  if (geteuid() == 0) words.push_back("--no-sandbox");  // it refuses to run as root otherwise
  words.push_back(address);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  process_ = fork();
  if (process_ == 0) {
    setpgid(0, 0);  // its helpers go with it
    const int nowhere = open("/dev/null", O_RDWR);
    for (const int fd : {0, 1, 2}) dup2(nowhere, fd);
    execvp(arguments[0], arguments.data());
    _exit(127);
  }
  if (process_ < 0) throw UsageError("cannot start " + program);
  setpgid(process_, process_);
}

bool Browser::runs() const {
  if (process_ < 0) return false;
  if (waitpid(process_, nullptr, WNOHANG) == 0) return true;
  process_ = -1;
  return false;
}

Browser::~Browser() {
  if (process_ > 0) {
    kill(-process_, SIGTERM);
    for (int i = 0; i < 100 && runs(); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (process_ > 0) {
      kill(-process_, SIGKILL);
      waitpid(process_, nullptr, 0);
    }
  }
}

}  // namespace abut::tool
