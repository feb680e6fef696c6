// abut: the command line, of this program and of abut-reproduce.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <new>

#include "abut/version.h"
#include "commands.h"
#include "common.h"
#include "interrupt.h"
#include "misspelt.h"

namespace {

void complain(std::string_view why) {
  abut::tool::put(stderr, "abut: " + abut::tool::printable_lines(why) + "\n");
}

// --help, --version
int print_help(CLI::App& app, const CLI::ParseError& asked) {
  app.exit(asked);
  if (std::cout.flush()) return abut::tool::kDone;
  complain("stdout: cannot be written");
  return abut::tool::kBadInput;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace abut;
  using namespace abut::tool;
  watch_signals();
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
  int exit_code = kDone;
  add_commands(app, &exit_code);

  try {
    app.parse(argc, argv);
    std::string why;
    if (!stdout_works(&why) && exit_code == kDone)
      throw UsageError("stdout: cannot be written: " + why);
  } catch (const CLI::ParseError& e) {
    if (e.get_exit_code() == 0) return print_help(app, e);
    const std::string meant = misspelt(app, argc, argv);
    complain(meant.empty() ? e.what() : meant);
    put(stderr, "Try 'abut --help', or --help after a command.\n");
    exit_code = kBadInput;
  } catch (const std::bad_alloc&) {
    complain("out of memory; the world is too large for this machine");
    exit_code = kBadInput;
  } catch (const std::exception& e) {
    complain(e.what());
    exit_code = kBadInput;
  }
  // whatever the command made of it
  return interrupted() ? interrupted_exit_code() : exit_code;
}
