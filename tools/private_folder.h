// A folder that only this user can look into, for files between two programs. It goes when this
// does.
#pragma once

#include <stdlib.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <thread>

#include "common.h"

namespace abut::tool {

class PrivateFolder {
 public:
  PrivateFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "abut-XXXXXX").string();
    if (!mkdtemp(pattern.data())) throw UsageError(pattern + ": cannot be made");
    path_ = pattern;
  }
  ~PrivateFolder() {
    // helpers of a browser may still be writing their last
    std::error_code ignored;
    for (int i = 0; i < 20 && std::filesystem::exists(path_, ignored); ++i) {
      if (i > 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
      std::filesystem::remove_all(path_, ignored);
    }
  }
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace abut::tool
