// Commands that are programs of their own, beside this one: abut-reproduce.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "commands.h"
#include "common.h"

namespace abut::tool {

namespace {

// Becomes the program beside this one, with the same words; returns only by an error.
[[noreturn]] void go_over_to(const std::string& program, const std::vector<std::string>& words) {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::string path = (self.parent_path() / program).string();
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execv(path.c_str(), arguments.data());
  const std::string why = std::strerror(errno);
  throw UsageError("the papers' experiments are a program of their own, and " + path +
                   " cannot be started: " + why + "; 'make build' builds it");
}

}  // namespace

void add_reproduce_elsewhere(CLI::App& app, int* exit_code) {
  CLI::App* command = app.add_subcommand("reproduce", "the papers' experiments and their checks");
  command->set_help_flag();   // the other program has it
  command->prefix_command();  // and all other words
  command->callback([command, exit_code] {
    *exit_code = kDone;
    std::vector<std::string> words = {"abut", "reproduce"};
    const std::vector<std::string> rest = command->remaining();
    words.insert(words.end(), rest.begin(), rest.end());
    go_over_to("abut-reproduce", words);
  });
}

}  // namespace abut::tool
