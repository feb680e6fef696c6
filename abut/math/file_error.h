// Thrown when a file cannot be read or written; names the file and the reason.
#pragma once

#include <stdexcept>

namespace abut {

class FileError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace abut
