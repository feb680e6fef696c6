// Other work of a step than distances, done by each engine in a process of its own.
//
// serve_tasks() reads commands from standard input, one a line, and answers each with one
// line of JSON:
//
//   tasks             -> {"tasks": ["broad phase", ..]}
//   time TASK SECONDS -> {"ns": 123.4, "answer": 4.0}
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

struct Task {
  std::string name;
  int units = 1;                // that one run does: a time is that of one unit
  std::function<double()> run;  // gives a number that tells what was found; the first counts
};

// What is asked of all engines, so that the same names mean the same work.
namespace task_name {
constexpr const char* kBoxPatch = "box-box patch";
constexpr const char* kBroadPhase = "broad phase, 10000 boxes, a step";
}  // namespace task_name

inline int serve_tasks(const std::string& engine, const std::vector<Task>& tasks) {
  std::printf("{\"engine\": \"%s\"}\n", engine.c_str());
  std::fflush(stdout);
  std::vector<double> answers;
  for (const Task& task : tasks) answers.push_back(task.run());
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string command;
    words >> command;
    if (command == "tasks") {
      std::printf("{\"tasks\": [");
      for (std::size_t i = 0; i < tasks.size(); ++i)
        std::printf("%s\"%s\"", i == 0 ? "" : ", ", tasks[i].name.c_str());
      std::printf("]}\n");
    } else {
      using Clock = std::chrono::steady_clock;
      std::size_t which = 0;
      double seconds = 0, fastest = HUGE_VAL;
      words >> which >> seconds;
      const Task& task = tasks.at(which);
      const auto end = Clock::now() + std::chrono::duration<double>(seconds);
      do {
        const auto start = Clock::now();
        task.run();
        const std::chrono::duration<double> took = Clock::now() - start;
        fastest = std::min(fastest, took.count());
      } while (Clock::now() < end);
      std::printf("{\"ns\": %.17g, \"answer\": %.17g}\n", 1e9 * fastest / task.units,
                  answers.at(which));
    }
    std::fflush(stdout);
  }
  return 0;
}
