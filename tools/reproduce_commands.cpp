// The one command of the program abut-reproduce, which `abut reproduce` starts.
#include "commands.h"

namespace abut::tool {

void add_commands(CLI::App& app, int* exit_code) { add_reproduce(app, exit_code); }

}  // namespace abut::tool
