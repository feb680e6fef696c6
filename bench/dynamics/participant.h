// What each engine does in the race, in a process of its own.
//
// serve() reads commands from standard input, one a line, and answers each with one
// line of JSON; the other lines an engine may print are ignored by the other side.
//
//   load FLAT WORLD STATES   the model as bare bodies and joints, the world it was made
//                            from, and the states (states.h)     -> {"methods": [..]},
//                            or {"refused": "why"}
//   answer METHOD            accelerations at all states         -> {"acceleration": [..]}
//   time METHOD SECONDS      fastest batch of evaluations        -> {"us": 12.3}
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "states.h"

class Participant {
 public:
  virtual ~Participant() = default;
  virtual std::string engine() const = 0;  // with its version
  virtual std::vector<std::string> methods() const = 0;
  virtual void load(const std::string& flat, const std::string& world,
                    std::vector<Sample> samples) = 0;
  // From q, v and tau of one state to the acceleration, everything computed anew.
  virtual void evaluate(int method, int state) = 0;
  // The result of the last evaluation, which was at `state`, in MuJoCo's layout.
  virtual std::vector<double> acceleration(int state) const = 0;
};

// Microseconds an evaluation: the fastest batch, since whatever else runs on the machine
// only ever adds time. A batch goes through all states and takes a millisecond or more.
inline double fastest_batch(Participant& participant, int method, int states, double seconds) {
  using Clock = std::chrono::steady_clock;
  const auto batch = [&](int rounds) {
    const auto start = Clock::now();
    for (int r = 0; r < rounds; ++r)
      for (int k = 0; k < states; ++k) participant.evaluate(method, k);
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  const auto deadline = Clock::now() + std::chrono::duration<double>(seconds);
  int rounds = 1;
  while (batch(rounds) < 1e-3 && rounds < 1 << 20) rounds *= 2;
  double fastest = batch(rounds);
  while (Clock::now() < deadline) fastest = std::min(fastest, batch(rounds));
  return 1e6 * fastest / (rounds * states);
}

// As the inside of a JSON string.
inline std::string one_line(std::string text) {
  for (char& c : text)
    if (c == '"' || c == '\\' || static_cast<unsigned char>(c) < ' ') c = ' ';
  return text;
}

inline int serve(Participant& participant) try {
  int states = 0;
  const auto method_index = [&](const std::string& name) {
    const std::vector<std::string> names = participant.methods();
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i] == name) return static_cast<int>(i);
    throw std::runtime_error("no method '" + name + "'");
  };
  std::printf("{\"engine\": \"%s\"}\n", participant.engine().c_str());
  std::fflush(stdout);
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string command, method;
    words >> command;
    if (command == "load") {
      std::string flat, world, file;
      words >> flat >> world >> file;
      std::vector<Sample> samples = read_states(file);
      states = static_cast<int>(samples.size());
      try {
        participant.load(flat, world, std::move(samples));
      } catch (const std::exception& error) {
        std::printf("{\"refused\": \"%s\"}\n", one_line(error.what()).c_str());
        std::fflush(stdout);
        continue;
      }
      const char* separator = "{\"methods\": [";
      for (const std::string& name : participant.methods()) {
        std::printf("%s\"%s\"", separator, name.c_str());
        separator = ", ";
      }
      std::printf("]}\n");
    } else if (command == "answer") {
      words >> method;
      const char* separator = "{\"acceleration\": [";
      for (int k = 0; k < states; ++k) {
        participant.evaluate(method_index(method), k);
        for (double x : participant.acceleration(k)) {
          std::printf("%s%.17g", separator, x);
          separator = ", ";
        }
      }
      std::printf("]}\n");
    } else if (command == "time") {
      double seconds = 0;
      words >> method >> seconds;
      std::printf("{\"us\": %.17g}\n",
                  fastest_batch(participant, method_index(method), states, seconds));
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
