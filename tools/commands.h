// The commands of the abut tool: each adds itself to the command line.
#pragma once

namespace CLI {
class App;
}

namespace abut::tool {

// All commands of one program: commands.cpp has those of abut, reproduce_commands.cpp those of
// abut-reproduce.
void add_commands(CLI::App& app, int* exit_code);

// Sets *exit_code when it runs.
void add_run(CLI::App& app, int* exit_code);
void add_compare(CLI::App& app, int* exit_code);
void add_inspect(CLI::App& app, int* exit_code);
void add_models(CLI::App& app, int* exit_code);
void add_worlds(CLI::App& app, int* exit_code);
void add_contact(CLI::App& app, int* exit_code);
void add_solve(CLI::App& app, int* exit_code);
void add_reproduce(CLI::App& app, int* exit_code);
// `abut reproduce` of the program without the experiments: goes over to abut-reproduce.
void add_reproduce_elsewhere(CLI::App& app, int* exit_code);
void add_view(CLI::App& app, int* exit_code);
void add_render(CLI::App& app, int* exit_code);
void add_sweep(CLI::App& app, int* exit_code);
void add_tune(CLI::App& app, int* exit_code);

}  // namespace abut::tool
