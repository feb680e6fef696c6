// Chromium, run without a window and without a graphics card.
#pragma once

#include <sys/types.h>

#include <string>

#include "private_folder.h"

namespace abut::tool {

// $ABUT_CHROMIUM, else the first of chromium, chromium-browser, google-chrome on the PATH. Throws
// UsageError if there is none.
std::string find_chromium();
// The full path of a program on the PATH; empty if there is none.
std::string find_program(const std::string& name);

// A browser that shows one address, with a folder of its own. It goes when this does.
class Browser {
 public:
  Browser(const std::string& program, const std::string& address, int width, int height, bool gpu);
  ~Browser();
  Browser(const Browser&) = delete;
  Browser& operator=(const Browser&) = delete;

  bool runs() const;

 private:
  PrivateFolder folder_;
  mutable pid_t process_ = -1;
};

}  // namespace abut::tool
