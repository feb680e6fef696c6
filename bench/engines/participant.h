// An engine in the race, in a process of its own. It is asked by lines and answers in JSON (the same
// for engines under node: participant.mjs):
//
//   methods                                -> {"methods": [..], "threads": most it can use}
//   run METHOD THREADS STEPS FALL WINDOW SAMPLES SECONDS SEED COUNT NAME STEM
//       the first FALL steps are timed as falling, the last WINDOW of STEPS as settled; it gives
//       up after SECONDS -> {"falling_ms": .., "settled_ms": .., "steps": taken, "hash": "",
//       "before": [[..], ..] when the window begins, "after": [[..], ..] at the end, "samples":
//       [[[..], ..], ..] at SAMPLES times of the run}, or {"refused": why}. The scene is also in
//       the files STEM.json and STEM.xml.
//
// A row of before and after, for each solid that moves, in the order of the scene: position,
// quaternion wxyz, velocity of the centre of mass, angular velocity in world axes.
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
  virtual int threads() const { return 1; }  // the most it can use
  // Throws std::exception for what it can't do: refused.
  virtual void load(const EngineScene& scene, int method, int threads) = 0;
  virtual void gravity(const Three& g) = 0;  // from the next step on
  virtual void step() = 0;
  virtual std::vector<Motion> motions() = 0;  // of the solids that move
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
  return "[" + s + "]";
}

inline double mean(const std::vector<double>& ms, std::size_t begin, std::size_t end) {
  double sum = 0;
  for (std::size_t i = begin; i < end; ++i) sum += ms[i];
  return end > begin ? sum / static_cast<double>(end - begin) : 0;
}

inline void race(Participant& p, std::istringstream& words) {
  using Clock = std::chrono::steady_clock;
  int method = 0, threads = 1, count = 0;
  std::size_t steps = 0, fall = 0, window = 0, samples = 0;
  double seconds = 0;
  unsigned seed = 0;
  std::string name;
  words >> method >> threads >> steps >> fall >> window >> samples >> seconds >> seed >> count >>
      name;
  const EngineScene scene = make_engine_scene(name, count, seed);
  p.load(scene, method, threads);
  std::vector<double> ms;
  std::string before = rows(p.motions()), sampled;
  const auto deadline = Clock::now() + std::chrono::duration<double>(seconds);
  while (ms.size() < steps && (ms.empty() || Clock::now() < deadline)) {
    if (ms.size() + window == steps) before = rows(p.motions());
    if (scene.shake > 0) p.gravity(gravity_at(scene, static_cast<double>(ms.size()) * scene.step));
    const auto start = Clock::now();
    p.step();
    ms.push_back(1e3 * std::chrono::duration<double>(Clock::now() - start).count());
    if (samples > 0 && ms.size() * samples / steps != (ms.size() - 1) * samples / steps)
      sampled += (sampled.empty() ? "" : ",") + rows(p.motions());
  }
  std::printf(
      "{\"falling_ms\": %.6g, \"settled_ms\": %.6g, \"steps\": %d, \"hash\": \"%s\", \"before\": "
      "%s, \"after\": %s, \"samples\": [%s]}\n",
      mean(ms, 0, std::min(fall, ms.size())),
      mean(ms, ms.size() - std::min(window, ms.size()), ms.size()), static_cast<int>(ms.size()),
      p.hash().c_str(), before.c_str(), rows(p.motions()).c_str(), sampled.c_str());
}

inline std::string quoted(const std::string& s) {
  std::string out = s;
  std::replace_if(
      out.begin(), out.end(), [](char c) { return c == '"' || c == '\\' || c == '\n'; }, ' ');
  return '"' + out + '"';
}

inline int serve(Participant& p) {
  std::printf("{\"engine\": %s}\n", quoted(p.engine()).c_str());
  std::fflush(stdout);
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string command;
    words >> command;
    if (command == "run") {
      try {
        race(p, words);
      } catch (const std::exception& e) {
        std::printf("{\"refused\": %s}\n", quoted(e.what()).c_str());
      }
    } else {
      std::string names;
      for (const std::string& m : p.methods()) names += (names.empty() ? "" : ", ") + quoted(m);
      std::printf("{\"methods\": [%s], \"threads\": %d}\n", names.c_str(), p.threads());
    }
    std::fflush(stdout);
  }
  return 0;
}
