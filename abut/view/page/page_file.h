// PageFile: a file that is there whole or not at all.
#pragma once

#include <filesystem>
#include <string_view>

#include "abut/math/file_error.h"

namespace abut::view {

using PageError = FileError;

// Named before the work begins, so that a path that cannot be written is known then. Without
// write() no trace is left, and a file of that name stays as it was.
class PageFile {
 public:
  explicit PageFile(std::filesystem::path file);  // throws PageError
  void write(std::string_view text) const;        // throws PageError
  const std::filesystem::path& path() const { return file_; }

 private:
  std::filesystem::path file_;
};

}  // namespace abut::view
