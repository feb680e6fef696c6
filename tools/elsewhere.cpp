// Commands that are programs of their own: abut-reproduce, abut-mpi.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "commands.h"
#include "common.h"
#include "elsewhere.h"

namespace abut::tool {

std::string beside_this(const std::string& program) {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  return (self.parent_path() / program).string();
}

void go_over_to(const std::string& program, const std::vector<std::string>& words,
                const std::string& what) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execv(program.c_str(), arguments.data());
  const std::string why = std::strerror(errno);
  throw UsageError(what + " are a program of their own, and " + program +
                   " cannot be started: " + why + "; 'make build' builds it");
}

void add_reproduce_elsewhere(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("reproduce", "the papers' experiments and their checks");
  command->set_help_flag();   // the other program has it
  command->prefix_command();  // and all other words
  command->callback([command, exit_code] {
    *exit_code = kDone;
    std::vector<std::string> words = {"abut", "reproduce"};
    const std::vector<std::string> rest = command->remaining();
    words.insert(words.end(), rest.begin(), rest.end());
    go_over_to(beside_this("abut-reproduce"), words, "the papers' experiments");
  });
}

}  // namespace abut::tool
