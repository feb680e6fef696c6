// PageFile: a file that is there whole or not at all.
#pragma once

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string_view>

namespace abut::view {

class PageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// Opened before the work begins, so that a path that cannot be written is known then. The
// text goes to FILE.part, which takes the name FILE when it is complete; without
// write() no trace is left, and a file of that name stays as it was.
class PageFile {
 public:
  explicit PageFile(std::filesystem::path file);  // throws PageError
  ~PageFile();
  PageFile(const PageFile&) = delete;
  PageFile& operator=(const PageFile&) = delete;

  void write(std::string_view text);  // throws PageError
  const std::filesystem::path& path() const { return file_; }

 private:
  std::filesystem::path file_, part_;
  std::ofstream out_;
};

}  // namespace abut::view
