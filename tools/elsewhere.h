// Programs that do what this one leaves to them.
#pragma once

#include <string>
#include <vector>

namespace abut::tool {

// The full path of a program in the folder of this one.
std::string beside_this(const std::string& program);

// Becomes the program, with these words (its name first); returns only by a UsageError. `what`: what
// it is for.
[[noreturn]] void go_over_to(const std::string& program, const std::vector<std::string>& words,
                             const std::string& what);

}  // namespace abut::tool
