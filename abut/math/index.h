// at: converts an int index to the unsigned index that std::vector and std::span expect.
//
// Indices of bodies, vertices and contacts are int in this library, so that -1 can mean "none".
// Subscripts of the standard containers are std::size_t. A negative index is an error of the caller
// and becomes a very large index.
//
//   const double mass = masses[abut::at(body)];
#pragma once

#include <cstddef>

namespace abut {

constexpr std::size_t at(int i) { return static_cast<std::size_t>(i); }

}  // namespace abut
