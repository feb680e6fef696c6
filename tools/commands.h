// The commands of the abut tool: each adds itself to the command line.
#pragma once

#include <CLI/CLI.hpp>

namespace abut::tool {

// Sets *exit_code when it runs.
void add_run(CLI::App& app, int* exit_code);
void add_compare(CLI::App& app, int* exit_code);
void add_inspect(CLI::App& app, int* exit_code);
void add_models(CLI::App& app, int* exit_code);
void add_worlds(CLI::App& app, int* exit_code);
void add_contact(CLI::App& app, int* exit_code);
void add_solve(CLI::App& app, int* exit_code);
void add_reproduce(CLI::App& app, int* exit_code);
void add_view(CLI::App& app, int* exit_code);
void add_render(CLI::App& app, int* exit_code);

}  // namespace abut::tool
