// abut render: headless pictures and films.
#include <CLI/CLI.hpp>

#include "commands.h"

namespace abut::tool {
void add_render(CLI::App&, int*) {}
}  // namespace abut::tool
