// abut: the command line.
#include <fmt/format.h>

#include <cstdio>

#include "abut/version.h"
#include "commands.h"
#include "common.h"

int main(int argc, char** argv) {
  using namespace abut;
  CLI::App app{"abut - rigid bodies, right where solids touch"};
  app.name("abut");
  app.set_version_flag("--version", "abut " + std::string(abut::version()));
  app.require_subcommand(1);
  app.footer(
      "Examples:\n"
      "  abut run worlds/pendulum.xml --time 5\n"
      "  abut run t_handle --time 100 --json\n"
      "  abut view diff_drive\n"
      "  abut compare diff_drive --contact st,ap\n"
      "  abut inspect worlds/humanoid.xml\n"
      "Each command has its own --help.");
  int exit_code = tool::kDone;
  tool::add_run(app, &exit_code);
  tool::add_view(app, &exit_code);
  tool::add_compare(app, &exit_code);
  tool::add_inspect(app, &exit_code);
  tool::add_contact(app, &exit_code);
  tool::add_solve(app, &exit_code);
  tool::add_reproduce(app, &exit_code);
  tool::add_render(app, &exit_code);
  tool::add_models(app, &exit_code);
  tool::add_worlds(app, &exit_code);

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return app.exit(e);
    tool::put(stderr, "abut: " + tool::printable_lines(e.what()) +
                          "\nTry 'abut --help', or --help after a command.\n");
    return tool::kBadInput;
  } catch (const WorldError& e) {
    tool::put(stderr, "abut: " + tool::printable_lines(e.what()) + "\n");
    return tool::kBadInput;
  } catch (const StateError& e) {
    tool::put(stderr, "abut: " + tool::printable_lines(e.what()) + "\n");
    return tool::kBadInput;
  } catch (const tool::UsageError& e) {
    tool::put(stderr, "abut: " + tool::printable_lines(e.what()) + "\n");
    return tool::kBadInput;
  } catch (const std::bad_alloc&) {
    tool::put(stderr, "abut: out of memory; the world is too large for this machine\n");
    return tool::kBadInput;
  } catch (const std::exception& e) {
    tool::put(stderr, "abut: " + tool::printable_lines(e.what()) + "\n");
    return tool::kBadInput;
  }
  return exit_code;
}
