// abut run --haptic: a hand in the world, in real time, without a window; and what abut view
// --haptic shares with it.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

#include "abut/haptic/device/device.h"
#include "abut/haptic/loop/haptic_loop.h"
#include "contact_flags.h"
#include "world_flags.h"

namespace abut::tool {

struct HapticFlags {
  bool on = false;
  std::string device = "simulated", hold, clock = "real", replay;
  double rate = 1000;
};

void add_haptic_flags(CLI::App& command, HapticFlags& flags);

// A hand in a world, ready to go.
struct HapticParts {
  Model model;
  std::unique_ptr<haptic::HapticCycle> cycle;
  std::unique_ptr<haptic::Device> device;
  std::vector<std::string> warnings;
};
// `contact`: of this name in place of the flags', unless empty. The parts stay where they are: the
// cycle refers to the model.
std::unique_ptr<HapticParts> haptic_parts(const HapticFlags& haptic, const WorldFlags& world,
                                          const ContactFlags& contact, int threads);

// What is said at the end: `haptic` of the JSON, and for people.
Json haptic_json(const HapticFlags& flags, const HapticParts& parts,
                 const haptic::LoopReport& report);
void print_haptic(const Json& haptic, const HapticParts& parts);
std::vector<std::string> haptic_run_warnings(const HapticFlags& flags,
                                             const haptic::LoopReport& report);

struct HapticRun {
  const HapticFlags& haptic;
  const WorldFlags& world;
  const ContactFlags& contact;
  std::string save, record;
  int threads = 1;
  bool json = false, quiet = false;
};
int run_haptic(const HapticRun& run);

}  // namespace abut::tool
