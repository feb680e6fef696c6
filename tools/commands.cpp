// The commands of the program abut.
#include "commands.h"

namespace abut::tool {

void add_commands(CLI::App& app, int* exit_code) {
  add_run(app, exit_code);
  add_view(app, exit_code);
  add_compare(app, exit_code);
  add_inspect(app, exit_code);
  add_contact(app, exit_code);
  add_solve(app, exit_code);
  add_reproduce_elsewhere(app, exit_code);
  add_render(app, exit_code);
  add_sweep(app, exit_code);
  add_tune(app, exit_code);
  add_models(app, exit_code);
  add_worlds(app, exit_code);
}

}  // namespace abut::tool
