// What each engine does in the race of complementarity solvers, in a process of its own.
//
// serve() reads commands from standard input, one a line, and answers each with one line of
// JSON; the other lines an engine may print are ignored by the other side. Every engine makes
// the problems itself, from the seeds 1 .. COUNT: the generator gives the same bits to all.
//
//   load FAMILY N COUNT  the problems                     -> {"unknowns": 12, "methods": [..]}
//   answer METHOD        all of them, once                -> {"residual": [..], "ns": 123.4},
//                        null where z is no number
//   time METHOD SECONDS [I ..]  the fastest pass, mean a problem; of these alone -> {"ns": 123.4}
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "abut/solve/answer.h"
#include "abut/solve/generate/generate.h"

// Of Residuals::relative: what counts as solved, and what the cone solvers are asked for.
inline constexpr double kSolved = 1e-8;
// Of Gauss-Seidel, for all.
inline constexpr int kMostSweeps = 20'000;

class Participant {
 public:
  virtual ~Participant() = default;
  virtual std::string engine() const = 0;  // with its version
  // Those that are for problems of this family and size.
  virtual std::vector<std::string> methods(const abut::Family& family, int n) const = 0;
  // In its own types; not timed. The problems live until the next `load`.
  virtual void load(const std::vector<abut::Problem>& problems,
                    const std::vector<std::string>& methods) = 0;
  // Before each pass over all problems, not timed: what the last pass changed is put back.
  virtual void restore(const std::string& method) = 0;
  virtual void solve(const std::string& method, int problem) = 0;
  // z as `solve` left it.
  virtual abut::VectorX solution(int problem) const = 0;
};

// Seconds that these problems take, one after the other.
inline double one_pass(Participant& participant, const std::string& method,
                       const std::vector<int>& which) {
  using Clock = std::chrono::steady_clock;
  participant.restore(method);
  const auto start = Clock::now();
  for (const int i : which) participant.solve(method, i);
  return std::chrono::duration<double>(Clock::now() - start).count();
}

inline const abut::Family& family_of(const std::string& name) {
  for (const abut::Family& family : abut::families())
    if (family.name == name) return family;
  throw std::runtime_error("no family '" + name + "'");
}

inline int serve(Participant& participant) try {
  std::vector<abut::Problem> problems;
  std::vector<std::string> methods;
  std::printf("{\"engine\": \"%s\"}\n", participant.engine().c_str());
  std::fflush(stdout);
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string command;
    words >> command;
    if (command == "load") {
      std::string family;
      int n = 0, count = 0;
      words >> family >> n >> count;
      problems.clear();
      methods = participant.methods(family_of(family), n);
      if (methods.empty()) count = 0;  // making them takes long, too
      for (int seed = 1; seed <= count; ++seed)
        problems.push_back(abut::generate(family, n, static_cast<std::uint64_t>(seed)));
      participant.load(problems, methods);
      std::printf("{\"unknowns\": %d, \"methods\": [", count > 0 ? problems[0].size() : 0);
      for (std::size_t m = 0; m < methods.size(); ++m)
        std::printf("%s\"%s\"", m == 0 ? "" : ", ", methods[m].c_str());
      std::printf("]}\n");
    } else if (command == "answer" || command == "time") {
      std::size_t which = 0;
      words >> which;
      const std::string& method = methods.at(which);
      const int count = static_cast<int>(problems.size());
      double seconds = 0;
      if (command == "time") words >> seconds;
      std::vector<int> those;
      for (int i = 0; words >> i;) those.push_back(i);
      if (those.empty())
        for (int i = 0; i < count; ++i) those.push_back(i);
      double fastest = one_pass(participant, method, those);
      if (command == "answer") {
        std::printf("{\"residual\": [");
        abut::VectorX w, scratch;
        for (int i = 0; i < count; ++i) {
          const abut::VectorX z = participant.solution(i);
          const double residual =
              abut::residuals(problems[static_cast<std::size_t>(i)], z, w, scratch).relative;
          std::printf(i == 0 ? "" : ", ");
          if (std::isfinite(residual)) {
            std::printf("%.3g", residual);
          } else {
            std::printf("null");
          }
        }
        std::printf("], ");
      } else {
        for (double spent = fastest; spent < seconds;) {
          const double again = one_pass(participant, method, those);
          fastest = std::min(fastest, again);
          spent += again;
        }
        std::printf("{");
      }
      std::printf("\"ns\": %.17g}\n", 1e9 * fastest / static_cast<double>(those.size()));
    } else {
      throw std::runtime_error("no command '" + command + "'");
    }
    std::fflush(stdout);
  }
  return 0;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
