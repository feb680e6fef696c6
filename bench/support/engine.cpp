#include "engine.h"

#include <fmt/format.h>

#include <stdexcept>

using nlohmann::json;

json ask(Engine& engine, const std::string& line) try {
  engine.process->say(line);
  return json::parse(engine.process->answer());
} catch (const std::exception& error) {
  throw std::runtime_error(
      fmt::format("{}: {}, when asked to {}", engine.name, error.what(), line));
}

Engine start(const std::string& name, const std::vector<std::string>& command,
             const std::string& why_absent) {
  Engine engine{name, {}, why_absent};
  if (!why_absent.empty()) return engine;
  engine.command = command;
  engine.process.emplace(command);
  engine.name = json::parse(engine.process->answer()).at("engine");
  return engine;
}

Engine start_native(const std::string& name, const std::filesystem::path& program,
                    const std::string& package) {
  const bool built = std::filesystem::exists(program);
  return start(name, {program.string()},
               built ? "" : fmt::format("not built: CMake did not find {}", package));
}

Engine start_node(const std::string& name, const std::filesystem::path& script,
                  const std::filesystem::path& package, const std::string& why_absent) {
  if (!why_absent.empty()) return start(name, {}, why_absent);
  if (!std::filesystem::exists(package))
    return start(name, {}, fmt::format("{} is not there", package.string()));
  try {
    return start(name, {"node", script.string(), package.string()}, "");
  } catch (const std::exception& e) {
    return start(name, {}, e.what());
  }
}

void print_absent(const std::vector<Engine>& engines) {
  for (const Engine& engine : engines)
    if (!engine.process) fmt::print("\n{}: absent ({})\n", engine.name, engine.absent);
}
