#include "misspelt.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>
#include <vector>

#include "abut/math/suggest.h"

namespace abut::tool {

namespace {

std::vector<const CLI::App*> commands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App*) { return true; });
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : commands(app)) names.push_back(command->get_name());
  return names;
}

// With their dashes, as typed.
std::vector<std::string> flag_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

// "'--tiem': no such flag; did you mean '--time'?"; nothing for a known word, or one that is near
// to none.
std::string corrected(std::string_view word, const char* what,
                      const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), word) != known.end()) return {};
  const std::vector<std::string_view> names(known.begin(), known.end());
  const std::string near = did_you_mean(word, names);
  return near.empty() ? near : fmt::format("'{}': no such {}{}", word, what, near);
}

// Of a word in the place of a command.
std::string other_command(std::string_view word, const std::vector<std::string>& known) {
  if (std::find(known.begin(), known.end(), word) != known.end()) return {};
  const std::string near = corrected(word, "command", known);
  return near.empty()
             ? fmt::format("'{}': no such command; there are: {}", word, fmt::join(known, ", "))
             : near;
}

bool is_flag(std::string_view word) { return word.starts_with("--") && word.size() > 2; }

}  // namespace

std::string misspelt(const CLI::App& app, int argc, const char* const* argv) {
  const std::vector<std::string_view> words(argv + 1, argv + argc);
  const auto is_word = [](std::string_view w) { return !w.starts_with('-'); };
  const auto typed = std::find_if(words.begin(), words.end(), is_word);
  const CLI::App* command = &app;
  if (typed != words.end()) {
    if (std::string line = other_command(*typed, command_names(app)); !line.empty()) return line;
    for (const CLI::App* known : commands(app))
      if (known->get_name() == *typed) command = known;
  }
  std::string lines;
  for (const std::string_view word : words) {
    if (!is_flag(word)) continue;
    const std::string line =
        corrected(word.substr(0, word.find('=')), "flag", flag_names(*command));
    if (!line.empty()) lines += (lines.empty() ? "" : "\n") + line;
  }
  return lines;
}

}  // namespace abut::tool
