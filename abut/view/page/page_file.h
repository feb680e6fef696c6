// PageFile: a file that is written completely or not at all.
#pragma once

#include <filesystem>
#include <string_view>

#include "abut/math/file_error.h"

namespace abut::view {

using PageError = FileError;

// Created before the work begins, so that an unwritable path is detected then. Without write()
// nothing is written, and an existing file is unchanged.
class PageFile {
 public:
  explicit PageFile(std::filesystem::path file);  // throws PageError
  void write(std::string_view text) const;        // throws PageError
  const std::filesystem::path& path() const { return file_; }

 private:
  std::filesystem::path file_;
};

}  // namespace abut::view
