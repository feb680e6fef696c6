// Bad shape data: a message for the person who wrote the file, with numbers and units.
#pragma once

#include <stdexcept>

namespace abut {

class ShapeError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

}  // namespace abut
