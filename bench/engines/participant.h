// An engine in the race, in a process of its own. It is asked by lines and answers in JSON:
//
//   methods                                -> {"methods": [..]}
//   run METHOD STEPS FALL WINDOW SECONDS SEED COUNT NAME
//       the first FALL steps are timed as falling, the last WINDOW of STEPS as settled; it gives
//       up after SECONDS -> {"falling_ms": .., "settled_ms": .., "steps": taken, "hash": "",
//       "before": [[..], ..] when the window begins, "after": [[..], ..] at the end}, or
//       {"refused": why}
//
// A row of before and after: position, quaternion wxyz, velocity of the centre of mass, angular
// velocity in world axes.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "scene.h"

using Motion = std::array<double, 13>;

class Participant {
 public:
  virtual ~Participant() = default;
  virtual std::string engine() const = 0;
  virtual std::vector<std::string> methods() const = 0;
  virtual void load(const EngineScene& scene, int method) = 0;  // throws: refused
  virtual void step() = 0;
  virtual std::vector<Motion> motions() const = 0;  // of the solids that move
  virtual std::string hash() const { return ""; }
};

inline std::string rows(const std::vector<Motion>& motions) {
  std::string s;
  char number[32];
  for (const Motion& m : motions) {
    s += s.empty() ? "[" : ",[";
    for (std::size_t k = 0; k < m.size(); ++k) {
      std::snprintf(number, sizeof number, k == 0 ? "%.17g" : ",%.17g", m[k]);
      s += number;
    }
    s += "]";
  }
  return s;
}

inline double mean(const std::vector<double>& ms, std::size_t begin, std::size_t end) {
  double sum = 0;
  for (std::size_t i = begin; i < end; ++i) sum += ms[i];
  return end > begin ? sum / static_cast<double>(end - begin) : 0;
}

inline void race(Participant& p, std::istringstream& words) {
  using Clock = std::chrono::steady_clock;
  int method = 0, count = 0;
  std::size_t steps = 0, fall = 0, window = 0;
  double seconds = 0;
  unsigned seed = 0;
  std::string name;
  words >> method >> steps >> fall >> window >> seconds >> seed >> count >> name;
  p.load(make_engine_scene(name, count, seed), method);
  std::vector<double> ms;
  std::vector<Motion> before = p.motions();
  const auto deadline = Clock::now() + std::chrono::duration<double>(seconds);
  while (ms.size() < steps && (ms.empty() || Clock::now() < deadline)) {
    if (ms.size() + window == steps) before = p.motions();
    const auto start = Clock::now();
    p.step();
    ms.push_back(1e3 * std::chrono::duration<double>(Clock::now() - start).count());
  }
  std::printf(
      "{\"falling_ms\": %.6g, \"settled_ms\": %.6g, \"steps\": %d, \"hash\": \"%s\", \"before\": "
      "[%s], \"after\": [%s]}\n",
      mean(ms, 0, std::min(fall, ms.size())),
      mean(ms, ms.size() - std::min(window, ms.size()), ms.size()), static_cast<int>(ms.size()),
      p.hash().c_str(), rows(before).c_str(), rows(p.motions()).c_str());
}

inline int serve(Participant& p) {
  std::printf("{\"engine\": \"%s\"}\n", p.engine().c_str());
  std::fflush(stdout);
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string command;
    words >> command;
    if (command == "run") {
      try {
        race(p, words);
      } catch (const std::exception& e) {
        std::string why = e.what();
        std::replace_if(
            why.begin(), why.end(), [](char c) { return c == '"' || c == '\\' || c == '\n'; }, ' ');
        std::printf("{\"refused\": \"%s\"}\n", why.c_str());
      }
    } else {
      std::string names;
      for (const std::string& m : p.methods()) names += (names.empty() ? "\"" : ", \"") + m + "\"";
      std::printf("{\"methods\": [%s]}\n", names.c_str());
    }
    std::fflush(stdout);
  }
  return 0;
}
