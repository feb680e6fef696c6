// "Did you mean" for commands and flags that do not exist.
#pragma once

#include <string>

namespace CLI {
class App;
}

namespace abut::tool {

// A line for the command that `app` does not know, or a line for each unknown flag that resembles a
// flag of the chosen command. Empty if all are known, or resemble nothing.
std::string misspelt(const CLI::App& app, int argc, const char* const* argv);

}  // namespace abut::tool
