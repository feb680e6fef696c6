// An engine in a race: a program that is asked by lines and answers in JSON.
//
//   Engine engine = start_native("FCL", programs / "collide_fcl", "FCL (libfcl-dev)");
//   if (engine.process) use(ask(engine, "time 0 3 0.1"));
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "process.h"

struct Engine {
  std::string name;
  std::optional<Process> process;         // none: absent
  std::string absent = {};                // why
  std::vector<std::string> command = {};  // that started it
};

// Its answer; throws std::runtime_error, with the question, when there is none.
nlohmann::json ask(Engine& engine, const std::string& line);

// `why_absent`: not "" for one that can't be started. It takes the name it gives itself.
Engine start(const std::string& name, const std::vector<std::string>& command,
             const std::string& why_absent);
// Absent if the program was not built, because CMake did not find `package`.
Engine start_native(const std::string& name, const std::filesystem::path& program,
                    const std::string& package);

// A script under node that is given the folder of its npm package. Absent if node or the package is.
Engine start_node(const std::string& name, const std::filesystem::path& script,
                  const std::filesystem::path& package, const std::string& why_absent);

void print_absent(const std::vector<Engine>& engines);
