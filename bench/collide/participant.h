// What each engine does in the race of distance queries, in a process of its own.
//
// serve() reads commands from standard input, one a line, and answers each with one
// line of JSON; the other lines an engine may print are ignored by the other side.
//
//   load FILE                the solids and queries (scene.h)  -> {"methods": [..]}
//   answer METHOD SET        all queries of a set, in order    -> {"distance": [..]},
//                            null where the engine gave up;
//                            {"skipped": true}: the method is not for such a set
//   time METHOD SET SECONDS  fastest batch                     -> {"ns": 123.4}
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <exception>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "scene.h"

class Participant {
 public:
  virtual ~Participant() = default;
  virtual std::string engine() const = 0;  // with its version
  virtual std::vector<std::string> methods() const = 0;
  // Makes its shapes, and the poses of all queries in its own types: neither is timed.
  virtual void load(const Scene& scene) = 0;
  virtual bool is_for(int /*method*/, const QuerySet& /*set*/) const { return true; }
  // Signed distance (m) of query `i` of a set; NaN: gave up, or took the pair for apart
  // when it overlaps and the other way round. May start from what the last query found,
  // unless this one is the first of a path. Of a path, the queries after the first are timed:
  // the second may come without the first, and starts from what that one found all the same.
  virtual double query(int method, int set, int i) = 0;
};

// Every query of all sets, in the participant's own words: make(query) is called once for
// each before the race.
template <typename T, typename Make>
std::vector<std::vector<T>> prepared(const Scene& scene, Make make) {
  std::vector<std::vector<T>> out;
  for (const QuerySet& set : scene.sets) {
    out.emplace_back();
    for (const Query& query : set.queries) out.back().push_back(make(set, query));
  }
  return out;
}

// Nanoseconds a query: the fastest batch, since whatever else runs on the machine only
// ever adds time. A batch goes through the whole set, but for the first queries of paths,
// which are cold.
inline double fastest_batch(Participant& participant, int method, int set, const QuerySet& asked,
                            double seconds) {
  std::vector<int> timed;
  for (std::size_t i = 0; i < asked.queries.size(); ++i)
    if (asked.motion == 0 || !asked.queries[i].first) timed.push_back(static_cast<int>(i));
  using Clock = std::chrono::steady_clock;
  double fastest = HUGE_VAL, sum = 0;
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  do {
    const auto start = Clock::now();
    for (const int i : timed) sum += participant.query(method, set, i);
    const std::chrono::duration<double> took = Clock::now() - start;
    fastest = std::min(fastest, took.count());
  } while (Clock::now() < end);
  volatile double keep = sum;
  static_cast<void>(keep);
  return 1e9 * fastest / static_cast<double>(timed.size());
}

inline int serve(Participant& participant) try {
  Scene scene;
  std::printf("{\"engine\": \"%s\"}\n", participant.engine().c_str());
  std::fflush(stdout);
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string command;
    words >> command;
    if (command == "load") {
      std::string file;
      words >> file;
      scene = read_scene(file);
      participant.load(scene);
      const char* separator = "{\"methods\": [";
      for (const std::string& name : participant.methods()) {
        std::printf("%s\"%s\"", separator, name.c_str());
        separator = ", ";
      }
      std::printf("]}\n");
    } else if (command == "answer" || command == "time") {
      int method = 0, set = 0;
      double seconds = 0;
      words >> method >> set;
      const QuerySet& asked = scene.sets.at(static_cast<std::size_t>(set));
      const int count = static_cast<int>(asked.queries.size());
      if (command == "time") {
        words >> seconds;
        std::printf("{\"ns\": %.17g}\n", fastest_batch(participant, method, set, asked, seconds));
      } else if (!participant.is_for(method, asked)) {
        std::printf("{\"skipped\": true}\n");
      } else {
        for (int i = 0; i < count; ++i) {
          std::printf(i == 0 ? "{\"distance\": [" : ", ");
          const double distance = participant.query(method, set, i);
          if (std::isfinite(distance)) {
            std::printf("%.17g", distance);
          } else {
            std::printf("null");
          }
        }
        std::printf("]}\n");
      }
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
